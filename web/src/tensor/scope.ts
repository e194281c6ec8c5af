// SPDX-License-Identifier: MIT
import { callable } from '../base/check.js';
import type { Tensor } from './tensor.js';

const scopes: Set<Tensor>[] = [];

/** Called for every tensor that is made. */
export function track(tensor: Tensor): void {
  scopes.at(-1)?.add(tensor);
}

/** Exempts a tensor from the scopes that are open: it lives until you dispose of it. */
export function keep<T extends Tensor>(tensor: T): T {
  for (const scope of scopes) scope.delete(tensor);
  return tensor;
}

function release(result: unknown, scope: Set<Tensor>, outer: Set<Tensor> | undefined): void {
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
  callable(f, 'what tidy() runs');
  const scope = new Set<Tensor>();
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
