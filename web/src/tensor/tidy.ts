// SPDX-License-Identifier: MIT
import { checkFunction } from '../base/check.js';
import { type Scope, scopes } from './scope.js';
import type { SymbolicTensor, Tensor } from './tensor.js';

/** Exempts a tensor from the scopes that are open: it lives until you dispose of it. */
export function keep<T extends SymbolicTensor>(tensor: T): T {
  for (const scope of scopes) scope.delete(tensor);
  return tensor;
}

function release(result: unknown, scope: Scope, outer: Scope | undefined): void {
  // (Results may hold themselves, and be deeper than calls may be.)
  const met = new Set<unknown>([result]);
  for (const value of met) {
    if (scope.delete(value as Tensor)) {
      outer?.add(value as Tensor);
    } else if (Array.isArray(value)) {
      for (const item of value) met.add(item);
    } else if (
      value !== null &&
      typeof value === 'object' &&
      Object.getPrototypeOf(value) === Object.prototype
    ) {
      for (const item of Object.values(value)) met.add(item);
    }
  }
}

/**
 * Runs `f` and disposes of every tensor made meanwhile, except those it returns (also inside arrays and
 * plain objects) and those given to {@link keep}.
 */
export function tidy<R>(f: () => R): R {
  checkFunction(f, 'what tidy() runs');
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
