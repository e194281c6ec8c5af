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
    Object.defineProperty(Tensor.prototype, name, {
      value(this: Tensor, ...args: unknown[]) {
        const isList = args.length > 1 && /^(reshape|transpose)$/.test(name);
        return (op as Op)(this, ...(isList ? [args] : args));
      },
      configurable: true,
    });
  }
}
