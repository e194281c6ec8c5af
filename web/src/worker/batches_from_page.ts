// SPDX-License-Identifier: MIT
// The worker's side of `fit` with batches: it asks the page for each one, when training needs it.
import type { Batches } from '../model/train_options.js';
import type { BatchRequest, WireRows, WireSide } from './messages.js';
import { tensorsIn, toTensors } from './tensors_of_rows.js';

type Next = IteratorResult<unknown[], undefined>;

/** Batches that the page supplies one by one. A batch's tensors live until the next request. */
export class BatchesFromPage {
  #batch: unknown[] = [];
  #resolve: (rows: WireRows | null) => void = () => {};

  constructor(
    readonly side: WireSide,
    readonly report: (request: BatchRequest) => void,
  ) {}

  /** Receives the requested batch; null at the end. */
  receive(rows: WireRows | null): void {
    this.#resolve(rows);
  }

  /** The batches in the form that `fit` accepts. */
  readonly batches = (() => this.#iterable()) as unknown as Batches;

  #iterable(): AsyncIterable<unknown[]> {
    let begins = true;
    const next = async (): Promise<Next> => {
      this.dispose();
      const rows = await new Promise<WireRows | null>((resolve) => {
        this.#resolve = resolve;
        this.report({ wanted: this.side, begins });
        begins = false;
      });
      if (!rows) return { done: true, value: undefined };
      this.#batch = toTensors(rows);
      return { done: false, value: this.#batch };
    };
    return { [Symbol.asyncIterator]: () => ({ next }) };
  }

  dispose(): void {
    for (const tensor of tensorsIn(this.#batch)) tensor.dispose();
    this.#batch = [];
  }
}
