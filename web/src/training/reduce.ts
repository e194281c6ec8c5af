// SPDX-License-Identifier: MIT
// The step from the values that a user-defined loss returns to the number that is differentiated.
// configurations.ts wraps such losses.
import { elementCount } from '../base/array.js';
import { ShapeError } from '../base/errors.js';
import type { Weighting } from '../measures/loss.js';
import { cast, countNonzero, divide, maximum, multiply, reshape, sum } from '../ops/ops.gen.js';
import { asTensor, type Tensor } from '../tensor/tensor.js';

/** Reshapes a weight or mask so that it broadcasts to the values. */
function fitTo(weight: Tensor, values: Tensor, what: string): Tensor {
  const shape = weight.shape;
  if (shape.length === values.rank + 1 && shape.at(-1) === 1) shape.pop();
  const missing = values.rank - shape.length;
  const fits = shape.every((dim, i) => dim === 1 || dim === values.shape[i + missing]);
  if (missing < 0 || !fits || (missing > 0 && elementCount(shape) > 1)) {
    throw new ShapeError(
      `the ${what} has shape [${weight.shape}] but the values of the loss have shape [${values.shape}]; give one number for each value`,
    );
  }
  return reshape(cast(weight, 'float32'), shape);
}

/**
 * Reduces the result of a user-defined loss to one number. As in Keras, values for each sample or
 * timestep become their weighted sum, divided by the number of kept values. A single number counts
 * as the value of each kept sample or timestep.
 *
 * @param isWeighted Whether a single number contains the weights.
 */
export function reduceValues(
  values: Tensor,
  yPred: Tensor,
  weighting: Weighting = {},
  isWeighted = false,
): Tensor {
  const { sampleWeight, mask = yPred.mask } = weighting;
  const isNumber = values.rank === 0;
  if (isNumber && (isWeighted || !sampleWeight)) return values;
  const places = isNumber ? asTensor((mask ?? sampleWeight) as Tensor) : values;
  let weighted = values;
  let count: Tensor | number = Math.max(places.size, 1);
  if (mask) {
    const keep = fitTo(asTensor(mask as Tensor), places, 'mask');
    weighted = multiply(weighted, keep);
    count = maximum(cast(countNonzero(keep), 'float32'), 1);
  }
  if (sampleWeight)
    weighted = multiply(weighted, fitTo(asTensor(sampleWeight), places, 'sample weight'));
  return divide(sum(weighted), count);
}
