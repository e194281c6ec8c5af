// SPDX-License-Identifier: MIT
// Maps of a Tokenizer as JSON. Objects of JavaScript move keys such as '2007' to the front, so the
// order of words is read from the text itself.
import { isPlain, show } from '../base/check.js';
import { FormatError } from '../base/errors.js';

const pairs = /"((?:[^"\\]|\\.)*)"\s*:\s*([^\s,}]+)/g;

function parsed(text: string, what: string): unknown {
  try {
    return JSON.parse(text);
  } catch (error) {
    throw new FormatError(`${what} is not JSON: ${(error as Error).message}`);
  }
}

/** Parses JSON. Some programs of Python encode the text twice, `json.dumps(t.to_json())`. */
export function parseTwice(text: string, what: string): unknown {
  const value = parsed(text, what);
  return typeof value === 'string' ? parsed(value, what) : value;
}

/** Returns the entries of a map in order: of JSON text, an object, a Map, or nothing. */
export function entriesOf(value: unknown, what: string): [string, unknown][] {
  if (value === undefined || value === null) return [];
  if (value instanceof Map) return [...value].map(([key, item]) => [String(key), item]);
  const map = typeof value === 'string' ? parsed(value, what) : value;
  if (!isPlain(map)) throw new FormatError(`${what} is ${show(map)} but must be an object`);
  const entries = Object.entries(map);
  if (typeof value !== 'string' || !entries.every(([, item]) => typeof item === 'number'))
    return entries;
  const inOrder = value.matchAll(pairs);
  return [...new Map([...inOrder].map(([, key, item]) => [JSON.parse(`"${key}"`), Number(item)]))];
}

const isCount = (value: unknown): value is number =>
  Number.isSafeInteger(value) && (value as number) >= 0;

/** Returns a number as an integer from 0 on. Throws FormatError for another value. */
function countOf(value: unknown, key: unknown, what: string): number {
  const number = typeof value === 'bigint' ? Number(value) : value;
  if (isCount(number)) return number;
  throw new FormatError(
    `${what} has ${show(value)} for ${show(key)}, but needs a whole number, 0 or more`,
  );
}

/** Returns a map from words to integers. */
export const wordNumbers = (value: unknown, what: string): Map<string, number> =>
  new Map(entriesOf(value, what).map(([word, item]) => [word, countOf(item, word, what)]));

/** Returns a map from ids to integers. */
export const idNumbers = (value: unknown, what: string): Map<number, number> =>
  new Map(
    entriesOf(value, what).map(([id, item]) => [
      countOf(Number(id), id, what),
      countOf(item, id, what),
    ]),
  );

/** Returns a map from ids to words. */
export function idWords(value: unknown, what: string): Map<number, string> {
  return new Map(
    entriesOf(value, what).map(([id, word]) => {
      if (typeof word === 'string') return [countOf(Number(id), id, what), word];
      throw new FormatError(`${what} has ${show(word)} for id ${show(id)}, but needs a word`);
    }),
  );
}

/** Writes a map as JSON, in its order. */
export const jsonOf = (map: ReadonlyMap<string | number, string | number>): string =>
  `{${[...map].map(([key, item]) => `${JSON.stringify(String(key))}: ${JSON.stringify(item)}`).join(', ')}}`;

/** Returns a map as an object that cannot be changed, without inherited properties. */
export function objectOf<K extends string | number, V>(
  map: ReadonlyMap<K, V>,
): { readonly [key in K]: V } {
  return Object.freeze(Object.assign(Object.create(null), Object.fromEntries(map)));
}
