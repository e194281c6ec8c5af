// SPDX-License-Identifier: MIT
// Methods of training that a class of models overrides, and weights of samples in every place.
// tests/fuzz/keras_hooks.py recorded the programs of Keras.
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { before, suite, test } from 'node:test';
import * as mf from '../../dist/train.js';
import { checkHooks } from '../fuzz/replay_hooks.js';
import { collectGarbage } from '../support/garbage.js';

before(() => mf.ready());
const { Input, Model, Sequential, layers, losses, metrics, ops, optimizers, tensor } = mf;

const x = [[1], [2], [3], [4]];
const y = [[2], [4], [6], [9]];
const w = [1, 2, 0, 0.5];
const sgd = () => optimizers.sgd({ learningRate: 0.01 });
const ones = { units: 1, kernelInitializer: 'ones' };

function linear(Class = Sequential, compile = { loss: 'mse' }) {
  const model = new Class([mf.Input({ shape: [1] }), layers.dense(ones)]);
  model.compile({ optimizer: sgd(), ...compile });
  return model;
}

/** A model with outputs of these names. */
function several(names, Class = Model, compile = { loss: 'mse' }) {
  const input = mf.Input({ shape: [1] });
  const outputs = names.map((name) => layers.dense({ ...ones, name }).apply(input));
  const model = new Class({ inputs: input, outputs });
  model.compile({ optimizer: sgd(), ...compile });
  return model;
}

test('random programs with overridden methods return what Keras returned', async (t) => {
  const path = new URL('../fixtures/training/hooks/programs.json', import.meta.url);
  for (const recorded of JSON.parse(readFileSync(path, 'utf8')).cases) {
    await t.test(recorded.name, async () => assert.equal(await checkHooks(recorded), null));
  }
});

test('an overridden computeLoss receives the arguments of Keras and needs no loss', async () => {
  const seen = [];
  class Own extends Sequential {
    computeLoss(...args) {
      seen.push(args.map((arg) => arg?.shape ?? arg));
      const [, targets, predictions] = args;
      return ops.mean(ops.square(ops.subtract(predictions, targets)));
    }
  }
  const model = linear(Own, {});
  const shapes = () => seen.splice(0);
  await model.fit(x, y, { batchSize: 2, shuffle: false, sampleWeight: w });
  const batch = (rows, training) => [[rows, 1], [rows, 1], [rows, 1], [rows], training];
  assert.deepEqual(shapes(), [batch(2, true), batch(2, true)]);
  const { loss } = model.evaluate(x, y);
  assert.deepEqual(shapes(), [[[4, 1], [4, 1], [4, 1], undefined, false]]);
  assert.equal(loss, (await model.testOnBatch(x, y)).loss);
  await model.trainOnBatch(x, y, { sampleWeight: w });
  assert.deepEqual(shapes().at(-1), batch(4, true));
  assert.ok(model.evaluate(x, y).loss < loss);
});

test('hooks that are async or return something else are refused', async () => {
  const classes = {
    'computeLoss() returned a Promise': { computeLoss: async () => tensor(1) },
    'the result of computeLoss() is the number': { computeLoss: () => 3 },
    'the result of computeLoss() of shape [2]': { computeLoss: () => tensor([1, 2]) },
    'computeMetrics() returned a Promise': { computeMetrics: async () => ({}) },
    'the result of computeMetrics() is': { computeMetrics: () => 3 },
    "the log 'a' is": { computeMetrics: () => ({ a: 'b' }) },
  };
  for (const [message, methods] of Object.entries(classes)) {
    class Wrong extends Sequential {}
    Object.assign(Wrong.prototype, methods);
    const text = message.replace('is the number', 'is 3');
    const isRefused = (error) => error instanceof mf.ValueError && error.message.includes(text);
    const model = linear(Wrong);
    await assert.rejects(model.fit(x, y), isRefused, text);
    assert.throws(() => model.evaluate(x, y), isRefused, text);
  }
  class Late extends Sequential {
    async predictStep([inputs]) {
      return inputs;
    }
  }
  assert.throws(() => linear(Late).predict(x), /predictStep\(\) returned a Promise/);
  class Bare extends Sequential {
    predictStep() {
      return 3;
    }
  }
  assert.throws(() => linear(Bare).predict(x), /result of predictStep\(\) is 3 but must be/);
});

