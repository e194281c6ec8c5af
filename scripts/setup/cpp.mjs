// SPDX-License-Identifier: MIT
// Fetches Emscripten and the C++ libraries, at the versions that the shell scripts name.
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { at } from '../lib/files.mjs';
import { runQuietly } from '../lib/process.mjs';

/** Sets MASKFLOW_EMSCRIPTEN, which the toolchain file of the wasm presets reads. */
export async function findEmscripten(found) {
  const root = (await runQuietly('bash', [at('scripts', 'install-emscripten.sh')])).trim();
  found.env.MASKFLOW_EMSCRIPTEN = root;
  // Sets the path of the configuration, because an old SDK that is activated in this shell may have
  // set another.
  const config = join(root, '.emscripten');
  if (existsSync(config)) found.env.EM_CONFIG = config;
  return root;
}

export async function installSources() {
  const folder = (await runQuietly('bash', [at('scripts', 'install-sources.sh')])).trim();
  return folder || 'left to CMake';
}
