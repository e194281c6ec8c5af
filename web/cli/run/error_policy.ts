// SPDX-License-Identifier: MIT
// The treatment of bad rows, as the option --on-error chooses it.
import { printError } from '../print.js';
import type { OnError } from './options.js';

/** The option --on-error: what happens to rows that cannot be read or computed. */
export class ErrorPolicy {
  readonly #choice: OnError;
  #count = 0;
  #first = '';

  constructor(choice: OnError) {
    this.#choice = choice;
  }

  /** True if the row stays in the output, without a prediction. With `stop`, throws the error. */
  keeps(error: Error): boolean {
    if (this.#choice === 'stop') throw error;
    if (this.#count++ === 0) this.#first = error.message;
    return this.#choice === 'null';
  }

  get stops(): boolean {
    return this.#choice === 'stop';
  }

  /** Prints the number of bad rows, if there were any. */
  report(rows: number): void {
    if (this.#count === 0) return;
    const total = this.#choice === 'skip' ? rows + this.#count : rows;
    const result = this.#choice === 'skip' ? 'were skipped' : 'have no prediction';
    printError(
      `maskflow: note: ${this.#count} of ${total} rows ${result}; the first: ${this.#first}`,
    );
  }
}
