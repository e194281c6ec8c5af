// SPDX-License-Identifier: MIT

const kWidth = 30;

/** A progress bar on standard error. It is shown only at a terminal. */
export class Progress {
  readonly #isShown = process.stderr.isTTY === true;
  #last = -1;

  constructor(
    readonly total: number,
    readonly unit = 'rows',
  ) {}

  at(done: number): void {
    if (!this.#isShown || this.total === 0) return;
    const part = Math.round((kWidth * done) / this.total);
    if (part === this.#last && done < this.total) return;
    this.#last = part;
    const bar = '█'.repeat(part) + '░'.repeat(kWidth - part);
    process.stderr.write(`\r${bar} ${done}/${this.total} ${this.unit}`);
  }

  end(): void {
    if (this.#isShown && this.#last >= 0) process.stderr.write('\r\x1b[K');
  }
}
