// SPDX-License-Identifier: MIT
// Measures which lines of web/src the tests in Node run. V8 counts how often each part of dist/
// runs; the source maps give the lines. Code that only CommonJS, workers of pages or other engines
// run does not count.
import { spawn } from 'node:child_process';
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { decode } from '@jridgewell/sourcemap-codec';
import { entries } from '../build/entries.mjs';
import { at, root, short } from '../lib/files.mjs';
import { onAllCores } from '../lib/process.mjs';
import { step } from '../lib/steps.mjs';
import { webTestFiles } from '../test/node-runner.mjs';

/**
 * Path of the lines that each test file runs; scripts/mutate.mjs selects its tests by this file.
 */
export const byTest = at('build', 'coverage', 'by_test.json');

/** Time limit in ms: a test file that takes longer counts as failed. */
const longest = 5 * 60_000;

/** Runs one test file. Resolves to whether it passed, and its duration. */
export function runTestFile(path, { env = process.env, timeout = longest } = {}) {
  const start = performance.now();
  return new Promise((resolve) => {
    const child = spawn(process.execPath, [path], { cwd: root, env, stdio: 'ignore', timeout });
    child.on('error', () => resolve({ passed: false, milliseconds: 0 }));
    child.on('close', (code) => {
      resolve({ passed: code === 0, milliseconds: Math.round(performance.now() - start) });
    });
  });
}

/** Returns every mapped position of a script: [offset, source, line]. */
function placesOf(code, map) {
  const starts = [0, ...[...code.matchAll(/\n/g)].map(({ index }) => index + 1)];
  return decode(map.mappings).flatMap((segments, row) =>
    segments
      .filter(([, source]) => source !== undefined)
      .map(([column, source, line]) => [starts[row] + column, source, line + 1]),
  );
}

/** Returns a script of dist/ with its lines of web/src, or null if it has none. */
function readScript(path) {
  if (!existsSync(`${path}.map`)) return null;
  const map = JSON.parse(readFileSync(`${path}.map`, 'utf8'));
  return scriptOf(readFileSync(path, 'utf8'), map, join(path, '..'));
}

const inlineMap = /\n\/\/# sourceMappingURL=data:application\/json;base64,(\S+)/;
const prefix = 'data:text/javascript;base64,';

/** Returns a script that tests/support/internals.js has bundled from one module and its imports. */
function readInternals(url) {
  const code = Buffer.from(url.slice(prefix.length), 'base64').toString();
  const map = inlineMap.exec(code)?.[1];
  return map ? scriptOf(code, JSON.parse(Buffer.from(map, 'base64').toString()), root) : null;
}

/**
 * Returns a script with its lines of web/src. The paths of its sources are relative to `folder`.
 */
function scriptOf(code, map, folder) {
  // Modules that several chunks contain (scripts/build/copies.mjs) are one source.
  const sources = map.sources.map((name) => short(join(folder, name.replace('?copy', ''))));
  const places = placesOf(code, map).filter(([, source]) => sources[source].startsWith('web/src/'));
  return { length: code.length, sources, places };
}

/**
 * Returns how often each character of a script ran. Inner ranges follow outer ones and replace
 * their counts.
 */
function countsOf(functions, length) {
  const counts = new Uint8Array(length);
  const ranges = functions.flatMap((one) => one.ranges);
  ranges.sort((a, b) => a.startOffset - b.startOffset || b.endOffset - a.endOffset);
  for (const { startOffset, endOffset, count } of ranges) {
    counts.fill(count > 0 ? 1 : 0, startOffset, endOffset);
  }
  return counts;
}

const scripts = new Map();
/** Returns the script that V8 names by a URL, or null if it has no lines of web/src. */
function scriptAt(url) {
  if (!scripts.has(url)) {
    const inDist = url.startsWith(pathToFileURL(`${at('dist')}/`).href);
    const read = url.startsWith(prefix) ? readInternals(url) : null;
    scripts.set(url, inDist ? readScript(fileURLToPath(url)) : read);
  }
  return scripts.get(url);
}

/** Adds the lines that one process ran to `lines`: { path: Set }. */
function addReport(report, lines) {
  for (const { url, functions } of report.result) {
    const script = scriptAt(url);
    if (!script) continue;
    const counts = countsOf(functions, script.length);
    for (const [offset, source, line] of script.places) {
      if (counts[offset] === 0) continue;
      const name = script.sources[source];
      if (!lines[name]) lines[name] = new Set();
      lines[name].add(line);
    }
  }
}

async function measure(test) {
  const folder = at('build', 'coverage', 'raw', basename(test));
  mkdirSync(folder, { recursive: true });
  const env = { ...process.env, NODE_V8_COVERAGE: folder };
  const { passed, milliseconds } = await runTestFile(test, { env });
  const lines = {};
  for (const name of readdirSync(folder)) {
    addReport(JSON.parse(readFileSync(join(folder, name), 'utf8')), lines);
  }
  rmSync(folder, { recursive: true });
  const plain = Object.entries(lines).map(([path, set]) => [path, [...set].sort((a, b) => a - b)]);
  return { test, passed, milliseconds, lines: Object.fromEntries(plain) };
}

const measureAll = (tests) =>
  onAllCores(
    tests.map((test) => async () => {
      const result = await measure(test);
      if (!result.passed) console.log(`  ${test} failed`);
      return result;
    }),
  );

/** Returns the files that the package's entries import; dist/ may contain files of older builds. */
function packageFiles() {
  const reached = new Set();
  const visit = (path) => {
    if (reached.has(path) || !existsSync(path)) return;
    reached.add(path);
    for (const [, name] of readFileSync(path, 'utf8').matchAll(/["'`]\.\/([\w.-]+\.js)["'`]/g)) {
      visit(at('dist', name));
    }
  };
  for (const name of [...entries, 'cli', 'workerd']) visit(at('dist', `${name}.js`));
  return [...reached];
}

/** Returns all lines of code of the package, and those that none of the results contains. */
function summary(results) {
  const all = {};
  for (const path of packageFiles()) {
    const script = scriptAt(pathToFileURL(path).href);
    for (const [, source, line] of script?.places ?? []) {
      const name = script.sources[source];
      if (!all[name]) all[name] = new Set();
      all[name].add(line);
    }
  }
  for (const { lines } of results) {
    for (const [path, run] of Object.entries(lines)) {
      for (const line of run) all[path]?.add(-line);
    }
  }
  const files = Object.entries(all).map(([path, set]) => {
    const code = [...set].filter((line) => line > 0).sort((a, b) => a - b);
    return [path, { lines: code.length, missed: code.filter((line) => !set.has(-line)) }];
  });
  return Object.fromEntries(files);
}

/** Measures the coverage of web/src. Needs dist/ from `npm run build` or `npm run build:dev`. */
export async function webCoverage(pattern) {
  const tests = webTestFiles().filter((path) => pattern.test(path));
  let results = [];
  await step(`${tests.length} test files of the package`, async () => {
    results = await measureAll(tests);
    const failed = results.filter(({ passed }) => !passed).length;
    return failed > 0 ? `${failed} failed` : 'done';
  });
  writeFileSync(byTest, JSON.stringify(results));
  return summary(results);
}
