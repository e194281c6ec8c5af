// SPDX-License-Identifier: MIT
// The services that a model uses and an entry supplies: docs/architecture.md, "Decisions that may
// surprise".
import type { TypedArray } from '../base/nested.js';
import { Service } from '../base/service.js';
import type { CallOptions, LayerInputs, LayerOutputs } from '../layers/args.js';
import type { NativeLayer } from '../engine/native.js';
import type { Config, Layer, WeightInfo } from '../layers/layer.js';
import type {
  BatchEvaluation,
  EvaluateOptions,
  Evaluation,
  PerOutput,
} from '../measures/evaluation.js';
import type { Tensor, TensorLike } from '../tensor/tensor.js';
import type { ModelSource } from '../base/model_source.js';
import type { LoadWeightsOptions, SaveOptions, SaveTfjsOptions } from './load_options.js';
import type { PredictOptions } from './predict_options.js';
import type { Runnable } from './runnable.js';
import type { Stream, StreamOptions } from './stream.js';
import type { WindowStream, WindowStreamOptions } from './window_stream.js';
import type {
  Batches,
  CompileOptions,
  FitOptions,
  History,
  Logs,
  ModelMetric,
  ModelOptimizer,
  StepData,
  StepLogs,
  TrainOnBatchOptions,
} from './train_options.js';

/** Variables of an optimizer, by the path of their group in a file. */
export interface StoredGroup {
  readonly path: string;
  readonly name: string;
  readonly arrays: readonly {
    /** Name in the group. Default: the position. */
    readonly name?: string;
    readonly shape: readonly number[];
    readonly dtype: string;
    readonly data: TypedArray;
  }[];
}

/** A model that workers can share. */
export interface SharedModel {
  readonly handle: NativeLayer;
  readonly weights: readonly WeightInfo[];
  readonly stateful: boolean;
  getConfig(): Config;
  predict(inputs: unknown, options: object): LayerOutputs;
  /** Returns the bytes of its `.keras` file. */
  save(name?: string, options?: SaveOptions): Promise<Uint8Array>;
}

/** Limits of what a file may cost to read; FormatError beyond them. */
export interface FileBudget {
  readonly limits: { readonly depth: number };
  spend(limit: 'metrics' | 'thresholds', count: number, what: string): void;
  tick(): void;
}

/** The parts of an opened file that training needs. */
export interface TrainedFile {
  readonly file: { readonly name: string; readonly budget: FileBudget };
  readonly options: { readonly customObjects?: { readonly [name: string]: unknown } };
  readonly compileConfig?: unknown;
  readonly kerasVersion: string;
  /** Variables of the optimizer, by path or in order. */
  readonly weights: unknown;
  readonly optimizer?: unknown;
}

/** The training of a model as a file stores it. */
export interface StoredTraining {
  /** Keras's compile configuration. */
  readonly config: { readonly [key: string]: unknown };
  readonly groups: readonly StoredGroup[];
}

/** `compile`, `fit` and the like. */
export interface Training {
  compile(model: Layer, options: CompileOptions): void;
  optimizer(model: Layer): ModelOptimizer;
  fit(
    model: Layer,
    x: LayerInputs | Batches,
    y: PerOutput<TensorLike> | FitOptions | null | undefined,
    options: FitOptions | undefined,
  ): Promise<History>;
  onBatch(
    model: Layer,
    x: LayerInputs,
    y: PerOutput<TensorLike> | null | undefined,
    options: TrainOnBatchOptions,
    training: boolean,
  ): Logs;
  metrics(model: Layer): ModelMetric[];
  results(model: Layer): Logs;
  resetMetrics(model: Layer): void;
  step(model: Layer, data: StepData, training: boolean): Logs;
  computeLoss(model: Layer, args: readonly unknown[]): Tensor;
  computeMetrics(model: Layer, y: unknown, yPred: unknown, sampleWeight: unknown): StepLogs;
  /** `predict` with callbacks or a step of the model's class. */
  predict(model: Layer, inputs: unknown, options: object): LayerOutputs | Promise<LayerOutputs>;
}

/** Loading and saving of models. */
export interface ModelFiles {
  loadWeights(model: Layer, source: ModelSource, options: LoadWeightsOptions): Promise<void>;
  save(model: Layer, name: string | undefined, options: SaveOptions): Promise<Uint8Array>;
  saveTfjs(
    model: Layer,
    name: string | undefined,
    options: SaveTfjsOptions,
  ): Promise<Map<string, Uint8Array>>;
  saveWeights(model: Layer, name: string | undefined): Promise<Uint8Array>;
}

/** Reads and writes the training of models in their files. */
export interface TrainingFiles {
  /** Returns a function that collects what to write; null for a model that is not compiled. */
  writer(model: Layer): Promise<(() => StoredTraining | null) | null>;
  /** Compiles a model as its file says, and sets the variables of its optimizer. */
  read(model: Layer, file: TrainedFile): Promise<void>;
  /** Returns a function that collects the optimizer's state; null without `compile`. */
  stateWriter(model: Layer): Promise<(() => readonly StoredGroup[]) | null>;
  /**
   * Checks the optimizer's state in a file, and returns a function that sets it; null if there is
   * nothing to set.
   */
  stateReader(
    model: Layer,
    artifact: Pick<TrainedFile, 'weights' | 'kerasVersion'>,
    file: string,
  ): Promise<(() => void) | null>;
}

/** `Model.evaluate`. */
export type Evaluate = (
  model: Layer,
  x: LayerInputs,
  y: PerOutput<TensorLike> | null | undefined,
  options: EvaluateOptions,
) => Evaluation;

/** `Model.evaluate` of batches that arrive later. */
export type EvaluateBatches = (
  model: Layer,
  batches: Batches,
  options: BatchEvaluation | undefined,
) => Promise<Evaluation>;

/** `predict` of batches that arrive later. */
export type PredictBatches = (
  model: Runnable,
  batches: unknown,
  options: CallOptions & PredictOptions,
) => Promise<LayerOutputs>;

/** `predict` with the option `workers`, which keep the model for later calls. */
export type PredictInWorkers = (
  model: SharedModel,
  inputs: unknown,
  options: { workers: number; batchSize?: number; signal?: AbortSignal; timeLimit?: number },
) => Promise<LayerOutputs>;

const absent = (method: string): string =>
  `'maskflow/recurrent' has no ${method}; import from 'maskflow' instead`;
const inTraining = "training is in 'maskflow/train'; import from there instead";

export const modelFiles = new Service<ModelFiles>('call ready() first', 'ERR_NOT_READY');
export const evaluation = new Service<Evaluate>(absent('evaluate()'));
export const batchEvaluation = new Service<EvaluateBatches>(absent('evaluate()'));
export const streaming = new Service<
  <M extends Runnable>(
    model: M,
    options: StreamOptions | WindowStreamOptions,
  ) => Stream<M> | WindowStream<M>
>(absent('stream()'));
export const batchPrediction = new Service<PredictBatches>('call ready() first', 'ERR_NOT_READY');
export const workerPrediction = new Service<PredictInWorkers>(
  "predict() with 'workers' needs the code of workers: write import 'maskflow/worker'",
);
export const training = new Service<Training>(inTraining);
export const trainingFiles = new Service<TrainingFiles>(inTraining);
/** Operations of a worker with models that it trains, by name. */
export const remoteTraining = new Service<
  () => Promise<{ readonly [op: string]: (job: never) => unknown }>
>(inTraining);
