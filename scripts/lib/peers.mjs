// SPDX-License-Identifier: MIT
import { writeFileSync } from 'node:fs';
import { at, digest, readIfThere } from './files.mjs';
import { runQuietly } from './process.mjs';

/** The peers are dependencies of measurements alone, with a lock file of their own. */
export async function installPeers() {
  const folder = at('bench', 'peers');
  const stamp = at('bench', 'peers', 'node_modules', '.installed');
  const wanted = digest(at('bench', 'peers', 'package-lock.json'));
  if (readIfThere(stamp) === wanted) return 'up to date';
  await runQuietly('npm', ['ci', '--ignore-scripts'], { cwd: folder });
  writeFileSync(stamp, wanted);
  return 'installed';
}
