// SPDX-License-Identifier: MIT
import { native, unwrap } from './engine.js';
import { toSnake } from './names.js';
import type { Plain } from './native.js';
import { checkDepth } from './plain.js';
import { asTensor, Tensor, type TensorLike } from './tensor.js';

/** Runs an op of the core; what had to be converted is given back at once. */
export function applyOp(
  name: string,
  operands: readonly TensorLike[],
  attributes: object = {},
): Tensor[] {
  const temporary: Tensor[] = [];
  try {
    const tensors = operands.map((operand) => {
      const made = asTensor(operand);
      if (made !== operand) temporary.push(made);
      return made;
    });
    const plain: { [key: string]: Plain } = {};
    for (const [key, value] of Object.entries(attributes)) {
      if (value !== undefined) plain[toSnake(key)] = checkDepth(value, key) as Plain;
    }
    const handles = unwrap(
      native().opApply(
        name,
        tensors.map((t) => t.handle),
        plain,
      ),
    );
    return handles.map((handle) => {
      const result = new Tensor(handle);
      if (result.isSymbolic) result.keeps = tensors;
      return result;
    });
  } finally {
    for (const tensor of temporary) if (!tensor.isSymbolic) tensor.dispose();
  }
}
