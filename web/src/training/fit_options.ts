// SPDX-License-Identifier: MIT
// The options of `fit` and their check, also for models in workers.
import {
  checkFunction,
  checkSignal,
  checkOptions,
  isPlain,
  refuse,
  checkInteger,
} from '../base/check.js';
import type { FitOptions } from '../model/train_options.js';
import { callbacksIn } from './callbacks_in.js';
import { checkClassWeight } from './class_weights.js';

/** Options of `fit` that are functions of a callback. */
export const fitHooks = ['onEpochBegin', 'onEpochEnd', 'onBatchBegin', 'onBatchEnd'] as const;

/** Names of all options of `fit`. */
export const fitOptions: { readonly [Name in keyof FitOptions]-?: 1 } = {
  batchSize: 1,
  epochs: 1,
  initialEpoch: 1,
  shuffle: 1,
  seed: 1,
  validationData: 1,
  validationSplit: 1,
  validationFreq: 1,
  validationBatchSize: 1,
  validationSteps: 1,
  sampleWeight: 1,
  classWeight: 1,
  stepsPerEpoch: 1,
  callbacks: 1,
  verbose: 1,
  signal: 1,
  onNaN: 1,
  onEpochBegin: 1,
  onEpochEnd: 1,
  onBatchBegin: 1,
  onBatchEnd: 1,
};

const hasOnlyOptions = (y: object): boolean =>
  Object.keys(y).length > 0 && Object.keys(y).every((name) => Object.hasOwn(fitOptions, name));

/** Returns whether the options come second, as in `fit(batches, options)` and `fit(x, options)`. */
export const areOptionsSecond = (hasBatches: boolean, y: unknown, options: unknown): boolean =>
  options === undefined && isPlain(y) && (hasBatches || hasOnlyOptions(y));

/** Options that are counts, with their minimum. */
const counts = {
  batchSize: 1,
  epochs: 0,
  initialEpoch: 0,
  validationBatchSize: 1,
  validationSteps: 1,
  stepsPerEpoch: 1,
} as const;

function checkChoices({ shuffle = true, onNaN = 'ignore', verbose = 0 }: FitOptions): void {
  if (![true, false, 'batch'].includes(shuffle)) {
    refuse('shuffle', "true, false or 'batch'", shuffle);
  }
  if (!['ignore', 'warn', 'stop'].includes(onNaN)) {
    refuse('onNaN', "'ignore', 'warn' or 'stop'", onNaN);
  }
  if (![0, 1, 2].includes(verbose)) refuse('verbose', '0, 1 or 2', verbose);
}

/** Returns the options of `fit`. Throws ConfigError for an unknown name, ValueError for a value. */
export function checkFitOptions(options: FitOptions | undefined): FitOptions {
  const checked = checkOptions<FitOptions>(options, fitOptions);
  for (const [name, least] of Object.entries(counts)) {
    const count = checked[name as keyof typeof counts];
    if (count !== undefined) checkInteger(name, count, least);
  }
  const { seed = 0, validationFreq = 1, validationSplit = 0 } = checked;
  if (!Number.isSafeInteger(seed)) refuse('seed', 'a whole number', seed);
  if (typeof validationSplit !== 'number' || !(validationSplit >= 0 && validationSplit < 1)) {
    refuse('validationSplit', 'a share: 0 or more, less than 1', validationSplit);
  }
  for (const epoch of [validationFreq].flat()) checkInteger('validationFreq', epoch, 1);
  checkChoices(checked);
  for (const name of fitHooks) if (checked[name] !== undefined) checkFunction(checked[name], name);
  checkSignal(checked.signal);
  checkClassWeight(checked.classWeight, checked.sampleWeight);
  return { ...checked, callbacks: callbacksIn(checked) };
}
