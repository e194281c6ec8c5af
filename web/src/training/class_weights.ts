// SPDX-License-Identifier: MIT
// The option `classWeight` of `fit` and `trainOnBatch`: weights by class become weights by sample.
import { isPlain, isShapeList, refuse } from '../base/check.js';
import { ValueError } from '../base/errors.js';
import { native, unwrap } from '../engine/engine.js';
import type { Layer, Shape } from '../layers/layer.js';
import { argmax, expandDims, reshape } from '../ops/ops.gen.js';
import { freeTensors, type Tensor, tensor } from '../tensor/tensor.js';
import { Data, type Structure } from './data.js';

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

/** Returns the shape of the only output of a model; null if it is not known. */
function outputShape(model: Layer, x: Structure): readonly (number | null)[] | null {
  if (unwrap(native().modelHasGraph(model.handle))) {
    const { inputs, outputs } = unwrap(native().modelSymbols(model.handle));
    const shapes = outputs.map((output) => unwrap(native().tensorInfo(output)).shape);
    freeTensors(inputs, outputs);
    return shapes.length === 1 ? (shapes[0] as Shape) : null;
  }
  const shapes = Object.values(x.values).map(({ shape }) => shape);
  try {
    const shape = model.computeOutputShape(x.form === 'one' ? (shapes[0] as Shape) : shapes);
    return isShapeList(shape) ? null : shape;
  } catch {
    return null;
  }
}

/**
 * Returns the classes of y: its numbers, or the index of the largest number in each of its rows.
 */
function labelsOf(y: Tensor, output: readonly (number | null)[] | null): Tensor {
  if (y.rank === 1) return y;
  if (y.shape.at(-1) === 1) return reshape(y, y.shape.slice(0, -1));
  // The output has an axis for the classes, which these labels lack.
  return output && output.length === y.rank + 1 ? y : argmax(y, { axis: -1 });
}

/**
 * Returns the data with a weight for each sample or step, by its class. The class is the number in
 * y, or the index of the largest number in a row of y. Classes without a weight have 1.
 */
export function withClassWeights(data: Data, weights: ClassWeight | undefined, model: Layer): Data {
  if (!weights) return data;
  const { x, y } = data;
  const [target, second] = Object.values(y.values);
  if (y.form !== 'one' || !target || second) {
    throw new ValueError(
      `classWeight needs one output, but y has ${Object.keys(y.values).length}; give sampleWeight for each output`,
    );
  }
  const output = target.rank > 1 ? outputShape(model, x) : null;
  const labels = labelsOf(target, output);
  const values = labels.read((view) =>
    Float32Array.from(view, (label) => weights[Math.round(label)] ?? 1),
  );
  const each = tensor(values, { shape: labels.shape });
  // A loss needs targets of the output's rank for weights of steps.
  const isFlat = output?.length === target.rank + 1 && output.at(-1) === 1;
  const fitted = isFlat ? expandDims(target, -1) : target;
  return new Data(x, { ...y, values: { 0: fitted } }, { values: { 0: each }, form: 'one' });
}
