// SPDX-License-Identifier: MIT
// round() beside Python's, for numbers that tests/fixtures/port/round/record.py drew.
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { before, test } from 'node:test';
import { port } from '../../dist/port.js';
import * as mf from '../../dist/train.js';
import { runPorted } from '../support/ported.js';

before(() => mf.ready());

const path = new URL('../fixtures/port/round/cases.json', import.meta.url);
const cases = JSON.parse(readFileSync(path, 'utf8'));

test('round() returns the numbers of Python', async () => {
  const source = `
def to_digits(x, digits):
    return round(x, digits)
def to_whole(x):
    return round(x)
`;
  const { code, notes } = port(source);
  assert.deepEqual(notes, []);
  const { found } = await runPorted(code, ['toDigits', 'toWhole']);
  for (const [x, digits, wanted] of cases) {
    const got = digits === null ? found.toWhole(x) : found.toDigits(x, digits);
    assert.ok(got === wanted, `round(${x}, ${digits}): ${got}, not ${wanted}`);
  }
});

test('round() of NaN, infinities and zeros keeps them', async () => {
  const source =
    "xs = [round(x, 2) for x in [float('nan'), float('inf'), -float('inf'), -0.0, -0.001]]\n";
  const { code } = port(source);
  const { found } = await runPorted(code, ['xs']);
  assert.deepEqual(found.xs, [Number.NaN, Infinity, -Infinity, -0, -0]);
});

test('round() with None as its digits is a whole number', async () => {
  const { code } = port('x = round(2.5, None)\ny = round(7, -1)\nz = [0] * y\n');
  const { found } = await runPorted(code, ['x', 'y', 'z']);
  assert.deepEqual([found.x, found.y, found.z.length], [2, 10, 10]);
});
