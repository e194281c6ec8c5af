// SPDX-License-Identifier: MIT
// The operations on models that a worker runs; server.ts calls them. Training adds those of
// train_operations.ts.
import { type CallOptions, leaves, type LayerInputs, type LayerOutputs } from '../layers/args.js';
import type { EvaluateOptions } from '../measures/evaluation.js';
import type { Progress } from '../base/model_source.js';
import type { LoadWeightsOptions } from '../model/load_options.js';
import type { Model } from '../model/model.js';
import { usualBatch } from '../model/usual_batch.js';
import { nextTask } from '../base/next_task.js';
import { Tensor, tensor } from '../tensor/tensor.js';
import { tidy } from '../tensor/tidy.js';
import type {
  BatchRequest,
  TrainingEvent,
  TrainingWord,
  WireCall,
  WireSource,
  WireTensor,
  WireTree,
} from './messages.js';
import { cutCall, joinTrees, rowsOf, structured } from './rows.js';
import { sourceFromWire } from './wire_source.js';

/** One operation of a worker on a model. */
export interface Job {
  model: Model;
  args: unknown;
  signal: AbortSignal;
  report(progress: Progress | TrainingEvent | BatchRequest): void;
  /** Receives the page's messages to this job, earlier ones too. */
  listen(onWord: (word: TrainingWord) => void): void;
}

export type Operations = { readonly [op: string]: (job: Job) => unknown };

/** The operations of a worker on a model, by name. */
export const operations: Operations = {
  predict,
  traceMasks: ({ model, args }) =>
    withCall(args as WireCall, (x, rest) => model.traceMasks(x, rest)),
  async checkPadding({ model, args }) {
    const { x: tree, options } = args as WireCall;
    const x = treeToInputs(tree) as LayerInputs;
    try {
      return await model.checkPadding(x, options);
    } finally {
      for (const [, value] of leaves(x)) (value as Tensor).dispose();
    }
  },
  summary: ({ model }) => model.summary({ print: null }),
  config: ({ model }) => model.toJSON(),
  resetState: ({ model }) => model.resetState(),
  getWeights: ({ model }) => tidy(() => model.getWeights().map(wireOf)),
  async loadWeights({ model, args, signal, report }) {
    const { source, options } = args as { source: WireSource; options: LoadWeightsOptions };
    await model.loadWeights(sourceFromWire(source), { ...options, signal, onProgress: report });
  },
  evaluate({ model, args }) {
    const { call, y } = args as { call: WireCall; y: WireTree };
    return withCall(call, (x, rest) =>
      model.evaluate(x, treeToInputs(y) as Tensor, rest as EvaluateOptions),
    );
  },
  save: ({ model }) => model.save(),
  saveWeights: ({ model }) => model.saveWeights(),
  saveTfjs: ({ model }) => model.saveTfjs(),
};

function wireOf(value: Tensor): WireTensor {
  const { dtype, shape, mask } = value;
  return { dtype, shape, data: value.data(), mask: mask && wireOf(mask) };
}

export function tensorOf({ data, shape, dtype, mask }: WireTensor): Tensor {
  const bare = tensor(data, { shape, dtype });
  return mask ? bare.withMask(tensorOf(mask)) : bare;
}

export function treeToInputs(tree: WireTree): unknown {
  const inputs = structured(tree, tree.items.map(tensorOf));
  if (!tree.absent) return inputs;
  const items: unknown[] = [...(inputs as Tensor[])];
  for (const position of tree.absent) items.splice(position, 0, null);
  return items;
}

/** Runs with the tensors of a call, which are disposed when `run` has ended. */
function withCall<T>(call: WireCall, run: (x: LayerInputs, options: CallOptions) => T): T {
  return tidy(() => {
    const options: { [name: string]: unknown } = { ...call.options };
    for (const [name, tree] of Object.entries(call.tensors)) options[name] = treeToInputs(tree);
    const masks = call.masks?.map((mask) => mask && tensorOf(mask));
    if (masks) options['mask'] = structured(call.x, masks);
    return run(treeToInputs(call.x) as LayerInputs, options);
  });
}

function predictOnce(model: Model, call: WireCall): WireTree {
  return withCall(call, (x, options) => {
    const result: LayerOutputs = model.predict<LayerOutputs>(x, options);
    const isSingle = result instanceof Tensor;
    const form = isSingle ? 'one' : Array.isArray(result) ? 'list' : 'keys';
    const items: Tensor[] = isSingle ? [result] : Object.values(result);
    return { form, keys: form === 'keys' ? Object.keys(result) : [], items: items.map(wireOf) };
  });
}

/** Predicts batch by batch, as `Model.predict` does. The worker receives messages in between. */
async function predict({ model, args, signal }: Job): Promise<WireTree> {
  const call = args as WireCall;
  const size = call.options['batchSize'] ?? usualBatch(model);
  const rows = rowsOf(call);
  // Unsplittable calls and invalid sizes are left to Model.predict.
  if (
    rows === null ||
    !Number.isInteger(size) ||
    (size as number) < 1 ||
    rows <= (size as number)
  ) {
    return predictOnce(model, call);
  }
  const parts: WireTree[] = [];
  for (let from = 0; from < rows; from += size as number) {
    if (from > 0) await nextTask();
    signal.throwIfAborted();
    parts.push(predictOnce(model, cutCall(call, from, Math.min(rows, from + (size as number)))));
  }
  return joinTrees(parts);
}
