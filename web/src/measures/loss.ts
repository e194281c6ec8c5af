// SPDX-License-Identifier: MIT
import { optionsOf, checkText, checkOptions } from '../base/check.js';
import { native, unwrap } from '../engine/engine.js';
import type { NativeTensor } from '../engine/native.js';
import type { LossName } from './names.gen.js';
import { settingsOf } from '../engine/config_value.js';
import { tidy } from '../tensor/tidy.js';
import {
  asMask,
  asTensor,
  isTensor,
  type MaskLike,
  type Tensor,
  type TensorLike,
  tensor,
  wrapTensor,
} from '../tensor/tensor.js';

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

/** Targets, predictions with their mask, weights and a mask of its own, as the core takes them. Inside a `tidy`. */
export function handlesOf(
  yTrue: TensorLike,
  yPred: TensorLike,
  weighting: Weighting,
): (NativeTensor | null)[] {
  const { sampleWeight, mask } = checkOptions(weighting, { sampleWeight: 1, mask: 1 });
  let predicted = asTensor(yPred);
  if (mask === null) predicted = predicted.withMask(null);
  // (A flat mask takes the shape of the predictions as far as it goes; others need not have it, as in Keras.)
  const kept =
    mask instanceof Uint8Array
      ? asMask(mask, predicted.shape)
      : mask && (isTensor(mask) ? mask : tensor(mask, { dtype: 'bool' }));
  return [yTrue, predicted, sampleWeight, kept].map((value) =>
    value === null || value === undefined ? null : asTensor(value).handle,
  );
}

/** A loss with settings of its own. */
export type LossMaker<Settings = unknown> = (
  yTrue: TensorLike,
  yPred: TensorLike,
  options?: LossOptions & Settings,
) => Tensor;

/** The loss of that name, whichever of Keras's names it is. */
export const loss =
  (name: LossName): LossMaker =>
  (yTrue, yPred, options = {}) =>
    tidy(() => {
      const { sampleWeight, mask, reduction = 'sum_over_batch_size', ...rest } = optionsOf(options);
      if (reduction !== null) checkText(reduction, 'reduction');
      const handles = handlesOf(yTrue, yPred, { sampleWeight, mask } as Weighting);
      return wrapTensor(
        unwrap(native().lossCompute(name, handles, settingsOf(rest), reduction ?? 'none')),
      );
    });
