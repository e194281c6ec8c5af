// SPDX-License-Identifier: MIT
// Calls of CMake, for all native and wasm builds.
import { mkdirSync, writeFileSync } from 'node:fs';
import { at, digest, readIfThere } from './files.mjs';
import { runQuietly } from './process.mjs';

/** Configures a preset if necessary and builds the targets; prints only errors. */
export async function cmakeBuild(preset, targets, env, options = []) {
  await configure(preset, env, options);
  await runQuietly('cmake', ['--build', '--preset', preset, '--target', ...targets], { env });
}

/** Configures a preset. Options are names of booleans; an option that is on stays on. */
async function configure(preset, env, options) {
  const { CMAKE_GENERATOR, MASKFLOW_EMSCRIPTEN, CXX } = env;
  const tools = { CMAKE_GENERATOR, MASKFLOW_EMSCRIPTEN, CXX };
  const state = JSON.stringify({ tools, presets: digest(at('CMakePresets.json')) });
  const stamp = at('build', preset, '.configured');
  const before = readIfThere(stamp);
  const cache = readIfThere(at('build', preset, 'CMakeCache.txt')) ?? '';
  if (before === state && options.every((name) => cache.includes(`${name}:BOOL=ON`))) return;
  // CMake refuses a cache that was made with another compiler or generator.
  const hasOtherTools = before !== undefined && !before.includes(JSON.stringify(tools));
  const definitions = options.map((name) => `-D${name}:BOOL=ON`);
  const fresh = hasOtherTools ? ['--fresh'] : [];
  await runQuietly('cmake', ['--preset', preset, ...fresh, ...definitions], { env });
  mkdirSync(at('build', preset), { recursive: true });
  writeFileSync(stamp, state);
}
