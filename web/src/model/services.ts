// SPDX-License-Identifier: MIT
import { UnsupportedError } from '../base/errors.js';
import type { LayerInputs, LayerOutputs } from '../layers/args.js';
import type { EvaluateOptions, Evaluation, PerOutput } from '../measures/evaluation.js';
import type { TensorLike } from '../tensor/tensor.js';
import type { Model } from './model.js';
import type { Stream, StreamOptions } from './stream.js';

/** What a model can do beyond its call, where the running entry has it: it is handed in, for it stands above models. */
export interface Services {
  evaluate(
    model: Model,
    x: LayerInputs,
    y: PerOutput<TensorLike>,
    options: EvaluateOptions,
  ): Evaluation;
  stream(model: Model, options: StreamOptions): Stream;
  /** `predict` with the option `workers`. */
  workers(
    model: Model,
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
    `'maskflow/recurrent' leaves ${name} out; import from 'maskflow' instead`,
  );
}
