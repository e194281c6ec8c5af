// SPDX-License-Identifier: MIT
// Beam search of `ops.ctcDecode`: against every alignment, and against recorded results of Keras.
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { before, test } from 'node:test';
import { Input, Model, ops, random, ready, tensor, ValueError } from '../../dist/train.js';

before(() => ready({ seed: 1 }));

const recorded = JSON.parse(
  readFileSync(new URL('../fixtures/ops/ctc_beam/beam.json', import.meta.url)),
).cases;
const beam = (logits, lengths, options) =>
  ops.ctcDecode(logits, lengths, { strategy: 'beam_search', ...options });

/** Labels of each alignment of classes with steps, and the logarithm of their probabilities. */
function everyLabelling(logOdds, steps, blank) {
  const sums = new Map();
  const visit = (step, last, labels, score) => {
    if (step === steps) {
      const key = labels.join();
      sums.set(key, (sums.get(key) ?? 0) + Math.exp(score));
      return;
    }
    logOdds[step].forEach((value, label) => {
      const isNew = label !== blank && label !== last;
      visit(step + 1, label, isNew ? [...labels, label] : labels, score + value);
    });
  };
  visit(0, -1, [], 0);
  return [...sums].sort((a, b) => b[1] - a[1]);
}

test('a wide beam finds the most probable of all labellings', () => {
  for (let seed = 0; seed < 30; seed++) {
    const classes = 2 + (seed % 3);
    const time = 1 + (seed % 6);
    const blank = seed % classes;
    const logits = random.normal([1, time, classes], { seed, stddev: 0.5 });
    const steps = seed % 5 === 0 ? Math.max(1, time - 1) : time;
    const best = everyLabelling(ops.logSoftmax(logits).array()[0], steps, blank);
    const topPaths = Math.min(4, best.length);
    const [paths, scores] = beam(logits, [steps], { beamWidth: 2000, topPaths, maskIndex: blank });
    assert.deepEqual(paths.shape, [topPaths, 1, time]);
    for (let path = 0; path < topPaths; path++) {
      const labels = paths.array()[path][0].filter((label) => label >= 0);
      assert.equal(labels.join(), best[path][0], `seed ${seed}, path ${path}`);
      assert.ok(Math.abs(Math.exp(scores.array()[0][path]) - best[path][1]) < 1e-5);
    }
  }
});

test('recorded beam searches of Keras', () => {
  let compared = 0;
  for (const [number, { logits, lengths, settings, paths, scores }] of recorded.entries()) {
    const { beam_width, top_paths, mask_index, merge_repeated } = settings;
    const [labels, totals] = beam(logits, lengths, {
      beamWidth: beam_width,
      topPaths: top_paths,
      maskIndex: mask_index,
      mergeRepeated: merge_repeated,
    });
    assert.deepEqual(labels.dtype, 'int32');
    for (const [row, values] of scores.entries()) {
      for (const [path, score] of values.entries()) {
        const actual = totals.array()[row][path];
        // Keras has such scores for labellings that it has not found.
        if (score < -1e20) {
          assert.equal(actual, Number.NEGATIVE_INFINITY);
          assert.ok(labels.array()[path][row].every((label) => label === -1));
          continue;
        }
        assert.ok(Math.abs(actual - score) < 1e-4, `case ${number}: ${actual}, not ${score}`);
        assert.deepEqual(labels.array()[path][row], paths[path][row], `case ${number}`);
        compared++;
      }
    }
  }
  assert.ok(compared > 150, `${compared}`);
});

test('equal scores prefer lower labels and longer labellings, as in Keras', () => {
  const [paths, scores] = beam([[[0, 0, 0]]], [1], { topPaths: 3 });
  assert.deepEqual(paths.array(), [[[1]], [[2]], [[-1]]]);
  assert.ok(scores.array()[0].every((score) => Math.abs(score + Math.log(3)) < 1e-6));
});

test('one path stands for all alignments, where the best class of each step is the blank', () => {
  // Blank is best at each step, but "1" has more alignments in sum.
  const logits = [
    [
      [0.6, 0.4],
      [0.6, 0.4],
    ].map((row) => row.map(Math.log)),
  ];
  assert.deepEqual(ops.ctcDecode(logits, [2])[0].array(), [[[-1, -1]]]);
  const [paths, scores] = beam(logits, [2]);
  assert.deepEqual(paths.array(), [[[1, -1]]]);
  assert.ok(Math.abs(Math.exp(scores.array()[0][0]) - 0.64) < 1e-6);
});

test('steps beyond the length do not count, and a length of 0 has no label', () => {
  const logits = random.normal([3, 5, 4], { seed: 3 });
  const [paths, scores] = beam(logits, [5, 2, 0], { topPaths: 2 });
  const part = ops.slice(logits, [1, 0, 0], [1, 2, 4]);
  const [shorter, itsScores] = beam(part, [2], { topPaths: 2 });
  for (const path of [0, 1]) {
    assert.deepEqual(paths.array()[path][1].slice(0, 2), shorter.array()[path][0]);
    assert.equal(scores.array()[1][path], itsScores.array()[0][path]);
  }
  assert.deepEqual(paths.array()[0][2], [-1, -1, -1, -1, -1]);
  assert.deepEqual(scores.array()[2], [0, Number.NEGATIVE_INFINITY]);
});

test('logits of NaN and infinity end in a result', () => {
  const [paths] = beam(
    [
      [
        [Number.NaN, 1],
        [0, 1],
      ],
    ],
    [2],
  );
  assert.deepEqual(paths.array(), [[[-1, -1]]]);
  const logits = [
    [
      [0, Number.NEGATIVE_INFINITY, 0],
      [0, 0, Number.NEGATIVE_INFINITY],
    ],
  ];
  const [possible] = beam(logits, [2], { topPaths: 5 });
  assert.deepEqual(possible.array(), [[[1, -1]], [[2, 1]], [[2, -1]], [[-1, -1]], [[-1, -1]]]);
});

test('a graph has a beam search, also in files', async () => {
  const { loadModel } = await import('../../dist/train.js');
  const inputs = [Input({ batchShape: [2, 4, 3] }), Input({ batchShape: [2], dtype: 'int32' })];
  const outputs = beam(...inputs, { topPaths: 2, beamWidth: 5 });
  assert.deepEqual(outputs[0].shape, [2, 2, 4]);
  const model = new Model({ inputs, outputs });
  const data = [random.normal([2, 4, 3], { seed: 1 }), tensor([4, 3], { dtype: 'int32' })];
  const direct = beam(...data, { topPaths: 2, beamWidth: 5 });
  const opened = await loadModel(await model.save());
  for (const results of [model.predict(data), opened.predict(data)]) {
    assert.deepEqual(results, direct);
  }
});

test('wrong settings are errors with the number', () => {
  const logits = [[[0, 1]]];
  for (const [options, message] of [
    [{ beamWidth: 0 }, /beam_width is 0 but must be from 1 to 65536/],
    [{ topPaths: 0 }, /top_paths is 0 but must be from 1/],
    [{ topPaths: 1e9 }, /top_paths is 1000000000 but must be from 1/],
    [{ maskIndex: 2 }, /mask_index is 2 but there are 2 classes/],
    [{ maskIndex: -1 }, /mask_index is -1 but there are 2 classes/],
  ]) {
    assert.throws(
      () => beam(logits, [1], options),
      (error) => {
        assert.ok(error instanceof ValueError, error.stack);
        assert.match(error.message, message);
        return true;
      },
    );
  }
  assert.throws(() => ops.ctcDecode(logits, [1], { strategy: 'beam' }), /beam_search/);
});
