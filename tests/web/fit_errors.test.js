// SPDX-License-Identifier: MIT
// compile and fit refuse wrong arguments before training, and then change nothing and free all
// memory.
import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { before, test } from 'node:test';
import * as mf from '../../dist/train.js';
import {
  compiledModel,
  errors,
  leavesNothing,
  line,
  linear,
  live,
  assertRefused,
  rowsOf,
  sgd,
  warnings,
  weightsOf,
} from '../support/train.js';
import { collectGarbage } from '../support/garbage.js';

before(() => mf.ready());

const { Input, layers, Model, tensor } = mf;
const data = line(4);

test('other entries refer to maskflow/train', () => {
  const code = `
    import assert from 'node:assert/strict';
    import * as mf from './index.js';
    import * as recurrent from './recurrent.js';
    for (const entry of [recurrent, mf]) {
      await entry.ready().catch(() => {});
      const model = new entry.Sequential([entry.layers.dense({ units: 1 })]);
      const wrong = (error) => error instanceof entry.UnsupportedError && /'maskflow\\/train'/.test(error.message);
      assert.throws(() => model.compile({ loss: 'mse' }), wrong);
      await assert.rejects(model.fit([[1]], [[1]]), wrong);
      await assert.rejects(model.trainOnBatch([[1]], [[1]]), wrong);
      await assert.rejects(model.testOnBatch([[1]], [[1]]), wrong);
      assert.throws(() => model.optimizer, wrong);
      assert.throws(() => model.resetMetrics(), wrong);
      assert.throws(() => model.trainableVariables, wrong);
    }`;
  const cwd = new URL('../../dist/', import.meta.url);
  const { status, stderr } = spawnSync('node', ['--input-type=module', '-e', code], { cwd });
  assert.equal(status, 0, String(stderr));
});

test('fit() before compile(), and of a disposed model, is refused', async () => {
  const model = linear();
  for (const method of ['fit', 'trainOnBatch', 'testOnBatch']) {
    await assertRefused(
      model,
      () => model[method](data.x, data.y),
      'StateError',
      /not compiled; call compile/,
    );
  }
  assert.throws(() => model.optimizer, mf.StateError);
  model.dispose();
  assert.throws(() => model.compile({ loss: 'mse' }), mf.StateError);
  const disposed = compiledModel();
  disposed.dispose();
  await assert.rejects(disposed.fit(data.x, data.y), /disposed of/);
});

test('a model that is disposed of during training ends the training', async () => {
  await collectGarbage();
  const start = live();
  const model = compiledModel();
  const training = model.fit(data.x, data.y, {
    batchSize: 1,
    onBatchEnd: (batch) => batch === 1 && model.dispose(),
  });
  await assert.rejects(
    training,
    (e) => e instanceof mf.StateError && /disposed of/.test(e.message),
  );
  assert.deepEqual(live(), start);
});

test('options that are misspelt, of a wrong type or out of range are refused', async () => {
  const model = compiledModel();
  const cases = [
    [{ epoch: 3 }, 'ConfigError', /mean 'epochs'/],
    [{ batchsize: 3 }, 'ConfigError', /mean 'batchSize'/],
    [{ batchSize: 0 }, 'ValueError', /batchSize is 0/],
    [{ epochs: 1.5 }, 'ValueError', /epochs is 1.5/],
    [{ epochs: -1 }, 'ValueError', /epochs is -1/],
    [{ shuffle: 'yes' }, 'ValueError', /shuffle is 'yes'/],
    [{ seed: 0.5 }, 'ValueError', /seed is 0.5/],
    [{ validationSplit: 1 }, 'ValueError', /validationSplit is 1/],
    [{ validationSplit: 0.1 }, 'ValueError', /0.1 of 4 rows leaves 3|leaves 4|of 4 rows/],
    [{ validationFreq: 0 }, 'ValueError', /validationFreq is 0/],
    [{ validationData: 3 }, 'ValueError', /validationData is 3/],
    [{ validationData: [data.x] }, 'ValueError', /validationData/],
    [{ stepsPerEpoch: 0 }, 'ValueError', /stepsPerEpoch is 0/],
    [{ onNaN: 'end' }, 'ValueError', /onNaN is 'end'/],
    [{ verbose: true }, 'ValueError', /verbose is true/],
    [{ signal: {} }, 'ValueError', /signal is an object/],
    [{ classWeight: [1, 2] }, 'ValueError', /classWeight is a list/],
    [{ classWeight: { a: 1 } }, 'ValueError', /'a'/],
    [{ classWeight: { 0: 'x' } }, 'ValueError', /class 0 is 'x'/],
    [{ classWeight: { 0: Number.NaN } }, 'ValueError', /class 0 is NaN/],
    [{ classWeight: { 0: 1 }, sampleWeight: [1, 1, 1, 1] }, 'ValueError', /both/],
    [{ onBatchEnd: 3 }, 'ValueError', /onBatchEnd is 3/],
    [3, 'ValueError', /options are 3/],
  ];
  for (const [options, kind, pattern] of cases.filter(([o]) => o.validationSplit !== 0.1)) {
    await assertRefused(model, () => model.fit(data.x, data.y, options), kind, pattern);
  }
  await assertRefused(
    model,
    () => model.fit([[1], [2]], [[1], [2]], { validationSplit: 0.9 }),
    'ValueError',
    /0.9 of 2 rows leaves 0 to train on and 2/,
  );
});

