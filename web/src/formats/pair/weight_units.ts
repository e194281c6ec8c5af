// SPDX-License-Identifier: MIT
// The model as old files see it: a recurrent layer and its cell are one unit of weights.
import type { TreeNode, TreeWeight } from '../tree.js';

/** A layer whose weights are stored together: an LSTM with its cell, or a layer's own weights. */
export interface WeightUnit {
  /** Decides how weights of old files are converted. */
  readonly className: string;
  /** Names of the layers around it, the outermost first, and of the layer itself. */
  readonly names: readonly string[];
  readonly weights: readonly TreeWeight[];
  /** For each weight, whether it and all layers around it are trainable. */
  readonly trainable: readonly boolean[];
}

/** Layers whose cell's weights are stored as their own. */
const kWithCell = new Set(['LSTM', 'GRU', 'SimpleRNN', 'ConvLSTM1D']);

/**
 * The units of a node and of all nodes below it, in Keras's order. Layers without weights have
 * none; a shared layer is repeated.
 */
export function unitsOf(
  node: TreeNode,
  outerNames: readonly string[] = [],
  trainable = true,
): WeightUnit[] {
  const names = [...outerNames, node.info.name];
  const isTrainable = trainable && node.info.trainable && !node.info.frozenInFile;
  const hasCell = kWithCell.has(node.info.className);
  const weights = hasCell ? node.sublayers.flatMap((cell) => cell.weights) : node.weights;
  const unit: WeightUnit = {
    className: node.info.className,
    names,
    weights,
    trainable: weights.map((weight) => isTrainable && weight.trainable),
  };
  const below = hasCell
    ? []
    : node.sublayers.flatMap((child) => unitsOf(child, names, isTrainable));
  return weights.length > 0 ? [unit, ...below] : below;
}

/** The weights of a node itself, without those of its sublayers. */
export const ownUnit = (node: TreeNode): WeightUnit[] => unitsOf({ ...node, sublayers: [] });
