// SPDX-License-Identifier: MIT
// The call of an op with optional operands, for the generated functions of `ops` that have some.
import { ValueError } from '../base/errors.js';
import type { Operand, Tensor } from '../tensor/tensor.js';
import { absent, applyOne, optionsIn, positional } from './apply_op.js';

/**
 * Runs an op whose optional operands are among its options, by these names.
 *
 * @param options The options that the function of the op received.
 * @param order Names of the first options by position. Default: the optional operands.
 */
export function applyWith(
  name: string,
  operands: readonly Operand[],
  optional: readonly string[],
  options: readonly unknown[],
  attributes?: object,
  order = optional,
): Tensor {
  const { [positional]: values = [], ...named } = optionsIn(options);
  const settings: { [name: string]: unknown } = named;
  for (const [i, value] of (values as unknown[]).entries()) {
    const each = order[i];
    if (each === undefined) continue;
    if (each in settings) {
      throw new ValueError(`ops.${name}: '${each}' is given twice: by position and by name`);
    }
    settings[each] = value;
  }
  const rest = (values as unknown[]).slice(order.length);
  if (rest.length > 0) settings[positional] = rest;
  const others = optional.map((each) => {
    const operand = settings[each] as Operand | null | undefined;
    delete settings[each];
    return operand ?? absent;
  });
  return applyOne(name, [...operands, ...others], settings, attributes);
}
