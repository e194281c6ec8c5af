// SPDX-License-Identifier: MIT
// What files have of the training of a model: written as Keras writes it, refused where it does not fit.
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { before, describe, test } from 'node:test';
import { unzipSync, zipSync } from 'fflate';
import * as mf from '../../dist/train.js';

before(() => mf.ready());

/** What the package printed meanwhile. */
async function warnings(run) {
  const said = [];
  const { warn } = console;
  console.warn = (message) => said.push(String(message));
  try {
    await run();
  } finally {
    console.warn = warn;
  }
  return said;
}

const { layers, optimizers } = mf;
const x = [[1, 2, 3, 0]];
const dense = () => new mf.Sequential([mf.Input({ shape: [4] }), layers.dense({ units: 2 })]);

async function trained(options, model = dense()) {
  model.compile({ optimizer: 'adam', loss: 'mse', ...options });
  await model.fit(mf.tensor(x), mf.tensor([[1, 0]]));
  return model;
}

const configIn = (bytes) => JSON.parse(new TextDecoder().decode(unzipSync(bytes)['config.json']));
/** The file with another compile configuration. */
function edited(bytes, edit) {
  const files = unzipSync(bytes);
  const config = configIn(bytes);
  const given = edit(config.compile_config);
  if (given !== undefined) config.compile_config = given;
  const text = typeof given === 'symbol' ? '' : JSON.stringify(config);
  return zipSync({ ...files, 'config.json': new TextEncoder().encode(text) }, { level: 0 });
}

const inner = () => optimizers.adam({ learningRate: 0.01 });
describe('every optimizer goes on with the same bits', () => {
  const data = () => [mf.tensor([...x, [0, 1, 0, 1]]), mf.tensor([...[[1, 0]], [0, 3]])];
  const bits = (model) =>
    [...model.getWeights(), ...model.optimizer.getWeights()].map((one) => one.array());
  const schedule = {
    class_name: 'CosineDecay',
    config: { initial_learning_rate: 0.1, decay_steps: 9 },
  };
  const names = Object.keys(optimizers).filter(
    (name) => !/^(deserialize|get|serialize)$/.test(name),
  );
  assert.ok(names.length > 13);
  const settings = {
    plain: {},
    'a schedule, averages and accumulation': {
      learningRate: schedule,
      useEma: true,
      emaOverwriteFrequency: 2,
      gradientAccumulationSteps: 2,
      weightDecay: 0.01,
      clipnorm: 1,
    },
  };
  for (const name of names) {
    for (const [title, own] of Object.entries(settings)) {
      if (name === 'lossScaleOptimizer' && title !== 'plain') continue;
      test(`${name}, ${title}`, async () => {
        const given = name === 'lossScaleOptimizer' ? { innerOptimizer: inner() } : own;
        const model = dense();
        model.compile({ optimizer: optimizers[name](given), loss: 'mse' });
        for (let i = 0; i < 3; i++) await model.trainOnBatch(...data());
        const loaded = await mf.loadModel(await model.save());
        assert.equal(loaded.optimizer.className, model.optimizer.className);
        assert.deepEqual(bits(loaded), bits(model));
        for (let i = 0; i < 3; i++) {
          await model.trainOnBatch(...data());
          await loaded.trainOnBatch(...data());
        }
        assert.deepEqual(bits(loaded), bits(model));
      });
    }
  }
});

