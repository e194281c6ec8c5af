// SPDX-License-Identifier: MIT
// Checks the package as npm packs it: its size, its manifest (publint), and its types in each mode
// of module resolution (attw).
import { mkdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { entries, pathOf } from './build/entries.mjs';
import { checkMain } from './lib/checks.mjs';
import { at } from './lib/files.mjs';
import { tarball as limits } from './lib/limits.mjs';
import { Failure, runQuietly } from './lib/process.mjs';

const folder = at('build', 'pack');
const entryPoints = entries.map(pathOf);

async function pack() {
  rmSync(folder, { recursive: true, force: true });
  mkdirSync(folder, { recursive: true });
  const printed = await runQuietly('npm', ['pack', '--json', '--pack-destination', folder]);
  // Some versions of npm print the names of scripts before the JSON.
  const json = printed.slice(printed.indexOf('['));
  const [{ filename, size, unpackedSize, entryCount }] = JSON.parse(json);
  return {
    tarball: join(folder, filename),
    packed: size,
    unpacked: unpackedSize,
    files: entryCount,
  };
}

/** Returns the complaints of a tool as a list. */
async function complaintsOf(name, ...args) {
  try {
    await runQuietly('npx', ['--no-install', name, ...args]);
    return [];
  } catch (error) {
    if (error instanceof Failure) return [error.message];
    throw error;
  }
}

export async function checkPackage() {
  const { tarball, ...sizes } = await pack();
  const { packed, unpacked, files } = sizes;
  console.log(`package: ${packed} bytes packed, ${unpacked} unpacked, ${files} files`);
  const tooMuch = Object.entries(limits)
    .filter(([what, max]) => sizes[what] > max)
    .map(([what, max]) => `package, ${what}: ${sizes[what]}; the limit is ${max}`);
  return [
    ...tooMuch,
    ...(await complaintsOf('publint', 'run', tarball, '--strict')),
    ...(await complaintsOf('attw', tarball, '--format', 'ascii', '--entrypoints', ...entryPoints)),
  ];
}

await checkMain(import.meta.url, checkPackage);
