// SPDX-License-Identifier: MIT
import { checkList, optionsOf } from '../base/check.js';
import { native, unwrap } from '../engine/engine.js';
import { settingsOf } from '../engine/config_value.js';
import { asTensor, type Operand, type Tensor, wrapTensor } from '../tensor/tensor.js';

/** Runs an op of the core; what had to be converted is given back at once. `attributes`: those that are no options. */
export function applyOp(
  name: string,
  operands: readonly Operand[],
  settings?: object,
  attributes?: object,
): Tensor[] {
  checkList(operands, `what ${name} takes`);
  const temporary: Tensor[] = [];
  try {
    const tensors = operands.map((operand) => {
      const made = asTensor(operand);
      if (made !== operand) temporary.push(made);
      return made;
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
