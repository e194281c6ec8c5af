// SPDX-License-Identifier: MIT
import { elementCount } from '../base/array.js';
import { ShapeError } from '../base/errors.js';
import type { Weighting } from '../measures/loss.js';
import { cast, countNonzero, divide, maximum, multiply, reshape, sum } from '../ops/ops.gen.js';
import { asTensor, type Tensor } from '../tensor/tensor.js';

/** A weight or mask in the shape of the values, as far as it goes. */
function fitted(weight: Tensor, values: Tensor, what: string): Tensor {
  const shape = weight.shape;
  if (shape.length === values.rank + 1 && shape.at(-1) === 1) shape.pop();
  const missing = values.rank - shape.length;
  const fits = shape.every((dim, i) => dim === 1 || dim === values.shape[i + missing]);
  if (missing < 0 || !fits || (missing > 0 && elementCount(shape) > 1)) {
    throw new ShapeError(
      `the ${what} has shape [${weight.shape}] but the loss gives values of shape [${values.shape}]; give one number for each of them`,
    );
  }
  return reshape(cast(weight, 'float32'), shape);
}

/**
 * What a loss of the user's gives as one number. Values, one for each sample or step, become their sum with weights and mask by the
 * number of those that are kept, as in Keras; a number stays.
 */
export function reduceValues(values: Tensor, yPred: Tensor, weighting: Weighting = {}): Tensor {
  if (values.rank === 0) return values;
  const { sampleWeight, mask = yPred.mask } = weighting;
  let weighted = values;
  let count: Tensor | number = Math.max(values.size, 1);
  if (mask) {
    const kept = fitted(asTensor(mask as Tensor), values, 'mask');
    weighted = multiply(weighted, kept);
    count = maximum(cast(countNonzero(kept), 'float32'), 1);
  }
  if (sampleWeight)
    weighted = multiply(weighted, fitted(asTensor(sampleWeight), values, 'sample weight'));
  return divide(sum(weighted), count);
}