test('a model without an Input has its weights when the first step of a class begins', async () => {
  class Own extends Sequential {
    counts = [];
    trainStep(data) {
      this.counts.push(this.trainableVariables.length);
      return super.trainStep(data);
    }
  }
  const model = new Own([layers.dense(ones)]);
  model.compile({ optimizer: sgd(), loss: 'mse' });
  await model.fit(x, y);
  assert.deepEqual(model.counts, [2]);
});

test('computeLoss and computeMetrics weigh samples in every form of a direct call', () => {
  const model = linear(Sequential, { loss: 'mse', weightedMetrics: [['mae'], ['mae']] });
  const predictions = model.apply(x);
  const expected = losses.meanSquaredError(y, predictions, { sampleWeight: w }).item();
  const inputs = tensor(x);
  for (const loss of [
    model.computeLoss(y, predictions, { sampleWeight: w }),
    model.computeLoss(y, predictions, w),
    model.computeLoss(inputs, y, predictions, w),
    model.computeLoss(inputs, y, predictions, { sampleWeight: w }, false),
  ]) {
    assert.equal(loss.item(), expected);
  }
  const plain = losses.meanSquaredError(y, predictions).item();
  for (const loss of [
    model.computeLoss(y, predictions),
    model.computeLoss(y, predictions, null),
    model.computeLoss(inputs, y, predictions, null),
  ]) {
    assert.equal(loss.item(), plain);
  }
  const wide = ops.concatenate([predictions, predictions], { axis: 1 });
  const twice = ops.concatenate([tensor(y), tensor(y)], { axis: 1 });
  assert.equal(model.computeLoss(inputs, twice, wide).item(), plain);
  assert.throws(() => model.computeLoss(tensor(x), tensor(y), predictions), {
    name: 'ValueError',
    message: /computeLoss\(y, yPred, \{ sampleWeight \}\) or computeLoss\(x, y, yPred, null\)/,
  });
  assert.throws(() => model.computeLoss(y), /computeLoss\(\) needs predictions/);
  const mae = (weights) => {
    model.resetMetrics();
    return model.computeMetrics(inputs, y, predictions, weights).mae;
  };
  assert.equal(mae(w), mae({ sampleWeight: w }));
  assert.notEqual(mae(w), mae());
});

const places = {
  fit: async (model, targets, sampleWeight) =>
    (await model.fit(x, targets, { sampleWeight })).history.loss[0],
  evaluate: (model, targets, sampleWeight) => model.evaluate(x, targets, { sampleWeight }).loss,
  'evaluate of batches': async (model, targets, sampleWeight) =>
    (await model.evaluate(() => [[x, targets, sampleWeight]])).loss,
  'evaluate with losses': (model, targets, sampleWeight) =>
    model.evaluate(x, targets, { loss: 'mse', sampleWeight }).loss,
  trainOnBatch: async (model, targets, sampleWeight) =>
    (await model.trainOnBatch(x, targets, { sampleWeight })).loss,
  testOnBatch: async (model, targets, sampleWeight) =>
    (await model.testOnBatch(x, targets, { sampleWeight })).loss,
  computeLoss: (model, targets, sampleWeight) =>
    model.computeLoss(targets, model.apply(x), { sampleWeight }).item(),
  validationData: async (model, targets, sampleWeight) => {
    model.optimizer.learningRate = 0;
    const validationData = [x, targets, sampleWeight];
    return (await model.fit(x, targets, { validationData })).history.val_loss[0];
  },
  'batches of fit': async (model, targets, sampleWeight) =>
    (await model.fit([[x, targets, sampleWeight]].values())).history.loss[0],
};

