// SPDX-License-Identifier: MIT
// Losses and batches that nothing can be trained by, and masks that are dropped on the way.
import assert from 'node:assert/strict';
import { before, test } from 'node:test';
import * as mf from '../../dist/train.js';
import { compiled, line, refused, rowsOf, sgd, warnings } from '../support/train.js';

before(() => mf.ready());

const { layers, tensor } = mf;
const data = line(4);

test('losses that nothing can be trained by', async () => {
  const { ops } = mf;
  const one = () => tensor([1]);
  for (const [loss, pattern] of [
    [() => ops.mean(one()), /no variable has a gradient/],
    [(yTrue) => ops.square(yTrue), /no variable has a gradient/],
    [(_, yPred) => tensor([...yPred.data()]), /no variable has a gradient/],
    [() => undefined, /a loss of your own gives is undefined but must be a tensor/],
    [() => 3, /gives is 3/],
    [async () => one(), /gives is a Promise \(await it first\)/],
  ]) {
    const model = compiled({ compile: { loss } });
    await refused(model, () => mf.tidy(() => model.fit(data.x, data.y)), 'ValueError', pattern);
  }
});

test('options that are none', async () => {
  const model = compiled();
  for (const options of [null, 'mse', 3, ['mse']]) {
    for (const name of ['evaluate', 'fit', 'trainOnBatch', 'testOnBatch']) {
      await assert.rejects(async () => model[name](data.x, data.y, options), {
        name: 'ValueError',
        message: /the options is .* but must be an object, or left out/,
      });
    }
  }
});

test('batches without rows, and iterators that are none', async () => {
  const model = compiled();
  const none = [mf.tensor([], { shape: [0, 1] }), mf.tensor([], { shape: [0, 1] })];
  for (const run of [
    () => model.fit(...none),
    () => model.fit(() => [none]),
    () => model.fit(data.x, data.y, { validationData: none }),
    () => model.fit(data.x, data.y, { validationData: () => [none] }),
    () => model.trainOnBatch(...none),
    () => model.testOnBatch(...none),
  ]) {
    await assert.rejects(run(), (error) => /no rows; give one or more/.test(error.message));
  }
  const wrong = { [Symbol.iterator]: () => ({}) };
  await refused(model, () => model.fit(wrong), 'ValueError', /an object but must be .*next\(\)/);
});

test('a dropped mask is warned of once a layer, in each fit', async () => {
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
  const dropped = async (f) => (await warnings(f)).map((text) => /layer '(\w+)'/.exec(text)?.[1]);
  const both = ['turned', 'back'];
  assert.deepEqual(await dropped(() => model.fit(x, y, options)), both);
  assert.deepEqual(await dropped(() => model.fit(x, y, options)), both, 'in another fit');
  const onBatches = async () => {
    for (let i = 0; i < 3; i++) await model.trainOnBatch(x, y);
  };
  assert.deepEqual(await dropped(onBatches), [], 'fit has said it');
  model.compile({ optimizer: sgd(), loss: 'mse' });
  assert.deepEqual(await dropped(onBatches), both);
  assert.deepEqual(await dropped(() => model.evaluate(x, y, { batchSize: 2 })), both);
  const lost = () => model.fit([[[Number.NaN, 1]]], [[1]], { onNaN: 'warn', epochs: 2 });
  const said = await warnings(lost);
  assert.equal(said.filter((text) => /support masking/.test(text)).length, 2, said.join('\n'));
  await mf.ready({ onMaskDropped: 'silent' });
  assert.deepEqual(await dropped(() => model.fit(x, y, options)), []);
  await mf.ready({ onMaskDropped: 'error' });
  const refusing = () => model.fit(x, y, options);
  await refused(model, refusing, 'ValueError', /'turned'.*does not support masking/);
  await mf.ready({ onMaskDropped: 'warn' });
});
