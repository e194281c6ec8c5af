// SPDX-License-Identifier: MIT
import { optionsOf } from '../base/check.js';
import type { Operand, Tensor } from '../tensor/tensor.js';
import { absent, applyOne } from './apply_op.js';

/** Runs an op whose optional operands are among its options, by these names. */
export function applyWith(
  name: string,
  operands: readonly Operand[],
  optional: readonly string[],
  options?: object,
  attributes?: object,
): Tensor {
  const settings: { [name: string]: unknown } = { ...optionsOf(options) };
  const others = optional.map((each) => {
    const operand = settings[each] as Operand | null | undefined;
    delete settings[each];
    return operand ?? absent;
  });
  return applyOne(name, [...operands, ...others], settings, attributes);
}
