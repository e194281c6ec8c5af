// SPDX-License-Identifier: MIT
// Access to Node's modules from code that also runs on pages, where none of them exists.

/**
 * A module of Node, Deno or Bun; undefined elsewhere. Not loaded by import(), which bundlers for
 * pages would follow.
 */
export function nodeModule<Module>(name: string): Module | undefined {
  const { process } = globalThis as { process?: { getBuiltinModule?(name: string): Module } };
  try {
    return process?.getBuiltinModule?.(name);
  } catch {
    // Edge runtimes (Next's) have the function, but it throws.
    return undefined;
  }
}