describe('what no file can hold', () => {
  function ownLoss(yTrue, yPred) {
    return mf.ops.absolute(mf.ops.subtract(yTrue, yPred));
  }
  test('a loss that is a function of the user: one warning, no compile configuration', async () => {
    const model = await trained({ loss: ownLoss });
    const said = await warnings(async () => {
      await model.save();
      assert.deepEqual(configIn(await model.save()).compile_config, {});
    });
    assert.equal(said.length, 1);
    assert.match(said[0], /the loss 'ownLoss' is a function of yours/);
    const loaded = await mf.loadModel(await model.save());
    assert.throws(() => loaded.optimizer, mf.StateError);
  });
  test('a metric that is one', async () => {
    const named = new mf.Metric(ownLoss, { name: 'mine' });
    for (const metric of [named, ownLoss]) {
      const model = await trained({ metrics: [metric] });
      const [said] = await warnings(() => model.save());
      assert.match(said, /the metric '(mine|ownLoss)' is a function of yours/);
    }
  });
  for (const [title, make] of [
    ['an optimizer', (learningRate) => optimizers.adam({ learningRate })],
    [
      'an optimizer inside another',
      (learningRate) =>
        optimizers.lossScaleOptimizer({ innerOptimizer: optimizers.adam({ learningRate }) }),
    ],
  ]) {
    test(`a function as learning rate of ${title}: the number that it gives now`, async () => {
      const model = await trained({ optimizer: make((step) => 0.5 / (step + 1)) });
      let bytes;
      const [said] = await warnings(async () => {
        bytes = await model.save();
      });
      assert.match(said, /the learning rate of '.*' is a function/);
      const loaded = await mf.loadModel(bytes);
      assert.equal(loaded.optimizer.learningRate, 0.25);
      assert.equal(loaded.optimizer.iterations, 1);
    });
  }
});

describe('what is left out', () => {
  test('compile: false, includeOptimizer: false', async () => {
    const model = await trained({});
    const bytes = await model.save();
    const plain = await mf.loadModel(bytes, { compile: false });
    assert.throws(() => plain.optimizer, mf.StateError);
    const small = await model.save(undefined, { includeOptimizer: false });
    assert.deepEqual(configIn(small).compile_config, {});
    assert.ok(small.length < bytes.length);
    await assert.rejects(plain.fit(mf.tensor(x), mf.tensor([[1, 0]])), mf.StateError);
    assert.equal((await mf.loadModel(small)).countParams(), 10);
  });
  test('saveWeights has no optimizer', async () => {
    const model = await trained({});
    const other = dense();
    await other.loadWeights(await model.saveWeights());
    assert.deepEqual(other.getWeights()[0].array(), model.getWeights()[0].array());
  });
  test('a model that was compiled and not trained begins anew, silently', async () => {
    const model = dense();
    model.compile({ optimizer: optimizers.adam({ learningRate: 0.5 }), loss: 'mse' });
    const bytes = await model.save();
    const said = await warnings(async () => {
      const loaded = await mf.loadModel(bytes);
      assert.equal(loaded.optimizer.learningRate, 0.5);
      assert.equal(loaded.optimizer.iterations, 0);
      await loaded.fit(mf.tensor(x), mf.tensor([[1, 0]]));
    });
    assert.deepEqual(said, []);
  });
});

