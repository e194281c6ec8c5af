// SPDX-License-Identifier: MIT
// The folders of web/src are levels: each may import from itself and from what stands before it, types included. Files beside
// them are entries, which may import everything. `import()` is free: what it fetches comes later.
import { readFileSync } from 'node:fs';
import { dirname, join, posix } from 'node:path';
import { checkMain, short } from './lib/checks.mjs';
import { at, filesUnder } from './lib/files.mjs';

/** From the lowest to the highest. */
const levels = [
  'base',
  'engine',
  'tensor',
  'ops',
  'layers',
  'measures',
  'model',
  'training',
  'formats',
  'text',
  'worker',
  'entries',
];

const levelOf = (path) => (path.includes('/') ? path.split('/')[0] : 'entry');
const rank = (level) => (level === 'entry' ? levels.length : levels.indexOf(level));

/** The files that one imports or exports from, by their paths in web/src. */
function importsOf(path) {
  const text = readFileSync(at('web', 'src', path), 'utf8');
  const statements = text.matchAll(/^(?:import|export)\s[^;]*?from\s+'(\.[^']+)';/gms);
  return [...statements]
    .map(([, target]) => posix.normalize(join(dirname(path), target)).replace(/\.js$/, '.ts'))
    .filter((target) => target.endsWith('.ts'));
}

/** One cycle of files, or nothing. */
function cycleIn(graph) {
  const done = new Set();
  const visit = (path, trail) => {
    if (trail.includes(path)) return [...trail.slice(trail.indexOf(path)), path];
    if (done.has(path)) return undefined;
    for (const next of graph.get(path) ?? []) {
      const found = visit(next, [...trail, path]);
      if (found) return found;
    }
    done.add(path);
    return undefined;
  };
  for (const path of graph.keys()) {
    const found = visit(path, []);
    if (found) return found;
  }
  return undefined;
}

export function checkImports() {
  const root = `${short(at('web', 'src'))}/`;
  const paths = filesUnder('web/src', /\.ts$/).map((file) => short(file).slice(root.length));
  const graph = new Map(paths.map((path) => [path, importsOf(path)]));
  const complaints = [];
  for (const [path, targets] of graph) {
    const level = levelOf(path);
    if (level !== 'entry' && !levels.includes(level)) complaints.push(`${path}: no such level`);
    for (const target of targets) {
      if (rank(levelOf(target)) <= rank(level)) continue;
      complaints.push(
        `web/src/${path}: ${level} may not import from ${levelOf(target)}: ${target}`,
      );
    }
  }
  const cycle = cycleIn(graph);
  if (cycle) complaints.push(`web/src: files import each other: ${cycle.join(' → ')}`);
  return complaints;
}

await checkMain(import.meta.url, checkImports);
