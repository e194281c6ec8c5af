// SPDX-License-Identifier: MIT
// Types of `evaluate` and `compile`: losses and metrics, for one output or several.
import type { TensorLike } from '../tensor/tensor.js';
import type { LossFunction, Reduction } from './loss.js';
import type { Metric, MetricFunction } from './metric.js';
import type { LossName, MetricName } from './names.gen.js';

/** A value for a single output or for all outputs, or a list or dictionary with one for each. */
export type PerOutput<T> = T | readonly T[] | { readonly [output: string]: T };

/** A metric: a name, an object or a function. */
export type MetricLike = MetricName | Metric | MetricFunction;

/**
 * Metrics: a list for a single output; for several, a list or dictionary with one or a list for
 * each.
 */
export type Metrics = PerOutput<MetricLike | null | readonly MetricLike[]>;

/** Losses and metrics of the outputs of a model. */
export interface Measured {
  /**
   * Name of a Keras loss ('mse', 'sparse_categorical_crossentropy', 'crossentropy' …) or a
   * function.
   */
  loss?: PerOutput<LossName | LossFunction | null> | null;
  /** Factors of the losses of several outputs in their sum. Default of each: 1. */
  lossWeights?: PerOutput<number> | null;
  /**
   * Names, functions, or {@link Metric}s, which are reset. 'accuracy' selects the kind that fits
   * the shapes. For several outputs, as in Keras: a list with an entry for each, or a dictionary.
   * Sample weights do not count in them.
   */
  metrics?: Metrics | null;
  /** Metrics in which sample weights count. */
  weightedMetrics?: Metrics | null;
}

/** Options of `Model.evaluate`. */
export interface EvaluateOptions extends Measured {
  /**
   * Weights of samples, in the shape of the loss before it is reduced: [batch], or [batch, time].
   */
  sampleWeight?: PerOutput<TensorLike> | null;
  /** Rows of a batch. Default: 32; 0: all rows. */
  batchSize?: number;
  /** Number of batches, at least 1, after which the evaluation ends. Default: all. */
  steps?: number;
  /** Reduction of losses given by name; see {@link Reduction}. Default: 'sum_over_batch_size'. */
  reduction?: Reduction;
}

/** Options of `Model.evaluate` for batches. */
export interface BatchEvaluation extends Omit<EvaluateOptions, 'sampleWeight' | 'batchSize'> {
  /** Ends the evaluation; the promise rejects with the signal's reason. */
  signal?: AbortSignal;
}

/** Options of `evaluate` with a loss. */
export type WithLoss = EvaluateOptions & Required<Pick<EvaluateOptions, 'loss'>>;

/**
 * Results by name: `loss` (with regularizers, as in Keras), then `<output>_loss` if there are
 * several outputs, then the metrics.
 */
export type Evaluation = { [name: string]: number | number[] };
