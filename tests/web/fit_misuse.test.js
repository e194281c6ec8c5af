// SPDX-License-Identifier: MIT
// Losses and batches that cannot train a model, and masks that are dropped on the way.
import assert from 'node:assert/strict';
import { before, test } from 'node:test';
import * as mf from '../../dist/train.js';
import { compiledModel, line, assertRefused, rowsOf, sgd, warnings } from '../support/train.js';

before(() => mf.ready());

const { layers, tensor } = mf;
const data = line(4);

test('losses without gradients or of a wrong type are refused', async () => {
  const { ops } = mf;
  const scalar = () => tensor([1]);
  for (const [loss, pattern] of [
    [
      () => ops.mean(scalar()),
      /none of 1 variables has a gradient; compute the loss from at least one/,
    ],
    [
      (yTrue) => ops.square(yTrue),
      /none of 1 variables has a gradient; compute the loss from at least one/,
    ],
    [
      (_, yPred) => tensor([...yPred.data()]),
      /none of 1 variables has a gradient; compute the loss from at least one/,
    ],
    [() => undefined, /the result of a custom loss is undefined but must be a tensor/],
    [() => 3, /custom loss is 3/],
    [async () => scalar(), /custom loss is a Promise \(await it first\)/],
  ]) {
    const model = compiledModel({ compile: { loss } });
    await assertRefused(
      model,
      () => mf.tidy(() => model.fit(data.x, data.y)),
      'ValueError',
      pattern,
    );
  }
});

test('options that are not objects are refused', async () => {
  const model = compiledModel();
  for (const options of [null, 'mse', 3, ['mse']]) {
    for (const name of ['evaluate', 'fit', 'trainOnBatch', 'testOnBatch']) {
      await assert.rejects(async () => model[name](data.x, data.y, options), {
        name: 'ValueError',
        message: /the options are .* but must be an object { \w+: … }, or left out/,
      });
    }
  }
});

test('batches without rows, and invalid iterators, are refused', async () => {
  const model = compiledModel();
  const emptyBatch = [mf.tensor([], { shape: [0, 1] }), mf.tensor([], { shape: [0, 1] })];
  for (const run of [
    () => model.fit(...emptyBatch),
    () => model.fit(() => [emptyBatch]),
    () => model.fit(data.x, data.y, { validationData: emptyBatch }),
    () => model.fit(data.x, data.y, { validationData: () => [emptyBatch] }),
    () => model.trainOnBatch(...emptyBatch),
    () => model.testOnBatch(...emptyBatch),
  ]) {
    await assert.rejects(run(), (error) => /no rows; give one or more/.test(error.message));
  }
  const invalidIterable = { [Symbol.iterator]: () => ({}) };
  await assertRefused(
    model,
    () => model.fit(invalidIterable),
    'ValueError',
    /an object but must be .*next\(\)/,
  );
});

test('a dropped mask causes one warning per layer, whatever follows', async () => {
  await mf.ready({ onMaskDropped: 'warn' });
  const model = new mf.Sequential([
    layers.masking(),
    layers.permute({ dims: [2, 1], name: 'turned' }),
    layers.masking(),
    layers.permute({ dims: [2, 1], name: 'back' }),
    layers.gru({ units: 1 }),
  ]);
  model.compile({ optimizer: sgd(), loss: 'mse' });
  const x = tensor(rowsOf(8, 6), { shape: [8, 3, 2] });
  const y = rowsOf(8);
  const options = { batchSize: 2, epochs: 2, validationSplit: 0.25 };
  const dropsIn = async (f) => (await warnings(f)).map((text) => /layer '(\w+)'/.exec(text)?.[1]);
  const layerNames = ['turned', 'back'];
  assert.deepEqual(await dropsIn(() => model.fit(x, y, options)), layerNames);
  assert.deepEqual(await dropsIn(() => model.fit(x, y, options)), [], 'in another fit');
  const onBatches = async () => {
    for (let i = 0; i < 3; i++) await model.trainOnBatch(x, y);
  };
  assert.deepEqual(await dropsIn(onBatches), [], 'fit has already warned');
  model.compile({ optimizer: sgd(), loss: 'mse' });
  assert.deepEqual(await dropsIn(onBatches), [], 'after another compile');
  assert.deepEqual(await dropsIn(() => model.evaluate(x, y, { batchSize: 2 })), []);
  const copy = mf.Sequential.fromConfig(model.getConfig());
  copy.compile({ optimizer: sgd(), loss: 'mse' });
  assert.deepEqual(await dropsIn(() => copy.evaluate(x, y, { batchSize: 2 })), layerNames);
  await mf.ready({ onMaskDropped: 'silent' });
  assert.deepEqual(await dropsIn(() => model.fit(x, y, options)), []);
  await mf.ready({ onMaskDropped: 'error' });
  const refusing = () => model.fit(x, y, options);
  await assertRefused(model, refusing, 'ValueError', /'turned'.*does not support masking/);
  await mf.ready({ onMaskDropped: 'warn' });
});
