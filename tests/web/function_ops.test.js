// SPDX-License-Identifier: MIT
// Operations that call functions, in graphs and in files. tests/fixtures/function_ops/record.py
// recorded models of real Keras.
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { before, test } from 'node:test';
import * as mf from '../../dist/train.js';
import { close } from '../support/watch.js';

before(() => mf.ready());
const { Input, Model, ops, tensor } = mf;

const path = new URL('../fixtures/function_ops/cases.json', import.meta.url);
const { x: numbers, cases } = JSON.parse(readFileSync(path, 'utf8'));

/** The Python functions of the recorded models. */
function runningSum(carry, row) {
  const total = ops.add(carry, row);
  return [total, ops.multiply(total, 2)];
}
const squared = (row) => ops.square(row);
const largest = (a, b) => ops.maximum(a, b);
const halved = (row) => ops.divide(row, 2);
const functions = { running_sum: runningSum, squared, largest, halved };

for (const [name, { architecture, y }] of Object.entries(cases)) {
  test(`${name}: a model of Keras needs its functions and returns its results`, async () => {
    const json = JSON.parse(architecture);
    const model = await mf.loadModel(json, { customObjects: functions, weights: null });
    close([model.apply(tensor(numbers)).array()].flat(9), [y].flat(9), 1e-6, name);
    await assert.rejects(mf.loadModel(json, { weights: null }), (error) => {
      assert.ok(error instanceof mf.MaskflowError);
      assert.match(error.message, /Python function, which cannot run here: pass its replacement/);
      return true;
    });
  });
}

const runs = {
  scan: (x) => ops.scan(runningSum, ops.zeros([3]), x)[1],
  map: (x) => ops.map(squared, x),
  vectorizedMap: (x) => ops.vectorizedMap(squared, x),
  associativeScan: (x) => ops.associativeScan(largest, x),
};

for (const [name, run] of Object.entries(runs)) {
  test(`${name} of unknown length is part of a graph, and of a saved one`, async () => {
    const input = Input({ batchShape: [null, 3] });
    const model = new Model({ inputs: input, outputs: run(input) });
    const expected = run(tensor(numbers)).array();
    assert.deepEqual(model.apply(tensor(numbers)).array(), expected);
    assert.deepEqual(mf.cloneModel(model).apply(tensor(numbers)).array(), expected);
    const objects = { ...functions, runningSum };
    const loaded = await mf.loadModel(await model.save(), { customObjects: objects });
    assert.deepEqual(loaded.apply(tensor(numbers)).array(), expected);
  });
}

test('a function without a name cannot be saved', async () => {
  const input = Input({ batchShape: [null, 3] });
  const outputs = ops.map(
    (
      () => (row) =>
        ops.square(row)
    )(),
    input,
  );
  const model = new Model({ inputs: input, outputs });
  await assert.rejects(model.save(), /a function without a name/);
});

test('gradients pass through a graph that calls a function', () => {
  const input = Input({ batchShape: [null, 3] });
  const model = new Model({ inputs: input, outputs: runs.scan(input) });
  const x = tensor(numbers);
  const gradient = (f) => mf.valueAndGradients(() => ops.sum(ops.square(f(x))), [x]).gradients[0];
  const expected = gradient(runs.scan).array().flat();
  close(
    gradient((rows) => model.apply(rows))
      .array()
      .flat(),
    expected,
    1e-5,
    'gradient',
  );
});

test('cond, switch and whileLoop in a graph choose by its numbers', () => {
  const input = Input({ shape: [2] });
  const isPositive = ops.greater(ops.sum(input), 0);
  const models = {
    cond: ops.cond(
      isPositive,
      () => ops.multiply(input, 2),
      () => ops.negative(input),
    ),
    switch: ops.switch(ops.cast(isPositive, 'int32'), [halved, squared], input),
    whileLoop: ops.whileLoop(
      (x) => ops.less(ops.sum(x), 10),
      (x) => [ops.multiply(x, 2)],
      [input],
      { maximumIterations: 5 },
    )[0],
  };
  const expected = {
    cond: [[[2, 4]], [[1, 2]]],
    switch: [[[1, 4]], [[-0.5, -1]]],
    whileLoop: [[[4, 8]], [[-32, -64]]],
  };
  for (const [name, outputs] of Object.entries(models)) {
    const model = new Model({ inputs: input, outputs });
    const results = [[[1, 2]], [[-1, -2]]].map((x) => model.apply(tensor(x)).array());
    assert.deepEqual(results, expected[name], name);
  }
});

test('switch takes the nearest function for an index out of range', () => {
  const branches = [() => 'first', () => 'second'];
  assert.deepEqual(
    [-3, 0, 1, 9].map((index) => ops.switch(index, branches)),
    ['first', 'first', 'second', 'second'],
  );
  assert.throws(() => ops.switch(0, []), mf.ValueError);
});

test('a whileLoop in a graph needs a limit', () => {
  const x = Input({ shape: [3] });
  assert.throws(
    () =>
      ops.whileLoop(
        (y) => ops.less(ops.sum(y), 1),
        (y) => [y],
        [x],
      ),
    (error) => error instanceof mf.UnsupportedError && /maximumIterations/.test(error.message),
  );
});

test('scan, map and associativeScan accept dictionaries', () => {
  const xs = { a: tensor([1, 2, 3]), b: tensor([10, 20, 30]) };
  const [last, sums] = ops.scan(
    (carry, { a, b }) => {
      const next = ops.add(carry, ops.add(a, b));
      return [next, { next, a }];
    },
    0,
    xs,
  );
  assert.deepEqual([last.item(), sums.next.array(), sums.a.array()], [66, [11, 33, 66], [1, 2, 3]]);
  const { sum } = ops.map(({ a, b }) => ({ sum: ops.add(a, b) }), xs);
  assert.deepEqual(sum.array(), [11, 22, 33]);
  const combined = ops.associativeScan(
    (p, q) => ({ a: ops.add(p.a, q.a), b: largest(p.b, q.b) }),
    xs,
  );
  assert.deepEqual(
    [combined.a.array(), combined.b.array()],
    [
      [1, 3, 6],
      [10, 20, 30],
    ],
  );
});

test('a function of a graph may not use other symbolic tensors', () => {
  const input = Input({ batchShape: [null, 3] });
  const other = Input({ batchShape: [null, 3] });
  assert.throws(
    () => ops.map((row) => ops.add(row, ops.sum(other)), input),
    (error) =>
      error instanceof mf.UnsupportedError && /not one of its arguments/.test(error.message),
  );
});