test('weights of samples mean the same in every place', async (t) => {
  const first = losses.meanSquaredError(y, x);
  const weighted = losses.meanSquaredError(y, x, { sampleWeight: w });
  const [plain, less] = [first.item(), weighted.item()];
  for (const [place, run] of Object.entries(places)) {
    await t.test(place, async () => {
      const lossOf = (names, weights) =>
        run(
          several(names),
          names.map(() => y),
          weights,
        );
      for (const [weights, expected] of [
        [[w, null], less + plain],
        [[null, w], plain + less],
        [[tensor(w), null], less + plain],
        [[w, w], 2 * less],
        [{ a: w }, less + plain],
        [{ b: w, a: null }, plain + less],
        [{ b: null }, 2 * plain],
        [w, 2 * less],
        [null, 2 * plain],
      ]) {
        const loss = await lossOf(['a', 'b'], weights);
        assert.ok(
          Math.abs(loss - expected) < 1e-4 * expected,
          `${JSON.stringify(weights)}: ${loss}`,
        );
      }
      for (const [weights, message] of [
        [{ typo: w }, /sampleWeight has weights for 'typo', but the outputs are a, b, c/],
        [[tensor(w), tensor(w)], /sampleWeight has 2 items but the model has 3 outputs/],
        [[w, null], /sampleWeight has 2 items but the model has 3 outputs/],
        [[w, w], /sampleWeight has 2 items but the model has 3 outputs/],
        [tensor([w, w, w, w]), /has the shape \[4,4\], but weights for all 3 outputs/],
      ]) {
        const refused = async () => lossOf(['a', 'b', 'c'], weights);
        await assert.rejects(refused, { name: 'ValueError', message });
      }
    });
  }
});

test('a single output takes its weights by name, and refuses other names', () => {
  const model = several(['out']);
  const lossOf = (sampleWeight) => model.evaluate(x, y, { sampleWeight }).loss;
  assert.equal(lossOf({ out: w }), lossOf(w));
  assert.equal(lossOf([tensor(w)]), lossOf(w));
  assert.throws(() => lossOf({ typo: w }), /weights for 'typo', but the outputs are out/);
});

test('steps of a class receive weights with their null items, one for each target', async () => {
  const seen = [];
  class Own extends Model {
    trainStep([, , weights]) {
      seen.push(weights?.map((each) => each?.array() ?? null));
      return { loss: 0 };
    }
  }
  const model = several(['a', 'b'], Own);
  await model.fit(x, [y, y], { sampleWeight: [null, w], shuffle: false });
  await model.fit(x, [y, y], { sampleWeight: w, shuffle: false });
  await model.fit(x, [y, y]);
  assert.deepEqual(seen, [[null, w], [w, w], undefined]);
});

test('getMetricsResult has the means of fit, evaluate and trainOnBatch, per output', async () => {
  const model = several(['a', 'b'], Model, { loss: 'mse', metrics: { a: ['mae'] } });
  const { history } = await model.fit(x, [y, y], { batchSize: 2, epochs: 2 });
  const last = Object.fromEntries(Object.entries(history).map(([name, all]) => [name, all.at(-1)]));
  assert.deepEqual(model.getMetricsResult(), last);
  const results = model.evaluate(x, [y, y], { batchSize: 3 });
  assert.deepEqual(model.getMetricsResult(), results);
  assert.deepEqual(Object.keys(results).sort(), ['a_loss', 'a_mae', 'b_loss', 'loss']);
  const logs = await model.trainOnBatch(x, [y, y]);
  assert.deepEqual(model.getMetricsResult(), logs);
});

test('metrics lists the losses of named outputs in the order of the losses, as Keras', async () => {
  // Keras 3.15.1 lists them so for a dictionary of outputs { z, y }, and sorts history.
  for (const [loss, names] of [
    ['mse', ['y_loss', 'z_loss']],
    [
      ['mse', 'mae'],
      ['y_loss', 'z_loss'],
    ],
    [{ z: 'mse', y: 'mae' }, ['z_loss', 'y_loss']],
    [{ y: 'mse', z: 'mae' }, ['y_loss', 'z_loss']],
  ]) {
    const inputs = Input({ shape: [2] });
    const [z, y] = ['z', 'y'].map(() => layers.dense({ units: 1 }).apply(inputs));
    const model = new Model({ inputs, outputs: { z, y } });
    model.compile({ loss });
    const targets = { z: [[1], [2]], y: [[3], [4]] };
    const rows = [
      [1, 2],
      [3, 4],
    ];
    const { history } = await model.fit(rows, targets);
    assert.deepEqual(
      model.metrics.map(({ name }) => name),
      ['loss', ...names],
    );
    assert.deepEqual(Object.keys(history), ['loss', 'y_loss', 'z_loss']);
  }
});

