// SPDX-License-Identifier: MIT
import { list, options } from '../base/check.js';
import { native, unwrap } from '../engine/engine.js';
import { settingsOf } from '../engine/plain.js';
import { asTensor, type Tensor, type TensorLike, wrapTensor } from '../tensor/tensor.js';

/** Runs an op of the core; what had to be converted is given back at once. */
export function applyOp(
  name: string,
  operands: readonly TensorLike[],
  attributes: object = {},
  settings?: object,
): Tensor[] {
  list(operands, `what ${name} takes`);
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
        settingsOf({ ...attributes, ...options(settings) }),
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
