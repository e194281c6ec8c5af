// SPDX-License-Identifier: MIT
// The defaults of the option `limits` and its check.
import { ValueError } from '../../base/errors.js';
import type { Limits } from '../../base/model_source.js';

/** Defaults for model files, far above any real model. */
const kModelLimits: Required<Limits> = {
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

/** Defaults for inputs and recordings: these may be large texts and compress well. */
export const kDataLimits: Required<Limits> = {
  ...kModelLimits,
  ratio: 200,
  text: 2 ** 30,
  nodes: 100_000_000,
};

/** Largest limit of depth: readers visit nested values by recursion, and the stack is limited. */
const kMaxDepth = 1000;

/**
 * Completes the limits with defaults. Throws ValueError for an unknown name or an invalid value.
 */
export function allLimits(
  options: Limits | undefined,
  defaults: Required<Limits> = kModelLimits,
): Required<Limits> {
  if (options === undefined) return defaults;
  if (typeof options !== 'object' || options === null) {
    const type = options === null ? 'null' : typeof options;
    throw new ValueError(`limits is ${type}; pass an object such as { bytes: … }`);
  }
  const limits = { ...defaults };
  for (const [name, value] of Object.entries(options)) {
    if (!Object.hasOwn(defaults, name)) {
      throw new ValueError(
        `unknown limit '${name}'; the limits are ${Object.keys(defaults).join(', ')}`,
      );
    }
    if (value === undefined) continue;
    const largest = name === 'depth' ? kMaxDepth : Number.POSITIVE_INFINITY;
    if (typeof value !== 'number' || !(value > 0) || value > largest) {
      const range = name === 'depth' ? `, at most ${kMaxDepth}` : '';
      throw new ValueError(`limits.${name} is ${String(value)} but must be above 0${range}`);
    }
    limits[name as keyof Limits] = value;
  }
  return limits;
}
