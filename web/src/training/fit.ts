// SPDX-License-Identifier: MIT
import { isPlain, refuse } from '../base/check.js';
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
import { CallbackList } from './callback_list.js';
import { HistoryCallback } from './callbacks/history.js';
import { progressBar } from './callbacks/progress_bar.js';
import { adviseLoss, checkLabels, rehearse, type Seen } from './check.js';
import { type Compiled, compiledOf } from './compiled.js';
import type { Data } from './data.js';
import { checked, fitHooks } from './fit_options.js';
import { Pace } from './pace.js';
import {
  countsOf,
  dataOf,
  givesBatches,
  IterableSource,
  type LazyBatch,
  type RowOptions,
  RowSource,
  type Source,
  weighted,
} from './source.js';
import { type OnNaN, testStep, trainStep } from './step.js';

/** Names in Keras's order: that of the alphabet. */
const sorted = (logs: Evaluation): Logs =>
  Object.fromEntries(Object.entries(logs).sort(([a], [b]) => (a < b ? -1 : 1))) as Logs;

const prefixed = (logs: Evaluation, prefix: string): Evaluation =>
  Object.fromEntries(Object.entries(logs).map(([name, value]) => [prefix + name, value]));

/** Where the rows from which on they are validated with begin. */
function splitAt(rows: number, split: number): number {
  const at = Math.floor(rows * (1 - split));
  if (at > 0 && at < rows) return at;
  throw new ValueError(
    `validationSplit ${split} of ${rows} rows leaves ${at} to train on and ${rows - at} to validate with; give more rows, or another share`,
  );
}

const tensorsOf = ({ x, y, weights }: Data): Tensor[] =>
  [x, y, weights].flatMap(({ values }) => Object.values(values));

/** What one call of `fit` works with. */
class Fit {
  readonly #made: Tensor[] = [];
  readonly #options: FitOptions;
  readonly #pace = new Pace();
  readonly #counts: { inputs: number; outputs: number };
  readonly #hook: TrainingCallback;
  #train: Source;
  #validation: Source | null;
  #told: OnNaN;
  #rehearsed = false;

  constructor(
    readonly model: Layer & { stopTraining?: boolean },
    readonly compiled: Compiled,
    x: unknown,
    y: unknown,
    options: FitOptions,
  ) {
    this.#options = options;
    this.#told = options.onNaN ?? 'ignore';
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

  /** Rows as tensors that live as long as the call. */
  #data(x: unknown, y: unknown, weights: unknown): Data {
    // (Whatever scope is open where `fit` is called.)
    return dataOf([x, y, weights], this.#counts, (tensor) => this.#made.push(keep(tensor)));
  }

  /** What is made of that, to live as long. */
  #derived(from: Data, make: () => Data): Data {
    const there = new Set(tensorsOf(from));
    return tidy(() => {
      const data = make();
      for (const tensor of tensorsOf(data)) {
        if (!there.has(tensor)) this.#made.push(keep(tensor));
      }
      return data;
    });
  }

  #iterable(batches: Batches, steps: number | undefined, classes: boolean): Source {
    const { classWeight, signal } = this.#options;
    const settings = { steps, signal, ...this.#counts };
    return new IterableSource(batches, classes ? { ...settings, classWeight } : settings);
  }

  #sources(x: unknown, y: unknown): { train: Source; validation: Source | null } {
    const { stepsPerEpoch, sampleWeight, validationData, validationSplit } = this.#options;
    const validation = validationData ? this.#validationOf(validationData) : null;
    if (givesBatches(x)) {
      for (const [name, value] of Object.entries({ y, sampleWeight })) {
        if (value === undefined || value === null) continue;
        throw new ValueError(`${name} comes with the batches: [x, y, sampleWeight]`);
      }
      if (validationSplit && !validation) {
        throw new ValueError(
          'validationSplit needs rows; give batches of their own as validationData',
        );
      }
      return { train: this.#iterable(x, stepsPerEpoch, true), validation };
    }
    const all = this.#data(x, y, sampleWeight);
    if (!validationSplit || validation) return { train: this.#rows(all), validation };
    const at = splitAt(all.rows, validationSplit);
    return {
      train: this.#rows(this.#derived(all, () => all.part(0, at))),
      validation: this.#validationRows(this.#derived(all, () => all.part(at, all.rows - at))),
    };
  }

  #rows(data: Data): Source {
    const { batchSize, classWeight, stepsPerEpoch: steps, shuffle = true } = this.#options;
    const { seed = Math.floor(Math.random() * 2 ** 32) } = this.#options;
    const rows = this.#derived(data, () => weighted(data, classWeight));
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

  #validationOf(given: NonNullable<FitOptions['validationData']>): Source {
    if (givesBatches(given)) return this.#iterable(given, this.#options.validationSteps, false);
    if (!Array.isArray(given) || given.length < 2 || given.length > 3) {
      refuse('validationData', '[x, y], [x, y, sampleWeight] or batches', given);
    }
    const [x, y, weights] = given;
    return this.#validationRows(this.#data(x, y, weights));
  }

