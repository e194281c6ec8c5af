// SPDX-License-Identifier: MIT
import { native, unwrap } from '../engine/engine.js';
import type { Layer } from '../layers/layer.js';
import { objectOf } from '../layers/layer_objects.js';
import { ownVariables, Variable } from '../layers/variable.js';
import type { NativeLayer } from '../engine/native.js';

/** All weights of a layer and of those inside, each the one object for its weight. */
export function listVariables({ handle }: { readonly handle: NativeLayer }): Variable[] {
  const infos = unwrap(native().layerWeights(handle));
  return unwrap(native().layerVariables(handle)).map(({ layer, index, path }, i) => {
    const owner = objectOf<Layer>(layer);
    const { name, shape } = infos[i] as (typeof infos)[number];
    const variable = ownVariables(owner)[index] ?? new Variable(owner, index, name, shape);
    // The longest path is that of the outermost layer.
    if (path.length > variable.path.length) variable.path = path;
    return variable;
  });
}
