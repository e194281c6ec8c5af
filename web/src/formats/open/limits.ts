// SPDX-License-Identifier: MIT
import { ValueError } from '../../base/errors.js';
import type { Limits } from '../../base/model_source.js';

/** What no model comes near. */
export const kModelLimits: Required<Limits> = {
  bytes: 2 ** 32,
  ratio: 20,
  text: 2 ** 26,
  entries: 1_000_000,
  nodes: 1_000_000,
  metrics: 1000,
  thresholds: 2_000_000,
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
