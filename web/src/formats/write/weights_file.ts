// SPDX-License-Identifier: MIT
// The weights of a saved model as HDF5. save_tfjs.ts uses only `arrayOf`.
import { native, unwrap } from '../../engine/engine.js';
import type { Layer } from '../../layers/layer.js';

import type { StoredGroup } from '../../model/services.js';
import { wrapTensor } from '../../tensor/tensor.js';
import { type Hdf5Array, NewGroup, writeHdf5 } from '../hdf5_writer/write_hdf5.js';
import type { Scaling } from './old_hard_sigmoid.js';
import { ownArrays } from '../own_saving.js';
import { halvesOf } from './halves.js';
import { pythonName } from '../member_names.js';
import type { CompletesConfig } from '../text_splitting.js';
import { type TreeNode, type TreeWeight, withLayerTree } from '../tree.js';

/** Copies the value of a weight from the core. */
export function arrayOf({ owner, index, shape }: TreeWeight): Hdf5Array {
  const tensor = wrapTensor(unwrap(native().layerGetWeight(owner, index)));
  try {
    return { shape, dtype: tensor.dtype, data: tensor.data() };
  } finally {
    tensor.dispose();
  }
}

/** Returns a matrix or a kernel in floats of 16 bits, and other arrays as they are. */
function inHalves(array: Hdf5Array, name: string): Hdf5Array {
  const { dtype, shape, data } = array;
  if (dtype !== 'float32' || shape.length < 2) return array;
  return { ...array, dtype: 'float16', data: halvesOf(data as Float32Array, name) };
}

/** Sublayers without weights of attention in Python, whose groups Keras expects. */
const weightlessLayers: { readonly [className: string]: readonly string[] } = {
  MultiHeadAttention: ['softmax', 'dropout_layer'],
  GroupQueryAttention: ['softmax', 'dropout_layer'],
};

/** Name of a layer in Python: a cell created by its layer is named after its class. */
function nameOf({ info, keys }: TreeNode, parent: string): string {
  const isCreatedByLayer = keys[0] === 'cell' && parent !== 'RNN';
  return isCreatedByLayer ? pythonName(info.className) : info.name;
}

/** The groups of a weights file. */
class Groups {
  readonly root = new NewGroup();
  #attentions = 0;

  constructor(
    readonly scalings: ReadonlyMap<number, Scaling>,
    readonly isSmall: boolean,
  ) {}

  add(node: TreeNode, parent = ''): void {
    const { info, path, weights, children } = node;
    // Layers without weights have a group, too.
    const vars = this.root.group(`${path}/vars`);
    vars.attributes.set('name', nameOf(node, parent));
    const scale = this.scalings.get(info.id);
    const arrays = weights.map((weight) => {
      const array = arrayOf(weight);
      return { ...array, data: scale ? scale(array.data, array.shape) : array.data };
    });
    const own = ownArrays(node, arrays) ?? arrays.entries();
    for (const [name, array] of own) {
      const stored = this.isSmall ? inHalves(array, `${path}/vars/${name}`) : array;
      vars.children.set(String(name), stored);
    }
    for (const child of children) this.add(child, info.className);
    this.#addWeightless(node);
  }

  #addWeightless({ info, path }: TreeNode): void {
    const names = weightlessLayers[info.className];
    if (!names) return;
    const suffix = this.#attentions > 0 ? `_${this.#attentions}` : '';
    this.#attentions++;
    for (const key of names) {
      const name = key.replace('_layer', '') + suffix;
      this.root.group(`${path}/_${key}/vars`).attributes.set('name', name);
    }
  }
}

/**
 * The bytes of a weights file as Keras 3 writes it, which is also `model.weights.h5` of a `.keras`
 * file. `scalings` scales the weights of layers by their ids; `optimizer` adds groups of variables,
 * and so does a model with text layers. `isSmall` stores matrices and kernels in 16 bits.
 */
export function weightsFile(
  model: Layer,
  scalings: ReadonlyMap<number, Scaling> = new Map(),
  optimizer: readonly StoredGroup[] = [],
  isSmall = false,
): Uint8Array {
  const groups = new Groups(scalings, isSmall);
  withLayerTree(model, (tree) => groups.add(tree));
  const { weightGroups = [] } = model as Partial<CompletesConfig>;
  for (const { path, name, arrays } of [...weightGroups, ...optimizer]) {
    const vars = groups.root.group(`${path}/vars`);
    vars.attributes.set('name', name);
    for (const [i, array] of arrays.entries()) vars.children.set(array.name ?? String(i), array);
  }
  return writeHdf5(groups.root);
}
