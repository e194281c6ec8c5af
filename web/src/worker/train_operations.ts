// SPDX-License-Identifier: MIT
// What a worker does with a model that is trained there; maskflow/train hands it to the server.
import { isTensor, type Tensor } from '../tensor/tensor.js';
import { keep, tidy } from '../tensor/tidy.js';
import type {
  CompileOptions,
  FitOptions,
  History,
  TrainingCallback,
} from '../model/train_options.js';
import { earlyStopping, reduceLROnPlateau, terminateOnNaN } from '../training/callbacks.js';
import type { WireFit, WireTree } from './messages.js';
import { type Job, type Operations, treeToInputs } from './operations.js';

type Name = WireFit['made'][number][0];
const makers: { readonly [name in Name]: (settings: object) => TrainingCallback } = {
  earlyStopping,
  reduceLROnPlateau,
  terminateOnNaN,
};

const tensorsIn = (given: unknown): Tensor[] => {
  if (isTensor(given)) return [given];
  return typeof given === 'object' && given !== null ? Object.values(given).flatMap(tensorsIn) : [];
};

/** Tensors of these trees, to be disposed of. */
const opened = (trees: readonly (WireTree | null)[]): unknown[] =>
  tidy(() => {
    const made = trees.map((tree) => tree && treeToInputs(tree));
    for (const tensor of tensorsIn(made)) keep(tensor);
    return made;
  });

async function fit({ model, args, signal, report }: Job): Promise<object> {
  const { x, y, sampleWeight, validation, options, told, made } = args as WireFit;
  const data = opened([x, y, sampleWeight, ...(validation ?? [])]);
  const [inputs, targets, weights, ...validationData] = data;
  const hooks = told.map((event) => [event, (...args: unknown[]) => report({ event, args })]);
  const given = {
    ...options,
    ...Object.fromEntries(hooks),
    ...(weights !== null && { sampleWeight: weights }),
    ...(validation && { validationData }),
    callbacks: made.map(([name, settings]) => makers[name](settings)),
    signal,
  } as FitOptions;
  try {
    const { history, epoch, params }: History = await model.fit(
      inputs as Tensor,
      targets as Tensor,
      given,
    );
    return { history, epoch, params };
  } finally {
    for (const tensor of tensorsIn(data)) tensor.dispose();
  }
}

export const trainOperations: Operations = {
  compile: ({ model, args }) => model.compile(args as CompileOptions),
  fit,
};
