// SPDX-License-Identifier: MIT
// The members of `callbacks` in maskflow/train.
import { checkOptions } from '../base/check.js';
import {
  BackupAndRestore,
  type BackupAndRestoreOptions,
  type BackupStore,
} from './callbacks/backup_and_restore.js';
import { type ByName, firstOf, monitoring } from './callbacks/by_name.js';
import { CSVLogger, type CSVLoggerOptions, type LineSink } from './callbacks/csv_logger.js';
import { EarlyStopping, type EarlyStoppingOptions } from './callbacks/early_stopping.js';
import { Controls } from './callbacks/controls.js';
import { LambdaCallback } from './callbacks/lambda.js';
import { LearningRateScheduler, type Schedule } from './callbacks/learning_rate_scheduler.js';
import {
  ModelCheckpoint,
  type ModelCheckpointOptions,
  type Sink,
} from './callbacks/model_checkpoint.js';
import {
  ReduceLROnPlateau,
  type ReduceLROnPlateauOptions,
} from './callbacks/reduce_lr_on_plateau.js';
import { SwapEMAWeights, type SwapEMAWeightsOptions } from './callbacks/swap_ema_weights.js';
import { type EventSink, TensorBoard, type TensorBoardOptions } from './callbacks/tensor_board.js';
import { TerminateOnNaN } from './callbacks/terminate_on_nan.js';
import type { TrainingCallback } from '../model/train_options.js';

export { Callback } from './callbacks/callback.js';
export { progressBar } from './callbacks/progress_bar.js';

/**
 * Ends training when a metric no longer improves.
 *
 * @param monitor The options, or the metric, which `options` follow.
 */
export const earlyStopping = (
  monitor?: string | EarlyStoppingOptions,
  options?: EarlyStoppingOptions,
): EarlyStopping => new EarlyStopping(monitoring(monitor, options));

/**
 * Saves the model during training.
 *
 * @param to A path, in which {epoch:02d} and {val_loss:.2f} are replaced by numbers: a file in
 * Node, a download on a page. Or a function that receives the bytes. Among options, `filepath`.
 */
export const modelCheckpoint = (
  to: string | Sink | ByName<'filepath', string | Sink, ModelCheckpointOptions>,
  options?: ModelCheckpointOptions,
): ModelCheckpoint => new ModelCheckpoint(...firstOf(to, 'filepath', options));

/** Validates with the averages of an optimizer with `useEma`. */
export const swapEMAWeights = (options?: SwapEMAWeightsOptions): SwapEMAWeights =>
  new SwapEMAWeights(options);

/**
 * Backs up the state of training, and continues after an interruption.
 *
 * @param to A folder in Node, which is created, or a store. Among options, `backupDir`.
 */
export const backupAndRestore = (
  to: string | BackupStore | ByName<'backupDir', string | BackupStore, BackupAndRestoreOptions>,
  options?: BackupAndRestoreOptions,
): BackupAndRestore => new BackupAndRestore(...firstOf(to, 'backupDir', options));

/**
 * Reduces the learning rate when a metric no longer improves.
 *
 * @param monitor The options, or the metric, which `options` follow.
 */
export const reduceLROnPlateau = (
  monitor?: string | ReduceLROnPlateauOptions,
  options?: ReduceLROnPlateauOptions,
): ReduceLROnPlateau => new ReduceLROnPlateau(monitoring(monitor, options));

/** Sets the learning rate at the start of each epoch: a function, or `{ schedule }`. */
export const learningRateScheduler = (
  schedule: Schedule | ByName<'schedule', Schedule>,
): LearningRateScheduler => {
  const [rateOf, others] = firstOf(schedule, 'schedule', undefined);
  checkOptions<{ schedule?: Schedule }>(others, { schedule: 1 });
  return new LearningRateScheduler(rateOf);
};

/** Ends training after a batch whose loss is not finite. */
export const terminateOnNaN = (): TerminateOnNaN => new TerminateOnNaN();

/**
 * Writes the numbers of each epoch as a line of CSV.
 *
 * @param to A path in Node, or a function that receives each line. Among options, `filename`.
 */
export const csvLogger = (
  to: string | LineSink | ByName<'filename', string | LineSink, CSVLoggerOptions>,
  options?: CSVLoggerOptions,
): CSVLogger => new CSVLogger(...firstOf(to, 'filename', options));

/**
 * Writes losses, metrics and the learning rate as event files of TensorBoard:
 * `tensorboard --logdir FOLDER` shows them.
 *
 * @param to A folder in Node, or a function that receives paths and pieces of files. Among options,
 * `logDir`.
 */
export const tensorBoard = (
  to: string | EventSink | ByName<'logDir', string | EventSink, TensorBoardOptions>,
  options?: TensorBoardOptions,
): TensorBoard => new TensorBoard(...firstOf(to, 'logDir', options));

/** Creates a callback from functions. */
export const lambda = (
  functions: Omit<TrainingCallback, 'setModel' | 'setParams'>,
): LambdaCallback => new LambdaCallback(functions);

/** Creates a callback from functions, under Keras's name; see {@link lambda}. */
export const lambdaCallback = (
  functions: Omit<TrainingCallback, 'setModel' | 'setParams'>,
): LambdaCallback => lambda(functions);

/** Pauses, resumes and ends training from other code. */
export const controls = (): Controls => new Controls();
