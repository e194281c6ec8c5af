// SPDX-License-Identifier: MIT
// Hints for users of TensorFlow.js: calls of its methods and functions throw an error with the
// replacement.
import { ValueError } from '../base/errors.js';
import { simplified, withHints } from '../base/named.js';
import { Tensor } from '../tensor/tensor.js';

/** Methods of TensorFlow.js's tensors, and the calls that replace them. */
const methods = {
  mul: 'x.multiply(y)',
  sub: 'x.subtract(y)',
  div: 'x.divide(y)',
  pow: 'x.power(y)',
  neg: 'x.negative()',
  argMax: 'x.argmax(-1)',
  argMin: 'x.argmin(-1)',
  matMul: 'x.matmul(y)',
  gather: 'x.take(i, { axis: 0 })',
  concat: 'ops.concatenate([x, y], 0)',
  flatten: 'x.reshape([-1])',
  as1D: 'x.reshape([-1])',
  as2D: 'x.reshape([2, 3])',
  toFloat: "x.cast('float32')",
  toInt: "x.cast('int32')",
  dataSync: 'x.data()',
  arraySync: 'x.array()',
  numpy: 'x.array()',
  print: 'console.log(String(x))',
  clone: 'x.cast(x.dtype)',
};

/** Functions of TensorFlow.js that are not methods, too. */
const functions = {
  tensor2d: 'tensor([[1, 2], [3, 4]])',
  scalar: 'tensor(1)',
  multinomial: 'random.categorical(logits, 1)',
  buffer: 'tensor(numbers, [2, 3])',
};

/** Makes `ops` say what to write in place of a function of TensorFlow.js or of Python. */
export const withOtherNames = <T extends object>(ops: T): T =>
  withHints(
    ops,
    'ops',
    (name) => ({ ...methods, ...functions })[name as keyof typeof methods],
    (name) => simplified(name).replace(/^reduce/, ''),
  );

/**
 * Makes tensors say what to write in place of a method of TensorFlow.js: adds functions that throw
 * an error, which lists of members do not show.
 */
export function hintMethods(): void {
  for (const [name, replacement] of Object.entries(methods)) {
    if (name in Tensor.prototype) continue;
    const value = (): never => {
      throw new ValueError(`there is no ${name}(); write ${replacement}`);
    };
    Object.defineProperty(Tensor.prototype, name, { value, configurable: true });
  }
}
