// SPDX-License-Identifier: MIT
// The function `predictBatches` of maskflow/train: one result for each batch, where `predict` joins
// all.
import { BatchReader } from '../base/batches.js';
import { checkFunction } from '../base/check.js';
import type { LayerInputs, LayerOutputs } from '../layers/args.js';
import { inputsOfBatch } from './batch_inputs.js';
import { leaves } from '../layers/args.js';
import type { Model } from '../model/model.js';
import { keep } from '../tensor/tidy.js';
import type { Tensor } from '../tensor/tensor.js';

/** Batches of inputs: an iterable, a stream, or a function that creates one of these. */
export type InputBatches<Inputs> =
  | Iterable<Inputs>
  | AsyncIterable<Inputs>
  | ReadableStream<Inputs>
  | (() => Iterable<Inputs> | AsyncIterable<Inputs> | ReadableStream<Inputs>);

/**
 * Predicts batch by batch, as batches arrive: each batch has the inputs of one call of `predict`. A
 * batch that is read is predicted before the next one is asked for, so memory does not grow with
 * the number of batches. The outputs of a batch are disposed of when the next ones are read.
 *
 * Throws ValueError for batches that are neither a list, an iterable nor a stream, and the errors
 * of `predict`.
 *
 * @example
 * for await (const y of predictBatches(model, rowsOfDatabase())) await write(y.array());
 */
export async function* predictBatches<Inputs extends LayerInputs, Outputs extends LayerOutputs>(
  model: Model<Inputs, Outputs>,
  batches: InputBatches<Inputs>,
): AsyncGenerator<Outputs> {
  checkFunction((model as Partial<typeof model> | null)?.predict, 'predict of the model');
  const reader = new BatchReader<Inputs>(batches);
  let outputs: Outputs | null = null;
  let isDone = false;
  const free = (): void => {
    for (const [, tensor] of outputs ? leaves(outputs) : []) (tensor as Tensor).dispose();
    outputs = null;
  };
  try {
    for (;;) {
      const { done, value } = await reader.next();
      isDone = done === true;
      if (isDone) return;
      free();
      const predicted = model.predict(
        inputsOfBatch(model as never, value) as Inputs,
        { batchSize: 0 } as never,
      ) as unknown;
      outputs = predicted as Outputs;
      for (const [, tensor] of leaves(outputs)) keep(tensor as Tensor);
      yield outputs as Outputs;
    }
  } finally {
    free();
    if (!isDone) await reader.close();
  }
}
