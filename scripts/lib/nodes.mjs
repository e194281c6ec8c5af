// SPDX-License-Identifier: MIT
// Installs versions of Node from the npm packages that contain its program.
import { existsSync, mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { cache } from './files.mjs';
import { runQuietly } from './process.mjs';

/**
 * Installs a version of Node in a folder and returns the folder of its program. `arch` is the CPU
 * that it is built for.
 */
export async function installNode(version, folder, arch = process.arch) {
  const name = `node-${process.platform}-${arch}`;
  const bin = join(folder, 'node_modules', name, 'bin');
  if (existsSync(join(bin, 'node'))) return bin;
  mkdirSync(folder, { recursive: true });
  writeFileSync(join(folder, 'package.json'), '{ "private": true }');
  const quiet = ['--no-audit', '--no-fund', '--prefer-offline', '--loglevel=error'];
  // npm refuses programs for other CPUs unless forced.
  const forced = arch === process.arch ? [] : ['--force'];
  await runQuietly('npm', ['install', ...quiet, ...forced, `${name}@${version}`], { cwd: folder });
  return bin;
}

/**
 * Returns the program of a version of Node ('24', '24.21.0'). The first call installs it in the
 * cache.
 */
export async function nodeProgram(version, arch = process.arch) {
  return join(await installNode(version, join(cache, 'nodes', `${version}-${arch}`), arch), 'node');
}
