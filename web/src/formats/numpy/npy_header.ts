// SPDX-License-Identifier: MIT

/** What a Python literal of NumPy's headers may be; other words and numbers come as text. */
type Literal = string | number | boolean | Literal[];

const kDeepest = 16;

/** Reads the dictionary of a header from left to right. Empty where it is no dictionary with texts as keys. */
export function readLiteral(text: string): { [key: string]: Literal | undefined } {
  const reader = new Reader(text);
  const result: { [key: string]: Literal | undefined } = {};
  if (!reader.goes('{')) return result;
  while (!reader.goes('}')) {
    const key = reader.value();
    const value = reader.goes(':') ? reader.value() : undefined;
    if (typeof key !== 'string' || value === undefined) return {};
    result[key] = value;
    if (!reader.goes(',') && !reader.goes('}', true)) return {};
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

  /** Does this character come next? Goes past it, unless only asked. */
  goes(character: string, stay = false): boolean {
    while (this.#at < this.#text.length && kSpace.includes(this.#text.charAt(this.#at))) this.#at++;
    const found = this.#text[this.#at] === character;
    if (found && !stay) this.#at++;
    return found;
  }

  value(depth = 0): Literal | undefined {
    if (this.goes("'")) return this.#quoted();
    if (this.goes('(')) return this.#list(')', depth);
    if (this.goes('[')) return this.#list(']', depth);
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
    while (!this.goes(end)) {
      const item = depth < kDeepest ? this.value(depth + 1) : undefined;
      if (item === undefined) return undefined;
      items.push(item);
      if (!this.goes(',') && !this.goes(end, true)) return undefined;
    }
    return items;
  }

  #word(): Literal | undefined {
    const from = this.#at;
    while (this.#at < this.#text.length && !kEnds.includes(this.#text.charAt(this.#at))) this.#at++;
    const word = this.#text.slice(from, this.#at);
    if (word === '') return undefined;
    if (word === 'True' || word === 'False') return word === 'True';
    // Python 2 wrote long whole numbers with an L.
    const digits = word.endsWith('L') ? word.slice(0, -1) : word;
    const number = Number(digits);
    return Number.isFinite(number) ? number : word;
  }
}
