// SPDX-License-Identifier: MIT
// The objects `layers` and `ops` in scripts, where the bundler has shortened the names of their
// functions.

/** Names functions by their keys, for stacks and consoles, because minified code renames them. */
export function named<T extends object>(functions: T): T {
  for (const [name, value] of Object.entries(functions)) {
    if (typeof value === 'function') Object.defineProperty(value, 'name', { value: name });
  }
  return functions;
}
