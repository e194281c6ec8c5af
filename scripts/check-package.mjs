// SPDX-License-Identifier: MIT
// Checks the package as npm packs it: its size, its manifest (publint), and its types in each mode
// of module resolution (attw).
import { mkdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { entries, pathOf } from './build/entries.mjs';
import { checkMain } from './lib/checks.mjs';
import { at } from './lib/files.mjs';
import { Failure, runQuietly } from './lib/process.mjs';

// Budgets of the parts of the package in packed bytes; their sum is checked. The aim for the first
// part is 2,000,000 bytes, with its source maps, which the package no longer contains. 75 kB of it
// are the workers' script as text, and 6 kB compute equal rows once.
const others = 1_923_000;
// Budget of maskflow/train. 600 kB are its own files: two variants of its module as chunks (286 kB
// each), and scripts and types. 14 kB are in files of other entries: the types of its methods, and
// the tape. 205 kB are the script of workers that train, as a file and as text. 159 kB are 84 rare ops in
// all forms of the module, and operations of files that call functions.
const training = 995_000;
// The wasm of maskflow/recurrent and maskflow/train as files, beside the same wasm as chunks. A
// page that uses a file fetches a tenth less.
const asFiles = 884_000;
// `maskflow run` row by row, beside the version that read all rows first: scripts, 7 kB of which are
// Papa Parse.
const rows = 19_000;
// maskflow/torch: its entry, the chunk that reads files, the same for CommonJS, types, and the folder
// for old tools. 2 kB are RMSNorm, a stride beside a dilation, settings of whole modules, and checks of
// the types of options.
const torch = 58_000;
// Budget of writeSkeleton: its chunk, the search for unknown classes that the error of a Lambda also
// uses, and what loading shares with both; each as ESM and as CommonJS.
const skeletons = 40_000;
// Budget of what stays on the device and of data for training, in gzip: the chunk of caches, places and
// the hub (12 kB with CommonJS; it is also in the four scripts of workers, 5 kB each), readCsv and
// readNpy (9 kB), the static part of training (14 kB), and CHANGELOG.md (9 kB).
const stored = 64_000;
// batched(): 1.3 kB more in the chunk of workers, 1.7 kB for CommonJS, and types.
const requests = 5_000;
// maskflow/draw: its entry (10 kB), the same for CommonJS, types, and the folder for old tools.
const drawing = 26_000;
// The variant `threads` of the three modules, each as a chunk (886 kB in all) and as a file (720 kB), and
// the script that starts helpers.
const threads = 1_618_000;
const parts = [
  others,
  training,
  asFiles,
  rows,
  torch,
  skeletons,
  stored,
  requests,
  drawing,
  threads,
];
const budget = {
  packed: parts.reduce((total, part) => total + part),
  // 98 scripts and 13 chunks of ESM, 26 files of CommonJS, 29 of types, 9 of wasm, 10 folders for old
  // tools, and 5 others.
  files: 190,
};
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
