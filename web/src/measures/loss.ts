// SPDX-License-Identifier: MIT
// Losses as functions; the core computes them. measures.gen.ts lists them by name.
import { optionsOf, checkText, checkOptions, isPlain } from '../base/check.js';
import { withSentConfig } from '../base/brand.js';
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

/** Weights and mask of a loss or metric. */
export interface Weighting {
  /**
   * Weight of each value: [batch], or [batch, time] for sequences (or with a trailing 1). As in
   * Keras, weights per sample do not fit a loss per timestep.
   */
  sampleWeight?: TensorLike | null;
  /** Mask (true = keep) in place of the mask of the predictions; null for no mask. */
  mask?: MaskLike | null;
}

/**
 * Reduction of the values to one number. As in Keras:
 *
 * - 'sum_over_batch_size' or 'mean': the weighted sum, divided by the number of kept values;
 * - 'mean_with_sample_weight': the weighted sum, divided by the sum of the weights;
 * - 'sum': the weighted sum;
 * - 'none': the weighted values.
 *
 * Besides these, 'mean_over_kept' is the mean of the kept values alone: even a NaN in the padding
 * does not affect it.
 */
export type Reduction =
  | 'sum_over_batch_size'
  | 'mean'
  | 'mean_with_sample_weight'
  | 'mean_over_kept'
  | 'sum'
  | 'none';

/** Options of a loss function. */
export interface LossOptions extends Weighting {
  /** Reduction of the values; null is 'none'. Default: 'sum_over_batch_size'. */
  reduction?: Reduction | null;
}

/** A loss function: one of {@link losses}, or a custom function. */
export type LossFunction = (yTrue: TensorLike, yPred: TensorLike, options?: LossOptions) => Tensor;

/** Returns handles of targets, predictions, weights and mask for the core. Call it in `tidy`. */
export function handlesOf(
  yTrue: TensorLike,
  yPred: TensorLike,
  weighting: Weighting,
): (NativeTensor | null)[] {
  const { sampleWeight, mask } = checkOptions(weighting, { sampleWeight: 1, mask: 1 });
  let predictions = asTensor(yPred);
  if (mask === null) predictions = predictions.withMask(null);
  // Gives a flat mask the leading dimensions of the predictions. As in Keras, the shape of other
  // masks may differ from the predictions'.
  const maskTensor =
    mask instanceof Uint8Array
      ? asMask(mask, predictions.shape)
      : mask && (isTensor(mask) ? mask : tensor(mask, { dtype: 'bool' }));
  return [yTrue, predictions, sampleWeight, maskTensor].map((value) =>
    value === null || value === undefined ? null : asTensor(value).handle,
  );
}

/** A loss with settings, as a config: Keras's class or name, and its settings. @internal */
export interface LossConfig {
  readonly class_name: LossName;
  readonly config: { readonly [setting: string]: unknown };
}

/**
 * A loss function with settings. Without targets and predictions, it returns the loss with these
 * settings, as the classes of Keras do: `compile({ loss: losses.huber({ delta: 2 }) })`.
 */
export interface LossMaker<Settings = unknown> {
  /** Computes the loss. */
  (yTrue: TensorLike, yPred: TensorLike, options?: LossOptions & Settings): Tensor;
  /** Returns the loss with other settings and another reduction. */
  (settings?: Pick<LossOptions, 'reduction'> & { name?: string } & Settings): LossFunction;
}

/** Configs of losses that were created with settings. */
const configs = new WeakMap<object, LossConfig>();

/** Returns the config of a loss that was created with settings. */
export const lossConfigOf = (loss: unknown): LossConfig | undefined =>
  typeof loss === 'function' ? configs.get(loss) : undefined;

/** Creates a loss with settings; its name is for files only. */
function withSettings(name: LossName, settings: { readonly [setting: string]: unknown }) {
  const { name: _, ...rest } = settings;
  const compute = loss(name);
  const configured: LossFunction = (yTrue, yPred, options) =>
    compute(yTrue, yPred, { ...rest, ...options });
  const config = { class_name: name, config: settings };
  configs.set(configured, config);
  return withSentConfig(configured, () => config);
}

/** Returns the loss of a name; all names of Keras are known. */
export const loss = (name: LossName): LossMaker =>
  withSentConfig(computed(name), () => ({ class_name: name, config: {} }));

const computed = (name: LossName): LossMaker =>
  ((yTrue, yPred, options = {}) => {
    if (yPred === undefined && (yTrue === undefined || isPlain(yTrue))) {
      return withSettings(name, (yTrue ?? {}) as { readonly [setting: string]: unknown });
    }
    return tidy(() => {
      const { sampleWeight, mask, reduction = 'sum_over_batch_size', ...rest } = optionsOf(options);
      if (reduction !== null) checkText(reduction, 'reduction');
      const handles = handlesOf(yTrue, yPred, { sampleWeight, mask } as Weighting);
      return wrapTensor(
        unwrap(native().lossCompute(name, handles, settingsOf(rest), reduction ?? 'none')),
      );
    });
  }) as LossMaker;
