// SPDX-License-Identifier: MIT
// Streams of windows: each result equals `predict` of the last steps alone.
import assert from 'node:assert/strict';
import { before, test } from 'node:test';
import * as mf from '../../dist/index.js';
import { CRF, crfDecode } from '../../dist/tags.js';

before(() => mf.ready({ seed: 5 }));

const bidirectional = () =>
  new mf.Sequential([
    mf.Input({ shape: [null, 2] }),
    mf.layers.bidirectional(mf.layers.lstm({ units: 3 })),
    mf.layers.dense({ units: 2 }),
  ]);
const samples = (count, batch = 1) =>
  Array.from({ length: count }, (_, t) =>
    Array.from({ length: batch }, (_, row) => [Math.sin(t + row), Math.cos(2 * t - row)]),
  );
/** Windows of all steps as [batch, steps, features]. */
const windowOf = (steps, end, window) => {
  const last = steps.slice(Math.max(0, end - window), end);
  return last[0].map((_, row) => last.map((step) => step[row]));
};

for (const [window, hop, partial, batch] of [
  [4, 1, false, 1],
  [4, 2, false, 3],
  [3, 5, false, 1],
  [4, 2, true, 2],
  [1, 1, true, 1],
  [5, 3, true, 1],
]) {
  test(`window ${window}, hop ${hop}, partial ${partial}, batch ${batch} equals predict`, () => {
    const model = bidirectional();
    const stream = model.stream({ window, hop, partial, batchSize: batch });
    const steps = samples(11, batch);
    const due = [];
    steps.forEach((step, i) => {
      const result = stream.step(step);
      const end = i + 1;
      const isDue = (end >= window || partial) && (end - window) % hop === 0;
      assert.equal(result !== null, isDue, `step ${end}`);
      if (!result) return;
      due.push(result.array());
      assert.deepEqual(result.array(), model.predict(windowOf(steps, end, window)).array());
    });
    assert.ok(due.length > 0);
    assert.equal(stream.count, 11);
    const again = model.stream({ window, hop, partial, batchSize: batch });
    const cut = [windowOf(steps.slice(0, 7), 7, 7), windowOf(steps.slice(7), 4, 4)];
    const results = cut.flatMap((part) => again.steps(part));
    assert.deepEqual(
      results.map((each) => each.array()),
      due,
    );
  });
}

test('masked steps remain in the window with their mask', () => {
  const model = bidirectional();
  const stream = model.stream({ window: 3, batchSize: 2 });
  const steps = samples(4, 2);
  const masks = [null, [true, false], false, [true, true]];
  const results = steps.map((step, i) => stream.step(step, { mask: masks[i] }));
  const mask = [
    [true, false, true],
    [false, false, true],
  ];
  const x = mf.tensor(windowOf(steps, 4, 3)).withMask(mask);
  assert.deepEqual(results[3].array(), model.predict(x).array());
  const plain = model.predict(windowOf(steps, 4, 3)).array();
  assert.notDeepEqual(results[3].array(), plain);
  const all = model.stream({ window: 3, batchSize: 2 }).steps(x);
  assert.deepEqual(
    all.map((each) => each.array()),
    [results[3].array()],
  );
});

test('ids, typed arrays, a CRF and a model without an Input', () => {
  const crf = new mf.Sequential([
    mf.layers.embedding({ inputDim: 9, outputDim: 3, maskZero: true }),
    mf.layers.dense({ units: 2 }),
    new CRF(),
  ]);
  const stream = crf.stream({ window: 3, partial: true });
  const ids = [4, 0, 7, 1, 2];
  ids.forEach((id, i) => {
    const result = stream.step(Int32Array.of(id));
    const whole = crf.predict([ids.slice(Math.max(0, i - 2), i + 1)]);
    assert.deepEqual(result.array(), whole.array());
    assert.deepEqual(crfDecode(result).tags.array(), crfDecode(whole).tags.array());
  });
  const model = bidirectional();
  const floats = model.stream({ window: 2 });
  assert.equal(floats.step(Float32Array.of(1, 2)), null);
  const expected = model
    .predict([
      [
        [1, 2],
        [3, 4],
      ],
    ])
    .array();
  assert.deepEqual(floats.step(Float32Array.of(3, 4)).array(), expected);
});

