// SPDX-License-Identifier: MIT
// Writes texts of a file, which may be hostile, into a JavaScript module.

const kReserved = new Set(
  `
    abstract arguments as async await boolean break byte case catch char class const continue debugger
    default delete do double else enum eval export extends false final finally float for from function
    get goto if implements import in Infinity instanceof int interface let long NaN native new null of
    package private protected public return set short static super switch synchronized this throw
    throws transient true try typeof undefined var void volatile while with yield
  `
    .trim()
    .split(/\s+/),
);

const isIdentifier = (text: string): boolean =>
  /^[A-Za-z_$][A-Za-z0-9_$]*$/.test(text) && !kReserved.has(text);

/**
 * A JSON value as an expression, which is safe in comments and in HTML, too: only letters, digits
 * and visible ASCII stay as they are.
 */
export function literal(value: unknown): string {
  const escaped = (character: string): string =>
    Array.from(
      { length: character.length },
      (_, i) => `\\u${character.charCodeAt(i).toString(16).padStart(4, '0')}`,
    ).join('');
  return (JSON.stringify(value) ?? 'null')
    .replace(/[^\x20-\x7e\p{L}\p{Nd}]/gu, escaped)
    .replace(/([*<])\//g, '$1\\/');
}

/** Text for a comment, in quotes unless it is a plain word. */
export const inComment = (text: string): string =>
  /^[A-Za-z0-9_.$-]+$/.test(text) ? text : literal(text);

/** Names that are free in a module, for classes. */
export class Identifiers {
  readonly #used: Set<string>;
  /** The last number that was added to each name. */
  readonly #last = new Map<string, number>();
  constructor(used: readonly string[]) {
    this.#used = new Set(used);
  }

  /** Returns the text as an identifier that nothing else in the module has. */
  unique(text: string): string {
    const bare = text.replace(/[^A-Za-z0-9_$]/g, '_').slice(0, kLongest);
    const base = isIdentifier(bare) && Number.isNaN(Number(bare)) ? bare : `_${bare}`;
    let name = base;
    let number = this.#last.get(base) ?? 1;
    while (this.#used.has(name)) name = `${base}_${++number}`;
    this.#last.set(base, number);
    this.#used.add(name);
    return name;
  }
}

/** Longest identifier that is made from a name of the file. */
const kLongest = 100;

/** `.name`, or `["any text"]`. */
export const member = (name: string): string =>
  /^[A-Za-z_$][A-Za-z0-9_$]*$/.test(name) ? `.${name}` : `[${literal(name)}]`;
