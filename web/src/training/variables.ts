// SPDX-License-Identifier: MIT
// The weights of layers as objects.
import { native, unwrap } from '../engine/engine.js';
import type { Layer } from '../layers/layer.js';
import { objectOf } from '../layers/layer_objects.js';
import { weightsOf } from '../layers/layer_values.js';
import { Place, type Variable, variableAt } from '../layers/variable.js';
import type { NativeLayer } from '../engine/native.js';

/** Returns all weights of a layer and of layers inside; always the same objects. */
export function listVariables(root: { readonly handle: NativeLayer }): Variable[] {
  const infos = weightsOf(root);
  return unwrap(native().layerVariables(root.handle)).map(({ layer, index, path }, i) => {
    const { name, shape } = infos[i] as (typeof infos)[number];
    const variable = variableAt(new Place(objectOf<Layer>(layer), index, name, shape));
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
  const infos = weightsOf(layer);
  // A frozen layer trains none of the weights inside, not even those of layers that train.
  const trains = unwrap(native().layerInfo(layer.handle)).trainable;
  return listVariables(layer).filter((_, i) => (trains && infos[i]?.trainable) === trainable);
}
