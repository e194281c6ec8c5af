// SPDX-License-Identifier: MIT
// Calls functions that are settings of layers, for host.ts.
import { StateError, ValueError } from '../base/errors.js';
import { isTypedArray } from '../base/nested.js';
import { asTensor, isTensor, type Operand, type Tensor } from '../tensor/tensor.js';
import { functionById } from './custom_functions.js';
import { nameOf } from './user_code.js';

/** Functions of layers that run, by id, and whether they were called again meanwhile. */
const running = new Map<string, { isAgain: boolean }>();

/**
 * Calls a function that is a setting of a layer. A layer keeps memory from call to call, which a
 * run inside one of its functions would change, so both runs fail.
 */
export function functionResult(id: string, ...args: unknown[]): Tensor {
  const f = functionById(id);
  const refused = () =>
    new StateError(
      `the function '${f.name}' of a layer runs a layer that has it, too; use another function there`,
    );
  const outer = running.get(id);
  if (outer) {
    outer.isAgain = true;
    throw refused();
  }
  const call = { isAgain: false };
  running.set(id, call);
  try {
    const result = f(...(args as never[]));
    // The function may have caught the error.
    if (call.isAgain) throw refused();
    return asResult(f, args, result);
  } finally {
    running.delete(id);
  }
}

/** Returns the result of a function of a layer. */
function asResult(f: { name: string }, args: readonly unknown[], result: unknown): Tensor {
  if (isTensor(result)) return result;
  const isValue = typeof result === 'number' || Array.isArray(result) || isTypedArray(result);
  if (args.length === 2 && isValue) return asTensor(result as Operand);
  throw new ValueError(
    `the function '${f.name}' must return a tensor, but returned ${nameOf(result)}`,
  );
}
