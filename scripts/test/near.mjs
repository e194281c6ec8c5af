// SPDX-License-Identifier: MIT
// Plans the runs of `npm test -- --for FILE` and `--changed`: the nearest tests first.
import { existsSync, readFileSync } from 'node:fs';
import { at, filesUnder, short } from '../lib/files.mjs';
import { Failure, output } from '../lib/process.mjs';
import { isTest, nearestTests, registeredNames } from './nearest.mjs';

/** Number of test files that run for a file, unless `--count` says otherwise. */
export const kCount = 6;
/** Test files of the core that run as one process; it starts with the nearest. */
const kNative = 3;

const isNative = (path) => /\.[ch]pp$/.test(path);

/** Returns the part of `npm test` that runs a test file. */
export const partOf = (path) =>
  /^tests\/(core|browser|package|docs|engines)\//.exec(path)?.[1] ?? 'web';

/** Returns the parts whose tests may reach a file, in the order in which they run. */
function partsFor(path) {
  if (isTest(path)) return [partOf(path)];
  if (path.startsWith('tests/core/support/')) return ['core'];
  if (isNative(path)) return ['core', 'web'];
  if (path.startsWith('page/')) return ['web', 'browser'];
  if (path.startsWith('docs/')) return ['web', 'docs'];
  return ['web'];
}

/** Returns the filter of GoogleTest for the tests of some files of tests/core. */
function filterOf(files) {
  const suites = files.flatMap((file) =>
    [...readFileSync(at(file), 'utf8').matchAll(/^(TEST(?:_[FP])?|TYPED_TEST)\((\w+),/gm)].map(
      ([, macro, suite]) => (macro === 'TEST_P' ? `*/${suite}.*` : `${suite}.*`),
    ),
  );
  return [...new Set(suites)];
}

/**
 * Tests that run once for each layer or recorded family are long: only those of a layer are near.
 */
const everyLayer =
  /^\*\/(?:Conformance|LayerProperties|MaskUserProperties|LayerGradients|MaskUserGradients)\./;

/** Returns the tests of a layer among those that run for every layer and every recorded family. */
function testsOfLayers(names) {
  if (names.length === 0) return [];
  const families = filesUnder('tests/fixtures/layers', /\.json$/).filter((file) => {
    const text = readFileSync(file, 'utf8');
    return names.some((name) => text.includes(`"class_name":"${name}"`));
  });
  const familyName = (file) => short(file).replace(/^.*\/|\.json$/g, '');
  return [
    ...families.map((file) => `*/Conformance.*/${familyName(file)}_keras*`),
    ...names.map((name) => `Classes/*.*/${name}`),
  ];
}

/**
 * Returns the runs for some files, nearest first: { part, files, filter? }. A run of the core is
 * one process for several test files; every other run is one file.
 */
export function planFor(paths, { count = kCount, only } = {}) {
  const scores = new Map();
  for (const path of paths) {
    if (!existsSync(at(path))) throw new Failure(`--for ${path}: there is no such file`);
    for (const part of partsFor(path)) {
      const near = nearestTests(path).filter((test) => partOf(test.path) === part);
      const best = near[0]?.score ?? 0;
      for (const { path: test, score } of near.slice(0, count)) {
        if (score > 0) scores.set(test, Math.max(scores.get(test) ?? 0, score / best));
      }
    }
  }
  const ordered = [...scores].sort(([, a], [, b]) => b - a).map(([test]) => test);
  const inPart = (part) => ordered.filter((test) => partOf(test) === part);
  const native = inPart('core').slice(0, Math.max(kNative, paths.length));
  const layers = paths.filter(isNative).flatMap(registeredNames);
  const filter = [
    ...testsOfLayers(layers),
    ...filterOf(native).filter((name) => layers.length === 0 || !everyLayer.test(name)),
  ];
  const runs = [
    ...(filter.length > 0 ? [{ part: 'core', files: native, filter: filter.join(':') }] : []),
    ...['web', 'browser', 'docs'].flatMap((part) =>
      inPart(part).map((file) => ({ part, files: [file] })),
    ),
  ];
  return runs.filter(({ part }) => only === undefined || only.includes(part));
}

/** Returns the paths that differ from the main branch: commits, changes and new files. */
export function changedPaths() {
  const base = ['origin/main', 'main', 'HEAD'].map((ref) =>
    output('git', ['merge-base', ref, 'HEAD']),
  );
  const names = [
    output('git', ['diff', '--name-only', '--diff-filter=d', base.find(Boolean)]),
    output('git', ['ls-files', '-o', '--exclude-standard']),
  ];
  if (names[0] === undefined) throw new Failure('--changed needs a clone of the git repository');
  return names.join('\n').split('\n').filter(Boolean);
}

/** Returns the test files in Node whose text contains the name of a test, or a part of it. */
export function filesNaming(name) {
  const files = filesUnder('tests', /\.test\.js$/).map(short);
  const inNode = files.filter((path) => partOf(path) === 'web');
  const naming = (paths) => paths.filter((path) => readFileSync(at(path), 'utf8').includes(name));
  // A name that a program makes of parts is in no text; then every file is asked.
  const found = naming(files);
  return found.length > 0 ? found : inNode;
}
