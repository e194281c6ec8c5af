// SPDX-License-Identifier: MIT
// The treatment of bad rows, as the option --on-error chooses it.
import { printError } from '../print.js';
import type { OnError } from './options.js';

/** The number of bad rows, and the message about the first one. */
export interface BadRows {
  count: number;
  first: string;
}

/** The option --on-error: what happens to rows that cannot be read or computed. */
export class ErrorPolicy {
  readonly #choice: OnError;
  #bad: BadRows = { count: 0, first: '' };

  constructor(choice: OnError) {
    this.#choice = choice;
  }

  /** True if the row stays in the output, without a prediction. With `stop`, throws the error. */
  keeps(error: Error): boolean {
    if (this.#choice === 'stop') throw error;
    this.add({ count: 1, first: error.message });
    return this.#choice === 'null';
  }

  /** Counts bad rows behind those so far. */
  add({ count, first }: BadRows): void {
    if (this.#bad.count === 0) this.#bad.first = first;
    this.#bad.count += count;
  }

  /** The bad rows so far; begins to count again. */
  take(): BadRows {
    const bad = this.#bad;
    this.#bad = { count: 0, first: '' };
    return bad;
  }

  get stops(): boolean {
    return this.#choice === 'stop';
  }

  /** Prints the number of bad rows, if there were any. */
  report(rows: number): void {
    const { count, first } = this.#bad;
    if (count === 0) return;
    const total = this.#choice === 'skip' ? rows + count : rows;
    const result = this.#choice === 'skip' ? 'were skipped' : 'have no prediction';
    printError(`maskflow: note: ${count} of ${total} rows ${result}; the first: ${first}`);
  }
}
