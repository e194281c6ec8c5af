// SPDX-License-Identifier: MIT
// The loop of `fit`: epochs, batches, validation and callbacks. step.ts computes a batch.
import { drawSeed } from '../ops/random_source.js';
import { refuse } from '../base/check.js';
import { StateError, ValueError } from '../base/errors.js';
import type { LayerInputs } from '../layers/args.js';
import type { Layer } from '../layers/layer.js';
import type { Evaluation, PerOutput } from '../measures/evaluation.js';
import type {
  Batches,
  FitOptions,
  History,
  Logs,
  TrainingCallback,
} from '../model/train_options.js';
import { usualBatch } from '../model/usual_batch.js';
import type { Tensor, TensorLike } from '../tensor/tensor.js';
import { keep, tidy } from '../tensor/tidy.js';
import { CallbackList, sortByName } from './callback_list.js';
import { callbacksIn } from './callbacks_in.js';
import { HistoryCallback } from './callbacks/history.js';
import { progressBar } from './callbacks/progress_bar.js';
import { adviseLoss, checkLabels, rehearse, type Rehearsed } from './check.js';
import { type Compiled, compiledOf } from './compiled.js';
import type { Data } from './data.js';
import { withClassWeights } from './class_weights.js';
import { areOptionsSecond, checkFitOptions, fitHooks } from './fit_options.js';
import { Pace } from './pace.js';
import {
  isBatches,
  IterableSource,
  type LazyBatch,
  type RowOptions,
  RowSource,
  type Source,
} from './source.js';
import { ownEvaluate, runOwnEvaluate } from './own_evaluate.js';
import { ownStep } from './own_step.js';
import { type Counts, countsOf, dataOf } from './rows.js';
import { type OnNaN, testStep, trainStep } from './step.js';
import { watchUntilAwaited } from './unawaited.js';

const withPrefix = (logs: Evaluation, prefix: string): Evaluation =>
  Object.fromEntries(Object.entries(logs).map(([name, value]) => [prefix + name, value]));

/** Returns the number of rows to train on; the rows after them are for validation. */
function trainingRows(rows: number, split: number): number {
  const count = Math.floor(rows * (1 - split));
  if (count > 0 && count < rows) return count;
  throw new ValueError(
    `validationSplit ${split} of ${rows} rows leaves ${count} to train on and ${rows - count} to validate with; give more rows, or another share`,
  );
}

const tensorsOf = ({ x, y, weights }: Data): Tensor[] =>
  [x, y, weights].flatMap(({ values }) => Object.values(values));

/** One call of `fit`. */
class Fit {
  /** Tensors created for the data, freed at the end. */
  readonly #temporary: Tensor[] = [];
  readonly #options: FitOptions;
  readonly #pace = new Pace();
  readonly #counts: Counts;
  readonly #hook: TrainingCallback;
  #train: Source;
  #validation: Source | null;
  #onNaN: OnNaN;
  #isRehearsed = false;

  constructor(
    readonly model: Layer & {
      stopTraining?: boolean;
      stopEvaluating?: boolean;
      restoredEpoch?: number | undefined;
    },
    readonly compiled: Compiled,
    x: unknown,
    y: unknown,
    options: FitOptions,
  ) {
    this.#options = options;
    this.#onNaN = options.onNaN ?? 'ignore';
    this.#counts = countsOf(model);
    const hooks = fitHooks.filter((name) => options[name]).map((name) => [name, options[name]]);
    this.#hook = Object.fromEntries(hooks);
    try {
      const { train, validation } = this.#sources(x, y);
      this.#train = train;
      this.#validation = validation;
    } catch (error) {
      this.#release();
      throw error;
    }
  }

  /** Converts rows to tensors that live until the call ends. */
  #data(x: unknown, y: unknown, weights: unknown): Data {
    // `keep`, because the caller of `fit` may have opened a scope.
    return dataOf([x, y, weights], this.#counts, (tensor) => this.#temporary.push(keep(tensor)));
  }

