// SPDX-License-Identifier: MIT
import { native, unwrap } from './engine.js';
import { toSnake } from './names.js';
import type { NativeTensor, Plain } from './native.js';
import { tidy } from './scope.js';
import { asTensor, type MaskLike, Tensor, type TensorLike } from './tensor.js';

/** What counts how much in a loss or metric. */
export interface Weighting {
  /**
   * One number per value: [batch], or [batch, time] for sequences (or that with a trailing 1). As in Keras weights per
   * sample do not fit a loss per step.
   */
  sampleWeight?: TensorLike | null;
  /** true = keep; instead of the mask that is attached to the predictions. */
  mask?: MaskLike | null;
}

/**
 * How the values become one number. Keras's: 'sum_over_batch_size' (the same as 'mean'; divided by the number of kept
 * values, whatever they weigh), 'mean_with_sample_weight' (divided by the sum of the weights), 'sum', 'none'.
 * Beside them 'mean_over_kept': the kept values alone, so that not even a NaN in the padding matters.
 */
export type Reduction =
  | 'sum_over_batch_size'
  | 'mean'
  | 'mean_with_sample_weight'
  | 'mean_over_kept'
  | 'sum'
  | 'none';

export interface LossOptions extends Weighting {
  /** Default 'sum_over_batch_size'; null is 'none'. */
  reduction?: Reduction | null;
}

/** A loss as `evaluate` takes it: one of {@link losses}, or your own. */
export type LossFunction = (yTrue: TensorLike, yPred: TensorLike, options?: LossOptions) => Tensor;

/** Targets, predictions with their mask, and weights, as the core takes them. Inside a `tidy`. */
export function handlesOf(
  yTrue: TensorLike,
  yPred: TensorLike,
  { sampleWeight, mask }: Weighting,
): NativeTensor[] {
  let predicted = asTensor(yPred);
  if (mask !== undefined) predicted = predicted.withMask(mask);
  const tensors = [asTensor(yTrue), predicted];
  if (sampleWeight !== null && sampleWeight !== undefined) tensors.push(asTensor(sampleWeight));
  return tensors.map((tensor) => tensor.handle);
}

/** Options with Keras's names; absent ones are left out. */
export function settingsOf(options: object): { [key: string]: Plain } {
  const given = Object.entries(options).filter(([, value]) => value !== undefined);
  return Object.fromEntries(given.map(([key, value]) => [toSnake(key), value as Plain]));
}

/** The loss of that name, whichever of Keras's names it is. */
export const loss =
  <Settings = unknown>(name: string) =>
  (yTrue: TensorLike, yPred: TensorLike, options: LossOptions & Settings = {} as never): Tensor =>
    tidy(() => {
      const { sampleWeight, mask, reduction = 'sum_over_batch_size', ...rest } = options;
      const handles = handlesOf(yTrue, yPred, { sampleWeight, mask } as Weighting);
      return new Tensor(
        unwrap(native().lossCompute(name, handles, settingsOf(rest), reduction ?? 'none')),
      );
    });
