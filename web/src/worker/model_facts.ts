// SPDX-License-Identifier: MIT
// The page's knowledge of a model in a worker, which sends it once, after loading.
import type { Config, WeightInfo } from '../layers/layer.js';
import type { Model } from '../model/model.js';
import type { Symbols } from '../model/model_graph.js';
import { runtimeInfo } from '../engine/runtime.js';
import type { DType, Tensor } from '../tensor/tensor.js';

/** Properties of a model that are known without a request to its worker. */
export interface ModelFacts {
  /** Number of the model in its worker. */
  id: number;
  /** Name of the model. */
  name: string;
  /** Description of each weight, in Keras's order. */
  weights: readonly WeightInfo[];
  /** Number of elements of all weights. */
  params: number;
  /** Whether a layer keeps its states from call to call. */
  stateful: boolean;
  /** Whether a layer in it creates masks, as Masking and Embedding with mask_zero do. */
  makesMasks: boolean;
  /** Whether the worker's module can train. */
  trains: boolean;
  /** Shape and dtype of each input; empty for a subclassed model. */
  inputs: readonly SymbolFacts[];
  /** Shape and dtype of each output; empty for a subclassed model. */
  outputs: readonly SymbolFacts[];
}

/** Returns the numbers of inputs and outputs; 0 for a subclassed model. */
export const countsIn = ({ inputs, outputs }: Pick<ModelFacts, 'inputs' | 'outputs'>) => ({
  inputs: inputs.length,
  outputs: outputs.length,
});

/** Shape (null where unknown) and dtype of an input or output. */
export interface SymbolFacts {
  /** Sizes of the axes, outermost first; null where unknown. */
  shape: readonly (number | null)[];
  /** Element type. */
  dtype: DType;
}

export function factsOf(model: Model): ModelFacts {
  return {
    id: 0,
    name: model.name,
    weights: model.weights,
    params: model.countParams(),
    stateful: anyConfig(model.getConfig(), (config) => config['stateful'] === true),
    makesMasks: makesMasks(model.getConfig()),
    trains: runtimeInfo().layers === 'train',
    inputs: symbols(() => model.inputs),
    outputs: symbols(() => model.outputs),
  };
}

/** Returns whether a model with this config creates masks, as Masking and Embedding do. */
export const makesMasks = (model: Config): boolean =>
  anyConfig(model, (config) => config['mask_zero'] === true || config['class_name'] === 'Masking');

/** Returns whether the test holds for any object inside a config. */
function anyConfig(config: unknown, test: (config: Config) => boolean): boolean {
  if (typeof config !== 'object' || config === null) return false;
  if (test(config as Config)) return true;
  return Object.values(config).some((value) => anyConfig(value, test));
}

/** Facts about symbolic inputs or outputs; none for subclassed models. */
function symbols(read: () => Symbols): SymbolFacts[] {
  let tensors: readonly Tensor[] = [];
  try {
    tensors = read() as Tensor[];
  } catch {
    return [];
  }
  return tensors.map((tensor) => {
    const { shape, dtype } = tensor;
    tensor.dispose();
    return { shape, dtype };
  });
}
