// SPDX-License-Identifier: MIT
// The engines that examples/ run on: Dask and Redis.
import { spawnSync } from 'node:child_process';
import { cpSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { at } from './files.mjs';
import { output, which } from './process.mjs';

const imports = (python) => output(python, ['-c', 'import distributed; print("here")']) === 'here';

/** Returns a Python that has Dask's `distributed`: DASK_PYTHON, or Debian's. */
export const findDask = () =>
  [process.env.DASK_PYTHON, 'python3', '/usr/bin/python3'].find((path) => path && imports(path));
/** Returns the path of the server of Redis. */
export const findRedis = () => which('redis-server');

/**
 * Copies examples/bullmq into a folder and installs what it needs, but the package from here.
 * Returns false, or the reason why that is not possible.
 */
export function installQueue(folder) {
  cpSync(at('examples', 'bullmq'), folder, { recursive: true });
  const manifest = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8'));
  delete manifest.dependencies.maskflow;
  writeFileSync(join(folder, 'package.json'), JSON.stringify(manifest));
  const args = ['install', '--no-audit', '--no-fund', '--prefer-offline', '--ignore-scripts'];
  // Removes the settings that an outer npm passes to its scripts.
  const env = Object.fromEntries(
    Object.entries(process.env).filter(([name]) => !/^npm_(?!config_(registry|cafile))/.test(name)),
  );
  const { status, stderr } = spawnSync('npm', args, { cwd: folder, env, encoding: 'utf8' });
  if (status !== 0) return `npm cannot install bullmq: ${stderr.trim().split('\n').at(-1)}`;
  symlinkSync(at(), join(folder, 'node_modules', 'maskflow'), 'dir');
  return false;
}
