// SPDX-License-Identifier: MIT
import { mkdirSync, writeFileSync } from 'node:fs';
import { at, readIfThere } from './files.mjs';
import { runQuietly } from './process.mjs';

/** Configures a preset where that is due and builds the targets; prints only what fails. */
export async function cmakeBuild(preset, targets, env, definitions = []) {
  await configure(preset, env, definitions);
  await runQuietly('cmake', ['--build', '--preset', preset, '--target', ...targets], { env });
}

async function configure(preset, env, definitions) {
  const { CMAKE_GENERATOR, MASKFLOW_EMSCRIPTEN, CXX } = env;
  const key = JSON.stringify({ CMAKE_GENERATOR, MASKFLOW_EMSCRIPTEN, CXX, definitions });
  const stamp = at('build', preset, '.configured');
  const before = readIfThere(stamp);
  if (before === key) return;
  // Another compiler or generator needs a fresh cache; CMake refuses it otherwise.
  const fresh = before === undefined ? [] : ['--fresh'];
  await runQuietly('cmake', ['--preset', preset, ...fresh, ...definitions], { env });
  mkdirSync(at('build', preset), { recursive: true });
  writeFileSync(stamp, key);
}
