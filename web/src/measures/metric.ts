// SPDX-License-Identifier: MIT
import { native, unwrap } from '../engine/engine.js';
import { optionsOf, checkText } from '../base/check.js';
import { handlesOf, type Weighting } from './loss.js';
import { type ConfigValue, settingsOf } from '../engine/config_value.js';
import { tidy } from '../tensor/tidy.js';
import type { MetricName } from './names.gen.js';
import { Tensor, type TensorLike } from '../tensor/tensor.js';

// Where Keras's names have their underscores: mean_squared_error, top_k_categorical_accuracy, auc.
const word = /(?<=[a-z])[A-Z]|(?<=[A-Z])[A-Z](?=[a-z])/g;

/** A metric of your own: values, one per sample or step, of which the mean is taken. */
export type MetricFunction = (yTrue: TensorLike, yPred: TensorLike) => Tensor;

export interface MetricOptions {
  /** Its key in what `evaluate` returns; by default that of Keras: 'mean_squared_error'. */
  name?: string;
  /** Kept for the configuration, as that of layers: numbers are float32. */
  dtype?: string | null;
}

/** Keras's policies of floats. */
const floatDtype = /^(float(16|32|64)|bfloat16|mixed_b?float16)$/;

/**
 * A number about many batches. Show them to `updateState`, read `result`, begin anew with `resetState`. Holds plain
 * numbers: there is nothing to dispose of.
 *
 * A mask (true = keep) times the weights is the weight of each value; the result is their weighted mean. As in Keras
 * each batch is averaged over time first, so batches count by their samples, however long they are padded.
 */
export class Metric {
  readonly name: string;
  readonly #kind: string;
  readonly #values: MetricFunction | undefined;
  readonly #settings: { [key: string]: ConfigValue };
  readonly #dtype: string | undefined;
  #sums: number[] = [];

  /** @param kind Any of Keras's names of the metric ('AUC', 'mse', 'sparse_categorical_accuracy'), or a function. */
  constructor(
    kind: MetricName | MetricFunction,
    options: MetricOptions & { [setting: string]: unknown } = {},
  ) {
    const { name, dtype, ...settings } = optionsOf(options);
    const isFloat = typeof dtype === 'string' && floatDtype.test(dtype);
    // A metric that counts in whole numbers has a setting of that name; others refuse it.
    if (isFloat) this.#dtype = dtype;
    else if (dtype !== undefined && dtype !== null) settings['dtype'] = dtype;
    if (typeof kind !== 'function') checkText(kind, 'the kind of a metric');
    if (name !== undefined) checkText(name, 'the name of a metric');
    this.#values = typeof kind === 'function' ? kind : undefined;
    this.#kind = typeof kind === 'function' ? 'mean' : kind;
    this.#settings = settingsOf(settings);
    this.name =
      name ?? (typeof kind === 'function' ? kind.name : kind.replace(word, '_$&').toLowerCase());
    this.result(); // a name or setting that does not exist is found now
  }

  /** Keras's name of what it measures, in snake_case; empty for a function. @internal */
  get kind(): string {
    return this.#values ? '' : this.#kind.replace(word, '_$&').toLowerCase();
  }

  /** Under Keras's names. @internal */
  get settings(): { readonly [setting: string]: ConfigValue } {
    return this.#dtype === undefined ? this.#settings : { ...this.#settings, dtype: this.#dtype };
  }

  /** Adds a batch. */
  updateState(yTrue: TensorLike, yPred: TensorLike, options: Weighting = {}): void {
    this.#sums = tidy(() => {
      const targets = this.#values ? this.#values(yTrue, yPred) : yTrue;
      // (The mask is that of the predictions, whatever the function makes of them.)
      const attached = this.#values && yPred instanceof Tensor ? yPred.mask : undefined;
      const weighting =
        attached && options.mask === undefined ? { ...options, mask: attached } : options;
      const handles = handlesOf(targets, this.#values ? targets : yPred, weighting);
      return unwrap(native().metricUpdate(this.#kind, handles, this.#settings, this.#sums));
    });
  }

  /** Of all batches since the start; 0 when there was none. A list where settings ask for several (`thresholds`, `average`). */
  result(): number | number[] {
    return unwrap(native().metricResult(this.#kind, this.#settings, this.#sums));
  }

  resetState(): void {
    this.#sums = [];
  }
}

/** A {@link Metric} of values that you have computed: their mean or their sum. */
export class ValueMetric {
  readonly name: string;
  readonly #metric: Metric;

  constructor(kind: 'mean' | 'sum', options: MetricOptions = {}) {
    this.#metric = new Metric(kind, { ...options });
    this.name = this.#metric.name;
  }

  /** Adds values. As in Keras a mask counts only beside weights. */
  updateState(values: TensorLike, options: Weighting = {}): void {
    const { sampleWeight } = optionsOf(options);
    const weighted = sampleWeight !== undefined && sampleWeight !== null;
    this.#metric.updateState(values, values, weighted ? options : { mask: null });
  }

  /** Of all values since the start; 0 when there was none. */
  result(): number {
    return this.#metric.result() as number;
  }

  resetState(): void {
    this.#metric.resetState();
  }
}

/** Makes a metric with settings of its own. */
export type MetricMaker<Settings = unknown> = (options?: MetricOptions & Settings) => Metric;
export type ValueMetricMaker = (options?: MetricOptions) => ValueMetric;

/** What makes the metric of that name. */
export const makerOf =
  (kind: MetricName) =>
  (options: MetricOptions = {}): Metric | ValueMetric =>
    kind === 'mean' || kind === 'sum'
      ? new ValueMetric(kind, options)
      : new Metric(kind, { ...options });
