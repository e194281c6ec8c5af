// SPDX-License-Identifier: MIT
// The metrics `loss` and `NAME_loss` in logs, which user-defined steps may update themselves.
import { ValueMetric } from '../measures/metric.js';
import type { Weighting } from '../measures/loss.js';
import type { TensorLike } from '../tensor/tensor.js';

/** The mean of a loss over batches, as a metric of a model. */
export class LossMean {
  #sum = 0;
  #count = 0;
  /** Values that other code adds as tensors. */
  readonly #added = new ValueMetric('mean');
  #hasAdded = false;

  /** @param name Key of the result. */
  constructor(readonly name: string) {}

  /** Whether a batch was added since the last reset. */
  get isCounted(): boolean {
    return this.#count > 0 || this.#hasAdded;
  }

  /** Adds the loss of a batch. `count` is its weight in the mean. */
  add(loss: number, count: number): void {
    this.#sum += loss * count;
    this.#count += count;
  }

  /** Adds values, as `updateState` of `metrics.mean()` does. */
  updateState(values: TensorLike, options?: Weighting): void {
    this.#added.updateState(values, options);
    this.#hasAdded = true;
  }

  /** The mean since the last reset; 0 without batches. Values of other code replace it. */
  result(): number {
    if (this.#hasAdded) return this.#added.result();
    return this.#count === 0 ? 0 : this.#sum / this.#count;
  }

  /** Forgets the batches. */
  resetState(): void {
    this.#sum = 0;
    this.#count = 0;
    this.#hasAdded = false;
    this.#added.resetState();
  }
}