describe('names that are not known', () => {
  const f = (config, registered = 'function') => ({
    module: 'builtins',
    class_name: 'function',
    config,
    registered_name: registered,
  });
  const own = { module: 'm', class_name: 'Mine', config: {}, registered_name: 'Custom>Mine' };
  const cases = {
    'a loss that is a function': [(c) => ({ ...c, loss: f('my_loss') }), /the loss 'my_loss'/],
    'a loss by name': [(c) => ({ ...c, loss: 'my_loss' }), /the loss 'my_loss'/],
    'the loss of an output': [(c) => ({ ...c, loss: { dense: own } }), /the loss 'Mine'/],
    'a metric': [(c) => ({ ...c, metrics: ['mae', 'my_metric'] }), /the metric 'my_metric'/],
    'a metric that is a class': [(c) => ({ ...c, weighted_metrics: [own] }), /the metric 'Mine'/],
    'an optimizer': [(c) => ({ ...c, optimizer: own }), /Mine/],
    'a schedule': [
      (c) => {
        c.optimizer.config.learning_rate = { class_name: 'Steps', config: {} };
      },
      /Steps/,
    ],
  };
  for (const [title, [edit, message]] of Object.entries(cases)) {
    test(`${title}: a ConfigError that names it`, async () => {
      const bytes = edited(await (await trained({ metrics: ['mae'] })).save(), edit);
      await assert.rejects(mf.loadModel(bytes), (error) => {
        assert.ok(error instanceof mf.ConfigError, `${error}`);
        assert.match(error.message, message);
        assert.match(error.message, /compile: false/);
        return true;
      });
      assert.equal((await mf.loadModel(bytes, { compile: false })).countParams(), 10);
    });
  }
  test('customObjects give them', async () => {
    const bytes = edited(await (await trained({})).save(), (c) => {
      c.loss = f('my_loss', 'Custom>my_loss');
      c.metrics = [f('my_metric'), own];
      c.optimizer = { ...own, class_name: 'MyAdam', registered_name: 'Custom>MyAdam', config: {} };
    });
    const distance = (t, p) => mf.ops.square(mf.ops.subtract(t, p));
    const customObjects = {
      my_loss: distance,
      my_metric: distance,
      'Custom>Mine': distance,
      MyAdam: () => optimizers.adam({ learningRate: 0.125 }),
    };
    const loaded = await mf.loadModel(bytes, { customObjects });
    assert.equal(loaded.optimizer.learningRate, Math.fround(0.001)); // the file's variable
    assert.equal(loaded.optimizer.iterations, 1);
    const result = loaded.evaluate(mf.tensor(x), mf.tensor([[1, 0]]));
    assert.equal(Object.keys(result).length, 3);
  });
});

/** A file of a trained model whose optimizer's variables `edit` has changed. */
async function withVariables(edit) {
  const model = await trained({});
  const { optimizer } = model;
  const variables = edit(optimizer.variables);
  Object.defineProperty(optimizer, 'variables', { value: variables });
  return model.save();
}
const numbers = (data, shape, dtype) => ({
  name: 'x',
  shape,
  dtype,
  value: { data: () => data, dispose() {} },
});

describe('variables of the optimizer that do not fit', () => {
  const replaced = (i, one) => (all) => all.with(i, one);
  const cases = {
    'one too many': [(all) => [...all, all[1]], /has 6 variables here, but 7 in the file/],
    'one too few': [(all) => all.slice(0, -1), /has 6 variables here, but 5 in the file/],
    'another shape': [
      replaced(2, numbers(new Float32Array(9), [3, 3], 'float32')),
      /has shape \[4, 2\], but the file has \[3, 3\]/,
    ],
    'the iteration as float': [replaced(0, numbers(Float32Array.of(1), [], 'float32')), /int32/],
    'the iteration below 0': [replaced(0, numbers(Int32Array.of(-4), [], 'int32')), /-4/],
    'whole numbers for a momentum': [
      replaced(2, numbers(new Int32Array(8), [4, 2], 'int32')),
      /float32, but the file has int32/,
    ],
    'yes and no': [replaced(3, numbers(new Uint8Array(8), [4, 2], 'bool')), /float32/],
  };
  for (const [title, [edit, message]] of Object.entries(cases)) {
    test(title, async () => {
      const bytes = await withVariables(edit);
      const before = mf.memory();
      await assert.rejects(mf.loadModel(bytes), (error) => {
        assert.ok(error instanceof mf.FormatError, `${error.stack}`);
        assert.match(error.message, message);
        return true;
      });
      assert.equal(mf.memory().tensors, before.tensors);
      assert.equal((await mf.loadModel(bytes, { compile: false })).countParams(), 10);
    });
  }
  test('other widths are read: int64, float64', async () => {
    const bytes = await withVariables((all) =>
      all
        .with(0, numbers(new Uint8Array(BigInt64Array.of(7n).buffer), [], 'int64'))
        .with(2, numbers(new Float64Array(8).fill(0.5), [4, 2], 'float64')),
    );
    const { optimizer } = await mf.loadModel(bytes);
    assert.equal(optimizer.iterations, 7);
    assert.equal(optimizer.getWeights()[2].array()[3][1], 0.5);
  });
  test('NaN is what it is', async () => {
    const nan = numbers(new Float32Array(8).fill(Number.NaN), [4, 2], 'float32');
    const { optimizer } = await mf.loadModel(await withVariables(replaced(2, nan)));
    assert.ok(Number.isNaN(optimizer.getWeights()[2].array()[0][0]));
  });
  test('none at all: a warning, and it begins anew', async () => {
    const bytes = await withVariables(() => []);
    const [said] = await warnings(async () => {
      assert.equal((await mf.loadModel(bytes)).optimizer.iterations, 0);
    });
    assert.match(said, /has nothing for the optimizer 'adam'/);
  });
});

