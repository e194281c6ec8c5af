// SPDX-License-Identifier: MIT
// The shapes of the first inputs of a custom model. Keras writes them into its files as
// `build_config`.
import {
  flatInputs,
  isSeveral,
  isSingle,
  type kInputCount,
  type LayerInputs,
} from '../layers/args.js';
import type { Layer } from '../layers/layer.js';
import type { BuiltFor, Shape } from '../layers/layer_config.js';
import { countsOf } from './counts.js';
import { asTensor, Tensor, type TensorLike } from '../tensor/tensor.js';

/** Numbers of inputs of graphs, which do not change. */
const counts = new WeakMap<object, number>();

/** Returns the number of inputs of a model; a custom one knows it from the shapes of a call. */
export function inputCountOf(model: Layer): number {
  if (model.isCustom) return countsOf(model).inputs;
  const count = counts.get(model) ?? countsOf(model).inputs;
  counts.set(model, count);
  return count;
}

/** Returns the shapes of inputs, with any number of rows; null if a layer disposed of an input. */
export function builtFor(
  model: { readonly [kInputCount]: number },
  inputs: LayerInputs,
): BuiltFor | null {
  // Nested inputs belong to a graph, which knows its shapes.
  if (flatInputs(inputs) !== inputs) return [];
  const isOne = isSingle(inputs) && !isSeveral(inputs, model);
  const all: readonly unknown[] = isOne ? [inputs] : Object.values(inputs);
  if (all.some((input) => input instanceof Tensor && input.isDisposed)) return null;
  const shapeOf = (input: TensorLike): Shape => {
    const tensor = asTensor(input);
    const [, ...rest] = tensor.shape;
    if (tensor !== input) tensor.dispose();
    return [null, ...rest];
  };
  if (isOne) return shapeOf(inputs);
  const shapes = (Object.values(inputs) as TensorLike[]).map(shapeOf);
  if (Array.isArray(inputs)) return shapes;
  return Object.fromEntries(Object.keys(inputs).map((key, i) => [key, shapes[i] as Shape]));
}
