// SPDX-License-Identifier: MIT
/**
 * Keras's padding, masking and recurrent layers in WebAssembly.
 *
 * @module maskflow
 */
export * from './common.js';
export type {
  EvaluateOptions,
  Evaluation,
  MetricLike,
  Metrics,
  PerOutput,
} from './evaluate.js';
export * as layers from './factories.js';
export * from './more_layers.gen.js';
export * from './recurrent_layers.gen.js';
export type { LossFunction, LossOptions, Reduction, Weighting } from './loss.js';
export { losses, metrics } from './measures.gen.js';
export { Metric, type MetricFunction, type MetricOptions, ValueMetric } from './metric.js';
export { loadModel, ready } from './ready.js';
