// SPDX-License-Identifier: MIT
// Finds out what the native compiler can build here: sanitizers, and 32-bit programs.
import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { aptInstall, canInstall } from './apt.mjs';

/** Links a C++ program with the sanitizers. Returns whether that worked. */
function linkSanitized(compiler, options, path) {
  const flags = [...options, '-fsanitize=address,undefined', '-x', 'c++', '-', '-o', path];
  const input = '#include <vector>\nint main() { return 0; }\n';
  return spawnSync(compiler, flags, { input, stdio: ['pipe', 'ignore', 'ignore'] }).status === 0;
}

/** Returns whether the compiler links C++ programs with the sanitizers. */
export const linksSanitized = (compiler, ...options) =>
  linkSanitized(compiler, options, '/dev/null');

/** Returns whether 32-bit programs run here: some kernels refuse them. */
function runs32(compiler) {
  const folder = mkdtempSync(join(tmpdir(), 'maskflow-'));
  const path = join(folder, 'program');
  try {
    return linkSanitized(compiler, ['-m32'], path) && spawnSync(path).status === 0;
  } finally {
    rmSync(folder, { recursive: true });
  }
}

/**
 * Returns the compiler if it can also build 32-bit programs, whose sizes are as wide as in wasm.
 */
export async function findCompiler32(compiler) {
  if (linksSanitized(compiler, '-m32')) return runs32(compiler) ? compiler : undefined;
  if (!canInstall()) return undefined;
  try {
    await aptInstall('g++-multilib');
  } catch {
    return undefined; // Some machines cannot, for example those with ARM CPUs.
  }
  return runs32(compiler) ? compiler : undefined;
}
