// SPDX-License-Identifier: MIT
import { spawnSync } from 'node:child_process';
import { aptInstall, canInstall } from './apt.mjs';

/** Whether this compiler makes programs of 32 bits, with the sanitizers, out of C++. */
function makesPrograms(compiler) {
  const flags = ['-m32', '-fsanitize=address,undefined', '-x', 'c++', '-', '-o', '/dev/null'];
  const input = '#include <vector>\nint main() { return 0; }\n';
  return spawnSync(compiler, flags, { input, stdio: ['pipe', 'ignore', 'ignore'] }).status === 0;
}

/** The C++ compiler where it can make programs of 32 bits too (sizes are as wide in wasm), else undefined. */
export async function findCompiler32(compiler) {
  if (makesPrograms(compiler)) return compiler;
  if (!canInstall()) return undefined;
  try {
    await aptInstall('g++-multilib');
  } catch {
    return undefined; // not on every machine: there is none for ARM
  }
  return makesPrograms(compiler) ? compiler : undefined;
}
