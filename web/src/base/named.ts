// SPDX-License-Identifier: MIT
// Objects of functions, such as `layers`, `ops` and `losses`: the functions have no names, or those
// that the bundler has shortened.

/** Names functions by their keys, for stacks and consoles, because minified code renames them. */
export function named<T extends object>(functions: T): T {
  for (const [name, value] of Object.entries(functions)) {
    if (typeof value === 'function') Object.defineProperty(value, 'name', { value: name });
  }
  return functions;
}
