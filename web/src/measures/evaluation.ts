// SPDX-License-Identifier: MIT
import type { TensorLike } from '../tensor/tensor.js';
import type { LossFunction, Reduction } from './loss.js';
import type { Metric, MetricFunction } from './metric.js';
import type { LossName, MetricName } from './names.gen.js';

/** One for a single output (or for all of them); a list or a dictionary in the structure of the outputs. */
export type PerOutput<T> = T | readonly T[] | { readonly [output: string]: T };

/** What {@link EvaluateOptions.metrics} takes for one. */
export type MetricLike = MetricName | Metric | MetricFunction;

/** For a single output a list; for several a list or dictionary with one or a list for each. */
export type Metrics = PerOutput<MetricLike | null | readonly MetricLike[]>;

/** Losses and metrics of the outputs of a model. */
export interface Measured {
  /** A name of Keras's ('mse', 'sparse_categorical_crossentropy', 'crossentropy' …) or a function. */
  loss?: PerOutput<LossName | LossFunction | null> | null;
  /** Factors of the losses of several outputs in their sum. */
  lossWeights?: PerOutput<number> | null;
  /**
   * Names ('accuracy' is the one that fits), functions, or {@link Metric}s, which are reset. Of several outputs, as in
   * Keras: a list with an entry for each, or a dictionary. Sample weights do not count in them.
   */
  metrics?: Metrics | null;
  /** The same, with sample weights. */
  weightedMetrics?: Metrics | null;
}

export interface EvaluateOptions extends Measured {
  /** Shape of the loss before it is reduced: [batch], or [batch, time]. */
  sampleWeight?: PerOutput<TensorLike> | null;
  /** Rows at a time, default 32; 0: all at once. */
  batchSize?: number;
  /** Of losses given by name; see {@link Reduction}. Default 'sum_over_batch_size'. */
  reduction?: Reduction;
}

/** `loss`, regularizers included as in Keras, then `<output>_loss` where there are several outputs, then the metrics by name. */
export type Evaluation = { [name: string]: number | number[] };
