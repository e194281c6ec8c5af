// SPDX-License-Identifier: MIT
import type { TreeNode, TreeWeight } from '../tree.js';

/** A layer whose weights stand together in a file: no layer inside it has any of its own. */
export interface WeightUnit {
  /** LSTM, Dense, … : what decides how old weights are converted. */
  readonly className: string;
  /** Of the layer and those around it, the outermost first. */
  readonly names: readonly string[];
  readonly weights: readonly TreeWeight[];
  /** For each weight: are it and all layers around it trainable? */
  readonly trainable: readonly boolean[];
}

const kWithCell = new Set(['LSTM', 'GRU', 'SimpleRNN', 'ConvLSTM1D']);

/** The units at and below a node, in Keras's order; a layer that has no weights makes none, one that
 * stands at several places is there each time. */
export function unitsOf(
  node: TreeNode,
  around: readonly string[] = [],
  trainable = true,
): WeightUnit[] {
  const names = [...around, node.info.name];
  const counts = trainable && node.info.trainable;
  const whole = kWithCell.has(node.info.className);
  const own = whole ? node.inside.flatMap(({ weights }) => weights) : node.weights;
  const unit: WeightUnit = {
    className: node.info.className,
    names,
    weights: own,
    trainable: own.map((weight) => counts && weight.trainable),
  };
  const below = whole ? [] : node.inside.flatMap((child) => unitsOf(child, names, counts));
  return own.length > 0 ? [unit, ...below] : below;
}

/** The weights of a node itself, without those of the layers inside. */
export const ownUnit = (node: TreeNode): WeightUnit[] => unitsOf({ ...node, inside: [] });
