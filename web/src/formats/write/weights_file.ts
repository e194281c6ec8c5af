// SPDX-License-Identifier: MIT
import { native, unwrap } from '../../engine/engine.js';
import type { Layer } from '../../layers/layer.js';

import type { StoredGroup } from '../../model/services.js';
import { wrapTensor } from '../../tensor/tensor.js';
import { type Hdf5Array, NewGroup, writeHdf5 } from '../hdf5_writer/write_hdf5.js';
import type { Scaling } from './old_hard_sigmoid.js';
import { pythonName, type TreeNode, type TreeWeight, withLayerTree } from '../tree.js';

/** The value of a weight, copied out of the core. */
export function arrayOf({ owner, index, shape }: TreeWeight): Hdf5Array {
  const tensor = wrapTensor(unwrap(native().layerGetWeight(owner, index)));
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

class Groups {
  readonly root = new NewGroup();
  #attentions = 0;

  constructor(readonly scalings: ReadonlyMap<number, Scaling>) {}

  add(node: TreeNode, parent = ''): void {
    const { info, path, weights, children } = node;
    // Every layer has a group for its weights, with its name, though it has none.
    const vars = this.root.group(`${path}/vars`);
    vars.attributes.set('name', nameOf(node, parent));
    const scale = this.scalings.get(info.id);
    for (const [i, weight] of weights.entries()) {
      const array = arrayOf(weight);
      const data = scale ? scale(array.data, array.shape) : array.data;
      vars.children.set(String(i), { ...array, data });
    }
    for (const child of children) this.add(child, info.className);
    this.#addHidden(node);
  }

  #addHidden({ info, path }: TreeNode): void {
    const inside = hidden[info.className];
    if (!inside) return;
    const suffix = this.#attentions > 0 ? `_${this.#attentions}` : '';
    this.#attentions++;
    for (const key of inside) {
      const name = key.replace('_layer', '') + suffix;
      this.root.group(`${path}/_${key}/vars`).attributes.set('name', name);
    }
  }
}

/**
 * The weights of a model as Keras 3 writes them: `model.weights.h5` of a `.keras` file, or a file of their own. Those
 * of layers with one of these ids are scaled. Variables of an optimizer stand beside them.
 */
export function weightsFile(
  model: Layer,
  scalings: ReadonlyMap<number, Scaling> = new Map(),
  optimizer: readonly StoredGroup[] = [],
): Uint8Array {
  const groups = new Groups(scalings);
  withLayerTree(model, (tree) => groups.add(tree));
  for (const { path, name, arrays } of optimizer) {
    const vars = groups.root.group(`${path}/vars`);
    vars.attributes.set('name', name);
    for (const [i, array] of arrays.entries()) vars.children.set(String(i), array);
  }
  return writeHdf5(groups.root);
}
