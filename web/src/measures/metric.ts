// SPDX-License-Identifier: MIT
// Metrics as objects that keep sums between batches. measures.gen.ts has one function for each
// metric of Keras.
import { Identity } from '../base/identity.js';
import { kSentConfig } from '../base/brand.js';
import { lookUp } from '../base/names.js';
import { maker } from '../base/maker.js';
import { refusePythonNames } from '../base/python_names.js';
import { native, unwrap } from '../engine/engine.js';
import { isTrial } from '../layers/user_code.js';
import { optionsOf, checkText, isPlain } from '../base/check.js';
import { handlesOf, type Weighting } from './loss.js';
import { type ConfigValue, settingsOf } from '../engine/config_value.js';
import { zerosLike } from '../ops/ops.gen.js';
import type { WeightOptions } from '../layers/layer_config.js';
import { Variable } from '../layers/variable.js';
import { tidy } from '../tensor/tidy.js';
import type { MetricName } from './names.gen.js';
import { isTensor, Tensor, type TensorLike } from '../tensor/tensor.js';

// Letters before which Keras's name has an underscore: MeanSquaredError, but AUC.
const word = /(?<=[a-z])[A-Z]|(?<=[A-Z])[A-Z](?=[a-z])/g;
const snakeCase = (name: string): string => name.replace(word, '_$&').toLowerCase();

/** Keras's names of metrics where they are not the snake_case of the class. */
const otherNames: { readonly [name: string]: string } = {
  f1score: 'f1_score',
  f_beta_score: 'fbeta_score',
  iou: 'io_u',
  log_cosh_error: 'logcosh',
  r2score: 'r2_score',
};
const nameInKeras = (kind: string): string =>
  lookUp(otherNames, snakeCase(kind)) ?? snakeCase(kind);

/** A custom metric: returns a value per sample or timestep; the metric is their mean. */
export type MetricFunction = (yTrue: TensorLike, yPred: TensorLike) => Tensor;

/** Options of metrics. */
export interface MetricOptions {
  /** Key in the results of `evaluate`. Default: the name in Keras, such as 'mean_squared_error'. */
  name?: string;
  /**
   * Dtype policy; kept in the config. Numbers are float32 in any case, but metrics named IoU count
   * whole weights unless this is a float.
   */
  dtype?: string | null;
}

/** Names of dtype policies of floats. */
const floatDtype = /^(float(16|32|64)|bfloat16|mixed_b?float16)$/;

/**
 * A number computed over many batches. Add a batch with `updateState`, read `result`, and restart
 * with `resetState`. The state is plain numbers, so a metric need not be disposed of.
 *
 * The result is the weighted mean of the values, with the product of mask (true = keep) and sample
 * weight as weight. As in Keras, each batch is averaged over time first, so batches count by their
 * samples, not by their padded length.
 */
export class Metric extends Identity {
  /** Key in the results of `evaluate`. */
  readonly name: string;
  readonly #kind: string;
  readonly #values?: MetricFunction;
  readonly #settings: { [key: string]: ConfigValue };
  readonly #dtype: string | undefined;
  #sums: number[] = [];
  readonly #variables: Variable[] = [];

