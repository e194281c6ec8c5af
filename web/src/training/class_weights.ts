// SPDX-License-Identifier: MIT
import { isPlain, refuse } from '../base/check.js';
import { ShapeError, ValueError } from '../base/errors.js';
import { argmax } from '../ops/ops.gen.js';
import { type Tensor, tensor } from '../tensor/tensor.js';
import { tidy } from '../tensor/tidy.js';
import type { Structure } from './data.js';

/** Weights by class number. */
export type ClassWeight = { readonly [label: number]: number };

/** Throws ValueError for invalid weights, or for weights of both classes and samples. */
export function checkClassWeight(weights: unknown, sampleWeight: unknown): void {
  if (weights === undefined || weights === null) return;
  if (!isPlain(weights)) refuse('classWeight', 'an object: { 0: 1, 1: 5 }', weights);
  for (const [label, weight] of Object.entries(weights)) {
    if (!/^-?\d+$/.test(label)) refuse('a class of classWeight', 'a whole number', label);
    if (!Number.isFinite(weight)) refuse(`the weight of class ${label}`, 'a finite number', weight);
  }
  if (sampleWeight !== undefined && sampleWeight !== null) {
    throw new ValueError(
      'there are both sampleWeight and classWeight; multiply the class weights into sampleWeight',
    );
  }
}

/**
 * Returns a weight for each sample, by its class. The class is the number in y, or the index of the
 * largest number in a row of y, as in Keras.
 */
export function classWeights(y: Structure, weights: ClassWeight): Tensor {
  const targets = Object.values(y.values);
  if (y.form !== 'one' || targets.length !== 1) {
    throw new ValueError(
      `classWeight needs one output, but y has ${targets.length}; give sampleWeight for each output`,
    );
  }
  return tidy(() => {
    const [target] = targets as [Tensor];
    const { rank } = target;
    const labels = rank > 1 && target.shape.at(-1) !== 1 ? argmax(target, { axis: -1 }) : target;
    const rows = target.shape[0] as number;
    if (labels.size !== rows) {
      throw new ShapeError(
        `classWeight needs one class per sample, but y has shape [${target.shape}]; give sampleWeight of shape [${target.shape.slice(0, 2)}]`,
      );
    }
    const values = labels.read((view) =>
      Float32Array.from(view, (label) => weights[Math.round(label)] ?? 1),
    );
    return tensor(values, { shape: [rows] });
  });
}
