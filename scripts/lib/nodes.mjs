// SPDX-License-Identifier: MIT
// Versions of Node, from the npm packages that carry its program.
import { existsSync, mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { cache } from './files.mjs';
import { runQuietly } from './process.mjs';

/** Installs a version of Node in a folder; returns the folder of the program. `arch`: the CPU that it is built for. */
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

/** The program of a version of Node ('24', '24.21.0'), kept in the cache from the first call on. */
export async function nodeProgram(version, arch = process.arch) {
  return join(await installNode(version, join(cache, 'nodes', `${version}-${arch}`), arch), 'node');
}
