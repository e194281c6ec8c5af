// SPDX-License-Identifier: MIT
/**
 * Models off the main thread, with the same API: in a worker, or in a pool of workers that share
 * predictions. It is an entry of its own, so that pages without workers do not fetch it.
 * Importing it also permits `predict(x, { workers })`.
 *
 * @module maskflow/worker
 */
export type { NodeWorker } from './engine/node_threads.js';
export {
  type ErrorCode,
  type ErrorKind,
  ConfigError,
  FormatError,
  MaskflowError,
  ShapeError,
  StateError,
  UnsupportedError,
  ValueError,
} from './base/errors.js';
export { CrashError, TimeLimitError } from './worker/failures.js';
export type {
  ArrayWithShape,
  WorkerCallOptions,
  WorkerInput,
  WorkerInputs,
  WorkerMask,
  WorkerMasks,
} from './worker/inputs.js';
export type { Prediction, Predictions, Predictor } from './model/predictor.js';
export type { SymbolFacts } from './worker/model_facts.js';
export type {
  WorkerBatch,
  WorkerBatches,
  WorkerBatchOptions,
  WorkerControls,
  WorkerFitOptions,
} from './worker/remote_training.js';
export {
  ModelWorker,
  type OneWorkerOptions,
  openWorker,
  type WorkerLoadOptions,
  type WorkerOptions,
} from './worker/open_worker.js';
export { batched, BatchedModel, type BatchedOptions } from './worker/batched.js';
export { openPool, type PoolOptions, WorkerPool } from './worker/pool.js';
export { PoolModel } from './worker/pool_model.js';
export type { WorkerFactory } from './worker/port.js';
export { RemoteModel } from './worker/remote_model.js';
export { serve } from './worker/serve.js';
export { type WorkerOutputs, WorkerTensor } from './worker/worker_tensor.js';

import { workerPrediction } from './model/services.js';
import { predictInWorkers } from './worker/share.js';

workerPrediction.supplied = predictInWorkers;
