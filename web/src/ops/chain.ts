// SPDX-License-Identifier: MIT
import { functionsAlone } from '../tensor/methods.gen.js';
import { Tensor } from '../tensor/tensor.js';
import * as ops from './ops.gen.js';

type Op = (...given: unknown[]) => unknown;

/** Makes the ops methods of tensors. What tensors have already stays what it is; the op is then a function alone. */
export function chainOps(): void {
  for (const [name, op] of Object.entries(ops)) {
    if (name in Tensor.prototype || functionsAlone.split(' ').includes(name)) continue;
    Object.defineProperty(Tensor.prototype, name, {
      value(this: Tensor, ...rest: unknown[]) {
        return (op as Op)(this, ...rest);
      },
      configurable: true,
    });
  }
}
