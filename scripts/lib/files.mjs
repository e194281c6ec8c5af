// SPDX-License-Identifier: MIT
// Paths of the project, and files below them, for all scripts, tests and benchmarks.
import { createHash } from 'node:crypto';
import { existsSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { homedir } from 'node:os';
import { dirname, join, relative } from 'node:path';
import { fileURLToPath } from 'node:url';

export const root = dirname(dirname(dirname(fileURLToPath(import.meta.url))));
export const at = (...parts) => join(root, ...parts);
/** Returns a path relative to the project. */
export const short = (path) => relative(root, path);
export const cache = join(process.env.XDG_CACHE_HOME || join(homedir(), '.cache'), 'maskflow');

/**
 * Returns all files under a folder of the project whose path matches, sorted; [] if the folder is
 * missing.
 */
export const filesUnder = (folder, pattern) => filesIn(at(folder), pattern);

/**
 * Returns the files of the built package: those in dist/ and dist/chunks/, not the page or the
 * docs.
 */
export const builtFiles = () =>
  filesUnder('dist').filter((path) => [at('dist'), at('dist', 'chunks')].includes(dirname(path)));

/** Returns all files under any folder whose path matches, sorted; [] if the folder is missing. */
export function filesIn(top, pattern = /./) {
  if (!existsSync(top)) return [];
  return readdirSync(top, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath ?? entry.path, entry.name))
    .filter((path) => pattern.test(path))
    .sort();
}

/**
 * Returns a text that changes if a file is changed, added or removed. Does not read the contents.
 */
export function fingerprint(paths) {
  const hash = createHash('sha256');
  for (const path of paths) {
    const { size, mtimeMs } = statSync(path);
    hash.update(`${path} ${size} ${mtimeMs}\n`);
  }
  return hash.digest('hex');
}

export const digest = (path) => createHash('sha256').update(readFileSync(path)).digest('hex');

export const readIfThere = (path) => (existsSync(path) ? readFileSync(path, 'utf8') : undefined);

async function makeUnlessFresh(stamp, inputs, make) {
  if (readIfThere(stamp) === fingerprint(inputs())) return 'up to date';
  const note = await make();
  writeFileSync(stamp, fingerprint(inputs()));
  return note ?? 'done';
}

/** The calls of `make` that are running, by their stamp. */
const making = new Map();

/**
 * Runs `make` unless the file `stamp` shows that the inputs are unchanged since its last run. Calls
 * of one program for one stamp that overlap share one run.
 */
export function unlessFresh(stamp, inputs, make) {
  const made =
    making.get(stamp) ??
    makeUnlessFresh(stamp, inputs, make).finally(() => {
      making.delete(stamp);
    });
  making.set(stamp, made);
  return made;
}
