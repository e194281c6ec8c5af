// SPDX-License-Identifier: MIT
// The objects that stand for weights of the core. A weight always has the same object, by which an
// optimizer finds its state.
import { native, unwrap } from '../engine/engine.js';
import type { Layer } from '../layers/layer.js';
import { objectOf } from '../layers/layer_objects.js';
import { Variable } from '../layers/variable.js';
import type { NativeLayer } from '../engine/native.js';

/** Variables by the layer that owns them. */
const variables = new WeakMap<Layer, Variable[]>();

function variableOf(owner: Layer, index: number, name: string, shape: readonly number[]): Variable {
  const own = variables.get(owner) ?? [];
  variables.set(owner, own);
  own[index] ??= new Variable(owner, index, name, shape);
  return own[index];
}

/** Returns all weights of a layer and of layers inside; always the same objects. */
export function listVariables({ handle }: { readonly handle: NativeLayer }): Variable[] {
  const infos = unwrap(native().layerWeights(handle));
  return unwrap(native().layerVariables(handle)).map(({ layer, index, path }, i) => {
    const { name, shape } = infos[i] as (typeof infos)[number];
    const variable = variableOf(objectOf<Layer>(layer), index, name, shape);
    // The longest path is that from the outermost layer.
    if (path.length > variable.path.length) variable.path = path;
    return variable;
  });
}

/** Returns the weights of a layer, and of layers inside, that training changes, or the others. */
export function listByTrainable(
  layer: { readonly handle: NativeLayer },
  trainable: boolean,
): Variable[] {
  const infos = unwrap(native().layerWeights(layer.handle));
  // A frozen layer trains none of the weights inside, not even those of layers that train.
  const trains = unwrap(native().layerInfo(layer.handle)).trainable;
  return listVariables(layer).filter((_, i) => (trains && infos[i]?.trainable) === trainable);
}
