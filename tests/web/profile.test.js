// SPDX-License-Identifier: MIT
// model.profile() reports the cost of each layer, as rows and as a table.
import assert from 'node:assert/strict';
import { before, test } from 'node:test';
import * as mf from '../../dist/index.js';
import { collectGarbage } from '../support/garbage.js';
import { live } from '../support/watch.js';

before(() => mf.ready({ onMaskDropped: 'silent' }));

const { Input, layers, Model, ops, Sequential, tensor } = mf;
const zeros = (shape) => tensor(new Float32Array(shape.reduce((a, b) => a * b, 1)), { shape });

test('rows list the layers in order, with time, operations and shares', async () => {
  const model = new Sequential([
    Input({ shape: [null, 16] }),
    layers.lstm({ units: 32, returnSequences: true }),
    layers.gru({ units: 24 }),
    layers.dense({ units: 8 }),
  ]);
  const { rows, total } = await model.profile(zeros([4, 10, 16]), { repeats: 3 });
  assert.deepEqual(
    rows.map(({ className, depth }) => [className, depth]),
    [
      ['LSTM', 0],
      ['GRU', 0],
      ['Dense', 0],
    ],
  );
  assert.deepEqual(
    rows.map(({ layer }) => layer),
    model.layers.map(({ name }) => name),
  );
  assert.deepEqual(
    rows.map(({ flops }) => flops),
    // The four rows begin with zero states, which are not multiplied.
    [2 * 4 * 32 * (40 * 16 + 36 * 32), 2 * 3 * 24 * (40 * 32 + 36 * 24), 2 * 4 * 24 * 8],
  );
  assert.equal(
    total.flops,
    rows.reduce((sum, { flops }) => sum + flops, 0),
  );
  for (const row of [...rows, total]) {
    assert.ok(row.milliseconds > 0 && row.share > 0 && row.share <= 1, JSON.stringify(row));
    assert.ok(Math.abs(row.gflops - row.flops / row.milliseconds / 1e6) < 1e-9);
    assert.equal(row.kept, 1);
  }
  assert.ok(rows.reduce((sum, { milliseconds }) => sum + milliseconds, 0) <= total.milliseconds);
  assert.equal(total.path, model.name);
  assert.equal(rows[0].path, `${model.name}/${rows[0].layer}`);
});

test('operations are counted beyond 32 bits', async () => {
  const model = new Sequential([Input({ shape: [512] }), layers.dense({ units: 2048 })]);
  const { total } = await model.profile(zeros([4096, 512]), { repeats: 1 });
  assert.equal(total.flops, 2 * 2 ** 32);
});

test('a mask reduces the kept share and the operations', async () => {
  const model = new Sequential([
    Input({ shape: [null], dtype: 'int32' }),
    layers.embedding({ inputDim: 50, outputDim: 8, maskZero: true }),
    layers.timeDistributed({ layer: layers.dense({ units: 8 }) }),
    layers.lstm({ units: 16 }),
  ]);
  const ids = [
    [1, 2, 3, 4],
    [5, 0, 0, 0],
  ];
  const [, dense, lstm] = (await model.profile(ids)).rows;
  assert.equal(dense.kept, 5 / 8);
  assert.equal(dense.flops, 2 * 8 * 8 * 8);
  assert.equal(lstm.kept, 5 / 8);
  assert.equal(lstm.flops, 2 * 4 * 16 * (5 * 8 + 3 * 16));
});

test('attention and convolutions are counted, and inner layers have their own rows', async () => {
  const x = Input({ shape: [null, 8] });
  const inner = new Sequential([
    Input({ shape: [null, 8] }),
    layers.conv1D({ filters: 8, kernelSize: 3, padding: 'same' }),
    layers.depthwiseConv1D({ kernelSize: 3, padding: 'same' }),
  ]);
  const mha = layers.multiHeadAttention({ numHeads: 2, keyDim: 4 });
  const y = inner.apply(x);
  const model = new Model({ inputs: x, outputs: mha.apply({ query: y, value: y }) });
  const { rows } = await model.profile(zeros([2, 6, 8]));
  const of = (name) => rows.find(({ className }) => className === name);
  assert.equal(of('Conv1D').depth, 1);
  assert.equal(of('Conv1D').flops, 2 * 12 * 3 * 8 * 8);
  assert.equal(of('DepthwiseConv1D').flops, 2 * 12 * 3 * 8);
  assert.equal(of('Sequential').flops, of('Conv1D').flops + of('DepthwiseConv1D').flops);
  // Counts the projections of query, key, value and result, and the scores and weighted sums of 2
  // heads of 4 units.
  assert.equal(of('MultiHeadAttention').flops, 4 * 2 * 12 * 8 * 8 + 2 * (2 * 2 * 2 * 36 * 4));
});

test('prints as a table', async () => {
  const model = new Sequential([
    Input({ shape: [null, 4] }),
    layers.gru({ units: 4, name: 'reader' }),
  ]);
  const text = String(await model.profile(zeros([1, 3, 4]), { mask: [[true, true, false]] }));
  const [head, , row] = text.split('\n');
  assert.match(head, /^Layer \(type\) +ms +% +MFLOP +GFLOP\/s +kept$/);
  assert.match(row, /^reader \(GRU\) +\d+\.\d{3} +\d+\.\d +\d+\.\d\d +\d+\.\d +67 %$/);
});

test('custom layers and models have rows too', async () => {
  class Twice extends mf.Layer {
    call(x) {
      return ops.multiply(x, 2);
    }
  }
  const model = new Sequential([Input({ shape: [null, 4] }), new Twice({ name: 'twice' })]);
  const [row] = (await model.profile(zeros([1, 3, 4]))).rows;
  assert.deepEqual([row.layer, row.className, row.flops], ['twice', 'Twice', 0]);
});

test('memory is freed, errors are rethrown, and later calls are not timed', async () => {
  const model = new Sequential([Input({ shape: [null, 4] }), layers.gru({ units: 4 })]);
  const x = zeros([1, 3, 4]);
  const invalid = zeros([1, 3, 5]);
  model.predict(x).dispose();
  await collectGarbage();
  const start = live();
  await model.profile(x);
  await assert.rejects(model.profile(invalid), { name: 'ShapeError', message: /5/ });
  for (const repeats of [0, 1.5, '3']) {
    await assert.rejects(model.profile(x, { repeats }), {
      name: 'ValueError',
      message: /repeats is/,
    });
  }
  model.predict(x).dispose();
  assert.deepEqual(live(), start);
});