  /** Derives data whose new tensors live until the call ends. */
  #derive(from: Data, make: () => Data): Data {
    const existing = new Set(tensorsOf(from));
    return tidy(() => {
      const data = make();
      for (const tensor of tensorsOf(data)) {
        if (!existing.has(tensor)) this.#temporary.push(keep(tensor));
      }
      return data;
    });
  }

  #iterable(batches: Batches, steps: number | undefined, useClassWeight: boolean): Source {
    const { classWeight, signal } = this.#options;
    const settings = { steps, signal, ...this.#counts };
    return new IterableSource(batches, useClassWeight ? { ...settings, classWeight } : settings);
  }

  #sources(x: unknown, y: unknown): { train: Source; validation: Source | null } {
    const { stepsPerEpoch, sampleWeight, validationData, validationSplit } = this.#options;
    const validation = validationData ? this.#validationOf(validationData) : null;
    if (isBatches(x)) {
      for (const [name, value] of Object.entries({ y, sampleWeight })) {
        if (value === undefined || value === null) continue;
        throw new ValueError(`${name} must be part of the batches: [x, y, sampleWeight]`);
      }
      if (validationSplit && !validation) {
        throw new ValueError(
          'validationSplit needs rows, not batches; give other batches as validationData',
        );
      }
      return { train: this.#iterable(x, stepsPerEpoch, true), validation };
    }
    const all = this.#data(x, y, sampleWeight);
    if (!validationSplit || validation) return { train: this.#rows(all), validation };
    const count = trainingRows(all.rows, validationSplit);
    return {
      train: this.#rows(this.#derive(all, () => all.part(0, count))),
      validation: this.#validationRows(this.#derive(all, () => all.part(count, all.rows - count))),
    };
  }

  #rows(data: Data): Source {
    const { batchSize, classWeight, stepsPerEpoch: steps, shuffle = true } = this.#options;
    const { seed = drawSeed() } = this.#options;
    const rows = this.#derive(data, () => withClassWeights(data, classWeight, this.model));
    return this.#rowSource(rows, { batchSize, steps, shuffle, seed });
  }

  #validationRows(data: Data): Source {
    const { validationBatchSize, batchSize, validationSteps: steps } = this.#options;
    const size = validationBatchSize ?? batchSize;
    return this.#rowSource(data, { batchSize: size, steps, shuffle: false, seed: 0 });
  }

  #rowSource(data: Data, options: Omit<RowOptions, 'usualBatch'>): Source {
    return new RowSource(data, { ...options, usualBatch: usualBatch(this.model) });
  }

  #validationOf(source: NonNullable<FitOptions['validationData']>): Source {
    if (isBatches(source)) return this.#iterable(source, this.#options.validationSteps, false);
    if (!Array.isArray(source) || source.length < 2 || source.length > 3) {
      refuse('validationData', '[x, y], [x, y, sampleWeight] or batches', source);
    }
    const [x, y, weights] = source;
    return this.#validationRows(this.#data(x, y, weights));
  }

  #release(): void {
    for (const tensor of this.#temporary.splice(0)) tensor.dispose();
  }

  /** Finds errors before anything is trained. */
  #rehearse(open: LazyBatch): readonly Rehearsed[] {
    const outputs = rehearse(this.compiled, open);
    if (!this.#isRehearsed) adviseLoss(this.model, outputs);
    this.#isRehearsed = true;
    return outputs;
  }

  #rehearseRows(source: Source | null): void {
    if (!(source instanceof RowSource)) return;
    const { data } = source;
    const outputs = this.#rehearse(() => data.part(0, Math.min(source.size, data.rows)));
    checkLabels(outputs, data.y);
  }

  async run(): Promise<History> {
    const { epochs = 1, initialEpoch = 0, verbose = 0, signal } = this.#options;
    const history = new HistoryCallback();
    const bar = verbose ? [progressBar()] : [];
    const list = new CallbackList(
      [...callbacksIn(this.#options), this.#hook, history, ...bar],
      signal,
    );
    try {
      signal?.throwIfAborted();
      this.compiled.adviseTrainable();
      this.#rehearseRows(this.#validation);
      this.#rehearseRows(this.#train);
      list.begin(this.model, { epochs, steps: this.#train.steps, verbose });
      this.model.stopTraining = false;
      this.model.restoredEpoch = undefined;
      await list.notify('onTrainBegin');
      let logs = {} as Logs;
      for (let epoch = this.model.restoredEpoch ?? initialEpoch; epoch < epochs; epoch++) {
        logs = await this.#epoch(epoch, list);
        if (this.model.stopTraining) break;
      }
      if (epochs > 0) this.#finalize();
      await list.notify('onTrainEnd', logs);
      return history;
    } finally {
      await this.#close();
    }
  }

  #finalize(): void {
    const { optimizer } = this.compiled;
    // Without a batch, there are no variables yet; a step of a class may use other optimizers.
    if (ownStep(this.model, true) ? optimizer.built : this.#isRehearsed)
      optimizer.finalizeVariableValues(this.compiled.variables());
  }

  async #close(): Promise<void> {
    this.#release();
    // Ignores errors of closing, which must not hide the error that ended `fit`.
    for (const source of [this.#train, this.#validation]) await source?.close?.()?.catch(() => {});
  }

  #results(): Logs {
    return sortByName(this.compiled.results());
  }

  /** Lets other tasks run between two batches. */
  async #pause(): Promise<void> {
    this.#options.signal?.throwIfAborted();
    await this.#pace.yieldIfDue();
    this.#options.signal?.throwIfAborted();
  }

  async #epoch(epoch: number, list: CallbackList): Promise<Logs> {
    this.compiled.reset();
    await list.notify('onEpochBegin', epoch);
    let batch = 0;
    for await (const open of this.#train.epoch(epoch)) {
      await this.#pause();
      await list.notify('onBatchBegin', batch);
      this.#trainStep(open, epoch, batch);
      if (list.hasListeners('onBatchEnd')) {
        await list.notify('onBatchEnd', batch, sortByName(this.compiled.batchLogs()));
      }
      batch++;
      if (this.model.stopTraining) break;
    }
    await this.#pause();
    const own = this.#results();
    const logs = this.#validates(epoch)
      ? sortByName({ ...own, ...(await this.#validate(list)) })
      : own;
    await list.notify('onEpochEnd', epoch, logs);
    return logs;
  }

  #trainStep(open: LazyBatch, epoch: number, batch: number): void {
    if (!this.#isRehearsed) this.#rehearseBatch(open);
    const where = `in batch ${batch} of epoch ${epoch}`;
    if (trainStep(this.compiled, open, this.#onNaN, where)) this.#onNaN = 'ignore';
  }

  #rehearseBatch(open: LazyBatch): void {
    tidy(() => {
      const batch = open();
      this.#rehearse(() => batch);
    });
  }

  #validates(epoch: number): boolean {
    const { validationFreq = 1 } = this.#options;
    if (!this.#validation) return false;
    return typeof validationFreq === 'number'
      ? (epoch + 1) % validationFreq === 0
      : validationFreq.includes(epoch + 1);
  }

  async #validate(list: CallbackList): Promise<Evaluation> {
    const own = ownEvaluate(this.model);
    const logs = own
      ? await runOwnEvaluate(own, this.#validation as Source, this.#options)
      : await this.#test(list);
    return withPrefix(logs, 'val_');
  }

  async #test(list: CallbackList): Promise<Logs> {
    this.model.stopEvaluating = false;
    await list.notify('onTestBegin');
    this.compiled.reset();
    let batch = 0;
    for await (const open of (this.#validation as Source).epoch(0)) {
      await this.#pause();
      await list.notify('onTestBatchBegin', batch);
      testStep(this.compiled, open);
      if (list.hasListeners('onTestBatchEnd')) {
        await list.notify('onTestBatchEnd', batch, sortByName(this.compiled.batchLogs()));
      }
      batch++;
      if (this.model.stopEvaluating) break;
    }
    await this.#pause();
    const logs = this.#results();
    await list.notify('onTestEnd', logs);
    return logs;
  }
}

/** See `fit` of Model. */
export async function fit(
  model: Layer,
  x: LayerInputs | Batches,
  y: PerOutput<TensorLike> | FitOptions | null | undefined,
  options: FitOptions | undefined,
): Promise<History> {
  const compiled = compiledOf(model, 'fit');
  const isShort = areOptionsSecond(isBatches(x), y, options);
  const checked = checkFitOptions((isShort ? y : options) as FitOptions | undefined);
  if (compiled.isBusy) {
    throw new StateError(`'${model.name}' is already being trained; await that fit first`);
  }
  compiled.isBusy = true;
  try {
    const run = new Fit(model, compiled, x, isShort ? null : y, checked);
    return await watchUntilAwaited(model, () => run.run());
  } finally {
    compiled.isBusy = false;
  }
}
