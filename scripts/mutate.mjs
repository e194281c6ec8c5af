// SPDX-License-Identifier: MIT
// Measures whether the tests notice mistakes. Changes one operator at a time, builds, runs the
// tests that reach the line, and names the changes that no test noticed ("survived"):
//   npm run mutate [-- --core] [--count 40] [--seed N] [--files REGEX] [--lines 10,20-30]
//     [--seconds 90] [--first] [--operators]
// Changes TypeScript (web/src) by default, with the bundle of `npm run build:dev`; with `--core`,
// src/ and the program of build/sanitize. `npm run coverage -- --only=web` must run first to know
// which tests reach which line; otherwise every change runs all tests. `--lines` tries every change
// of these lines.
// `--first` runs only the first tests that `npm test -- --for FILE` would run, and so measures
// whether it finds the nearest ones; `--operators` leaves out changes of other kinds (numbers,
// calls, conditions).
import { readFileSync, writeFileSync } from 'node:fs';
import { parseArgs } from 'node:util';
import { generator } from '../tests/support/random.js';
import { Failure, main } from './lib/process.mjs';
import { at } from './lib/files.mjs';
import { core } from './mutate/core.mjs';
import { web } from './mutate/web.mjs';

function options() {
  const { values } = parseArgs({
    options: {
      core: { type: 'boolean' },
      count: { type: 'string', default: '40' },
      seed: { type: 'string' },
      files: { type: 'string', default: '' },
      lines: { type: 'string' },
      seconds: { type: 'string', default: '90' },
      first: { type: 'boolean' },
      operators: { type: 'boolean' },
    },
  });
  // The default seed is the date.
  const today = Number(new Date().toISOString().slice(0, 10).replaceAll('-', ''));
  const { count, seed, seconds } = values;
  const numbers = { count: Number(count), seed: Number(seed ?? today), seconds: Number(seconds) };
  for (const [name, value] of Object.entries(numbers)) {
    if (!Number.isInteger(value) || value < 1)
      throw new Failure(`--${name} takes a positive integer`);
  }
  return { ...values, ...numbers, files: new RegExp(values.files) };
}

/** Parses '10,20-30' into a function that tests line numbers. */
function lineFilter(text) {
  if (text === undefined) return () => true;
  const ranges = text.split(',').map((part) => part.split('-').map(Number));
  return (line) => ranges.some(([first, last = first]) => line >= first && line <= last);
}

/** Returns the changes to try: those of the named lines, or a random sample of all. */
function chosen(changes, { count, seed, lines }) {
  if (lines !== undefined) return changes;
  const random = generator(seed);
  const left = [...changes];
  const some = [];
  while (some.length < count && left.length > 0) {
    some.push(...left.splice(Math.floor(random() * left.length), 1));
  }
  return some;
}

/** Applies a change to its file while `body` runs, and always removes it afterwards. */
async function withChange({ path, start, end, text }, body) {
  const file = at(path);
  const before = readFileSync(file, 'utf8');
  const restore = () => writeFileSync(file, before);
  process.once('exit', restore);
  writeFileSync(file, before.slice(0, start) + text + before.slice(end));
  try {
    return await body();
  } finally {
    restore();
    process.off('exit', restore);
  }
}

const shown = (text) => text.replace(/\s+/g, ' ').trim().slice(0, 60);

await main(async () => {
  const wanted = options();
  const language = wanted.core ? core : web;
  const isWanted = lineFilter(wanted.lines);
  const changes = language
    .changes((path) => wanted.files.test(path))
    .filter(({ line, isOperator }) => isWanted(line) && (isOperator || !wanted.operators));
  process.once('SIGINT', () => process.exit(130));
  console.log(`${changes.length} changes are possible; seed ${wanted.seed}`);
  await language.prepare();
  const counts = {};
  try {
    for (const change of chosen(changes, wanted)) {
      const outcome = await withChange(change, () => language.outcome(change, wanted));
      counts[outcome.kind] = (counts[outcome.kind] ?? 0) + 1;
      const { path, line, before, text } = change;
      const detail = outcome.detail ? ` (${outcome.detail})` : '';
      console.log(`${outcome.kind} ${path}:${line}: ${shown(before)} → ${shown(text)}${detail}`);
    }
  } finally {
    await language.finish();
  }
  console.log(
    Object.entries(counts)
      .map(([kind, count]) => `${count} ${kind}`)
      .join(', '),
  );
  return counts['SURVIVED'] ? 1 : 0;
});
process.exit();
