// SPDX-License-Identifier: MIT
// Runs test files for all parts of `npm test` but `core`.
import { cpus } from 'node:os';
import { basename, relative } from 'node:path';
import { run } from 'node:test';
import { spec } from 'node:test/reporters';
import { at, filesUnder, short } from '../lib/files.mjs';
import { lostBrowser } from './again.mjs';
import { countsOf, sumOf } from './counts.mjs';

// Time limit of one file, so that a hanging file fails under its own name. Each file needs less
// than a tenth of it on an idle machine, and on a busy one less than a half.
const longest = 30 * 60_000;

/** Returns the test files that run in Node, without those that need the C++ core or a browser. */
export const webTestFiles = () =>
  filesUnder('tests', /\.test\.js$/)
    .map(short)
    .filter((path) => /^tests\/(web\/.*|[^/]+)$/.test(path));

/** Characters of an error in the summary. The report above it contains the whole error. */
const longestMessage = 300;

/**
 * Runs test files with Node's own runner: all tests, or those whose name contains `name`. A file
 * that lost its browser runs once more, alone. The report goes to the terminal; the counts are
 * returned.
 */
export async function runNodeTests(
  files,
  { concurrency = cpus().length, timeout = longest, name } = {},
) {
  const found = await runOnce(files, { concurrency, timeout, name });
  const again = [...found.keys()].filter((file) => lostBrowser(found.get(file).errors));
  for (const file of again) {
    console.log(`\n${short(file)} lost its browser and runs once more`);
    found.delete(file);
    for (const [path, counts] of await runOnce([file], { timeout, name })) found.set(path, counts);
  }
  return { ...sumOf([...found.values()]), slowest: slowestOf(found) };
}

/** Returns the files that took longest, each with its seconds. */
const slowestOf = (found) =>
  [...found]
    .sort(([, a], [, b]) => b.seconds - a.seconds)
    .slice(0, 5)
    .map(([file, { seconds }]) => `${basename(file, '.test.js')} ${seconds.toFixed(0)} s`);

/** Returns the counts and errors of each file. */
async function runOnce(files, { concurrency = 1, timeout, name }) {
  const found = new Map();
  if (files.length === 0) return found;
  const pattern = name?.replace(/[.*+?^${}()|[\]\\]/g, '\\$&');
  const testNamePatterns = pattern === undefined ? undefined : [new RegExp(pattern)];
  const stream = run({ files, concurrency, timeout, testNamePatterns });
  const countsFor = ({ file = '' }) => {
    if (!found.has(file)) found.set(file, { ...countsOf(), errors: [], seconds: 0 });
    return found.get(file);
  };
  const time = (event) => {
    if (event.nesting === 0) countsFor(event).seconds += event.details.duration_ms / 1000;
  };
  stream.on('test:pass', time);
  stream.on('test:fail', time);
  stream.on('test:pass', (event) => count(countsFor(event), event, 'passed'));
  stream.on('test:fail', (event) => count(countsFor(event), event, 'failed'));
  const report = stream.compose(spec);
  for await (const chunk of report) process.stdout.write(chunk);
  return found;
}

function count(counts, { name, file, skip, todo, details }, outcome) {
  const reason = skip ?? todo;
  // Node 20 reports tests of other names as skipped.
  if (reason === 'test name does not match pattern') return;
  if (reason !== undefined && reason !== false) {
    counts.skipped++;
    counts.reasons.push(typeof reason === 'string' ? `${name}: ${reason}` : name);
    return;
  }
  // Suites only group tests. A suite counts only if it failed itself, for example in a hook.
  const byItself = outcome === 'failed' && details?.error?.failureType !== 'subtestsFailed';
  if (details?.type === 'suite' && !byItself) return;
  counts[outcome]++;
  if (outcome !== 'failed') return;
  counts.errors.push(details?.error);
  counts.failures.push(failureText({ name, file, error: details?.error }));
}

function failureText({ name, file, error }) {
  const path = file === undefined ? '' : `${relative(at(), file)}: `;
  const message = String(error?.cause?.message ?? error?.message ?? '').replace(/\s+/g, ' ');
  return `${path}${name}: ${message.slice(0, longestMessage)}`;
}
