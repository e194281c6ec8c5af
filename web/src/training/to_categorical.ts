// SPDX-License-Identifier: MIT
// The function `toCategorical` of maskflow/train.
import { checkInteger, checkOptions } from '../base/check.js';
import { ValueError } from '../base/errors.js';
import { oneHot } from '../ops/ops.gen.js';
import { asTensor, type Tensor, type TensorLike, tensor } from '../tensor/tensor.js';

/**
 * Converts class numbers to rows with a 1 at the class and 0 elsewhere: targets of a categorical
 * cross-entropy. An axis of size 1 at the end of x is replaced by that of the classes. Fractions
 * are cut off, as in Keras.
 *
 * Throws ValueError for a number that is not one of the classes.
 *
 * @param x Class numbers from 0 on.
 * @param options The options, or the number of classes alone, as in Keras.
 * @param options.numClasses Number of classes. Default: the largest number of x plus 1.
 */
export function toCategorical(
  x: TensorLike,
  options: number | { numClasses?: number | null } = {},
): Tensor {
  const settings = typeof options === 'number' ? { numClasses: options } : options;
  const { numClasses = null } = checkOptions(settings, { numClasses: 1 });
  if (numClasses !== null) checkInteger('numClasses', numClasses, 1);
  const numbers = asTensor(x);
  const { shape } = numbers;
  const labels = Array.from<number, number>(numbers.data(), Math.trunc);
  if (numbers !== x) numbers.dispose();
  const classes = numClasses ?? labels.reduce((max, label) => Math.max(max, label + 1), 0);
  const place = labels.findIndex((label) => !(label >= 0 && label < classes));
  if (place >= 0) {
    throw new ValueError(
      `label ${labels[place]} (element ${place} of x) is not one of ${classes} classes, 0 to ${classes - 1}; correct x, or numClasses`,
    );
  }
  if (classes === 0) throw new ValueError('x has no labels; give numClasses');
  const dims = shape.length > 1 && shape.at(-1) === 1 ? shape.slice(0, -1) : shape;
  const whole = tensor(Int32Array.from(labels), { shape: dims, dtype: 'int32' });
  try {
    return oneHot(whole, classes);
  } finally {
    whole.dispose();
  }
}
