// SPDX-License-Identifier: MIT
// The members of `callbacks` in maskflow/train.
import {
  BackupAndRestore,
  type BackupAndRestoreOptions,
  type BackupStore,
} from './callbacks/backup_and_restore.js';
import { CSVLogger, type CSVLoggerOptions } from './callbacks/csv_logger.js';
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

/** Ends training when a metric no longer improves. */
export const earlyStopping = (options?: EarlyStoppingOptions): EarlyStopping =>
  new EarlyStopping(options);

/**
 * Saves the model during training.
 *
 * @param to A path, in which {epoch:02d} and {val_loss:.2f} are replaced by numbers: a file in
 * Node, a download on a page. Or a function that receives the bytes.
 */
export const modelCheckpoint = (
  to: string | Sink,
  options?: ModelCheckpointOptions,
): ModelCheckpoint => new ModelCheckpoint(to, options);

/** Validates with the averages of an optimizer with `useEma`. */
export const swapEMAWeights = (options?: SwapEMAWeightsOptions): SwapEMAWeights =>
  new SwapEMAWeights(options);

/**
 * Backs up the state of training, and continues after an interruption.
 *
 * @param to A folder in Node, which is created, or a store.
 */
export const backupAndRestore = (
  to: string | BackupStore,
  options?: BackupAndRestoreOptions,
): BackupAndRestore => new BackupAndRestore(to, options);

/** Reduces the learning rate when a metric no longer improves. */
export const reduceLROnPlateau = (options?: ReduceLROnPlateauOptions): ReduceLROnPlateau =>
  new ReduceLROnPlateau(options);

/** Sets the learning rate at the start of each epoch. */
export const learningRateScheduler = (schedule: Schedule): LearningRateScheduler =>
  new LearningRateScheduler(schedule);

/** Ends training after a batch whose loss is not finite. */
export const terminateOnNaN = (): TerminateOnNaN => new TerminateOnNaN();

/**
 * Writes the numbers of each epoch as a line of CSV.
 *
 * @param to A path in Node, or a function that receives each line.
 */
export const csvLogger = (
  to: string | ((line: string) => unknown),
  options?: CSVLoggerOptions,
): CSVLogger => new CSVLogger(to, options);

/**
 * Writes losses, metrics and the learning rate as event files of TensorBoard:
 * `tensorboard --logdir FOLDER` shows them.
 *
 * @param to A folder in Node, or a function that receives paths and pieces of files.
 */
export const tensorBoard = (to: string | EventSink, options?: TensorBoardOptions): TensorBoard =>
  new TensorBoard(to, options);

/** Creates a callback from functions. */
export const lambda = (
  functions: Omit<TrainingCallback, 'setModel' | 'setParams'>,
): LambdaCallback => new LambdaCallback(functions);

/** Pauses, resumes and ends training from other code. */
export const controls = (): Controls => new Controls();
