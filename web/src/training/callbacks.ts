// SPDX-License-Identifier: MIT
// The callbacks as `callbacks` of maskflow/train has them.
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
import { TerminateOnNaN } from './callbacks/terminate_on_nan.js';
import type { TrainingCallback } from '../model/train_options.js';

export { Callback } from './callbacks/callback.js';
export { progressBar } from './callbacks/progress_bar.js';

/** Ends training when a number no longer becomes better. */
export const earlyStopping = (options?: EarlyStoppingOptions): EarlyStopping =>
  new EarlyStopping(options);

/** Saves the model as it is trained: to a path in Node, as a download on a page, or to a function. */
export const modelCheckpoint = (
  to: string | Sink,
  options?: ModelCheckpointOptions,
): ModelCheckpoint => new ModelCheckpoint(to, options);

/** Reduces the learning rate when a number no longer becomes better. */
export const reduceLROnPlateau = (options?: ReduceLROnPlateauOptions): ReduceLROnPlateau =>
  new ReduceLROnPlateau(options);

/** Sets the learning rate at the beginning of each epoch. */
export const learningRateScheduler = (schedule: Schedule): LearningRateScheduler =>
  new LearningRateScheduler(schedule);

/** Ends training at the batch whose loss is no longer finite. */
export const terminateOnNaN = (): TerminateOnNaN => new TerminateOnNaN();

/** Writes the numbers of each epoch as a line of a table: to a path in Node, or to a function. */
export const csvLogger = (
  to: string | ((line: string) => unknown),
  options?: CSVLoggerOptions,
): CSVLogger => new CSVLogger(to, options);

/** Functions in place of a class. */
export const lambda = (
  functions: Omit<TrainingCallback, 'setModel' | 'setParams'>,
): LambdaCallback => new LambdaCallback(functions);

/** Pauses, resumes and ends training from outside. */
export const controls = (): Controls => new Controls();
