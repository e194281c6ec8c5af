// SPDX-License-Identifier: MIT
// Structures that random doubling (npm run fuzz -- doubling) found to take quadratic time. Twice
// the size must take about twice the time.
import assert from 'node:assert/strict';
import { suite, test } from 'node:test';
import * as mf from '../../dist/train.js';
import { cpuTime } from '../support/cpu_time.js';
import { internals } from '../support/internals.js';
import { generator, integer, pick } from '../support/random.js';
import { findings, growthOf, structureNames } from '../fuzz/doubling.js';
import { structures } from '../fuzz/doubling/structures.js';

const { CsvRecords } = await internals('formats/data/csv_records.ts');
await mf.ready({ onMaskDropped: 'silent' });

/** Least CPU time of two runs of a structure. */
async function timeOf(name, size) {
  const { make, run } = structures[name];
  const times = [];
  for (let i = 0; i < 2; i++) {
    const input = make(size, generator(1));
    const start = cpuTime();
    try {
      const result = await run(input);
      result?.dispose?.();
    } catch (error) {
      if (!(error instanceof mf.MaskflowError)) throw error;
    }
    times.push(cpuTime() - start);
  }
  return Math.min(...times);
}

suite('growth', () => {
  const sizes = {
    'loadWeights: groups in one group': 1500,
    'readCsv: a first line of quotes': 32_000,
    'loadModel: many unknown settings': 2000,
    'loadModel: calls that nothing completes': 2000,
    'toJSON: a graph': 2000,
    'toJSON: a graph of ops': 1000,
    'save: a graph of ops': 1000,
    'summary: a graph': 1000,
    'summary: a graph of ops': 1000,
    'backupAndRestore: many variables': 150,
    'trainOnBatch: many own weights': 1000,
    'deserializeLayer: a chain of layers': 4000,
  };
  for (const [name, size] of Object.entries(sizes)) {
    test(name, { timeout: 300_000 }, async () => {
      await timeOf(name, size >> 1);
      const [one, four] = [await timeOf(name, size), await timeOf(name, 4 * size)];
      // Linear time is 4, quadratic time 16. Short times say nothing.
      assert.ok(four < 11 * Math.max(one, 20), `${Math.round(one)} and ${Math.round(four)} ms`);
    });
  }

  for (const [what, cell] of [
    ['a cell in quotes', `"${'a""\n'.repeat(1_700_000)}"`],
    ['a line', '1,'.repeat(3_400_000)],
  ]) {
    test(`CSV in pieces: ${what}`, { timeout: 300_000 }, () => {
      const timeFor = (length) => {
        const records = new CsvRecords('the file');
        const start = cpuTime();
        records.push('x,y\n');
        for (let from = 0; from < length; from += 16_384) {
          records.push(cell.slice(from, Math.min(from + 16_384, length)));
        }
        return cpuTime() - start;
      };
      const [one, four] = [timeFor(cell.length >> 2), timeFor(cell.length)];
      assert.ok(four < 11 * Math.max(one, 20), `${Math.round(one)} and ${Math.round(four)} ms`);
    });
  }

  test('more calls of layers than any model has are refused at once', async () => {
    const { make } = structures['loadModel: a layer that is called many times'];
    await assert.rejects(mf.loadModel(make(20_001, generator(1)), { weights: null }), {
      name: 'FormatError',
      message: /has 20001 calls of layers; at most 20000/,
    });
  });

  test('a file of more than 100,000 arrays in one group is refused with a typed error', async () => {
    const { make, run } = structures['loadWeights: arrays in one group'];
    await assert.rejects(run(make(131_072, generator(1))), { name: 'FormatError' });
  });
});

suite('the fuzzer', () => {
  test('names growth above size^1.3, with its figures', () => {
    const points = [1, 2, 4, 8, 16].map((i) => ({ size: 100 * i, time: 10 * i ** 2, memory: 5e8 }));
    assert.equal(growthOf(points, 'time').toFixed(2), '2.00');
    assert.deepEqual(findings(points), [
      'time grows as size^2.00 (200: 40 ms, 400: 160 ms, 800: 640 ms, 1600: 2560 ms)',
    ]);
    assert.deepEqual(findings(points.map((point) => ({ ...point, time: point.size }))), []);
  });

  test('has structures of all readers', () => {
    for (const reader of [
      'loadModel',
      'loadWeights',
      'readTorch',
      'readCsv',
      'readNpy',
      'verify',
      'writeSkeleton',
      'Model.fromConfig',
      'maskflow run',
      'maskflow info',
      'maskflow convert',
    ]) {
      assert.ok(
        structureNames.some((name) => name.startsWith(`${reader}:`)),
        reader,
      );
    }
  });
});

test('CSV in pieces has each row as soon as its text has', () => {
  const random = generator(1);
  const parts = ['"', '""', '\n', '\r\n', ',', ' ', 'a', ';', '\r', 'x"', '","', '"\n', '\n"'];
  for (let i = 0; i < 5000; i++) {
    const text = Array.from({ length: integer(random, 1, 14) }, () => pick(random, parts)).join('');
    const records = new CsvRecords('the file');
    const rows = [];
    for (let end = 0; end < text.length; ) {
      const from = end;
      end = Math.min(text.length, from + integer(random, 1, 4));
      const isEnd = end === text.length;
      rows.push(...records.push(text.slice(from, end), isEnd));
      const expected = new CsvRecords('the file').push(text.slice(0, end), isEnd);
      assert.deepEqual(rows, expected, JSON.stringify([text, end]));
    }
  }
});
