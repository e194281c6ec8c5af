// SPDX-License-Identifier: MIT
// Objects of functions, such as `layers`, `ops` and `losses`: the functions have no names, or those
// that the bundler has shortened.

import { ValueError } from './errors.js';

const simplified = (name: string): string => name.replaceAll('_', '').toLowerCase();

/**
 * Makes the object name its function for a name that differs in case only, such as that of a class
 * of Keras. Other names are undefined. Existing names are not slower: only the prototype answers.
 */
function withHints<T extends object>(functions: T, place: string): T {
  const get = (target: object, name: string | symbol): unknown => {
    if (typeof name === 'symbol' || name in target) return Reflect.get(target, name);
    const known = Object.keys(functions).find((other) => simplified(other) === simplified(name));
    if (!known) return undefined;
    throw new ValueError(`there is no ${place}.${name}; write ${place}.${known}(…)`);
  };
  return Object.setPrototypeOf(functions, new Proxy(Object.prototype, { get })) as T;
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
  return place ? withHints(functions, place) : functions;
}
