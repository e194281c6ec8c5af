// SPDX-License-Identifier: MIT
// node scripts/build/package_folders.mjs write|remove: the folders of the packed package for tools
// that do not read `exports`, one for each entry. npm runs `write` before it packs and `remove`
// after.
import { mkdirSync, rmdirSync, rmSync, writeFileSync } from 'node:fs';
import { at } from '../lib/files.mjs';
import { Failure, isProgram, main } from '../lib/process.mjs';
import { entries, pathOf } from './entries.mjs';

/** The folders by path, with the fields of their package.json. */
const folders = new Map(
  entries
    .filter((name) => pathOf(name) !== '.')
    .map((name) => {
      const path = pathOf(name);
      const dist = `${'../'.repeat(path.split('/').length)}dist`;
      const fields = { main: `${name}.cjs`, module: `${name}.js`, types: `${name}.d.cts` };
      const inDist = Object.entries(fields).map(([field, file]) => [field, `${dist}/${file}`]);
      return [path, Object.fromEntries(inDist)];
    }),
);

/** Names of the folders at the top of the package. */
export const topFolders = [
  ...new Set([...folders.keys()].map((path) => path.split('/')[0])),
].sort();

function write() {
  for (const [path, fields] of folders) {
    mkdirSync(at(path), { recursive: true });
    writeFileSync(at(path, 'package.json'), `${JSON.stringify(fields, null, 2)}\n`);
  }
}

function remove() {
  for (const path of folders.keys()) rmSync(at(path, 'package.json'), { force: true });
  // Removes inner folders first. A folder with other files does not belong to the package and
  // remains.
  for (const path of [...folders.keys()].sort().reverse()) removeIfEmpty(at(path));
}

function removeIfEmpty(folder) {
  try {
    rmdirSync(folder);
  } catch (error) {
    if (error.code !== 'ENOTEMPTY' && error.code !== 'ENOENT') throw error;
  }
}

if (isProgram(import.meta.url)) {
  await main(() => {
    const [command] = process.argv.slice(2);
    if (command === 'write') write();
    else if (command === 'remove') remove();
    else throw new Failure("say 'write' or 'remove'");
  });
}
