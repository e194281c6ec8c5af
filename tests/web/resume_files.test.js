// SPDX-License-Identifier: MIT
// Training state in files is written as Keras writes it, and refused if it does not fit.
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { before, describe, test } from 'node:test';
import { unzipSync, zipSync } from 'fflate';
import * as mf from '../../dist/train.js';
import { collectGarbage } from '../support/garbage.js';
import { warnings } from '../support/train.js';

before(() => mf.ready());

const { layers, optimizers } = mf;
const x = [[1, 2, 3, 0]];
const dense = () => new mf.Sequential([mf.Input({ shape: [4] }), layers.dense({ units: 2 })]);

async function train(options, model = dense()) {
  model.compile({ optimizer: 'adam', loss: 'mse', ...options });
  await model.fit(mf.tensor(x), mf.tensor([[1, 0]]));
  return model;
}

const configIn = (bytes) => JSON.parse(new TextDecoder().decode(unzipSync(bytes)['config.json']));
/** Replaces the compile config in a file. */
function editCompileConfig(bytes, edit) {
  const files = unzipSync(bytes);
  const config = configIn(bytes);
  const compileConfig = edit(config.compile_config);
  if (compileConfig !== undefined) config.compile_config = compileConfig;
  const text = typeof compileConfig === 'symbol' ? '' : JSON.stringify(config);
  return zipSync({ ...files, 'config.json': new TextEncoder().encode(text) }, { level: 0 });
}

