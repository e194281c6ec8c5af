// SPDX-License-Identifier: MIT
// `tidy` and `keep` of all entries.
import { checkFunction, isPlain } from '../base/check.js';
import { ValueError } from '../base/errors.js';
import { tagOf } from '../base/tag.js';
import { type Scope, scopes } from './scope.js';
import type { SymbolicTensor, Tensor } from './tensor.js';

/**
 * Exempts a tensor from all open scopes of {@link tidy}: it lives until you dispose of it.
 *
 * @param tensor A tensor that was created in a scope.
 * @returns The same tensor.
 */
export function keep<T extends SymbolicTensor>(tensor: T): T {
  for (const scope of scopes) scope.delete(tensor);
  return tensor;
}

/** Moves the tensors in a result to the outer scope. */
function release(result: unknown, scope: Scope, outer: Scope | undefined): void {
  // A set, not recursion: results may contain themselves or be nested too deep for the stack.
  const values = new Set<unknown>([result]);
  for (const value of values) {
    if (scope.delete(value as Tensor)) {
      outer?.add(value as Tensor);
    } else if (Array.isArray(value)) {
      for (const item of value) values.add(item);
    } else if (isPlain(value)) {
      for (const item of Object.values(value)) values.add(item);
    }
  }
}

/**
 * Runs `f` and disposes of every tensor created meanwhile, except those that it returns (also in
 * lists and dictionaries) and those passed to {@link keep}.
 *
 * Throws ValueError for an async function, whose tensors would be freed before it ends.
 *
 * @param f Function without arguments, which must not be async.
 * @returns The result of `f`.
 */
export function tidy<R>(f: () => R): R {
  checkFunction(f, 'the argument of tidy()');
  if (tagOf(f) === 'AsyncFunction') {
    throw new ValueError(
      'tidy() would free the tensors of an async function before it is done; await outside, or dispose of the tensors yourself',
    );
  }
  const scope: Scope = new Set();
  scopes.push(scope);
  try {
    const result = f();
    release(result, scope, scopes.at(-2));
    return result;
  } finally {
    scopes.pop();
    for (const tensor of scope) tensor.dispose();
  }
}
