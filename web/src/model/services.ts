// SPDX-License-Identifier: MIT
import { UnsupportedError } from '../base/errors.js';
import type { TypedArray } from '../base/nested.js';
import type { LayerInputs, LayerOutputs } from '../layers/args.js';
import type { Layer } from '../layers/layer.js';
import type { EvaluateOptions, Evaluation, PerOutput } from '../measures/evaluation.js';
import type { TensorLike } from '../tensor/tensor.js';
import type { ModelSource } from '../base/model_source.js';
import type { LoadWeightsOptions, SaveOptions } from './load_options.js';
import type { Runnable } from './runnable.js';
import type { Stream, StreamOptions } from './stream.js';
import type {
  Batches,
  CompileOptions,
  FitOptions,
  History,
  Logs,
  ModelOptimizer,
  TrainOnBatchOptions,
} from './train_options.js';

/** Variables of an optimizer, by the path of their group in a file. */
export interface StoredGroup {
  readonly path: string;
  readonly name: string;
  readonly arrays: readonly {
    readonly shape: readonly number[];
    readonly dtype: string;
    readonly data: TypedArray;
  }[];
}

/** Gives the bytes of a `.keras` file. */
export interface Savable {
  save(name?: string, options?: SaveOptions): Promise<Uint8Array>;
}

/** What a file may still cost: FormatError beyond. */
export interface FileBudget {
  readonly limits: { readonly depth: number };
  spend(limit: 'metrics' | 'thresholds', count: number, what: string): void;
  tick(): void;
}

/** A file that was opened, as far as training goes. */
export interface TrainedFile {
  readonly file: { readonly name: string; readonly budget: FileBudget };
  readonly options: { readonly customObjects?: { readonly [name: string]: unknown } };
  readonly compileConfig?: unknown;
  readonly kerasVersion: string;
  /** Variables of the optimizer, by path or in order. */
  readonly weights: unknown;
  readonly optimizer?: unknown;
}

/** What a file has of the training of a model. */
export interface StoredTraining {
  /** Keras's compile configuration. */
  readonly config: { readonly [key: string]: unknown };
  readonly groups: readonly StoredGroup[];
}

/** What a model can do beyond its call, where the running entry has it: it is handed in, for it stands above models. */
export interface Services {
  evaluate(
    model: Layer,
    x: LayerInputs,
    y: PerOutput<TensorLike>,
    options: EvaluateOptions,
  ): Evaluation;
  /** Of maskflow/train. */
  training: {
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
      y: PerOutput<TensorLike>,
      options: TrainOnBatchOptions,
      training: boolean,
    ): Logs;
    resetMetrics(model: Layer): void;
  };
  /** Model files, fetched at the first call. */
  modelFiles: {
    loadWeights(model: Layer, source: ModelSource, options: LoadWeightsOptions): Promise<void>;
    save(model: Layer, name: string | undefined, options: SaveOptions): Promise<Uint8Array>;
    saveTfjs(model: Layer, name: string | undefined): Promise<Map<string, Uint8Array>>;
    saveWeights(model: Layer, name: string | undefined): Promise<Uint8Array>;
  };
  /** The training of models in their files, of maskflow/train. */
  trainingFiles: {
    /** What finds out what to write; null for a model that is not compiled. */
    writer(model: Layer): Promise<(() => StoredTraining | null) | null>;
    /** Compiles a model as its file says, and gives the optimizer its variables. */
    read(model: Layer, file: TrainedFile): Promise<void>;
  };
  /** What a worker does with models that it trains, by name; of maskflow/train. */
  remoteTraining(): Promise<{ readonly [op: string]: (job: never) => unknown }>;
  stream<M extends Runnable>(model: M, options: StreamOptions): Stream<M>;
  /** `predict` with the option `workers`, which saves the model for them. */
  workers(
    model: Savable,
    inputs: unknown,
    options: { workers: number; batchSize?: number; signal?: AbortSignal; timeLimit?: number },
  ): Promise<LayerOutputs>;
}

let running: Partial<Services> = {};

export function setServices(services: Partial<Services>): void {
  running = services;
}

/** What the running entry has of that, if anything. */
export const serviceIfAny = <K extends keyof Services>(name: K): Services[K] | undefined =>
  running[name];

/** What the running entry has of that, or an UnsupportedError. */
export function service<K extends keyof Services>(name: K): Services[K] {
  const found = running[name];
  if (found) return found;
  throw new UnsupportedError(
    name === 'training'
      ? "training is in 'maskflow/train'; import from there instead"
      : `'maskflow/recurrent' leaves ${name} out; import from 'maskflow' instead`,
  );
}