test('evaluate in a callback leaves the means of the epoch as they are', async () => {
  const history = async (callbacks) =>
    (await linear().fit(x, y, { batchSize: 2, shuffle: false, callbacks })).history;
  const model = linear();
  const onBatchEnd = () => model.evaluate([[9]], [[0]]);
  const disturbed = await model.fit(x, y, { batchSize: 2, shuffle: false, onBatchEnd });
  assert.deepEqual(disturbed.history, await history([]));
});

test('metrics in properties are in all logs, and begin again with each epoch', async () => {
  class Counting extends mf.Layer {
    inside = { deep: [metrics.sum({ name: 'inside' })] };
    call(inputs) {
      this.inside.deep[0].updateState([1]);
      return inputs;
    }
  }
  class Seen extends Sequential {
    seen = metrics.mean({ name: 'seen' });
    computeMetrics(...args) {
      this.seen.updateState([2]);
      return super.computeMetrics(...args);
    }
  }
  const model = new Seen([mf.Input({ shape: [1] }), new Counting(), layers.dense(ones)]);
  model.compile({ optimizer: sgd(), loss: 'mse' });
  const inBatches = [];
  const onBatchEnd = (_, { inside, seen }) => inBatches.push([inside, seen]);
  const { history } = await model.fit(x, y, { batchSize: 2, epochs: 2, onBatchEnd });
  assert.deepEqual(history.inside, [2, 2]);
  assert.deepEqual(history.seen, [2, 2]);
  assert.deepEqual(inBatches, [
    [1, 2],
    [2, 2],
    [1, 2],
    [2, 2],
  ]);
  const { inside, seen } = model.evaluate(x, y, { batchSize: 1 });
  assert.deepEqual([inside, seen], [4, 2]);
  const logs = await model.trainOnBatch(x, y);
  assert.deepEqual([logs.inside, logs.seen], [1, 2]);
});

test('results beside the number live after valueAndGradients, and nothing leaks', async () => {
  const weights = tensor([2]);
  const input = tensor([3]);
  const run = () =>
    mf.valueAndGradients(
      () => {
        const product = ops.multiply(weights, input);
        return [ops.sum(product), { product, nested: [[ops.add(product, 1)], 5, null] }];
      },
      [weights],
      { hasAux: true },
    );
  const { value, aux, gradients } = run();
  assert.deepEqual([value.item(), gradients[0].array()], [6, [3]]);
  assert.deepEqual([aux.product.array(), aux.nested[0][0].array()], [[6], [7]]);
  assert.deepEqual(aux.nested.slice(1), [5, null]);
  for (const each of [value, aux.product, aux.nested[0][0], gradients[0]]) each.dispose();
  await collectGarbage();
  const { tensors } = mf.memory();
  mf.tidy(() => void run());
  assert.equal(mf.memory().tensors, tensors);
  const wrong = (f, options) => () => mf.valueAndGradients(f, [weights], options);
  const number = () => ops.sum(weights);
  assert.throws(
    wrong(number, { hasAux: true }),
    /must be a list of two with hasAux: \[loss, aux\]/,
  );
  assert.throws(
    wrong(() => [number(), 1]),
    /set \{ hasAux: true \}/,
  );
  assert.throws(wrong(number, { hasaux: true }), mf.ConfigError);
});

test('a step of its own trains and updates the metrics in one pass, without leaks', async () => {
  class Own extends Sequential {
    trainStep([inputs, targets, weights]) {
      const { value, aux, gradients } = mf.valueAndGradients(
        () => {
          const predictions = this.apply(inputs, { training: true });
          return [this.computeLoss(inputs, targets, predictions, weights), predictions];
        },
        this.trainableVariables,
        { hasAux: true },
      );
      this.optimizer.apply(gradients, this.trainableVariables);
      this.metrics[0].updateState(value, { sampleWeight: targets.shape[0] });
      return this.computeMetrics(inputs, targets, aux, weights);
    }
  }
  const options = { batchSize: 3, epochs: 2, shuffle: false, sampleWeight: w };
  const compile = { loss: 'mse', metrics: ['mae'] };
  const model = linear(Own, compile);
  const { history } = await model.fit(x, y, options);
  const usual = await linear(Sequential, compile).fit(x, y, options);
  for (const [name, values] of Object.entries(usual.history)) {
    for (const [i, value] of values.entries()) {
      assert.ok(Math.abs(history[name][i] - value) < 1e-5 * value, `${name} of epoch ${i}`);
    }
  }
  await collectGarbage();
  const { tensors } = mf.memory();
  await model.fit(x, y, options);
  assert.equal(mf.memory().tensors, tensors);
});

