// SPDX-License-Identifier: MIT
// `select` of maskflow/train. It is not generated, because its operands are two lists.
import { checkList } from '../base/check.js';
import type { Operand, SymbolicTensor, Tensor, TensorLike } from '../tensor/tensor.js';
import { applyOne } from './apply_op.js';

/**
 * For each element, the choice of the first condition that is non-zero, else the default.
 *
 * @param conditions A list of tensors.
 * @param choices As many tensors.
 * @param fallback Keras's `default`, a number or a tensor.
 */
export function select(
  conditions: readonly TensorLike[],
  choices: readonly TensorLike[],
  fallback?: TensorLike,
): Tensor;
export function select(
  conditions: readonly Operand[],
  choices: readonly Operand[],
  fallback?: Operand,
): SymbolicTensor;
export function select(
  conditions: readonly Operand[],
  choices: readonly Operand[],
  fallback: Operand = 0,
): Tensor {
  checkList(conditions, 'conditions');
  checkList(choices, 'choices');
  return applyOne('Select', [...conditions, ...choices, fallback]);
}
