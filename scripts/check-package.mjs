// SPDX-License-Identifier: MIT
// Checks the package as npm packs it: its size, its manifest (publint), and its types in each mode
// of module resolution (attw).
import { mkdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { entries, pathOf } from './build/entries.mjs';
import { checkMain } from './lib/checks.mjs';
import { at } from './lib/files.mjs';
import { Failure, runQuietly } from './lib/process.mjs';

// In gzip: 657 kB are the modules `relaxed` as scripts, 130 kB the differences of the other variants,
// 921 kB wasm as files (`relaxed`, and `simd` of all layers), 342 kB maskflow.iife.js, 450 kB the scripts
// of workers, each as a file and as text, 250 kB other scripts of ESM, 245 kB CommonJS, 125 kB types, and
// 23 kB texts. Variants as modules of their own would be 2.3 MB more.
// Pickles, the Tokenizer and scalers are 70 kB of it: they are in ESM, CommonJS and the scripts of
// workers. The goal is 3.4 MB.
const budget = { packed: 3_480_000, files: 215 };
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
  const tooMuch = Object.entries(budget)
    .filter(([what, most]) => sizes[what] > most)
    .map(([what, most]) => `package, ${what}: ${sizes[what]}; the budget is ${most}`);
  return [
    ...tooMuch,
    ...(await complaintsOf('publint', 'run', tarball, '--strict')),
    ...(await complaintsOf('attw', tarball, '--format', 'ascii', '--entrypoints', ...entryPoints)),
  ];
}

await checkMain(import.meta.url, checkPackage);
