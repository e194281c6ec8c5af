// SPDX-License-Identifier: MIT
// The table of `npm run bench:threads -- --threads …` says what its processes measured, and refuses
// outputs that differ.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { checkOutputs, tableText } from '../../bench/threads/table.mjs';

const run = (name, threads, ms, { bits = 'same', numbers = [0.5, -1] } = {}) => ({
  ...{ name, threads, version: '1', cores: threads, figures: { W2: { ms, bits, numbers } } },
});
const figuresOf = (runs) => ({
  ...{ machine: 'a machine', ids: ['W2', 'T1'], counts: [1, 2], runs, errors: [] },
});
const measured = [
  run('maskflow', 1, 10),
  run('maskflow', 1, 30),
  run('maskflow', 2, 8),
  run('onnxruntime-web', 1, 40),
  run('onnxruntime-web', 2, 24),
  run('onnxruntime-node', 2, 6),
];

test('a row has medians of processes, gains and ratios to the same number of threads', () => {
  const [row, empty, cores] = tableText(figuresOf(measured)).split('\n').slice(-4);
  assert.equal(row, '| W2 | 20.0 | 8.00 | 2.50 | 2.00 | 3.00 | 6.00 |');
  assert.equal(empty, '| T1 |  |  | — |  |  |  |');
  assert.equal(cores, '| cores |  |  | 2.00 |  |  |  |');
});

test('processes that failed are named below the table', () => {
  const text = tableText({ ...figuresOf(measured), errors: ['maskflow with 8 threads: why'] });
  assert.match(text, /\nmaskflow with 8 threads: why$/m);
});

test('other bits with more threads, and other numbers of a package, are errors', () => {
  checkOutputs(figuresOf(measured));
  const otherBits = run('maskflow', 2, 8, { bits: 'other' });
  assert.throws(() => checkOutputs(figuresOf([measured[0], otherBits])), /W2: other bits with 2/);
  const otherNumbers = run('onnxruntime-web', 2, 8, { numbers: [0.5, -1.1] });
  assert.throws(
    () => checkOutputs(figuresOf([measured[0], otherNumbers])),
    /onnxruntime-web differs/,
  );
});
