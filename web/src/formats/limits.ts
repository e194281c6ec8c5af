// SPDX-License-Identifier: MIT
import { ValueError } from '../errors.js';

/**
 * How much a file may cost to read. What goes beyond is a FormatError that names the limit and the number. Each may be raised for a
 * file that is trusted, `Infinity` for no limit.
 */
export interface Limits {
  /** Bytes of all files of a model together, and of what is unpacked from them. Default: 4 GiB. */
  bytes?: number;
  /** How many times its packed size a file may unpack to, beyond 64 MiB that are always allowed. Default: 20; inputs and recordings 200. */
  ratio?: number;
  /** Bytes of text: configurations, names, attributes. Default: 64 MiB; inputs and recordings 1 GiB. */
  text?: number;
  /** Parts of files: entries of archives, groups, attributes, arrays and their pieces, shards. Default: a million. */
  entries?: number;
  /** Values of JSON: keys, items of lists, objects. Default: a million; inputs and recordings a hundred million. */
  nodes?: number;
  /** How deep objects and lists, or groups, may stand inside each other. Default: 150; at most 1000. */
  depth?: number;
  /**
   * Milliseconds of work in this thread, without the time that files take to come. Default: 600,000. It is looked at between pieces of
   * work; a limit that holds in every case is that of a worker, `openWorker({ timeLimit })`.
   */
  milliseconds?: number;
}

/** What no model comes near. */
export const kModelLimits: Required<Limits> = {
  bytes: 2 ** 32,
  ratio: 20,
  text: 2 ** 26,
  entries: 1_000_000,
  nodes: 1_000_000,
  depth: 150,
  milliseconds: 600_000,
};

/** Of inputs and recordings, which may be large as text, and packed well. */
export const kDataLimits: Required<Limits> = {
  ...kModelLimits,
  ratio: 200,
  text: 2 ** 30,
  nodes: 100_000_000,
};

// Readers walk what is nested by recursion.
const kDeepest = 1000;

/** The limits with the defaults for what is not said. ValueError for what is no limit. */
export function allLimits(
  given: Limits | undefined,
  defaults: Required<Limits> = kModelLimits,
): Required<Limits> {
  if (given === undefined) return defaults;
  if (typeof given !== 'object' || given === null) {
    throw new ValueError(`limits is ${given === null ? 'null' : typeof given}; give { bytes: … }`);
  }
  const limits = { ...defaults };
  for (const [name, value] of Object.entries(given)) {
    if (!Object.hasOwn(defaults, name)) {
      throw new ValueError(
        `limits has no '${name}'; there are ${Object.keys(defaults).join(', ')}`,
      );
    }
    if (value === undefined) continue;
    const most = name === 'depth' ? kDeepest : Number.POSITIVE_INFINITY;
    if (typeof value !== 'number' || !(value > 0) || value > most) {
      const range = name === 'depth' ? `, at most ${kDeepest}` : '';
      throw new ValueError(`limits.${name} is ${String(value)} but must be above 0${range}`);
    }
    limits[name as keyof Limits] = value;
  }
  return limits;
}
