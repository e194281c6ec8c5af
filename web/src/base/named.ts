// SPDX-License-Identifier: MIT
// Objects of functions, such as `layers`, `ops` and `losses`: the functions have no names, or those
// that the bundler has shortened.

import { ValueError } from './errors.js';
import { nearestOf } from './nearest.js';

/** Returns a name without its case and underscores. */
export const simplified = (name: string): string => name.replaceAll('_', '').toLowerCase();

/**
 * Calls `explain` for each name that the object lacks: it throws an error that says what to write.
 * Then throws ValueError if the name is near to another one.
 * If it returns, the name is undefined, because tools look for members that objects may have.
 * Existing names are not slower: only the prototype answers.
 */
export function withHints<T extends object>(
  functions: T,
  place: string,
  explain: (name: string) => void,
): T {
  const get = (target: object, name: string | symbol): unknown => {
    if (typeof name === 'symbol' || name in target) return Reflect.get(target, name);
    explain(name);
    const hint = nearestOf(name, Object.keys(functions), 1);
    if (hint) throw new ValueError(`there is no ${place}.${name}${hint}`);
    return undefined;
  };
  return Object.setPrototypeOf(functions, new Proxy(Object.prototype, { get })) as T;
}

/** Names the function for a name that differs in case only, such as that of a class of Keras. */
function withNames<T extends object>(functions: T, place: string): T {
  return withHints(functions, place, (name) => {
    const known = Object.keys(functions).find((other) => simplified(other) === simplified(name));
    if (known) throw new ValueError(`there is no ${place}.${name}; write ${place}.${known}(…)`);
  });
}

/**
 * Names functions by their keys, for stacks and consoles, because minified code renames them.
 *
 * @param place Name of the object, in errors for names such as that of a class of Keras.
 */
export function named<T extends object>(functions: T, place = ''): T {
  for (const [name, value] of Object.entries(functions)) {
    if (typeof value === 'function') Object.defineProperty(value, 'name', { value: name });
  }
  return place ? withNames(functions, place) : functions;
}
