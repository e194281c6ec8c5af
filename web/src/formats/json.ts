// SPDX-License-Identifier: MIT
// Access to parsed JSON of unknown content, for all readers and converters of formats/.
export { lookUp } from '../base/names.js';
import { FormatError } from '../base/errors.js';
import { isRecord, type Json } from '../base/json.js';
import type { FileBudget } from '../model/services.js';

export { isRecord, type Json };

/** The value as a list: a list itself, [] for null and undefined, else a list of one item. */
export const listOf = (value: unknown): unknown[] =>
  Array.isArray(value) ? value : value === undefined || value === null ? [] : [value];

/** The value if it is a string, else ''. */
export const textOf = (value: unknown): string => (typeof value === 'string' ? value : '');

/**
 * Replaces TensorFlow's wrappers of tuples and shapes by lists. FormatError above the limit of
 * depth.
 */
export function unwrapTuples(value: unknown, budget: FileBudget, depth = 0): unknown {
  const { depth: allowed } = budget.limits;
  if (depth > allowed) {
    throw new FormatError(`the config is nested more than ${allowed} levels deep`);
  }
  budget.tick();
  const convert = (item: unknown): unknown => unwrapTuples(item, budget, depth + 1);
  if (Array.isArray(value)) return value.map(convert);
  if (!isRecord(value)) return value;
  if (value['class_name'] === '__tuple__' || value['class_name'] === 'TensorShape') {
    return convert(value['items']);
  }
  const result: Json = {};
  for (const [key, item] of Object.entries(value)) {
    // Assigning this key would set the prototype.
    if (key !== '__proto__') result[key] = convert(item);
  }
  return result;
}
