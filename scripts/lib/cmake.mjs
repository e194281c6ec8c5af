// SPDX-License-Identifier: MIT
import { mkdirSync, writeFileSync } from 'node:fs';
import { at, readIfThere } from './files.mjs';
import { runQuietly } from './process.mjs';

/** Configures a preset where that is due and builds the targets; prints only what fails. */
export async function cmakeBuild(preset, targets, env, options = []) {
  await configure(preset, env, options);
  await runQuietly('cmake', ['--build', '--preset', preset, '--target', ...targets], { env });
}

/** Options (names of booleans) are switched on and stay on: nobody has to build twice for them. */
async function configure(preset, env, options) {
  const { CMAKE_GENERATOR, MASKFLOW_EMSCRIPTEN, CXX } = env;
  const tools = JSON.stringify({ CMAKE_GENERATOR, MASKFLOW_EMSCRIPTEN, CXX });
  const stamp = at('build', preset, '.configured');
  const before = readIfThere(stamp);
  const cache = readIfThere(at('build', preset, 'CMakeCache.txt')) ?? '';
  if (before === tools && options.every((name) => cache.includes(`${name}:BOOL=ON`))) return;
  // Another compiler or generator needs a fresh cache; CMake refuses it otherwise.
  const fresh = before === undefined || before === tools ? [] : ['--fresh'];
  const definitions = options.map((name) => `-D${name}:BOOL=ON`);
  await runQuietly('cmake', ['--preset', preset, ...fresh, ...definitions], { env });
  mkdirSync(at('build', preset), { recursive: true });
  writeFileSync(stamp, tools);
}
