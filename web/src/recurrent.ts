// SPDX-License-Identifier: MIT
/**
 * The part of maskflow for recurrent models, for pages where bytes count: padding and masks,
 * Embedding, the recurrent layers with their cells and wrappers, Dense, merging and pooling; the
 * ops that they need; models of every kind. Attention, convolution, normalization, losses and
 * metrics are left out.
 *
 * @module maskflow/recurrent
 */
export * from './entries/common.js';
export type {
  BatchEvaluation,
  EvaluateOptions,
  Evaluation,
  PerOutput,
} from './measures/evaluation.js';
export type { LossName, MetricName } from './measures/names.gen.js';
export { layers } from './layers/recurrent_layers.js';
export * from './layers/recurrent_layers.gen.js';
export { ops } from './ops/ops.js';
export { loadModel, ready } from './entries/recurrent_ready.js';
