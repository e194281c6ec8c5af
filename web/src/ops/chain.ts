// SPDX-License-Identifier: MIT
// Methods of tensors such as `x.mean()`, for all ops. methods.gen.ts declares their types.
import { functionsAlone } from '../tensor/methods.gen.js';
import { Tensor } from '../tensor/tensor.js';
import * as ops from './ops.gen.js';

type Op = (...args: unknown[]) => unknown;

/** Adds the ops as methods of tensors. A member that tensors already have stays. */
export function chainOps(): void {
  for (const [name, op] of Object.entries(ops)) {
    if (name in Tensor.prototype || functionsAlone.split(' ').includes(name)) continue;
    const takesList = /^(reshape|transpose)$/.test(name);
    Object.defineProperty(Tensor.prototype, name, {
      value(this: Tensor, ...args: unknown[]) {
        return (op as Op)(this, ...(takesList && args.length > 1 ? [args] : args));
      },
      configurable: true,
    });
  }
}
