// SPDX-License-Identifier: MIT
// Objects of functions, such as `layers`, `ops` and `losses`: the functions have no names, or those
// that the bundler has shortened.

import { ValueError } from './errors.js';
import { nearestOf } from './nearest.js';

/** Returns a name without its case and underscores. */
export const simplified = (name: string): string => name.replaceAll('_', '').toLowerCase();

/**
 * Throws ValueError, which says what to write, for each name that the object lacks but that is a
 * name of Keras or near to another one. Other names are undefined, because tools look for members
 * that objects may have. Existing names are not slower: only the prototype answers.
 *
 * @param replace Returns the replacement of a name; it may throw an error of its own.
 * @param plain Form in which names are compared.
 * @param end End of the replacement, after the name of a function.
 */
export function withHints<T extends object>(
  functions: T,
  place: string,
  replace?: (name: string) => string | undefined,
  plain = simplified,
  end = '(…)',
): T {
  const get = (target: object, name: string | symbol): unknown => {
    if (typeof name === 'symbol' || name in target) return Reflect.get(target, name);
    const names = Object.keys(functions);
    const known = names.find((other) => plain(other) === plain(name));
    const text = replace?.(name) ?? (known && `${place}.${known}${end}`);
    const brackets = place === 'ops' ? '()' : '';
    const hint = text ? `${brackets}; write ${text}` : nearestOf(name, names, 1);
    if (hint) throw new ValueError(`there is no ${place}.${name}${hint}`);
    return undefined;
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
