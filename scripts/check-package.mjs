// SPDX-License-Identifier: MIT
// The package as npm packs it: its size, its manifest (publint), and what TypeScript finds in each mode of resolution (attw).
import { mkdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { entries, pathOf } from './build/entries.mjs';
import { checkMain } from './lib/checks.mjs';
import { at } from './lib/files.mjs';
import { Failure, runQuietly } from './lib/process.mjs';

// The aim is 2,000,000: the workers' script as text, for where bundlers leave the file behind, is 75 kB of it; computing rows that are the same
// once took 6 kB in all copies of the module.
const others = { packed: 2_106_000, files: 205 };
// Of maskflow/train: 653 kB in files of its own, which are two variants of a module with all layers and all that trains (286 kB each, as
// chunks alone; as files they would take as much again) and 80 kB of scripts, maps and types; 14 kB in files of others, which have
// the types of its methods and record what they compute. And 205 kB for workers that train: their script, and the script as text, as of the
// other workers; 10 kB of it for batches, controls and single batches that go to them.
const training = { packed: 890_000, files: 26 };
// The wasm of maskflow/recurrent and maskflow/train as files, once more beside the text in chunks: a page that takes the file fetches a tenth less.
const asFiles = { packed: 884_000, files: 19 };
const parts = [others, training, asFiles];
const sum = (what) => parts.reduce((total, part) => total + part[what], 0);
const budget = { packed: sum('packed'), files: sum('files') };
const folder = at('build', 'pack');
const entryPoints = entries.map(pathOf);

async function pack() {
  rmSync(folder, { recursive: true, force: true });
  mkdirSync(folder, { recursive: true });
  const said = await runQuietly('npm', [...['pack', '--json', '--pack-destination', folder]]);
  // Some versions of npm print the names of scripts before the JSON.
  const json = said.slice(said.indexOf('['));
  const [{ filename, size, unpackedSize, entryCount }] = JSON.parse(json);
  return {
    tarball: join(folder, filename),
    packed: size,
    unpacked: unpackedSize,
    files: entryCount,
  };
}

/** What a tool complains of, as a list. */
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