test('several inputs, as a list or a dictionary, with one that has no time axis', () => {
  const series = mf.Input({ shape: [null, 2], name: 'series' });
  const place = mf.Input({ shape: [4], name: 'place' });
  const last = mf.layers.bidirectional(mf.layers.gru({ units: 3 })).apply(series);
  const joined = mf.layers.concatenate().apply([last, place]);
  const outputs = { a: mf.layers.dense({ units: 1 }).apply(joined), b: joined };
  const model = new mf.Model({ inputs: [series, place], outputs });
  const steps = samples(3);
  const where = [[1, 2, 3, 4]];
  const expected = model.predict([windowOf(steps, 3, 2), where]);
  const [list, table] = [model.stream({ window: 2 }), model.stream({ window: 2 })];
  let results;
  for (const step of steps) {
    results = [
      list.step([step, where]),
      table.step(results ? { place: where, series: step } : { series: step, place: where }),
    ];
  }
  for (const { a, b } of results) {
    assert.deepEqual(a.array(), expected.a.array());
    assert.deepEqual(b.array(), expected.b.array());
  }
  const flat = model.stream({ window: 2 });
  flat.step([Float32Array.of(...steps[1][0]), Float32Array.of(1, 2, 3, 4)]);
  const { a } = flat.step([Float32Array.of(...steps[2][0]), Float32Array.of(1, 2, 3, 4)]);
  assert.deepEqual(a.array(), expected.a.array());
  const several = model.stream({ window: 2 }).steps([windowOf(steps, 3, 3), where]);
  assert.deepEqual(several[1].a.array(), expected.a.array());
});

test('clone, reset and dispose; no call keeps a tensor', () => {
  const model = bidirectional();
  const steps = samples(4);
  model.predict([[[1, 2]]]).dispose();
  const before = mf.memory().tensors;
  const stream = model.stream({ window: 2 });
  stream.step(steps[0]);
  const copy = stream.clone();
  const [one, other] = [stream.step(steps[1]), copy.step(steps[1])];
  assert.deepEqual(one.array(), other.array());
  stream.reset();
  assert.equal(stream.count, 0);
  assert.equal(stream.step(steps[1]), null);
  one.dispose();
  other.dispose();
  assert.equal(mf.memory().tensors, before);
  stream.dispose();
  stream.dispose();
  assert.throws(() => stream.step(steps[0]), {
    name: 'StateError',
    message: /model\.stream\(\{ window \}\)/,
  });
});

test('a step that fails does not count', () => {
  const fixed = new mf.Sequential([
    mf.Input({ shape: [3, 1] }),
    mf.layers.flatten(),
    mf.layers.dense({ units: 1 }),
  ]);
  const stream = fixed.stream({ window: 3 });
  const fails = (run, message) => assert.throws(run, { name: 'ShapeError', message });
  stream.step([[1]]);
  fails(
    () => stream.step([[1], [2]]),
    /\[2,1\] but must be \[1, \.\.\.features\], for batchSize 1/,
  );
  fails(() => stream.step(Float32Array.of(1, 2)), /2 elements but must have 1/);
  fails(() => stream.step([[2]], { mask: [true, false] }), /mask/);
  assert.equal(stream.count, 1);
  stream.step([[2]]);
  fails(() => stream.step([[3, 4]]), /rows of shape \[2\], but an earlier one had \[1\]/);
  assert.deepEqual(stream.step([[3]]).array(), fixed.predict([[[1], [2], [3]]]).array());
  const short = fixed.stream({ window: 2 });
  short.step([[1]]);
  fails(() => short.step([[2]]), /3/);
  assert.equal(short.count, 1);
});

test('options are checked', () => {
  const model = bidirectional();
  const fails = (options, message) => assert.throws(() => model.stream(options), { message });
  fails({ window: 0 }, /window/);
  fails({ window: 2, hop: 0.5 }, /hop/);
  fails({ hop: 2 }, /window/);
  fails({ window: 2, size: 1 }, /size/);
});
