// SPDX-License-Identifier: MIT
// Layers of PyTorch's files are trained by maskflow/train, and saved with their new weights.
import assert from 'node:assert/strict';
import { before, test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { readTorch } from '../../dist/torch.js';
import * as mf from '../../dist/train.js';

before(() => mf.ready({ seed: 3, onMaskDropped: 'silent' }));

const path = fileURLToPath(
  new URL('../fixtures/torch/cases/classifier-11-0/model.pth', import.meta.url),
);

async function classifier() {
  const file = await readTorch(path);
  return new mf.Sequential([
    mf.Input({ shape: [null], dtype: 'int32' }),
    file.layer('embedding', { maskZero: true }),
    file.layer('rnn', { returnSequences: false, dropout: 0.1 }),
    file.layer('fc', { activation: 'sigmoid' }),
  ]);
}

const ids = () =>
  mf.padSequences(
    Array.from({ length: 24 }, (_, i) =>
      Array.from({ length: 1 + (i % 5) }, (_, t) => 1 + ((i + t) % 20)),
    ),
    { padding: 'post' },
  );
const targets = Float32Array.from({ length: 24 }, (_, i) => Number(i % 5 > 2));

test('fit lowers the loss of a .pth, and the saved model has its numbers', async () => {
  const model = await classifier();
  model.compile({
    optimizer: mf.optimizers.adam({ learningRate: 0.02 }),
    loss: 'binary_crossentropy',
  });
  const y = mf.tensor(targets, { shape: [24, 1] });
  const { history } = await model.fit(ids(), y, { epochs: 12, seed: 1, verbose: 0 });
  assert.ok(history.loss.at(-1) < 0.7 * history.loss[0], `${history.loss}`);
  const saved = await mf.loadModel(await model.save());
  assert.deepEqual(saved.predict(ids()).array(), model.predict(ids()).array());
});

test('streams and 8 bits follow', async () => {
  const model = await classifier();
  const stream = model.stream();
  const row = [5, 6, 7];
  const last = row.map((id) => stream.step([[id]]).array()).at(-1);
  const whole = model.predict([row]).array();
  assert.ok(Math.abs(last[0][0] - whole[0][0]) < 1e-6, `${last} ${whole}`);
  await model.quantize('int8');
  assert.ok(Math.abs(model.predict([row]).array()[0][0] - whole[0][0]) < 0.05);
});