const named = (className, config) => ({ class_name: className, config });
const decay = (rate) =>
  named('ExponentialDecay', { initial_learning_rate: rate, decay_steps: 2, decay_rate: 0.5 });

test('compile refuses unknown names and options, and invalid numbers', async () => {
  const model = linear();
  for (const [options, kind, pattern] of [
    [{ optimiser: 'sgd' }, 'ConfigError', /mean 'optimizer'/],
    [{ metrics: 'mae' }, 'ConfigError', /metrics is 'mae'.*list/],
    [{ loss: 3 }, 'ValueError', /a loss is 3/],
    [{ loss: 'msee' }, 'ConfigError', /no loss 'msee'/],
    [{ loss: 'mse', metrics: ['acuracy'] }, 'ConfigError', /no metric 'acuracy'/],
    [{ loss: { class_name: 'Huber', config: { dleta: 1 } } }, 'ConfigError', /dleta/],
    [{ lossWeights: Number.NaN }, 'ConfigError', /lossWeights is NaN but must be a finite number/],
    [{ lossWeights: 1e308 }, 'ConfigError', /lossWeights is 1e\+308.*float32/],
    [{ lossWeights: '1' }, 'ConfigError', /lossWeights is '1'/],
    [{ lossWeights: [1, -1e39] }, 'ConfigError', /lossWeights\[1\] is -1e\+39/],
    [{ lossWeights: { out: true } }, 'ConfigError', /lossWeights\[out\] is true/],
    ...[Number.NaN, Number.POSITIVE_INFINITY, 1e39].flatMap((value) => [
      [{ optimizer: named('Adam', { beta_1: value }) }, 'ConfigError', /Adam: 'beta_1' is/],
      [{ optimizer: named('SGD', { clipnorm: value }) }, 'ConfigError', /SGD: 'clipnorm' is/],
      [{ optimizer: named('SGD', { learning_rate: decay(value) }) }, 'ConfigError', /rate' is/],
      [{ loss: named('Huber', { delta: value }) }, 'ConfigError', /Huber: 'delta' is/],
      [{ metrics: [named('AUC', { thresholds: [value] })] }, 'ConfigError', /AUC: 'thresholds' is/],
    ]),
  ]) {
    assert.throws(
      () => model.compile(options),
      (error) => error instanceof errors[kind] && pattern.test(error.message),
    );
  }
  for (const [options, kind, pattern] of [
    [{ loss: { aut: 'mse' } }, 'ValueError', /no output 'aut'; the outputs are out/],
    [{}, 'ValueError', /training needs a loss/],
    [{ loss: 'mse', lossWeights: [1, 2] }, 'ValueError', /2 lossWeights but 1 output/],
  ]) {
    const fresh = linear();
    fresh.compile({ optimizer: sgd(), ...options });
    await assertRefused(fresh, () => fresh.fit(data.x, data.y), kind, pattern);
  }
});

test('data with wrong rows, shapes or ranks, or none, is refused', async () => {
  const model = compiledModel();
  const cases = [
    [data.x, data.y.slice(1), {}, 'ShapeError', /x has 4 rows but y has 3/],
    [data.x, data.y, { sampleWeight: [1, 2] }, 'ShapeError', /sampleWeight has 2/],
    [[], [], {}, 'MaskflowError', /no rows|x/],
    [data.x, undefined, {}, 'ValueError', /no targets for the output 'out'/],
    [undefined, data.y, {}, 'ValueError', /./],
    [3, 3, {}, 'ShapeError', /x is a single number/],
    [
      [
        [1, 2],
        [3, 4],
        [5, 6],
        [7, 8],
      ],
      data.y,
      {},
      'ShapeError',
      /./,
    ],
    [
      data.x,
      data.y,
      {
        sampleWeight: [
          [1, 2],
          [1, 2],
          [1, 2],
          [1, 2],
        ],
      },
      'ShapeError',
      /output 'out'.*\(4, 2\)/,
    ],
    [
      data.x,
      data.y,
      { validationData: [data.x, data.y.slice(1)] },
      'ShapeError',
      /4 rows but y has 3/,
    ],
    [[['a']], [[1]], {}, 'ValueError', /./],
    [data.x, [[1], [2], [3, 4], [5]], {}, 'ShapeError', /rows differ/],
  ];
  for (const [x, y, options, kind, pattern] of cases) {
    await assertRefused(model, () => model.fit(x, y, options), kind, pattern);
  }
  const targets = rowsOf(4, 3);
  const categorical = compiledModel({
    layer: { units: 2 },
    compile: { loss: 'categorical_crossentropy' },
  });
  await assertRefused(
    categorical,
    () => categorical.fit(data.x, targets),
    'ShapeError',
    /output 'out'/,
    /3/,
    /2/,
  );
});

test('validation data is checked before the first batch', async () => {
  const model = compiledModel({ compile: { weightedMetrics: ['mae'] } });
  const validationData = [
    data.x,
    data.y,
    [
      [1, 2],
      [1, 2],
      [1, 2],
      [1, 2],
    ],
  ];
  let batches = 0;
  const options = { validationData, onBatchBegin: () => batches++ };
  await assertRefused(
    model,
    () => model.fit(data.x, data.y, options),
    'ShapeError',
    /output 'out'/,
  );
  assert.equal(batches, 0);
});

test('with several outputs, missing and unknown ones are named', async () => {
  const input = Input({ shape: [1] });
  const dense = (name) => layers.dense({ units: 1, name }).apply(input);
  const model = new Model({ inputs: input, outputs: [dense('a'), dense('b')] });
  model.compile({ optimizer: sgd(), loss: 'mse' });
  const { x, y } = data;
  const fit = (targets, options = {}, choices = {}) => {
    model.compile({ optimizer: sgd(), loss: 'mse', metrics: [], ...choices });
    model.optimizer.build(model.trainableVariables);
    return () => model.fit(x, targets, options);
  };
  await assertRefused(model, fit({ a: y }), 'ValueError', /no targets for the output 'b'/);
  await assertRefused(
    model,
    fit([tensor(y), tensor(y.slice(1))]),
    'ShapeError',
    /y '1' has 3/,
  ).catch(() => {});
  await assertRefused(
    model,
    fit([y, y], {}, { loss: ['mse', 'mse', 'mse'] }),
    'ValueError',
    /3 losses but 2/,
  );
  await assertRefused(
    model,
    fit([y, y], {}, { metrics: ['mae'] }),
    'ValueError',
    /1 entries but there are 2/,
  );
  await assertRefused(
    model,
    fit([y, y], { classWeight: { 0: 1 } }),
    'ValueError',
    /classWeight needs one/,
  );
  model.compile({ optimizer: sgd(), loss: { b: 'mse' }, metrics: [] });
  const { history } = await model.fit(x, { b: y });
  assert.deepEqual(Object.keys(history), ['loss']);
});

test('labels outside the classes are refused', async () => {
  const layer = { units: 3, activation: 'softmax' };
  for (const loss of ['sparse_categorical_crossentropy', 'crossentropy']) {
    const model = compiledModel({ layer, compile: { loss } });
    for (const [labels, label] of [
      [[0, 1, 3, 0], 3],
      [[0, -1, 1, 0], -1],
    ]) {
      const patterns = [/output 'out'/, new RegExp(`class ${label} but y_pred has 3 classes`)];
      await assertRefused(model, () => model.fit(data.x, labels), 'ValueError', ...patterns);
      await assertRefused(
        model,
        () => model.trainOnBatch(data.x, labels),
        'ValueError',
        ...patterns,
      );
      const batches = () => [[data.x, labels]];
      await assertRefused(model, () => model.fit(batches), 'ValueError', ...patterns);
      // The wrong label is in a later batch, and is found before that batch is trained on.
      const train = () => model.fit(data.x, labels, { batchSize: 1 });
      const pattern = new RegExp(`label ${label} .*classes, 0 to 2`);
      await assertRefused(model, train, 'ValueError', /output 'out'/, pattern);
    }
    await model.fit(data.x, [0, 1, 2, 0]);
  }
  const ignoring = { class_name: 'SparseCategoricalCrossentropy', config: { ignore_class: -1 } };
  const model = compiledModel({ layer, compile: { loss: ignoring } });
  await model.fit(data.x, [0, -1, 2, 0], { batchSize: 1 });
});

test('a loss that does not fit the last activation causes one warning', async () => {
  const labels = [0, 1, 1, 0];
  const fit = (activation, loss) =>
    warnings(async () => {
      const model = compiledModel({ layer: { units: 2, activation }, compile: { loss } });
      await model.fit(data.x, labels, { epochs: 2 });
    });
  const logits = {
    class_name: 'SparseCategoricalCrossentropy',
    config: { from_logits: true },
  };
  assert.deepEqual(await fit('softmax', 'scce'), []);
  assert.deepEqual(await fit('linear', logits), []);
  const messages = await fit('softmax', logits);
  assert.equal(messages.length, 1);
  assert.match(messages[0], /output 'out' expects logits.*softmax returns probabilities/);
  const noActivation = await fit('linear', 'sparse_categorical_crossentropy');
  assert.equal(noActivation.length, 1);
  assert.match(noActivation[0], /expects probabilities.*no activation/);
});

test('a second fit() and compile() during training are refused', async () => {
  const model = compiledModel();
  const training = model.fit(data.x, data.y, { epochs: 20 });
  await assert.rejects(
    model.fit(data.x, data.y),
    (e) => e instanceof mf.StateError && /await/.test(e.message),
  );
  assert.throws(() => model.compile({ loss: 'mse' }), mf.StateError);
  assert.equal((await training).epoch.length, 20);
  await model.fit(data.x, data.y);
  model.compile({ optimizer: sgd(), loss: 'mae' });
});

test('NaN is ignored, causes one warning, or ends training', async () => {
  const y = data.y.map(([value], i) => [i === 2 ? Number.NaN : value]);
  const options = { batchSize: 1, shuffle: false, epochs: 2 };
  const ignoringModel = compiledModel();
  assert.deepEqual(await warnings(() => ignoringModel.fit(data.x, y, options)), []);
  const messages = await warnings(() =>
    compiledModel().fit(data.x, y, { ...options, onNaN: 'warn' }),
  );
  assert.equal(messages.length, 1);
  assert.match(messages[0], /loss is NaN in batch 2 of epoch 0/);
  const stoppingModel = compiledModel();
  let weights;
  const training = stoppingModel.fit(data.x, y, {
    ...options,
    onNaN: 'stop',
    onBatchEnd: () => {
      weights = weightsOf(stoppingModel);
    },
  });
  await assert.rejects(
    training,
    (e) => e instanceof mf.ValueError && /NaN in batch 2/.test(e.message),
  );
  assert.deepEqual(weightsOf(stoppingModel), weights);
  assert.ok(Number.isFinite(weights[0][0]));
});

test('an error of a callback, loss or iterable is rethrown, and all memory is freed', async () => {
  const model = compiledModel();
  weightsOf(model);
  const userError = new Error('mine');
  const fail = () => {
    throw userError;
  };
  const runs = [
    () => model.fit(data.x, data.y, { onBatchEnd: fail }),
    () => model.fit(data.x, data.y, { onEpochEnd: async () => fail() }),
    () => model.fit(data.x, data.y, { callbacks: [{ onTrainBegin: fail }] }),
    () => model.fit(data.x, data.y, { callbacks: [{ onTrainEnd: fail }] }),
    () => model.fit(fail),
    () =>
      model.fit(function* () {
        yield [data.x, data.y];
        fail();
      }),
    () =>
      model.fit(async function* () {
        yield [data.x, data.y];
        fail();
      }),
  ];
  for (const run of runs) {
    await leavesNothing(() => assert.rejects(run(), (error) => error === userError));
  }
  model.compile({ optimizer: sgd(), loss: fail });
  model.optimizer.build(model.trainableVariables);
  await leavesNothing(() =>
    assert.rejects(model.fit(data.x, data.y), (error) => error === userError),
  );
  for (const batches of [
    () => 3,
    () => [3],
    () => [[]],
    () => [[1, 2]],
    () => [[data.x, data.y, 1, 2]],
  ]) {
    const model = compiledModel();
    await leavesNothing(() =>
      assert.rejects(model.fit(batches), (error) => error instanceof mf.MaskflowError),
    );
  }
});

test('a callback may not train the same model, but may evaluate it', async () => {
  const model = compiledModel();
  const errorNames = [];
  const { history } = await model.fit(data.x, data.y, {
    batchSize: 2,
    onBatchEnd: async () => {
      await model.fit(data.x, data.y).catch((error) => errorNames.push(error.name));
    },
  });
  assert.deepEqual(errorNames, ['StateError', 'StateError']);
  const undisturbedModel = compiledModel();
  const expected = await undisturbedModel.fit(data.x, data.y, { batchSize: 2, shuffle: false });
  const evaluatedModel = compiledModel();
  const actual = await evaluatedModel.fit(data.x, data.y, {
    batchSize: 2,
    shuffle: false,
    onBatchEnd: () => evaluatedModel.evaluate(data.x, data.y) && undefined,
  });
  assert.deepEqual(actual.history, expected.history);
  assert.equal(history.loss.length, 1);
});
