// SPDX-License-Identifier: MIT
import { checkList, optionsOf } from '../base/check.js';
import { native, unwrap } from '../engine/engine.js';
import { settingsOf } from '../engine/config_value.js';
import { asTensor, type Operand, type Tensor, wrapTensor } from '../tensor/tensor.js';

/** Stands for an optional operand that is left out. */
export const absent = { handle: null } as unknown as Tensor;

/**
 * Runs an op of the core. Temporary tensors for converted operands are freed at once.
 *
 * @param settings Options of the op, checked.
 * @param attributes Positional settings, merged with the options.
 */
export function applyOp(
  name: string,
  operands: readonly Operand[],
  settings?: object,
  attributes?: object,
): Tensor[] {
  checkList(operands, `the argument of ${name}`);
  const temporary: Tensor[] = [];
  try {
    const tensors = operands.map((operand) => {
      const tensor = operand === absent ? absent : asTensor(operand);
      if (tensor !== operand) temporary.push(tensor);
      return tensor;
    });
    const handles = unwrap(
      native().opApply(
        name,
        tensors.map((t) => t.handle),
        settingsOf({ ...attributes, ...optionsOf(settings) }),
      ),
    );
    return handles.map((handle) => {
      const result = wrapTensor(handle);
      if (result.isSymbolic) result.keeps = tensors;
      return result;
    });
  } finally {
    for (const tensor of temporary) if (!tensor.isSymbolic) tensor.dispose();
  }
}

/** Runs an op with one result. */
export const applyOne = (...call: Parameters<typeof applyOp>): Tensor =>
  applyOp(...call)[0] as Tensor;
