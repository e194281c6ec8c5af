// SPDX-License-Identifier: MIT
// A cache of slow build steps outside of the clone, for compressed wasm.
import { createHash } from 'node:crypto';
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  renameSync,
  rmSync,
  statSync,
  utimesSync,
} from 'node:fs';
import { join } from 'node:path';
import { cache } from './files.mjs';

const longest = 30 * 24 * 3600_000;

/**
 * Returns a folder in the user's cache, which all clones share. If it does not exist yet,
 * `make(folder)` fills it. `inputs` are texts, for example digests, that identify everything the
 * files depend on. Folders that were not used for 30 days are removed.
 */
export async function kept(kind, inputs, make) {
  const parent = join(cache, kind);
  const key = createHash('sha256').update(JSON.stringify(inputs)).digest('hex');
  const folder = join(parent, key);
  const now = new Date();
  if (existsSync(folder)) {
    utimesSync(folder, now, now);
    return folder;
  }
  mkdirSync(parent, { recursive: true });
  removeOld(parent, now - longest);
  // Made under another name, because several clones may make it at the same time.
  const made = mkdtempSync(join(parent, 'new-'));
  await make(made);
  try {
    renameSync(made, folder);
  } catch (error) {
    if (!existsSync(folder)) throw error;
    rmSync(made, { recursive: true });
  }
  return folder;
}

function removeOld(parent, time) {
  for (const name of readdirSync(parent)) {
    const path = join(parent, name);
    if (statSync(path).mtimeMs < time) rmSync(path, { recursive: true, force: true });
  }
}
