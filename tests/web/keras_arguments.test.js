// SPDX-License-Identifier: MIT
// Arguments of methods and callbacks under Keras's names, and by position where Keras has them so.
import assert from 'node:assert/strict';
import { mkdtempSync, readdirSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { before, describe, test } from 'node:test';
import { TextVectorization } from '../../dist/text.js';
import * as mf from '../../dist/train.js';

before(() => mf.ready({ seed: 1 }));
const { callbacks, layers } = mf;

const x = [[0], [1], [2], [3], [4]];
const y = x.map(() => [0]);

function identity() {
  const kernelInitializer = 'ones';
  const model = new mf.Sequential([
    mf.Input({ shape: [1] }),
    layers.dense({ units: 1, kernelInitializer, name: 'first' }),
    layers.dense({ units: 1, kernelInitializer, name: 'second' }),
  ]);
  model.compile({ optimizer: 'sgd', loss: 'mse' });
  return model;
}

describe('getLayer', () => {
  test('accepts name and index by name', () => {
    const model = identity();
    const [first, second] = model.layers;
    assert.equal(model.getLayer({ index: 0 }), first);
    assert.equal(model.getLayer({ index: -1 }), second);
    assert.equal(model.getLayer({ name: 'second' }), second);
    assert.equal(model.getLayer({ name: null, index: 1 }), second);
  });

  test('shows the names for others', () => {
    const message = 'there is no layer 2; the layers are first, second';
    assert.throws(() => identity().getLayer({ index: 2 }), { name: 'ValueError', message });
    assert.throws(() => identity().getLayer({ name: 'x' }), /no layer 'x'; the layers are first,/);
    assert.throws(() => identity().getLayer({ layer: 'first' }), mf.ValueError);
  });
});

describe('steps of rows', () => {
  // Recorded from Keras: predict(x, batch_size=2, steps=n) and evaluate(x, y, …).
  test('end a prediction after that many batches', () => {
    const predict = (options) => identity().predict(x, options).array().flat();
    assert.deepEqual(predict({ batchSize: 2, steps: 1 }), [0, 1]);
    assert.deepEqual(predict({ batchSize: 2, steps: 2 }), [0, 1, 2, 3]);
    assert.deepEqual(predict({ batchSize: 2, steps: 9 }), [0, 1, 2, 3, 4]);
    assert.deepEqual(predict({ batchSize: 2, steps: null }), [0, 1, 2, 3, 4]);
    assert.deepEqual(predict({ steps: 1 }), [0, 1, 2, 3, 4]);
    let ended = 0;
    const callback = { onPredictBatchEnd: () => ended++ };
    predict({ batchSize: 2, steps: 2, callbacks: [callback] });
    assert.equal(ended, 2);
  });

  test('end an evaluation', () => {
    assert.deepEqual(identity().evaluate(x, y, { batchSize: 2, steps: 1 }), { loss: 0.5 });
    assert.deepEqual(identity().evaluate(x, y, { batchSize: 2, steps: 9 }), { loss: 6 });
    const plain = { loss: 'mse', batchSize: 2, steps: 1 };
    assert.deepEqual(identity().evaluate(x, y, plain), { loss: 0.5 });
  });

  test('are whole numbers', () => {
    for (const steps of [-1, 1.5, '2']) {
      assert.throws(() => identity().predict(x, { steps }), /steps is .* must be a whole number/);
      assert.throws(() => identity().evaluate(x, y, { steps }), mf.ValueError);
    }
  });
});

describe('callbacks', () => {
  test('accept their first argument by its name in Keras', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'arguments-'));
    const at = (name) => join(folder, name);
    const list = [
      callbacks.modelCheckpoint({ filepath: at('a.keras'), saveFreq: 'epoch' }),
      callbacks.csvLogger({ filename: at('log.csv'), separator: ';' }),
      callbacks.tensorBoard({ logDir: at('logs') }),
      callbacks.backupAndRestore({ backupDir: at('backup'), deleteCheckpoint: false }),
      callbacks.learningRateScheduler({ schedule: () => 0.125 }),
    ];
    const { history } = await identity().fit(x, y, { callbacks: list });
    assert.deepEqual(history.learning_rate, [0.125]);
    assert.deepEqual(readdirSync(folder).sort(), ['a.keras', 'backup', 'log.csv', 'logs']);
  });

  test('accept the monitored metric by position', async () => {
    for (const name of ['earlyStopping', 'reduceLROnPlateau']) {
      assert.equal(callbacks[name]('loss', { patience: 1 }).monitor, 'loss');
      assert.equal(callbacks[name]({ monitor: 'mae' }).monitor, 'mae');
      assert.equal(callbacks[name]().monitor, 'val_loss');
      assert.throws(() => callbacks[name]('loss', { patience: -1 }), /patience is -1/);
    }
  });

  test('with events in snake_case, which nothing would call, are refused', async () => {
    class Mine extends mf.Callback {
      on_epoch_end() {}
    }
    const lists = [{ on_epoch_end() {} }, callbacks.lambda({ on_epoch_end() {} }), new Mine()];
    for (const callback of lists) {
      await assert.rejects(identity().fit(x, y, { callbacks: [callback] }), {
        name: 'ConfigError',
        message: /^unknown option 'on_epoch_end' \(did you mean 'onEpochEnd'\?\)/,
      });
    }
  });

  test('refuse others, with what to write', () => {
    const refuses = (make, message) => assert.throws(make, { name: 'ConfigError', message });
    refuses(
      () => callbacks.modelCheckpoint({ path: 'a.keras' }),
      /but must be a path or a function: callbacks\.modelCheckpoint\('model\.keras'\)$/,
    );
    refuses(() => callbacks.csvLogger(), /callbacks\.csvLogger\('log\.csv'\)$/);
    refuses(() => callbacks.tensorBoard(), /callbacks\.tensorBoard\('logs'\)$/);
    refuses(
      () => callbacks.modelCheckpoint({ filepath: 'a.keras', save_best_only: true }),
      /unknown option 'save_best_only' \(did you mean 'saveBestOnly'\?\)/,
    );
    refuses(
      () => callbacks.learningRateScheduler({ schedule: () => 1, verbose: 1 }),
      /unknown option 'verbose'; the options are schedule$/,
    );
  });
});

