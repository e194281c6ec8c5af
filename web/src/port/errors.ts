// SPDX-License-Identifier: MIT
// The error of sources that are not Python, and places in a source.

/** Thrown for a source that cannot be translated at all, such as one with a syntax error. */
export class PortError extends Error {
  /** Name of the class, also in minified programs. */
  override readonly name = 'PortError';
  /** Line of the source, from 1. */
  readonly line: number;
  /** Column of the source, from 1. */
  readonly column: number;
  /** The Python program of the line: for notebooks, their cells joined. */
  readonly source: string | undefined;

  constructor(message: string, line: number, column: number, source?: string) {
    super(`line ${line}, column ${column}: ${message}`);
    this.line = line;
    this.column = column;
    this.source = source;
  }
}

/** Lines and columns of offsets. */
export class Places {
  readonly #starts: number[] = [0];

  constructor(source: string) {
    for (let i = source.indexOf('\n'); i >= 0; i = source.indexOf('\n', i + 1)) {
      this.#starts.push(i + 1);
    }
  }

  /** Returns line and column, both from 1. */
  of(at: number): { line: number; column: number } {
    let [low, high] = [0, this.#starts.length];
    while (high - low > 1) {
      const middle = (low + high) >> 1;
      if ((this.#starts[middle] as number) <= at) low = middle;
      else high = middle;
    }
    return { line: low + 1, column: at - (this.#starts[low] as number) + 1 };
  }
}
