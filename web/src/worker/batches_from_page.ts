// SPDX-License-Identifier: MIT
import type { Batches } from '../model/train_options.js';
import type { BatchRequest, WireRows, WireSide } from './messages.js';
import { tensorsIn, toTensors } from './tensors_of_rows.js';

type Next = IteratorResult<unknown[], undefined>;

/** Batches that the page has, asked for one by one. The tensors of one live until the next is asked for. */
export class BatchesFromPage {
  #held: unknown[] = [];
  #arrived: (rows: WireRows | null) => void = () => {};

  constructor(
    readonly side: WireSide,
    readonly report: (request: BatchRequest) => void,
  ) {}

  /** What was asked for; null at the end. */
  take(rows: WireRows | null): void {
    this.#arrived(rows);
  }

  /** As `fit` takes them. */
  readonly batches = (() => this.#iterable()) as unknown as Batches;

  #iterable(): AsyncIterable<unknown[]> {
    let begins = true;
    const next = async (): Promise<Next> => {
      this.dispose();
      const rows = await new Promise<WireRows | null>((resolve) => {
        this.#arrived = resolve;
        this.report({ wanted: this.side, begins });
        begins = false;
      });
      if (!rows) return { done: true, value: undefined };
      this.#held = toTensors(rows);
      return { done: false, value: this.#held };
    };
    return { [Symbol.asyncIterator]: () => ({ next }) };
  }

  dispose(): void {
    for (const tensor of tensorsIn(this.#held)) tensor.dispose();
    this.#held = [];
  }
}
