// SPDX-License-Identifier: MIT
// Types of variables after an `if` or a loop, whose bodies may not run.
import type { Body } from './ast.js';
import type { Doc } from './print.js';
import { either, type Type } from './types.js';

/** Ends of bodies that leave the statement that they are in. */
const leaves = /^(return|raise|continue|break)$/;

/**
 * Returns a function that translates bodies of which one runs, and one to call after them: then a
 * variable has the type that it has at the end of any, or, unless one of them always runs, that it
 * had before.
 *
 * @param types Types of variables at the place that is being translated.
 */
export function branches(types: Map<string, Type>, translate: (body: Body) => Doc[]) {
  const before = new Map(types);
  const ends: (readonly [string, Type])[] = [];
  const restart = (entries: Iterable<readonly [string, Type]>): void => {
    types.clear();
    for (const [name, type] of entries) types.set(name, either(types.get(name), type) as Type);
  };
  return {
    body(body: Body): Doc[] {
      const own = translate(body);
      if (!leaves.test(body.at(-1)?.kind ?? '')) ends.push(...types);
      restart(before);
      return own;
    },
    end(isComplete: boolean): void {
      restart(isComplete && ends.length > 0 ? ends : [...before, ...ends]);
    },
  };
}