  /**
   * Throws ConfigError for an unknown kind or an invalid setting.
   *
   * @param kind A name of a Keras metric ('AUC', 'mse', 'sparse_categorical_accuracy'), or a
   * function. A subclass with its own `updateState` may leave it out: `super({ name: 'mine' })`.
   */
  constructor(
    kind?: MetricName | MetricFunction | MetricOptions,
    options?: MetricOptions & { [setting: string]: unknown },
  );
  constructor(
    kind: MetricName | MetricFunction,
    options: MetricOptions & { [setting: string]: unknown } = {},
  ) {
    super();
    refusePythonNames(this, Metric.prototype);
    // A class that counts by itself names no kind in Keras.
    if ((!kind || isPlain(kind)) && this.updateState !== Metric.prototype.updateState) {
      options = { name: snakeCase(new.target.name), ...(kind as object) };
      kind = 'mean';
    }
    const { name, dtype, ...settings } = optionsOf(options);
    const isFloat = typeof dtype === 'string' && floatDtype.test(dtype);
    // Metrics that count in integers have a setting of this name; others refuse it.
    const counts = typeof kind === 'string' && /iou$|io_u$/i.test(kind);
    if (isFloat && !counts) this.#dtype = dtype;
    else if (dtype !== undefined && dtype !== null) settings['dtype'] = dtype;
    if (typeof kind === 'function') this.#values = kind;
    else checkText(kind, 'the kind of a metric');
    if (name !== undefined) checkText(name, 'the name of a metric');
    this.#kind = this.#values ? 'mean' : (kind as MetricName);
    this.#settings = settingsOf(settings);
    this.name = name ?? (this.#values ? this.#values.name || 'lambda' : nameInKeras(this.#kind));
    // Throws for an unknown name or setting. A subclass has no fields yet for its own `result`.
    Metric.prototype.result.call(this);
  }

  /** Keras's name of the kind, in snake_case; empty for a function. @internal */
  get kind(): string {
    return this.#values ? '' : snakeCase(this.#kind);
  }

  /** Settings under Keras's names. @internal */
  get settings(): { readonly [setting: string]: ConfigValue } {
    return this.#dtype === undefined ? this.#settings : { ...this.#settings, dtype: this.#dtype };
  }

  /** Undefined for a function and for a subclass. @internal */
  get [kSentConfig](): (() => object) | undefined {
    if (this.#values || this.constructor !== Metric) return undefined;
    return () => ({ class_name: this.kind, config: { ...this.settings, name: this.name } });
  }

  /**
   * Adds a batch. Throws ShapeError if the shapes do not fit.
   *
   * @param options Weights and mask; or the weights alone, as in Keras.
   */
  updateState(yTrue: TensorLike, yPred: TensorLike, options: Weighting | TensorLike = {}): void {
    const weights = (isPlain(options) ? options : { sampleWeight: options }) as Weighting;
    // As in Keras, only calls that compute change metrics.
    if (isTrial()) return;
    this.#sums = tidy(() => {
      const targets = this.#values ? this.#values(yTrue, yPred) : yTrue;
      // The values have the mask of the predictions, whatever the function computes.
      const attached = this.#values && yPred instanceof Tensor ? yPred.mask : undefined;
      const weighting =
        attached && weights.mask === undefined ? { ...weights, mask: attached } : weights;
      const handles = handlesOf(targets, this.#values ? targets : yPred, weighting);
      return unwrap(native().metricUpdate(this.#kind, handles, this.#settings, this.#sums));
    });
  }

  /**
   * Returns the number of all batches since the last reset; 0 without a batch. It is a list if the
   * settings ask for several (`thresholds`, `average`).
   */
  result(): number | number[] {
    return unwrap(native().metricResult(this.#kind, this.#settings, this.#sums));
  }

  /** Name, settings and the result so far, for JSON.stringify. */
  toJSON(): unknown {
    return { name: this.name, ...this.settings, result: this.result() };
  }

  /** Forgets all batches, and sets all variables to zeros. */
  resetState(): void {
    this.#sums = [];
    for (const each of this.#variables) tidy(() => each.assign(zerosLike(each.value)));
  }

  /** Variables of a subclass, in the order of `addVariable`. */
  get variables(): readonly Variable[] {
    return this.#variables;
  }

  /**
   * Adds a variable in which a subclass keeps its sums, as in Keras: zeros of shape [], if the
   * options say nothing else. `resetState` sets it to zeros.
   *
   * @param options See {@link WeightOptions}.
   */
  addVariable(options: WeightOptions = {}): Variable {
    const first = { shape: [], initializer: 'zeros', trainable: false } as const;
    const variable = new Variable({ ...first, ...optionsOf(options) });
    this.#variables.push(variable);
    return variable;
  }

  /**
   * Adds a variable, by Keras's other name; see {@link addVariable}.
   *
   * @param options See {@link WeightOptions}.
   */
  addWeight(options: WeightOptions = {}): Variable {
    return this.addVariable(options);
  }
}

/** The mean or sum of values that are already computed. */
export class ValueMetric extends Identity {
  /** Name of the metric. */
  readonly name: string;
  readonly #metric: Metric;

  /** @param kind The result: the mean of the values, or their sum. */
  constructor(kind: 'mean' | 'sum', options: MetricOptions = {}) {
    super();
    this.#metric = new Metric(kind, { ...optionsOf(options) });
    this.name = this.#metric.name;
  }

  /** Adds values. As in Keras, a mask counts only together with weights. */
  updateState(values: TensorLike, options: Weighting = {}): void {
    const { sampleWeight } = optionsOf(options);
    const isWeighted = sampleWeight !== undefined && sampleWeight !== null;
    this.#metric.updateState(values, values, isWeighted ? options : { mask: null });
  }

  /** Returns the mean or sum of all values since the last reset; 0 without values. */
  result(): number {
    return this.#metric.result() as number;
  }

  /** Name and result so far, for JSON.stringify. */
  toJSON(): unknown {
    return this.#metric.toJSON();
  }

  /** Forgets all values. */
  resetState(): void {
    this.#metric.resetState();
  }
}

/** Creates a metric with settings. */
export type MetricMaker<Settings = unknown> = (options?: MetricOptions & Settings) => Metric;
/** Creates a {@link ValueMetric}. */
export type ValueMetricMaker = (options?: MetricOptions) => ValueMetric;

/** Returns the function that creates metrics of a kind. */
export const makerOf = (kind: MetricName) =>
  maker((options: MetricOptions = {}): Metric | ValueMetric =>
    kind === 'mean' || kind === 'sum'
      ? new ValueMetric(kind, options)
      : new Metric(kind, { ...optionsOf(options) }),
  );

/** Returns a tensor as numbers, also in a dictionary. */
const asNumbers = (result: unknown): unknown => {
  if (isTensor(result)) return result.array();
  if (!isPlain(result)) return result;
  return Object.fromEntries(Object.entries(result).map(([key, each]) => [key, asNumbers(each)]));
};

/** Returns the result of a metric as numbers. A class may compute it as a tensor. */
export const resultOf = <T>(metric: { result(): T }): T =>
  tidy(() => asNumbers(metric.result()) as T);
