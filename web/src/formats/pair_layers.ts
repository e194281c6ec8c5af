// SPDX-License-Identifier: MIT
import { UnsupportedError } from '../errors.js';
import type { LayerWeights } from './artifact.js';
import type { Pairing } from './pairing.js';
import type { TreeNode } from './tree.js';

/** Pairs weights that are stored by layer, as Keras 1 and 2 and TF.js store them, with those of a model. */
export function pairLayers(_tree: TreeNode, _weights: LayerWeights): Pairing {
  throw new UnsupportedError('weights by layer are not read yet');
}
