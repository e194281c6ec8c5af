// SPDX-License-Identifier: MIT

/** A module of Node and its like (Deno, Bun), where there is one; not by import(), which bundlers for pages would chase. */
export function nodeModule<Module>(name: string): Module | undefined {
  const { process } = globalThis as { process?: { getBuiltinModule?(name: string): Module } };
  try {
    return process?.getBuiltinModule?.(name);
  } catch {
    return undefined; // edge runtimes (Next's) have the function, and it throws
  }
}
