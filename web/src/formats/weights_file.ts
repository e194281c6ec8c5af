// SPDX-License-Identifier: MIT
import { native, unwrap } from '../engine.js';
import type { Layer } from '../layer.js';

import { Tensor } from '../tensor.js';
import { type Hdf5Array, NewGroup, writeHdf5 } from './hdf5_writer.js';
import { pythonName, type TreeNode, type TreeWeight, withLayerTree } from './tree.js';

/** The value of a weight, copied out of the core. */
export function arrayOf({ owner, index, shape }: TreeWeight): Hdf5Array {
  const tensor = new Tensor(unwrap(native().layerGetWeight(owner, index)));
  try {
    return { shape, dtype: tensor.dtype, data: tensor.data() };
  } finally {
    tensor.dispose();
  }
}

/** Layers without weights that attention holds in Python: readers look for their groups. */
const hidden: { readonly [className: string]: readonly string[] } = {
  MultiHeadAttention: ['softmax', 'dropout_layer'],
  GroupQueryAttention: ['softmax', 'dropout_layer'],
};

/** Python calls a cell by its class where the layer makes it; here all cells have names of their own. */
function nameOf({ info, keys }: TreeNode, parent: string): string {
  const made = keys[0] === 'cell' && parent !== 'RNN';
  return made ? pythonName(info.className) : info.name;
}

function addGroups(
  root: NewGroup,
  node: TreeNode,
  parent: string,
  attentions: { count: number },
): void {
  const { info, path, weights, children } = node;
  // Every layer has a group for its weights, with its name, though it has none.
  const vars = root.group(`${path}/vars`);
  vars.attributes.set('name', nameOf(node, parent));
  for (const [i, weight] of weights.entries()) vars.children.set(String(i), arrayOf(weight));
  for (const child of children) addGroups(root, child, info.className, attentions);
  const inside = hidden[info.className];
  if (!inside) return;
  const suffix = attentions.count > 0 ? `_${attentions.count}` : '';
  attentions.count++;
  for (const key of inside) {
    const name = key.replace('_layer', '') + suffix;
    root.group(`${path}/_${key}/vars`).attributes.set('name', name);
  }
}

/** The weights of a model as Keras 3 writes them: `model.weights.h5` of a `.keras` file, or a file of their own. */
export function weightsFile(model: Layer): Uint8Array {
  const root = new NewGroup();
  withLayerTree(model, (tree) => addGroups(root, tree, '', { count: 0 }));
  return writeHdf5(root);
}
