// SPDX-License-Identifier: MIT
import { spawnSync } from 'node:child_process';
import { aptInstall, canInstall } from './apt.mjs';

/** Whether the compiler links C++ programs with the sanitizers. */
export function linksSanitized(compiler, ...options) {
  const flags = [...options, '-fsanitize=address,undefined', '-x', 'c++', '-', '-o', '/dev/null'];
  const input = '#include <vector>\nint main() { return 0; }\n';
  return spawnSync(compiler, flags, { input, stdio: ['pipe', 'ignore', 'ignore'] }).status === 0;
}

/** The compiler, if it also makes 32-bit programs, whose sizes are as wide as in wasm. */
export async function findCompiler32(compiler) {
  if (linksSanitized(compiler, '-m32')) return compiler;
  if (!canInstall()) return undefined;
  try {
    await aptInstall('g++-multilib');
  } catch {
    return undefined; // not on every machine: there is none for ARM
  }
  return linksSanitized(compiler, '-m32') ? compiler : undefined;
}
