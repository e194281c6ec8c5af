// SPDX-License-Identifier: MIT
import { FormatError } from '../../errors.js';

export type Json = { [key: string]: unknown };

export function isRecord(value: unknown): value is Json {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

export const listOf = (value: unknown): unknown[] =>
  Array.isArray(value) ? value : value === undefined || value === null ? [] : [value];

export const textOf = (value: unknown): string => (typeof value === 'string' ? value : '');

// Python writes NaN and Infinity into JSON as bare words. Strings are matched first, so that words inside stay.
const bareNumbers = /"(?:[^"\\]|\\.)*"|-?\bInfinity\b|\bNaN\b/g;

/** JSON as Python writes it, with NaN and infinities. FormatError, with the place, when it is none. */
export function parseJson(text: string, what: string): unknown {
  try {
    return JSON.parse(text);
  } catch (error) {
    const marked = text.replace(bareNumbers, (found) =>
      found.startsWith('"') ? found : `{"__number__":"${found}"}`,
    );
    try {
      return JSON.parse(marked, (_, value) =>
        isRecord(value) && '__number__' in value ? Number(value['__number__']) : value,
      );
    } catch {
      throw new FormatError(`${what} is no JSON: ${(error as Error).message}`);
    }
  }
}

const kDeepest = 150;

/** What TensorFlow wraps in JSON, plain: tuples and shapes as lists. FormatError when it is nested beyond all use. */
export function unwrapped(value: unknown, depth = 0): unknown {
  if (depth > kDeepest) {
    throw new FormatError(`the configuration is nested more than ${kDeepest} levels deep`);
  }
  if (Array.isArray(value)) return value.map((item) => unwrapped(item, depth + 1));
  if (!isRecord(value)) return value;
  if (value['class_name'] === '__tuple__' || value['class_name'] === 'TensorShape') {
    return unwrapped(value['items'], depth + 1);
  }
  const result: Json = {};
  for (const [key, item] of Object.entries(value)) {
    // An own key of this name would become the prototype.
    if (key !== '__proto__') result[key] = unwrapped(item, depth + 1);
  }
  return result;
}