describe('a compile configuration that is none', () => {
  const deep = (n) => (n === 0 ? 'mse' : [deep(n - 1)]);
  const cases = {
    text: () => 'adam',
    'a list': () => ['adam', 'mse'],
    'a number': () => 3,
    true: () => true,
    'no optimizer': (c) => ({ loss: c.loss }),
    'an optimizer that is null': (c) => ({ ...c, optimizer: null }),
    'an optimizer that is a list': (c) => ({ ...c, optimizer: [1] }),
    'an optimizer without settings': (c) => ({
      ...c,
      optimizer: { class_name: 'Adam', config: 3 },
    }),
    'a rate that is a list': (c) => {
      c.optimizer.config.learning_rate = [1];
    },
    'a rate below 0': (c) => {
      c.optimizer.config.learning_rate = 'fast';
    },
    'a loss that is a number': (c) => ({ ...c, loss: 3 }),
    'metrics that are a number': (c) => ({ ...c, metrics: 3 }),
    'a metric with settings that it has not': (c) => ({
      ...c,
      metrics: [{ class_name: 'AUC', config: { colour: 1 } }],
    }),
    'a metric with settings that are text': (c) => ({
      ...c,
      metrics: [{ class_name: 'AUC', config: 'x' }],
    }),
    'factors that are text': (c) => ({ ...c, loss_weights: ['x'] }),
    'a factor that float32 does not hold': (c) => ({ ...c, loss_weights: [1e308] }),
    'a rate that float32 does not hold': (c) => {
      c.optimizer.config.learning_rate = 1e200;
    },
    '20000 metrics': (c) => ({ ...c, metrics: Array(20_000).fill('mae') }),
    '120 lists': (c) => ({ ...c, loss: deep(120) }),
    '2000 lists': (c) => ({ ...c, loss: deep(2000) }),
    __proto__: (c) => ({ ...c, optimizer: { class_name: '__proto__', config: {} } }),
    constructor: (c) => ({ ...c, loss: 'constructor', metrics: ['toString'] }),
  };
  for (const [title, edit] of Object.entries(cases)) {
    test(title, async () => {
      const bytes = edited(await (await trained({})).save(), edit);
      let model;
      try {
        model = await mf.loadModel(bytes);
        // What is seen at the first batch alone is typed, too.
        await model.trainOnBatch(mf.tensor(x), mf.tensor([[1, 0]]));
        assert.fail('nothing was refused');
      } catch (error) {
        assert.ok(error instanceof mf.MaskflowError, `${error.stack}`);
      }
    });
  }
  const auc = (config) => ({ class_name: 'AUC', config });
  const costly = {
    metrics: Array(1001).fill('mae'),
    thresholds: Array(21).fill(auc({ num_thresholds: 100_000 })),
    'thresholds ': [auc({ num_thresholds: 50_000, multi_label: true, num_labels: 41 })],
    'thresholds  ': Array(2).fill({ class_name: 'MeanIoU', config: { num_classes: 1024 } }),
  };
  for (const [limit, metrics] of Object.entries(costly)) {
    test(`limits.${limit} counts what metrics cost, and can be raised`, async () => {
      const bytes = edited(await (await trained({})).save(), (c) => ({ ...c, metrics }));
      const name = limit.trim();
      const message = new RegExp(`more than the \\d+ that limits\\.${name} allows.*raise it`);
      const refused = (error) => error instanceof mf.FormatError && message.test(error.message);
      await assert.rejects(mf.loadModel(bytes), refused);
      const model = await mf.loadModel(bytes, { limits: { [name]: 1e7 } });
      assert.equal(model.optimizer.className, 'Adam');
    });
  }
  test('null and {} are models that are not compiled', async () => {
    for (const none of [null, {}]) {
      const bytes = edited(await (await trained({})).save(), () => none);
      const model = await mf.loadModel(bytes);
      assert.throws(() => model.optimizer, mf.StateError);
    }
  });
});

