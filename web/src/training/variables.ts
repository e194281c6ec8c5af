// SPDX-License-Identifier: MIT
import { native, unwrap } from '../engine/engine.js';
import type { Layer } from '../layers/layer.js';
import { objectOf } from '../layers/layer_objects.js';
import { Variable } from '../layers/variable.js';
import type { NativeLayer } from '../engine/native.js';

/** By the layer whose own they are. */
const made = new WeakMap<Layer, Variable[]>();

function variableOf(owner: Layer, index: number, name: string, shape: readonly number[]): Variable {
  const known = made.get(owner) ?? [];
  made.set(owner, known);
  known[index] ??= new Variable(owner, index, name, shape);
  return known[index];
}

/** All weights of a layer and of those inside, the same objects each time. */
export function listVariables({ handle }: { readonly handle: NativeLayer }): Variable[] {
  const infos = unwrap(native().layerWeights(handle));
  return unwrap(native().layerVariables(handle)).map(({ layer, index, path }, i) => {
    const { name, shape } = infos[i] as (typeof infos)[number];
    const variable = variableOf(objectOf<Layer>(layer), index, name, shape);
    // The longest path is that of the outermost layer.
    if (path.length > variable.path.length) variable.path = path;
    return variable;
  });
}

/** The weights of a layer, and of those inside, that training changes. */
export function listTrainable(layer: { readonly handle: NativeLayer }): Variable[] {
  const infos = unwrap(native().layerWeights(layer.handle));
  return listVariables(layer).filter((_, i) => infos[i]?.trainable);
}
