// SPDX-License-Identifier: MIT
// Settings and names of programs of people who know Keras that were ignored in silence: they count
// as in Keras, or an error says what to write.
import assert from 'node:assert/strict';
import { before, suite, test } from 'node:test';
import * as mf from '../../dist/train.js';
import { messageOf } from '../support/message_of.js';
import { tryNode } from '../support/programs.js';
import { warnings } from '../support/train.js';

before(() => mf.ready({ seed: 3 }));
const { Input, layers, losses, metrics, ops, optimizers, Sequential } = mf;

suite('settings that were ignored in silence', () => {
  test('options of Input after its shape count', () => {
    const input = Input([4, 2], { dtype: 'int32', batchSize: 3 });
    assert.deepEqual([input.shape, input.dtype], [[3, 4, 2], 'int32']);
    assert.deepEqual(Input({ shape: [4] }, { batchSize: 3 }).shape, [3, 4]);
    assert.throws(() => Input([4], { dtyp: 'int32' }), /dtyp.*did you mean 'dtype'/);
    assert.throws(() => Input([4], 5), mf.ValueError);
  });

  // Keras 3.15.1, NumPy: 11.6667, 27.2222, 19.4444; 6.5 and 13; torch: 2 after fit.
  test('a loss that returns one number is weighted, as in Keras', async () => {
    const one = (t, p) => ops.mean(ops.square(ops.subtract(t, p)));
    const near = (actual, expected) => assert.ok(Math.abs(actual - expected) < 1e-4, `${actual}`);
    const steps = new Sequential([
      layers.embedding({
        inputDim: 4,
        outputDim: 2,
        maskZero: true,
        embeddingsInitializer: 'ones',
      }),
      layers.dense({ units: 1, kernelInitializer: 'ones' }),
    ]);
    steps.compile({ loss: one });
    const ids = [
      [1, 2, 0],
      [1, 0, 0],
    ];
    const y = [
      [[1], [5], [7]],
      [[1], [5], [7]],
    ];
    near(steps.evaluate(ids, y).loss, 11.66667);
    near(
      steps.evaluate(ids, y, {
        sampleWeight: [
          [1, 2, 3],
          [4, 5, 6],
        ],
      }).loss,
      27.22222,
    );
    const rows = new Sequential([layers.dense({ units: 1, kernelInitializer: 'ones' })]);
    rows.compile({ loss: one });
    near(rows.evaluate([[1], [2]], [[3], [5]]).loss, 6.5);
    near(rows.evaluate([[1], [2]], [[3], [5]], { sampleWeight: [1, 3] }).loss, 13);
    const { history } = await rows.fit([[1], [2]], [[0], [1]], { classWeight: { 0: 1, 1: 3 } });
    near(history.loss[0], 2);
  });

  test('a third parameter of a loss keeps its default; options are passed as before', () => {
    const model = new Sequential([layers.dense({ units: 1, kernelInitializer: 'ones' })]);
    const lossOf = (loss, more) => model.evaluate([[1]], [[3]], { loss, ...more }).loss;
    const seen = [];
    const scaled = (t, p, factor = 2) => {
      seen.push(factor);
      return ops.abs(ops.multiply(ops.subtract(t, p), factor));
    };
    assert.equal(lossOf(scaled), 4);
    assert.equal(lossOf(scaled, { sampleWeight: [5] }), 20);
    assert.ok(seen.every((factor) => factor === 2));
    const weights = { sampleWeight: [5] };
    assert.equal(
      lossOf((t, p, more) => losses.meanSquaredError(t, p, more), weights),
      20,
    );
    assert.equal(
      lossOf((t, p, more = {}) => losses.meanSquaredError(t, p, more), weights),
      20,
    );
  });

  test('undefined values of compile are not silent', async () => {
    const texts = await warnings(() => {
      const model = new Sequential([Input([2]), layers.dense({ units: 1 })]);
      model.compile({ optimizer: optimizers.foo, loss: 'mse', metrics: [metrics.foo] });
      model.compile({ loss: 'mse', metrics: ['mae'] });
    });
    assert.equal(texts.length, 2);
    assert.match(texts.join(), /'optimizer', which contains undefined.*'metrics', which/);
  });

  test('a second argument of callbacks must be an object, and the error says which', () => {
    const { earlyStopping, reduceLROnPlateau, modelCheckpoint } = mf.callbacks;
    const message = messageOf(() => earlyStopping('val_loss', 3));
    const [, options] = /must be an object (\{.*\}), or left out/.exec(message);
    const stopping = new Function('f', `return f('val_loss', ${options});`)(earlyStopping);
    assert.equal(stopping.constructor, earlyStopping().constructor);
    assert.throws(() => reduceLROnPlateau('loss', 0.5), mf.ValueError);
    assert.throws(() => modelCheckpoint({ filepath: 'a.keras' }, 'loss'), mf.ValueError);
  });

  test('lr of an optimizer is an error', () => {
    const optimizer = optimizers.sgd(1);
    assert.match(
      messageOf(() => {
        optimizer.lr = 0.5;
      }),
      /no lr; write learningRate$/,
    );
  });

  test('what uses the weights before the first batch of a fit that is not awaited warns', async () => {
    const model = new Sequential([Input([1]), layers.dense({ units: 1 })]);
    model.compile({ optimizer: 'sgd', loss: 'mse' });
    const fit = (options) => model.fit([[1]], [[2]], options);
    for (const [name, use] of Object.entries({
      predict: () => model.predict([[1]]),
      predictAsync: () => model.predictAsync([[1]]),
      evaluate: () => model.evaluate([[1]], [[2]]),
      save: () => model.save(),
      getWeights: () => model.getWeights(),
    })) {
      const texts = await warnings(async () => {
        const training = fit();
        await use();
        await training;
        use();
      });
      assert.equal(texts.length, 1);
      assert.match(
        texts[0],
        new RegExp(`${name}\\(\\) runs before .* write await model\\.fit\\(…\\)`),
      );
    }
    const hooks = ['onTrainBegin', 'onEpochBegin', 'onBatchBegin', 'onEpochEnd'];
    const predicts = () => void model.predict([[1]]);
    const quiet = await warnings(async () => {
      await fit({ callbacks: [Object.fromEntries(hooks.map((hook) => [hook, predicts]))] });
      await Promise.all([fit({ epochs: 2 }), Promise.resolve().then(predicts)]);
      predicts();
      await assert.rejects(fit({ batchSize: 0 }));
      predicts();
    });
    assert.deepEqual(quiet, []);
    assert.ok(['predict', 'save'].every((name) => !Object.hasOwn(model, name)));
  });

  test('a model is as fast an object after fit as before', () => {
    const program = `
      import { Input, layers, ready, Sequential } from '${new URL('../../dist/train.js', import.meta.url)}';
      await ready();
      const model = new Sequential([Input([1]), layers.dense({ units: 1 })]);
      model.compile({ optimizer: 'sgd', loss: 'mse' });
      const before = %HasFastProperties(model);
      await model.fit([[1]], [[2]]);
      console.log(before, %HasFastProperties(model));`;
    const options = ['--allow-natives-syntax', '--input-type=module', '-e', program];
    assert.equal(String(tryNode(options).stdout), 'true true\n');
  });
});
