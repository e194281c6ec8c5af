// SPDX-License-Identifier: MIT
// The callback `callbacks.swapEMAWeights`. The averages themselves are variables of the optimizer,
// in the core.
import { checkOptions } from '../../base/check.js';
import { ValueError } from '../../base/errors.js';
import { compiledOf } from '../compiled.js';
import { listVariables } from '../variables.js';
import { tidy } from '../../tensor/tidy.js';
import type { Tensor } from '../../tensor/tensor.js';
import type { TrainingParams } from '../../model/train_options.js';
import { Callback } from './callback.js';

/** Options of {@link SwapEMAWeights}. */
export interface SwapEMAWeightsOptions {
  /**
   * Whether the weights are also swapped from the end of an epoch to the start of the next one, so
   * that later callbacks, such as `modelCheckpoint`, see the averages. Default: false.
   */
  swapOnEpoch?: boolean;
}

/** Validates with the averages of an optimizer with `useEma`, like Keras's SwapEMAWeights. */
export class SwapEMAWeights extends Callback {
  readonly #swapsOnEpoch: boolean;
  #isSwapped = false;

  constructor(options: SwapEMAWeightsOptions = {}) {
    super();
    this.#swapsOnEpoch = checkOptions(options, { swapOnEpoch: 1 }).swapOnEpoch ?? false;
  }

  /** Exchanges weights and averages; with `keepsWeights`, copies the weights to the averages. */
  #exchange(keepsWeights = false): void {
    tidy(() => {
      const { optimizer } = compiledOf(this.model, 'fit');
      const state = optimizer.getWeights();
      const paths = optimizer.variables.map(({ path }) => path);
      const variables = listVariables(this.model);
      const weights = this.model.getWeights();
      let found = 0;
      for (const trained of compiledOf(this.model, 'fit').variables()) {
        const average = `/${trained.path.replaceAll('/', '_')}_average`;
        const place = paths.findIndex((path, i) => i >= found && path.endsWith(average));
        const index = variables.indexOf(trained);
        if (place < 0 || index < 0) continue;
        found = place + 1;
        const weight = weights[index] as Tensor;
        if (!keepsWeights) weights[index] = state[place] as Tensor;
        state[place] = weight;
      }
      if (found === 0) {
        throw new ValueError(
          `swapEMAWeights needs averages, but the optimizer '${optimizer.name}' keeps none; set useEma: true in its settings`,
        );
      }
      this.model.setWeights(weights);
      optimizer.setWeights(state);
    });
  }

  #swap(toAverages: boolean): void {
    if (this.#isSwapped === toAverages) return;
    this.#exchange();
    this.#isSwapped = toAverages;
  }

  /** Forgets a swap of an earlier training that ended with an error. */
  override setParams(params: TrainingParams): void {
    super.setParams(params);
    this.#isSwapped = false;
  }

  /** Swaps the weights back. */
  override onEpochBegin(): void {
    if (this.#swapsOnEpoch) this.#swap(false);
  }

  /** Swaps the weights with `swapOnEpoch`. */
  override onEpochEnd(epoch: number): void {
    if (!this.#swapsOnEpoch || this.#isSwapped) return;
    this.#swap(true);
    // At the end of training the weights are set to the averages, so both must be the averages.
    if (epoch === this.params.epochs - 1) this.#exchange(true);
  }

  /** Swaps the weights before a validation. */
  override onTestBegin(): void {
    this.#swap(true);
  }

  /** Swaps the weights back after a validation. */
  override onTestEnd(): void {
    this.#swap(false);
  }
}
