// SPDX-License-Identifier: MIT
// `predict` of batches that arrive later; fetched on demand.
import { elementCount } from '../base/array.js';
import { BatchReader } from '../base/batches.js';
import { checkInteger, checkSignal } from '../base/check.js';
import { ConfigError, ShapeError, StateError } from '../base/errors.js';
import { leaves } from '../layers/args.js';
import type { LayerInputs, LayerOutputs } from '../layers/args.js';
import type { PredictOptions } from '../model/predict_options.js';
import type { PredictBatches } from '../model/services.js';
import { type Tensor, type TensorData, tensor } from '../tensor/tensor.js';
import { keep, tidy } from '../tensor/tidy.js';
import { inputsOfBatch } from './batch_inputs.js';
import { Pace } from './pace.js';

/** Rows of one output, in an array that grows. */
class Rows {
  readonly #sizes: readonly number[];
  readonly #dtype: Tensor['dtype'];
  #data: TensorData;
  #length = 0;
  #count = 0;

  constructor(first: Tensor) {
    this.#sizes = first.shape.slice(1);
    this.#dtype = first.dtype;
    this.#data = first.data();
    this.#length = this.#data.length;
    this.#count = first.shape[0] ?? 0;
  }

  add(next: Tensor, batch: number): void {
    const [rows = 0, ...sizes] = next.shape;
    if (String(sizes) !== String(this.#sizes)) {
      throw new ShapeError(
        `batch ${batch} has outputs of shape [${next.shape}], but those before have rows of shape [${this.#sizes}]; pad all batches to the same length, or predict them one by one: predictBatches() of 'maskflow/train'`,
      );
    }
    const { size } = next;
    if (this.#length + size > this.#data.length) this.#grow(this.#length + size);
    next.read((view) => this.#data.set(view, this.#length));
    this.#length += size;
    this.#count += rows;
  }

  #grow(least: number): void {
    const Class = this.#data.constructor as new (length: number) => TensorData;
    const larger = new Class(Math.max(least, 2 * this.#data.length));
    larger.set(this.#data.subarray(0, this.#length));
    this.#data = larger;
  }

  joined(): Tensor {
    const shape = [this.#count, ...this.#sizes];
    const data = this.#data.subarray(0, elementCount(shape)) as TensorData;
    return tensor(data, { shape, dtype: this.#dtype });
  }
}

/** The outputs of all batches, in the structure that the model returns. */
export class Outputs {
  #form: LayerOutputs | null = null;
  #rows: Rows[] = [];
  #batches = 0;

  add(outputs: LayerOutputs): void {
    const tensors = leaves(outputs).map(([, output]) => output as Tensor);
    this.#form ??= outputs;
    if (this.#rows.length === 0) this.#rows = tensors.map((output) => new Rows(output));
    else for (const [i, output] of tensors.entries()) this.#rows[i]?.add(output, this.#batches);
    this.#batches++;
  }

  joined(): LayerOutputs {
    const form = this.#form;
    if (!form) {
      throw new StateError(
        'the source has no batches to predict; a generator runs once, so pass a new one',
      );
    }
    const tensors = this.#rows.map((rows) => rows.joined());
    const names = leaves(form).map(([name]) => name);
    if (names.length === 1 && names[0] === '') return tensors[0] as Tensor;
    if (Array.isArray(form)) return tensors;
    return Object.fromEntries(names.map((name, i) => [name, tensors[i] as Tensor]));
  }
}

/** Functions that are notified of each batch. */
export interface PredictionEvents {
  begin(): Promise<void>;
  batchBegins(batch: number): Promise<void>;
  /** Resolves to whether a callback ends the prediction. */
  batchEnds(batch: number, outputs: LayerOutputs): Promise<boolean>;
  end(): Promise<void>;
}

const tensorsOf = (outputs: LayerOutputs): Tensor[] =>
  leaves(outputs).map(([, output]) => output as Tensor);

/** Moves outputs out of all scopes. */
function keepAll(outputs: LayerOutputs): LayerOutputs {
  for (const output of tensorsOf(outputs)) keep(output);
  return outputs;
}

/** Predicts batches as they arrive, and returns the outputs of all rows. */
export async function predictEach(
  source: unknown,
  predict: (inputs: LayerInputs) => LayerOutputs,
  { steps, signal }: Pick<PredictOptions, 'steps' | 'signal'>,
  events?: PredictionEvents,
): Promise<LayerOutputs> {
  if (steps !== undefined) checkInteger('steps', steps, 1);
  const reader = new BatchReader<LayerInputs>(source);
  const outputs = new Outputs();
  const pace = new Pace();
  let isDone = false;
  try {
    await events?.begin();
    for (let batch = 0; batch !== steps; batch++) {
      const step = await reader.next(signal);
      isDone = step.done === true;
      if (isDone) break;
      await events?.batchBegins(batch);
      const predicted = tidy(() => keepAll(predict(step.value as LayerInputs)));
      try {
        outputs.add(predicted);
        if (await events?.batchEnds(batch, predicted)) break;
      } finally {
        for (const output of tensorsOf(predicted)) output.dispose();
      }
      await pace.yieldIfDue();
      signal?.throwIfAborted();
    }
    const joined = keepAll(outputs.joined());
    await events?.end();
    return joined;
  } finally {
    if (!isDone) await reader.close();
  }
}

/** `predict` of batches that arrive later. */
export const predictAll: PredictBatches = async (model, batches, options) => {
  const { steps, signal, batchSize, workers, callbacks: _, verbose: __, ...call } = options;
  checkSignal(signal);
  if (batchSize !== undefined || workers !== undefined) {
    const name = batchSize === undefined ? 'workers' : 'batchSize';
    throw new ConfigError(`batches are predicted one by one, as they are; leave out ${name}`);
  }
  const predict = (batch: LayerInputs): LayerOutputs =>
    model.predict(inputsOfBatch(model, batch), { ...call, batchSize: 0 } as never);
  return predictEach(batches, predict, { steps, signal });
};
