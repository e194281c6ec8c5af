// SPDX-License-Identifier: MIT
// SECURITY.md: each promise names tests that exist, and its numbers are those of the code.
import assert from 'node:assert/strict';
import { existsSync, readFileSync } from 'node:fs';
import { test } from 'node:test';
import { at } from '../../scripts/lib/files.mjs';
import { internals } from '../support/internals.js';

const text = readFileSync(at('SECURITY.md'), 'utf8');

/** Returns the rows of all tables with this heading, as lists of cells. */
function rowsOf(heading) {
  const found = [];
  let isInside = false;
  for (const line of text.split('\n')) {
    if (line === heading) isInside = true;
    else if (!line.startsWith('|')) isInside = false;
    else if (isInside && !line.startsWith('|---'))
      found.push(
        line
          .slice(1, -1)
          .split('|')
          .map((cell) => cell.trim()),
      );
  }
  return found;
}

const promises = rowsOf('| promise | test |');

/** Returns the names in calls of test, suite and describe; `${…}` in a name matches any text. */
function namesIn(source) {
  const calls = /\b(?:test|suite|describe|onPage)\(\s*(['"`])((?:\\.|(?!\1)[\s\S])*)\1/g;
  return [...source.matchAll(calls)].map(([, , name]) => name.replace(/\\(.)/g, '$1'));
}

/**
 * Whether a promise names this test: in full, or all that comes before or after a variable part.
 */
const isNamed = (wanted) => (name) =>
  name === wanted ||
  (name.includes('${') &&
    name.split(/\$\{[^}]*\}/).some((part) => {
      const shown = part
        .replace(/^:\/\/ /, '')
        .replace(/: $/, '')
        .trim();
      return shown !== '' && shown === wanted;
    }));

/** Splits a cell such as "`FILE`: NAME · NAME · `FILE`: NAME" into files with names. */
function testsOf(cell) {
  const parts = cell.split(/`(tests\/[^`]+)`:/).slice(1);
  const files = parts.filter((_, index) => index % 2 === 0);
  return files.flatMap((file, index) => {
    const names = parts[2 * index + 1].split('·').map((name) => name.trim());
    return names.filter(Boolean).map((name) => ({ file, name }));
  });
}

test('every section about files and programs has promises', () => {
  assert.ok(promises.length > 30, `${promises.length} promises`);
  const sections = text.split(/^## /m).slice(1);
  const without = sections.filter((section) => !section.includes('| promise | test |'));
  assert.deepEqual(
    without.map((section) => section.split('\n')[0]),
    ['Reporting', 'Supported versions', 'What no limit can tell apart'],
  );
});

for (const [promise, cell] of promises) {
  test(`has a test: ${promise}`, () => {
    const tests = testsOf(cell ?? '');
    assert.ok(tests.length > 0, 'the promise names no test');
    for (const { file, name } of tests) {
      assert.ok(existsSync(at(file)), `${file} does not exist`);
      const names = namesIn(readFileSync(at(file), 'utf8'));
      assert.ok(names.some(isNamed(name)), `${file} has no test '${name}'`);
    }
  });
}

/** Returns the number of a cell such as "4 GiB" or "1,000,000". */
function numberOf(cell) {
  const [, digits, unit] = /([\d,]+)(?: (MiB|GiB))?/.exec(cell);
  const factor = unit === undefined ? 1 : { MiB: 2 ** 20, GiB: 2 ** 30 }[unit];
  return Number(digits.replaceAll(',', '')) * factor;
}

test('the table of limits has the numbers of the code', async () => {
  const { allLimits, kDataLimits } = await internals('formats/open/limits.ts');
  const table = rowsOf('| `limits` | counts | default |').map(([name, , cell]) => {
    const [models, data] = cell.split(';');
    const value = numberOf(models);
    return [name.replaceAll('`', ''), value, data === undefined ? value : numberOf(data)];
  });
  const code = Object.entries(allLimits(undefined)).map(([name, value]) => [
    name,
    value,
    kDataLimits[name],
  ]);
  assert.deepEqual(table, code);
  assert.match(text, /`depth`.*at most 1,000/);
  allLimits({ depth: 1000 });
  assert.throws(() => allLimits({ depth: 1001 }), { name: 'ValueError' });
});

test('the version of the package is supported', () => {
  const { version } = JSON.parse(readFileSync(at('package.json'), 'utf8'));
  const [[newest]] = rowsOf('| version | security fixes |');
  const [, major, minor] = /^(\d+)\.(\d+)\.x, the newest$/.exec(newest);
  const [currentMajor, currentMinor] = version.split('.').map(Number);
  assert.ok(
    Number(major) >= currentMajor && Number(minor) >= currentMinor,
    `${newest}, ${version}`,
  );
});

test('reporting needs no value that somebody still has to fill in', () => {
  assert.doesNotMatch(text, /to be named|OWNER|NAME <|TBD/);
  assert.match(text, /Private vulnerability reporting/);
});