test('predict, predictOnBatch and predictAsync use predictStep', async () => {
  class Both extends Sequential {
    predictStep([inputs]) {
      const outputs = super.predictStep([inputs]);
      return { twice: ops.multiply(outputs, 2), rows: ops.multiply(outputs, inputs.shape[0]) };
    }
  }
  const model = linear(Both);
  const { twice, rows } = model.predict(x, { batchSize: 3 });
  assert.deepEqual(twice.array(), [[2], [4], [6], [8]]);
  assert.deepEqual(rows.array(), [[3], [6], [9], [4]]);
  assert.deepEqual(model.predictOnBatch(x).rows.array(), [[4], [8], [12], [16]]);
  assert.deepEqual((await model.predictAsync(x)).twice.array(), twice.array());
  const later = await model.predict(() => [x, x]);
  assert.equal(later.twice.shape[0], 8);
  assert.throws(() => model.predict(x, { workers: 2 }), /cannot be sent to workers/);
});

suite('an overridden evaluate', () => {
  /** A class that counts its calls, and returns the loss of the base class and a figure. */
  const counting = (calls, method) =>
    class extends Sequential {
      evaluate(x, y, options) {
        calls.push({ x, shapes: [x.shape, y.shape, options.sampleWeight?.shape], options });
        return method ? method(x, y, options) : this.measured(super.evaluate(x, y, options));
      }
      measured(logs) {
        return { ...logs, figure: 7 };
      }
    };
  const validationData = [x, y, w];

  test('computes the validation of fit, as in Keras', async () => {
    const calls = [];
    const model = linear(counting(calls));
    const settings = { batchSize: 2, epochs: 2, shuffle: false, validationData };
    const { history } = await model.fit(x, y, settings);
    const usual = linear();
    const expected = await usual.fit(x, y, settings);
    assert.deepEqual(history.val_figure, [7, 7]);
    assert.deepEqual(history.val_loss, expected.history.val_loss);
    assert.deepEqual(history.loss, expected.history.loss);
    assert.equal(calls.length, 2);
    assert.deepEqual(calls[0].shapes, [[4, 1], [4, 1], [4]]);
    assert.equal(calls[0].options.batchSize, 2);
  });

  test('receives the callbacks of fit, which it notifies of the validation once', async () => {
    const events = [];
    const listener = {
      onTestBegin: () => events.push('begin'),
      onTestEnd: () => events.push('end'),
    };
    const model = linear(counting([]));
    await model.fit(x, y, { validationData, callbacks: [listener] });
    assert.deepEqual(events, ['begin', 'end']);
  });

  test('receives the first rows with validationSteps, and frees them', async () => {
    const calls = [];
    const model = linear(counting(calls));
    await model.fit(x, y, { validationData, validationBatchSize: 1, validationSteps: 3 });
    assert.equal(calls[0].x.isDisposed, true);
    const before = mf.memory().tensors;
    await model.fit(x, y, { validationData, validationBatchSize: 1, validationSteps: 3 });
    assert.equal(mf.memory().tensors, before);
  });

  test('receives batches that arrive later', async () => {
    const model = linear(
      class extends Sequential {
        async evaluate(batches, options) {
          const logs = await super.evaluate(batches, options);
          return { loss: logs.loss, batches: 2 };
        }
      },
    );
    const batches = () => [
      [x, y],
      [x, y],
    ];
    const { history } = await model.fit(x, y, { validationData: batches, epochs: 2 });
    assert.deepEqual(history.val_batches, [2, 2]);
    assert.ok(history.val_loss[1] < history.val_loss[0]);
  });

  test('returns a dictionary of numbers', async () => {
    const model = linear(counting([], () => 3));
    await assert.rejects(
      model.fit(x, y, { validationData }),
      /the result of evaluate\(\) is 3 but must be a dictionary of numbers: \{ loss \}/,
    );
  });
});
