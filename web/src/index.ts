// SPDX-License-Identifier: MIT
/**
 * Keras's padding, masking and recurrent layers in WebAssembly.
 *
 * @module maskflow
 */
export * from './entries/common.js';
export type {
  BatchEvaluation,
  EvaluateOptions,
  Evaluation,
  MetricLike,
  Metrics,
  PerOutput,
} from './measures/evaluation.js';
export { initializers } from './layers/initializers.js';
export type { Initializer, Initializers } from './layers/initializers.js';
export { layers } from './layers/all_layers.js';
export * from './layers/more_layers.gen.js';
export * from './layers/recurrent_layers.gen.js';
export { regularizers } from './layers/regularizers_namespace.js';
export type { Regularizer } from './layers/regularizers.js';
export type { LossFunction, LossOptions, Reduction, Weighting } from './measures/loss.js';
export { losses, metrics } from './measures/measures.gen.js';
export type { LossName, MetricName } from './measures/names.gen.js';
export { Metric, type MetricFunction, type MetricOptions, ValueMetric } from './measures/metric.js';
export { ops } from './ops/all_ops.js';
export { random } from './ops/random_namespace.js';
export { loadModel, ready } from './entries/ready.js';
export { writeSkeleton } from './entries/skeleton.js';