const inner = () => optimizers.adam({ learningRate: 0.01 });
describe('every optimizer continues with the same bits', () => {
  const data = () => [mf.tensor([...x, [0, 1, 0, 1]]), mf.tensor([...[[1, 0]], [0, 3]])];
  const bits = (model) =>
    [...model.getWeights(), ...model.optimizer.getWeights()].map((tensor) => tensor.array());
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
        const optimizerSettings = name === 'lossScaleOptimizer' ? { innerOptimizer: inner() } : own;
        const model = dense();
        model.compile({ optimizer: optimizers[name](optimizerSettings), loss: 'mse' });
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

describe('values that no file can contain', () => {
  function ownLoss(yTrue, yPred) {
    return mf.ops.absolute(mf.ops.subtract(yTrue, yPred));
  }
  test("a loss that is a user's function causes one warning, and no compile config", async () => {
    const model = await train({ loss: ownLoss });
    const messages = await warnings(async () => {
      await model.save();
      assert.deepEqual(configIn(await model.save()).compile_config, {});
    });
    assert.equal(messages.length, 1);
    assert.match(messages[0], /the loss 'ownLoss' is a user-defined function/);
    const loaded = await mf.loadModel(await model.save());
    assert.throws(() => loaded.optimizer, mf.StateError);
  });
  test("a metric that is a user's function causes one warning", async () => {
    const named = new mf.Metric(ownLoss, { name: 'mine' });
    for (const metric of [named, ownLoss]) {
      const model = await train({ metrics: [metric] });
      const [message] = await warnings(() => model.save());
      assert.match(message, /the metric '(mine|ownLoss)' is a user-defined function/);
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
    test(`a function as learning rate of ${title} is saved as its current value`, async () => {
      const model = await train({ optimizer: make((step) => 0.5 / (step + 1)) });
      let bytes;
      const [message] = await warnings(async () => {
        bytes = await model.save();
      });
      assert.match(message, /the learning rate of '.*' is a function/);
      const loaded = await mf.loadModel(bytes);
      assert.equal(loaded.optimizer.learningRate, 0.25);
      assert.equal(loaded.optimizer.iterations, 1);
    });
  }
});

describe('options that omit training state', () => {
  test('compile: false ignores it, includeOptimizer: false does not write it', async () => {
    const model = await train({});
    const bytes = await model.save();
    const notCompiled = await mf.loadModel(bytes, { compile: false });
    assert.throws(() => notCompiled.optimizer, mf.StateError);
    const small = await model.save(undefined, { includeOptimizer: false });
    assert.deepEqual(configIn(small).compile_config, {});
    assert.ok(small.length < bytes.length);
    await assert.rejects(notCompiled.fit(mf.tensor(x), mf.tensor([[1, 0]])), mf.StateError);
    assert.equal((await mf.loadModel(small)).countParams(), 10);
  });
  test('saveWeights writes no optimizer', async () => {
    const model = await train({});
    const otherModel = dense();
    await otherModel.loadWeights(await model.saveWeights());
    assert.deepEqual(otherModel.getWeights()[0].array(), model.getWeights()[0].array());
  });
  test('a model that was compiled but not trained starts from the beginning, without a warning', async () => {
    const model = dense();
    model.compile({ optimizer: optimizers.adam({ learningRate: 0.5 }), loss: 'mse' });
    const bytes = await model.save();
    const messages = await warnings(async () => {
      const loaded = await mf.loadModel(bytes);
      assert.equal(loaded.optimizer.learningRate, 0.5);
      assert.equal(loaded.optimizer.iterations, 0);
      await loaded.fit(mf.tensor(x), mf.tensor([[1, 0]]));
    });
    assert.deepEqual(messages, []);
  });
});

describe('unknown names', () => {
  const f = (config, registered = 'function') => ({
    module: 'builtins',
    class_name: 'function',
    config,
    registered_name: registered,
  });
  const customConfig = {
    module: 'm',
    class_name: 'Mine',
    config: {},
    registered_name: 'Custom>Mine',
  };
  const cases = {
    'a user-defined loss function': [
      (c) => ({ ...c, loss: f('my_loss') }),
      /unknown loss 'my_loss'/,
    ],
    'a loss by name': [(c) => ({ ...c, loss: 'my_loss' }), /unknown loss 'my_loss'/],
    'the loss of an output': [
      (c) => ({ ...c, loss: { dense: customConfig } }),
      /unknown loss 'Mine'/,
    ],
    'a metric': [(c) => ({ ...c, metrics: ['mae', 'my_metric'] }), /unknown metric 'my_metric'/],
    'a metric that is a class': [
      (c) => ({ ...c, weighted_metrics: [customConfig] }),
      /unknown metric 'Mine'/,
    ],
    'an optimizer': [(c) => ({ ...c, optimizer: customConfig }), /Mine/],
    'a schedule': [
      (c) => {
        c.optimizer.config.learning_rate = { class_name: 'Steps', config: {} };
      },
      /Steps/,
    ],
  };
  for (const [title, [edit, message]] of Object.entries(cases)) {
    test(`${title} is a ConfigError that names it`, async () => {
      const bytes = editCompileConfig(await (await train({ metrics: ['mae'] })).save(), edit);
      await assert.rejects(mf.loadModel(bytes), (error) => {
        assert.ok(error instanceof mf.ConfigError, `${error}`);
        assert.match(error.message, message);
        assert.match(error.message, /compile: false/);
        return true;
      });
      assert.equal((await mf.loadModel(bytes, { compile: false })).countParams(), 10);
    });
  }
  test('are looked up in customObjects', async () => {
    const bytes = editCompileConfig(await (await train({})).save(), (c) => {
      c.loss = f('my_loss', 'Custom>my_loss');
      c.metrics = [f('my_metric'), customConfig];
      c.optimizer = {
        ...customConfig,
        class_name: 'MyAdam',
        registered_name: 'Custom>MyAdam',
        config: {},
      };
    });
    const distance = (t, p) => mf.ops.square(mf.ops.subtract(t, p));
    const customObjects = {
      my_loss: distance,
      my_metric: distance,
      'Custom>Mine': distance,
      MyAdam: () => optimizers.adam({ learningRate: 0.125 }),
    };
    const loaded = await mf.loadModel(bytes, { customObjects });
    // The rate is that of the variable in the file.
    assert.equal(loaded.optimizer.learningRate, Math.fround(0.001));
    assert.equal(loaded.optimizer.iterations, 1);
    const result = loaded.evaluate(mf.tensor(x), mf.tensor([[1, 0]]));
    assert.equal(Object.keys(result).length, 3);
  });
});

/** A file of a trained model whose optimizer variables `edit` has changed. */
async function withVariables(edit) {
  const model = await train({});
  const { optimizer } = model;
  const values = edit(optimizer.variables).map(({ shape, dtype, value }) => ({
    ...{ shape, dtype },
    data: () => value.data(),
    dispose: () => value.dispose(),
  }));
  Object.defineProperty(optimizer, 'getWeights', { value: () => values });
  return model.save();
}
const numbers = (data, shape, dtype) => ({
  name: 'x',
  shape,
  dtype,
  value: { data: () => data, dispose() {} },
});

describe('optimizer variables that do not fit', () => {
  const replaceVariable = (i, variable) => (all) => all.with(i, variable);
  const cases = {
    'another shape': [
      replaceVariable(2, numbers(new Float32Array(9), [3, 3], 'float32')),
      /has shape \[4, 2\], but the file has \[3, 3\]/,
    ],
    'the iteration as float': [
      replaceVariable(0, numbers(Float32Array.of(1), [], 'float32')),
      /int32/,
    ],
    'the iteration below 0': [replaceVariable(0, numbers(Int32Array.of(-4), [], 'int32')), /-4/],
    'whole numbers for a momentum': [
      replaceVariable(2, numbers(new Int32Array(8), [4, 2], 'int32')),
      /float32, but the file has int32/,
    ],
    'booleans for a momentum': [
      replaceVariable(3, numbers(new Uint8Array(8), [4, 2], 'bool')),
      /float32/,
    ],
  };
  for (const [title, [edit, message]] of Object.entries(cases)) {
    test(title, async () => {
      const bytes = await withVariables(edit);
      await collectGarbage();
      const memoryBefore = mf.memory();
      await assert.rejects(mf.loadModel(bytes), (error) => {
        assert.ok(error instanceof mf.FormatError, `${error.stack}`);
        assert.match(error.message, message);
        return true;
      });
      assert.equal(mf.memory().tensors, memoryBefore.tensors);
      assert.equal((await mf.loadModel(bytes, { compile: false })).countParams(), 10);
    });
  }
  for (const [title, edit, message] of [
    ['one too many', (all) => [...all, all[1]], /has 6 variables here, but 7 in the file/],
    ['one too few', (all) => all.slice(0, -1), /has 6 variables here, but 5 in the file/],
  ]) {
    test(`${title}: as in Keras, a warning, and the optimizer starts from the beginning`, async () => {
      const bytes = await withVariables(edit);
      let loaded;
      const told = await warnings(async () => {
        loaded = await mf.loadModel(bytes);
      });
      assert.equal(told.length, 1);
      assert.match(told[0], message);
      assert.equal(loaded.optimizer.iterations, 0);
      assert.equal(loaded.optimizer.variables.length, 6);
    });
  }
  test('int64 and float64 are converted', async () => {
    const bytes = await withVariables((all) =>
      all
        .with(0, numbers(new Uint8Array(BigInt64Array.of(7n).buffer), [], 'int64'))
        .with(2, numbers(new Float64Array(8).fill(0.5), [4, 2], 'float64')),
    );
    const { optimizer } = await mf.loadModel(bytes);
    assert.equal(optimizer.iterations, 7);
    assert.equal(optimizer.getWeights()[2].array()[3][1], 0.5);
  });
  test('NaN stays NaN', async () => {
    const nan = numbers(new Float32Array(8).fill(Number.NaN), [4, 2], 'float32');
    const { optimizer } = await mf.loadModel(await withVariables(replaceVariable(2, nan)));
    assert.ok(Number.isNaN(optimizer.getWeights()[2].array()[0][0]));
  });
  test('without variables, a warning is printed and the optimizer starts from the beginning', async () => {
    const bytes = await withVariables(() => []);
    const [message] = await warnings(async () => {
      assert.equal((await mf.loadModel(bytes)).optimizer.iterations, 0);
    });
    assert.match(message, /has no variables for the optimizer 'adam'/);
  });
});

describe('an invalid compile config is refused', () => {
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
    'a metric with unknown settings': (c) => ({
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
      const bytes = editCompileConfig(await (await train({})).save(), edit);
      let model;
      try {
        model = await mf.loadModel(bytes);
        // Errors that only the first batch reveals are typed, too.
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
    test(`limits.${limit} counts the cost of metrics, and can be raised`, async () => {
      const bytes = editCompileConfig(await (await train({})).save(), (c) => ({ ...c, metrics }));
      const name = limit.trim();
      const message = new RegExp(
        `more than the \\d+ that limits\\.${name} allows.*raise the limit`,
      );
      const isRefusal = (error) => error instanceof mf.FormatError && message.test(error.message);
      await assert.rejects(mf.loadModel(bytes), isRefusal);
      const model = await mf.loadModel(bytes, { limits: { [name]: 1e7 } });
      assert.equal(model.optimizer.className, 'Adam');
    });
  }
  test('null and {} mean a model that is not compiled', async () => {
    for (const emptyConfig of [null, {}]) {
      const bytes = editCompileConfig(await (await train({})).save(), () => emptyConfig);
      const model = await mf.loadModel(bytes);
      assert.throws(() => model.optimizer, mf.StateError);
    }
  });
});

describe('the .h5 files of Keras 3', () => {
  const folder = new URL('../fixtures/training/legacy/', import.meta.url);
  const bytes = () => new Uint8Array(readFileSync(new URL('rmsprop.h5', folder)));
  test('continue as in Keras', async () => {
    const recording = JSON.parse(readFileSync(new URL('rmsprop.json', folder), 'utf8'));
    const model = await mf.loadModel(bytes());
    assert.equal(model.optimizer.iterations, 6);
    const [ids, y] = [mf.tensor(recording.x, { dtype: 'int32' }), mf.tensor(recording.y)];
    await model.fit(ids, y, { batchSize: 4, shuffle: false });
    const tensors = [...model.getWeights(), ...model.optimizer.getWeights()];
    const expected = [...recording.weights, ...recording.optimizer];
    assert.equal(tensors.length, expected.length);
    for (const [i, tensor] of tensors.entries()) {
      const largest = Math.max(1e-6, ...expected[i].map(Math.abs));
      for (const [k, value] of [...tensor.data()].entries()) {
        assert.ok(Math.abs(value - expected[i][k]) <= 1e-5 * largest, `${i} ${k} ${value}`);
      }
    }
  });
});

describe('files of Keras 2', () => {
  /** Returns a file whose compile config is written as Keras 2.15 writes it. */
  async function keras2File(settings) {
    const bytes = editCompileConfig(await (await train({})).save(), (c) => {
      const optimizer = { ...c.optimizer, registered_name: 'Adam' };
      optimizer.config = { jit_compile: true, is_legacy_optimizer: false, ...settings };
      return { optimizer, loss: 'mse', metrics: [['mae']], weighted_metrics: null };
    });
    const metadata = new TextEncoder().encode('{"keras_version": "2.15.0"}');
    return zipSync({ ...unzipSync(bytes), 'metadata.json': metadata }, { level: 0 });
  }
  test('are compiled if their config means the same; the optimizer starts from the beginning', async () => {
    const bytes = await keras2File({ name: 'Adam', lr: 0.5, decay: 0 });
    const messages = await warnings(async () => {
      const { optimizer } = await mf.loadModel(bytes);
      assert.equal(optimizer.learningRate, 0.5);
      assert.equal(optimizer.iterations, 0);
    });
    assert.equal(messages.length, 1);
    assert.match(messages[0], /variables of another version of Keras/);
  });
  test('are not compiled otherwise, with a warning', async () => {
    for (const settings of [{ decay: 0.1 }, { colour: 1 }]) {
      const bytes = await keras2File(settings);
      const messages = await warnings(async () => {
        const model = await mf.loadModel(bytes);
        assert.throws(() => model.optimizer, mf.StateError);
      });
      assert.equal(messages.length, 1);
      assert.match(messages[0], /is not compiled: .*(decay|colour)/);
    }
  });
});

test('training continues from a file of modelCheckpoint', async () => {
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
