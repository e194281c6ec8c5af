// SPDX-License-Identifier: MIT
import type { CallOptions, LayerInputs, LayerOutputs } from '../layers/args.js';
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
import { cutCall, joinTrees, rowsOf } from './rows.js';
import { sourceFromWire } from './wire_source.js';

/** Something to be done with a model, by a worker. */
export interface Job {
  model: Model;
  args: unknown;
  signal: AbortSignal;
  report(progress: Progress | TrainingEvent | BatchRequest): void;
  /** Hears what the page says of this job while it runs, and what it has said before. */
  listen(hear: (word: TrainingWord) => void): void;
}

export type Operations = { readonly [op: string]: (job: Job) => unknown };

/** By name, what a worker does with a model. */
export const operations: Operations = {
  predict,
  traceMasks: ({ model, args }) =>
    withCall(args as WireCall, (x, rest) => model.traceMasks(x, rest)),
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
  const made = tensor(data, { shape, dtype });
  return mask ? made.withMask(tensorOf(mask)) : made;
}

function structured<T>({ form, keys }: WireTree, items: readonly T[]): unknown {
  if (form === 'one') return items[0];
  return form === 'list' ? items : Object.fromEntries(keys.map((key, i) => [key, items[i]]));
}

export const treeToInputs = (tree: WireTree): unknown => structured(tree, tree.items.map(tensorOf));

/** The call's tensors live until `run` is done. */
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
    const single = result instanceof Tensor;
    const form = single ? 'one' : Array.isArray(result) ? 'list' : 'keys';
    const items: Tensor[] = single ? [result] : Object.values(result);
    return { form, keys: form === 'keys' ? Object.keys(result) : [], items: items.map(wireOf) };
  });
}

/** Batch by batch, as `Model.predict` does; in between, messages are heard. */
async function predict({ model, args, signal }: Job): Promise<WireTree> {
  const call = args as WireCall;
  const size = call.options['batchSize'] ?? usualBatch(model);
  const rows = rowsOf(call);
  // What cannot be cut, and a size that is none, are the model's own business.
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
