// SPDX-License-Identifier: MIT
// The packages that benchmarks compare with: those of bench/peers/package.json.
import { writeFileSync } from 'node:fs';
import { at, digest, readIfThere } from './files.mjs';
import { runQuietly } from './process.mjs';

/**
 * Installs the peers, which only measurements need, from their own lock file. Their install scripts
 * do not run: that of onnxruntime-node would download files for graphics cards, and its package
 * already contains those for CPUs.
 */
export async function installPeers({ native = true } = {}) {
  const folder = at('bench', 'peers');
  const stamp = at('bench', 'peers', 'node_modules', '.installed');
  const small = digest(at('bench', 'peers', 'package-lock.json'));
  const whole = `${small} with optional ones`;
  const there = readIfThere(stamp);
  if (there === whole || (!native && there === small)) return 'up to date';
  const less = native ? [] : ['--omit=optional'];
  await runQuietly('npm', ['ci', '--ignore-scripts', ...less], { cwd: folder });
  writeFileSync(stamp, native ? whole : small);
  return 'installed';
}
