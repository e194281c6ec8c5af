// SPDX-License-Identifier: MIT
// The npm packages of the project, for scripts/setup.mjs.
import { writeFileSync } from 'node:fs';
import { at, digest, readIfThere } from '../lib/files.mjs';
import { runQuietly } from '../lib/process.mjs';

/** Runs `npm ci`, unless node_modules was installed from the current lock file. */
export async function installNpmPackages() {
  const stamp = at('node_modules', '.maskflow-lock');
  const lock = digest(at('package-lock.json'));
  if (readIfThere(stamp) === lock) return 'up to date';
  await runQuietly('npm', ['ci']);
  writeFileSync(stamp, lock);
  return 'installed';
}