  #release(): void {
    for (const tensor of this.#made.splice(0)) tensor.dispose();
  }

  /** Says what does not fit, before anything is trained. */
  #rehearse(open: LazyBatch): readonly Seen[] {
    const seen = rehearse(this.compiled, open);
    if (!this.#rehearsed) adviseLoss(this.model, seen);
    this.#rehearsed = true;
    return seen;
  }

  #rehearseRows(source: Source | null): void {
    if (!(source instanceof RowSource)) return;
    const { data } = source;
    const seen = this.#rehearse(() => data.part(0, Math.min(source.size, data.rows)));
    checkLabels(seen, data.y);
  }

  async run(): Promise<History> {
    const { callbacks = [], epochs = 1, initialEpoch = 0, verbose = 0, signal } = this.#options;
    const history = new HistoryCallback();
    const bar = verbose ? [progressBar()] : [];
    const told = new CallbackList([...callbacks, this.#hook, history, ...bar], signal);
    try {
      signal?.throwIfAborted();
      this.compiled.warned.clear();
      this.compiled.adviseTrainable();
      this.#rehearseRows(this.#validation);
      this.#rehearseRows(this.#train);
      told.begin(this.model, { epochs, steps: this.#train.steps, verbose });
      this.model.stopTraining = false;
      await told.tell('onTrainBegin');
      let logs = {} as Logs;
      for (let epoch = initialEpoch; epoch < epochs; epoch++) {
        logs = await this.#epoch(epoch, told);
        if (this.model.stopTraining) break;
      }
      if (epochs > 0) this.#finalize();
      await told.tell('onTrainEnd', logs);
      return history;
    } finally {
      await this.#close();
    }
  }

  #finalize(): void {
    const { optimizer } = this.compiled;
    // (Without a batch there are none yet.)
    if (this.#rehearsed) optimizer.finalizeVariableValues(this.compiled.variables());
  }

  async #close(): Promise<void> {
    this.#release();
    // (What fails there must not hide why `fit` ended.)
    for (const source of [this.#train, this.#validation]) await source?.close?.()?.catch(() => {});
  }

  #results(): Logs {
    return sorted(this.compiled.objective.results());
  }

  /** Between two batches. */
  async #breathe(): Promise<void> {
    this.#options.signal?.throwIfAborted();
    await this.#pace.breathe();
    this.#options.signal?.throwIfAborted();
  }

  async #epoch(epoch: number, list: CallbackList): Promise<Logs> {
    const { objective } = this.compiled;
    objective.reset();
    await list.tell('onEpochBegin', epoch);
    let batch = 0;
    for await (const open of this.#train.epoch(epoch)) {
      await this.#breathe();
      await list.tell('onBatchBegin', batch);
      this.#trainStep(open, epoch, batch);
      if (list.hears('onBatchEnd')) await list.tell('onBatchEnd', batch, this.#results());
      batch++;
      if (this.model.stopTraining) break;
    }
    await this.#breathe();
    const own = this.#results();
    const logs = this.#validates(epoch) ? sorted({ ...own, ...(await this.#validate(list)) }) : own;
    await list.tell('onEpochEnd', epoch, logs);
    return logs;
  }

  #trainStep(open: LazyBatch, epoch: number, batch: number): void {
    if (!this.#rehearsed) this.#rehearseBatch(open);
    const at = `in batch ${batch} of epoch ${epoch}`;
    if (trainStep(this.compiled, open, { onNaN: this.#told, at })) this.#told = 'ignore';
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
    const { objective } = this.compiled;
    await list.tell('onTestBegin');
    objective.reset();
    let batch = 0;
    for await (const open of (this.#validation as Source).epoch(0)) {
      await this.#breathe();
      await list.tell('onTestBatchBegin', batch);
      testStep(this.compiled, open);
      if (list.hears('onTestBatchEnd')) await list.tell('onTestBatchEnd', batch, this.#results());
      batch++;
    }
    await this.#breathe();
    const logs = this.#results();
    await list.tell('onTestEnd', logs);
    return prefixed(logs, 'val_');
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
  // fit(batches, options)
  const moved = options === undefined && givesBatches(x) && isPlain(y);
  const given = checked((moved ? y : options) as FitOptions | undefined);
  if (compiled.busy) {
    throw new StateError(`'${model.name}' is being trained already; await that fit first`);
  }
  compiled.busy = true;
  try {
    return await new Fit(model, compiled, x, moved ? null : y, given).run();
  } finally {
    compiled.busy = false;
  }
}
