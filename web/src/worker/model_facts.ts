// SPDX-License-Identifier: MIT
import type { Config, WeightInfo } from '../layers/layer.js';
import type { Model, Symbols } from '../model/model.js';
import { runtimeInfo } from '../engine/runtime.js';
import type { DType, Tensor } from '../tensor/tensor.js';

/** What can be known of a model without asking its worker. */
export interface ModelFacts {
  id: number;
  name: string;
  weights: readonly WeightInfo[];
  params: number;
  stateful: boolean;
  /** Does a layer in it make masks, as Masking and Embedding with mask_zero do? */
  makesMasks: boolean;
  /** Does the worker have what trains? */
  trains: boolean;
  inputs: readonly SymbolFacts[];
  outputs: readonly SymbolFacts[];
}

/** Shape (null where unknown) and dtype of an input or output. */
export interface SymbolFacts {
  shape: readonly (number | null)[];
  dtype: DType;
}

export function factsOf(model: Model): ModelFacts {
  return {
    id: 0,
    name: model.name,
    weights: model.weights,
    params: model.countParams(),
    stateful: says(model.getConfig(), (config) => config['stateful'] === true),
    makesMasks: says(
      model.getConfig(),
      (config) => config['mask_zero'] === true || config['class_name'] === 'Masking',
    ),
    trains: runtimeInfo().layers === 'train',
    inputs: symbols(() => model.inputs),
    outputs: symbols(() => model.outputs),
  };
}

/** Is it so anywhere in a configuration? */
function says(config: unknown, test: (config: Config) => boolean): boolean {
  if (typeof config !== 'object' || config === null) return false;
  if (test(config as Config)) return true;
  return Object.values(config).some((value) => says(value, test));
}

// Models of the user's own have none.
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