describe('a class of metrics', () => {
  class WithinTenth extends mf.Metric {
    #count = 0;
    updateState(yTrue, yPred) {
      this.#count += mf.ops.sum(mf.ops.less(mf.ops.abs(mf.ops.subtract(yTrue, yPred)), 0.1)).item();
    }
    result() {
      return this.#count;
    }
    resetState() {
      this.#count = 0;
    }
  }

  test('that counts by itself needs no kind', () => {
    class Named extends WithinTenth {
      constructor() {
        super({ name: 'near' });
      }
    }
    const model = identity();
    model.compile({ loss: 'mse', metrics: [new WithinTenth(), new Named()] });
    assert.deepEqual(model.evaluate(x, y), { loss: 6, within_tenth: 1, near: 1 });
    assert.throws(() => new WithinTenth({ title: 'near' }), mf.ConfigError);
  });

  test('without updateState needs one', () => {
    class Plain extends mf.Metric {}
    const message = 'the kind of a metric is an object but must be a string';
    assert.throws(() => new Plain({ name: 'mine' }), { name: 'ValueError', message });
    assert.throws(() => new mf.Metric({ name: 'mine' }), { name: 'ValueError', message });
    assert.equal(new WithinTenth('mean', { name: 'mine' }).name, 'mine');
  });
});

describe('text', () => {
  const reading = () => {
    const vectorizer = new TextVectorization({ vocabulary: ['good', 'film'] });
    const model = new mf.Sequential([
      mf.Input({ shape: [1], dtype: 'string' }),
      vectorizer,
      layers.embedding({ inputDim: 4, outputDim: 2 }),
      layers.globalAveragePooling1D(),
      layers.dense({ units: 1 }),
    ]);
    model.compile({ optimizer: 'sgd', loss: 'mse' });
    return model;
  };

  test('alone is one sample of a model that reads text', async () => {
    const model = reading();
    const predicted = model.predict('good film');
    assert.deepEqual(predicted.array(), model.predict(['good film']).array());
    assert.deepEqual(model.apply('good film').shape, [1, 1]);
    const { loss } = model.evaluate(['good film'], [[1]]);
    assert.deepEqual(model.evaluate('good film', [[1]]), { loss });
    assert.ok((await model.fit('good film', [[1]])).history.loss.length === 1);
  });

  test('for a model of numbers names the layer that converts it', () => {
    const message = /cannot be the string 'good'; give numbers or booleans; TextVectorization/;
    for (const text of ['good', ['good'], [['good']]]) {
      assert.throws(() => identity().predict(text), { name: 'ValueError', message });
      assert.throws(() => identity().evaluate(text, [[1]]), { name: 'ValueError', message });
    }
    assert.throws(() => identity().predict([[null]]), /give numbers or booleans$/);
  });
});