describe('the .h5 of Keras 3', () => {
  const folder = new URL('../fixtures/training/legacy/', import.meta.url);
  const bytes = () => new Uint8Array(readFileSync(new URL('rmsprop.h5', folder)));
  test('goes on as Keras does', async () => {
    const recording = JSON.parse(readFileSync(new URL('rmsprop.json', folder), 'utf8'));
    const model = await mf.loadModel(bytes());
    assert.equal(model.optimizer.iterations, 6);
    const [ids, y] = [mf.tensor(recording.x, { dtype: 'int32' }), mf.tensor(recording.y)];
    await model.fit(ids, y, { batchSize: 4, shuffle: false });
    const all = [...model.getWeights(), ...model.optimizer.getWeights()];
    const wanted = [...recording.weights, ...recording.optimizer];
    assert.equal(all.length, wanted.length);
    for (const [i, one] of all.entries()) {
      const largest = Math.max(1e-6, ...wanted[i].map(Math.abs));
      for (const [k, value] of [...one.data()].entries()) {
        assert.ok(Math.abs(value - wanted[i][k]) <= 1e-5 * largest, `${i} ${k} ${value}`);
      }
    }
  });
});

describe('files of Keras 2', () => {
  /** The file as Keras 2.15 would have written it, as far as the compile configuration goes. */
  async function ofKeras2(settings) {
    const bytes = edited(await (await trained({})).save(), (c) => {
      const optimizer = { ...c.optimizer, registered_name: 'Adam' };
      optimizer.config = { jit_compile: true, is_legacy_optimizer: false, ...settings };
      return { optimizer, loss: 'mse', metrics: [['mae']], weighted_metrics: null };
    });
    const metadata = new TextEncoder().encode('{"keras_version": "2.15.0"}');
    return zipSync({ ...unzipSync(bytes), 'metadata.json': metadata }, { level: 0 });
  }
  test('are compiled where that means the same; the optimizer begins anew', async () => {
    const bytes = await ofKeras2({ name: 'Adam', lr: 0.5, decay: 0 });
    const said = await warnings(async () => {
      const { optimizer } = await mf.loadModel(bytes);
      assert.equal(optimizer.learningRate, 0.5);
      assert.equal(optimizer.iterations, 0);
    });
    assert.equal(said.length, 1);
    assert.match(said[0], /variables of another version of Keras/);
  });
  test('are not where it does not, with a note', async () => {
    for (const settings of [{ decay: 0.1 }, { colour: 1 }]) {
      const bytes = await ofKeras2(settings);
      const said = await warnings(async () => {
        const model = await mf.loadModel(bytes);
        assert.throws(() => model.optimizer, mf.StateError);
      });
      assert.equal(said.length, 1);
      assert.match(said[0], /is not compiled: .*(decay|colour)/);
    }
  });
});

test('what a checkpoint writes goes on', async () => {
  const files = [];
  const model = dense();
  model.compile({ optimizer: optimizers.nadam(), loss: 'mse' });
  const data = [mf.tensor(x), mf.tensor([[1, 0]])];
  const checkpoint = mf.callbacks.modelCheckpoint((bytes) => files.push(bytes));
  await model.fit(...data, { epochs: 2, callbacks: [checkpoint] });
  const loaded = await mf.loadModel(files[0]);
  assert.equal(loaded.optimizer.iterations, 1);
  await loaded.fit(...data, { epochs: 2, initialEpoch: 1 });
  assert.deepEqual(loaded.getWeights()[0].array(), model.getWeights()[0].array());
});
