// SPDX-License-Identifier: MIT
import { spawnSync } from 'node:child_process';
import { aptInstall, canInstall } from './apt.mjs';

/** Returns whether the compiler links C++ programs with the sanitizers. */
export function linksSanitized(compiler, ...options) {
  const flags = [...options, '-fsanitize=address,undefined', '-x', 'c++', '-', '-o', '/dev/null'];
  const input = '#include <vector>\nint main() { return 0; }\n';
  return spawnSync(compiler, flags, { input, stdio: ['pipe', 'ignore', 'ignore'] }).status === 0;
}

/**
 * Returns the compiler if it can also build 32-bit programs, whose sizes are as wide as in wasm.
 */
export async function findCompiler32(compiler) {
  if (linksSanitized(compiler, '-m32')) return compiler;
  if (!canInstall()) return undefined;
  try {
    await aptInstall('g++-multilib');
  } catch {
    return undefined; // Some machines cannot, for example those with ARM CPUs.
  }
  return linksSanitized(compiler, '-m32') ? compiler : undefined;
}
