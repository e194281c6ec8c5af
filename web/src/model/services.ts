// SPDX-License-Identifier: MIT
import { UnsupportedError } from '../base/errors.js';
import type { LayerInputs, LayerOutputs } from '../layers/args.js';
import type { Layer } from '../layers/layer.js';
import type { EvaluateOptions, Evaluation, PerOutput } from '../measures/evaluation.js';
import type { TensorLike } from '../tensor/tensor.js';
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
  stream<M extends Runnable>(model: M, options: StreamOptions): Stream<M>;
  /** `predict` with the option `workers`, which saves the model for them. */
  workers(
    model: { save(): Promise<Uint8Array> },
    inputs: unknown,
    options: { workers: number; batchSize?: number; signal?: AbortSignal; timeLimit?: number },
  ): Promise<LayerOutputs>;
}

let running: Partial<Services> = {};

export function setServices(services: Partial<Services>): void {
  running = services;
}

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
