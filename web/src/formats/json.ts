// SPDX-License-Identifier: MIT
export { lookUp } from '../base/names.js';
import { FormatError } from '../base/errors.js';
import { isRecord, type Json } from '../base/json.js';
import type { FileBudget } from '../model/services.js';

export { isRecord, type Json };

export const listOf = (value: unknown): unknown[] =>
  Array.isArray(value) ? value : value === undefined || value === null ? [] : [value];
export const textOf = (value: unknown): string => (typeof value === 'string' ? value : '');

/** What TensorFlow wraps in JSON, plain: tuples and shapes as lists. FormatError when it is nested beyond all use. */
export function unwrapped(value: unknown, budget: FileBudget, depth = 0): unknown {
  const { depth: most } = budget.limits;
  if (depth > most) {
    throw new FormatError(`the configuration is nested more than ${most} levels deep`);
  }
  budget.tick();
  const inside = (item: unknown): unknown => unwrapped(item, budget, depth + 1);
  if (Array.isArray(value)) return value.map(inside);
  if (!isRecord(value)) return value;
  if (value['class_name'] === '__tuple__' || value['class_name'] === 'TensorShape') {
    return inside(value['items']);
  }
  const result: Json = {};
  for (const [key, item] of Object.entries(value)) {
    // An own key of this name would become the prototype.
    if (key !== '__proto__') result[key] = inside(item);
  }
  return result;
}
