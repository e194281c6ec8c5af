// SPDX-License-Identifier: MIT
// The Python dictionary at the start of a `.npy` file, read without running Python.

/** A Python literal in a NumPy header; unknown words are strings. */
type Literal = string | number | boolean | Literal[];

const kMaxDepth = 16;

/** Reads the dictionary of a header; empty if it is not a dictionary with strings as keys. */
export function readLiteral(text: string): { [key: string]: Literal | undefined } {
  const reader = new Reader(text);
  const result: { [key: string]: Literal | undefined } = {};
  if (!reader.accept('{')) return result;
  while (!reader.accept('}')) {
    const key = reader.value();
    const value = reader.accept(':') ? reader.value() : undefined;
    if (typeof key !== 'string' || value === undefined) return {};
    result[key] = value;
    if (!reader.accept(',') && !reader.accept('}', true)) return {};
  }
  return result;
}

const kSpace = ' \n\t\r';
const kEnds = `,:()[]{}'${kSpace}`;

class Reader {
  #at = 0;
  readonly #text: string;
  constructor(text: string) {
    this.#text = text;
  }

  /** Returns whether this character is next, and skips it unless `peek` is set. */
  accept(character: string, peek = false): boolean {
    while (this.#at < this.#text.length && kSpace.includes(this.#text.charAt(this.#at))) this.#at++;
    const isNext = this.#text[this.#at] === character;
    if (isNext && !peek) this.#at++;
    return isNext;
  }

  value(depth = 0): Literal | undefined {
    if (this.accept("'")) return this.#quoted();
    if (this.accept('(')) return this.#list(')', depth);
    if (this.accept('[')) return this.#list(']', depth);
    return this.#word();
  }

  #quoted(): string | undefined {
    const end = this.#text.indexOf("'", this.#at);
    if (end < 0) return undefined;
    const quoted = this.#text.slice(this.#at, end);
    this.#at = end + 1;
    return quoted;
  }

  #list(end: string, depth: number): Literal[] | undefined {
    const items: Literal[] = [];
    while (!this.accept(end)) {
      const item = depth < kMaxDepth ? this.value(depth + 1) : undefined;
      if (item === undefined) return undefined;
      items.push(item);
      if (!this.accept(',') && !this.accept(end, true)) return undefined;
    }
    return items;
  }

  #word(): Literal | undefined {
    const from = this.#at;
    while (this.#at < this.#text.length && !kEnds.includes(this.#text.charAt(this.#at))) this.#at++;
    const word = this.#text.slice(from, this.#at);
    if (word === '') return undefined;
    if (word === 'True' || word === 'False') return word === 'True';
    // Python 2 wrote long integers with an L.
    const digits = word.endsWith('L') ? word.slice(0, -1) : word;
    const number = Number(digits);
    return Number.isFinite(number) ? number : word;
  }
}
