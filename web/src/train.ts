// SPDX-License-Identifier: MIT
/**
 * All of `maskflow`, and training: gradients, optimizers, `fit`.
 *
 * @module maskflow/train
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
export { layers } from './layers/train_layers.js';
export * from './layers/more_layers.gen.js';
export * from './layers/recurrent_layers.gen.js';
export * from './layers/training_layers.gen.js';
export { regularizers } from './layers/regularizers_namespace.js';
export type { Regularizer } from './layers/regularizers.js';
export type { LossFunction, LossOptions, Reduction, Weighting } from './measures/loss.js';
export { losses, metrics } from './measures/measures.gen.js';
export type { LossName, MetricName } from './measures/names.gen.js';
export { Metric, type MetricFunction, type MetricOptions, ValueMetric } from './measures/metric.js';
export type { Constraint, LearningRate, Schedule } from './training/configured.js';
export { constraints, optimizers, schedules } from './training/optimizers.gen.js';
export type * from './training/optimizers.gen.js';
export { Optimizer, type OptimizerVariable } from './training/optimizer.js';
export type { OptimizerLike } from './training/optimizers.js';
export type {
  Batches,
  BatchOf,
  CallbackOptions,
  CompiledMetric,
  CompileOptions,
  FitOptions,
  History,
  Logs,
  MeasureConfig,
  ModelOptimizer,
  OptimizerName,
  StepData,
  StepLogs,
  TrainingCallback,
  TrainingParams,
  TrainOnBatchOptions,
} from './model/train_options.js';
export { callbacks } from './training/callbacks_namespace.js';
export { Callback } from './training/callbacks/callback.js';
export type { Controls } from './training/callbacks/controls.js';
export type {
  BackupAndRestore,
  BackupAndRestoreOptions,
  BackupStore,
} from './training/callbacks/backup_and_restore.js';
export type {
  SwapEMAWeights,
  SwapEMAWeightsOptions,
} from './training/callbacks/swap_ema_weights.js';
export type { CSVLogger, CSVLoggerOptions, LineSink } from './training/callbacks/csv_logger.js';
export type { EarlyStopping, EarlyStoppingOptions } from './training/callbacks/early_stopping.js';
export type { LambdaCallback } from './training/callbacks/lambda.js';
export type { LearningRateScheduler } from './training/callbacks/learning_rate_scheduler.js';
export type {
  ModelCheckpoint,
  ModelCheckpointOptions,
} from './training/callbacks/model_checkpoint.js';
export type {
  ReduceLROnPlateau,
  ReduceLROnPlateauOptions,
} from './training/callbacks/reduce_lr_on_plateau.js';
export type {
  EventSink,
  TensorBoard,
  TensorBoardOptions,
} from './training/callbacks/tensor_board.js';
export type { TerminateOnNaN } from './training/callbacks/terminate_on_nan.js';
export type { TrainingProgress } from './training/callbacks/progress_bar.js';
export { type CloneOf, cloneModel } from './training/clone_model.js';
export { toCategorical } from './training/to_categorical.js';
export { ops } from './ops/train_ops.js';
export { random } from './ops/random_namespace.js';
export { evaluateBatches } from './training/evaluate_compiled.js';
export { type InputBatches, predictBatches } from './training/predict_batches.js';
export { type Rows, splitDataset, type SplitOptions } from './training/split.js';
export {
  timeseriesWindows,
  type TimeseriesWindows,
  type WindowOptions,
} from './training/windows.js';
export {
  type GradientOptions,
  type ValueAndGradients,
  valueAndGradients,
} from './training/gradients.js';
export {
  type CsvOptions,
  type CsvTable,
  type NumpyFile,
  readCsv,
  readNpy,
} from './entries/read_data.js';
export { loadModel, ready } from './entries/train_ready.js';
export { writeSkeleton } from './entries/skeleton.js';
