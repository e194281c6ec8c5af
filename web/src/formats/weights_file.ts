// SPDX-License-Identifier: MIT
import { native, unwrap } from '../engine.js';
import type { Layer } from '../layer.js';
import { Tensor } from '../tensor.js';
import { type Hdf5Array, NewGroup, writeHdf5 } from './hdf5_writer.js';
import { nodesOf, type TreeNode, type TreeWeight, withLayerTree } from './tree.js';

/** The value of a weight, copied out of the core. */
export function arrayOf({ owner, index, shape }: TreeWeight): Hdf5Array {
  const tensor = new Tensor(unwrap(native().layerGetWeight(owner, index)));
  try {
    return { shape, dtype: tensor.dtype, data: tensor.data() };
  } finally {
    tensor.dispose();
  }
}

function groupsOf(tree: TreeNode): NewGroup {
  const root = new NewGroup();
  for (const { info, path, weights } of nodesOf(tree)) {
    // Every layer has a group for its weights, with its name, though it has none.
    const vars = root.group(`${path}/vars`);
    vars.attributes.set('name', info.name);
    for (const [i, weight] of weights.entries()) vars.children.set(String(i), arrayOf(weight));
  }
  return root;
}

/** The weights of a model as Keras 3 writes them: `model.weights.h5` of a `.keras` file, or a file of their own. */
export function weightsFile(model: Layer): Uint8Array {
  return writeHdf5(withLayerTree(model, groupsOf));
}
