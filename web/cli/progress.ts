// SPDX-License-Identifier: MIT

const kWidth = 30;

/** A bar on standard error, where someone looks at it. */
export class Progress {
  readonly #shown = process.stderr.isTTY === true;
  #last = -1;

  constructor(
    readonly total: number,
    readonly unit = 'rows',
  ) {}

  at(done: number): void {
    if (!this.#shown || this.total === 0) return;
    const part = Math.round((kWidth * done) / this.total);
    if (part === this.#last && done < this.total) return;
    this.#last = part;
    const bar = '█'.repeat(part) + '░'.repeat(kWidth - part);
    process.stderr.write(`\r${bar} ${done}/${this.total} ${this.unit}`);
  }

  end(): void {
    if (this.#shown && this.#last >= 0) process.stderr.write('\r\x1b[K');
  }
}
