// SPDX-License-Identifier: MIT
// Checks the imports of TypeScript and JavaScript, types included:
// - web/src has levels. A folder imports from itself and from lower levels. Files beside the
//   folders are entries, which import from all levels.
// - Some folders import from few others (`boundaries`), and chapters of the page not from each
//   other.
// - No files import each other in a circle, anywhere; in web/src, no folders do either.
// `import()` is exempt from the levels and boundaries, because it runs later, but not from circles.
import { existsSync, readFileSync } from 'node:fs';
import { posix } from 'node:path';
import { checkMain, projectFiles } from './lib/checks.mjs';
import { at } from './lib/files.mjs';

/** Folders of web/src, from the lowest level to the highest. */
const levels = [
  'base',
  'engine',
  'tensor',
  'ops',
  'layers',
  'measures',
  'model',
  'training',
  'draw',
  'port',
  'formats',
  'text',
  'tags',
  'worker',
  'entries',
];

/** Folders that may import only from the ones listed. */
const boundaries = [
  { folder: 'web/src/', allowed: ['web/src/'] },
  { folder: 'web/cli/', allowed: ['web/cli/', 'web/src/'] },
  // The page imports the package by its name, as any user does.
  { folder: 'page/', allowed: ['page/', 'tests/fixtures/'] },
  { folder: 'page/shared/', allowed: ['page/shared/', 'page/engine/'] },
  { folder: 'scripts/lib/', allowed: ['scripts/lib/'] },
  { folder: 'bench/', allowed: ['bench/', 'scripts/lib/', 'tests/', 'dist/'] },
];

const chapterOf = (path) => /^page\/chapters\/[^/]+\//.exec(path)?.[0];

const folders = /^(web|page|bench|scripts|tests|examples|docs\/\.vitepress)\//;
const sourceFiles = () =>
  projectFiles().filter(
    (path) => folders.test(path) && /\.(ts|m?js)$/.test(path) && !path.includes('/fixtures/'),
  );

const fromStatement = /^(?:import|export)\s[^;]*?from\s+'(\.[^']+)'|^import\s+'(\.[^']+)'/gms;
const importCall = /\bimport\(\s*'(\.[^']+)'/g;

/**
 * Returns the paths of the files that a text imports by a pattern. A `.js` of a TypeScript source
 * becomes its `.ts`.
 */
function targetsOf(path, text, pattern) {
  return [...text.matchAll(pattern)].map(([, first, second]) => {
    const target = posix.join(posix.dirname(path), first ?? second);
    const source = target.replace(/\.js$/, '.ts');
    return existsSync(at(source)) ? source : target;
  });
}

/**
 * Returns the imports of every file: those of statements (`direct`), and those including `import()`
 * (`all`).
 */
function readGraph() {
  const graph = new Map();
  for (const path of sourceFiles()) {
    const text = readFileSync(at(path), 'utf8');
    const direct = targetsOf(path, text, fromStatement);
    graph.set(path, { direct, all: [...direct, ...targetsOf(path, text, importCall)] });
  }
  return graph;
}

/** Returns the files of one circle in the order of their imports; undefined without a circle. */
function findCircle(graph) {
  const visited = new Set();
  const visit = (path, trail) => {
    if (trail.includes(path)) return [...trail.slice(trail.indexOf(path)), path];
    if (visited.has(path)) return undefined;
    visited.add(path);
    for (const target of graph.get(path)?.all ?? []) {
      const circle = visit(target, [...trail, path]);
      if (circle) return circle;
    }
    return undefined;
  };
  for (const path of graph.keys()) {
    const circle = visit(path, []);
    if (circle) return circle;
  }
  return undefined;
}

/**
 * Returns the folder of a file in web/src, or the file itself if it is beside the folders of its
 * level.
 */
const placeOf = (path) => /^web\/src\/\w+\/\w+(?=\/)/.exec(path)?.[0] ?? path;

/** Returns the folders of web/src with the folders and files that they import. */
function folderGraph(graph) {
  const places = new Map();
  for (const [path, { all }] of graph) {
    if (!path.startsWith('web/src/')) continue;
    const place = placeOf(path);
    const known = places.get(place)?.all ?? [];
    const targets = all.map(placeOf).filter((target) => target !== place);
    places.set(place, { all: [...known, ...targets] });
  }
  return places;
}

const levelOf = (path) => /^web\/src\/(?:(\w+)\/)?/.exec(path)?.[1] ?? 'entry';
const rank = (level) => (level === 'entry' ? levels.length : levels.indexOf(level));

function levelComplaints(path, targets) {
  const level = levelOf(path);
  if (level !== 'entry' && !levels.includes(level)) {
    return [`${path}: '${level}' is not a level of check-imports.mjs`];
  }
  return targets
    .filter((target) => rank(levelOf(target)) > rank(level))
    .map((target) => `${path}: ${level} may not import from ${levelOf(target)}: ${target}`);
}

function boundaryComplaints(path, targets) {
  const complaints = [];
  for (const { folder, allowed } of boundaries) {
    if (!path.startsWith(folder)) continue;
    for (const target of targets) {
      if (allowed.some((prefix) => target.startsWith(prefix))) continue;
      complaints.push(`${path}: ${folder} imports only from ${allowed.join(', ')}: ${target}`);
    }
  }
  const chapter = chapterOf(path);
  const others = targets.filter((target) => chapter && (chapterOf(target) ?? chapter) !== chapter);
  return [...complaints, ...others.map((target) => `${path}: a chapter imports ${target}`)];
}

export function checkImports() {
  const graph = readGraph();
  const complaints = [...graph].flatMap(([path, { direct }]) => [
    ...(path.startsWith('web/src/') ? levelComplaints(path, direct) : []),
    ...boundaryComplaints(path, direct),
  ]);
  const circle = findCircle(graph) ?? findCircle(folderGraph(graph));
  if (circle) complaints.push(`files import each other: ${circle.join(' → ')}`);
  return complaints;
}

await checkMain(import.meta.url, checkImports);
