// SPDX-License-Identifier: MIT
// Losses, metrics and evaluate: recorded results, and effects of masks and weights computed by
// hand.
import assert from 'node:assert/strict';
import { before, describe, test } from 'node:test';
import * as mf from '../../dist/index.js';
import { readFixture, toTensor, worstError } from '../support/recorded_cases.js';
import { leavesNothing } from '../support/watch.js';

before(() => mf.ready({ onMaskDropped: 'silent' }));

const { Input, layers, losses, Metric, metrics, Model, ops, Sequential, tensor } = mf;
const factory = (name) =>
  name.replace(/^[A-Z]+(?=[A-Z][a-z])|^[A-Z]+$|^[A-Z]/, (caps) => caps.toLowerCase());
const near = (actual, expected, title) =>
  assert.ok(
    worstError([actual].flat(9), [expected].flat(9)) <= 1e-5,
    `${title}: ${actual}, not ${expected}`,
  );

const unsaid = ['name', 'dtype', 'multi_label', 'num_labels', 'label_weights'];
const settings = (config) =>
  Object.fromEntries(Object.entries(config).filter(([key]) => !unsaid.includes(key)));
const weighting = ({ mask, sample_weight }) => ({
  mask: mask && toTensor(mask),
  sampleWeight: sample_weight && toTensor(sample_weight),
});

/**
 * Builds a model that returns the recorded output of another model and is evaluated in its place.
 */
function standIn({ output, mask }) {
  const input = Input({ shape: output.shape.slice(1) });
  const outputs = layers.activation({ activation: 'linear' }).apply(input);
  const x = toTensor(output).withMask(mask && toTensor(mask));
  return { x, model: new Model({ inputs: input, outputs }) };
}

/** Builds the recorded model itself, because regularizers need its weights. */
function recordedModel({ model: { config, weights, inputs } }) {
  const model = Model.fromConfig(config);
  model.setWeights(weights.map(toTensor));
  return { model, x: toTensor(inputs[0]) };
}

describe('equals the recorded results', () => {
  for (const recording of readFixture('losses/losses.json').cases) {
    test(recording.name, () =>
      leavesNothing(() =>
        mf.tidy(() => {
          const { loss, y_true, y_pred, expect } = recording;
          const run = () =>
            losses[factory(loss.class_name)](toTensor(y_true), toTensor(y_pred), {
              ...settings(loss.config),
              ...weighting(recording),
            });
          if (expect.error) {
            assert.throws(run, mf.ShapeError);
            return;
          }
          const actual = run();
          assert.deepEqual(actual.shape, expect.value.shape);
          near([...actual.data()], [...toTensor(expect.value).data()], recording.name);
        }),
      ),
    );
  }

  for (const { name, metric, updates, expect } of readFixture('losses/metrics.json').cases) {
    test(name, () =>
      leavesNothing(() =>
        mf.tidy(() => {
          const metricUnderTest = metrics[factory(metric.class_name)](settings(metric.config));
          updates.forEach((update, i) => {
            metricUnderTest.updateState(
              toTensor(update.y_true),
              toTensor(update.y_pred),
              weighting(update),
            );
            near(metricUnderTest.result(), expect.results[i], name);
          });
        }),
      ),
    );
  }

  const evaluated = Object.entries(readFixture('losses/evaluate.json').models);
  assert.equal(evaluated.length, 43);
  for (const [name, recording] of evaluated) {
    test(`evaluate ${name}`, () =>
      mf.tidy(() => {
        const { model, x } = recording.model ? recordedModel(recording) : standIn(recording);
        const options = {
          loss: recording.loss,
          metrics: recording.metrics,
          weightedMetrics: recording.weighted_metrics,
        };
        const check = (actual, expected) => {
          assert.deepEqual(Object.keys(actual).sort(), Object.keys(expected).sort());
          for (const key of Object.keys(expected)) near(actual[key], expected[key], key);
        };
        const y = toTensor(recording.y);
        check(model.evaluate(x, y, options), recording.result);
        const sampleWeight = toTensor(recording.sample_weight);
        check(model.evaluate(x, y, { ...options, sampleWeight }), recording.weighted_result);
      }));
  }
});

const targets = [
  [[0], [0], [0]],
  [[0], [0], [0]],
];
const predictions = [
  [[1], [2], [9]],
  [[3], [9], [9]],
];
const mask = [
  [true, true, false],
  [true, false, false],
];

test('a loss accepts nested arrays, and a mask in place of the attached one', () => {
  const options = { mask, reduction: 'sum' };
  near(losses.meanSquaredError(targets, predictions, options).item(), 14, 'explicit');
  const attached = tensor(predictions).withMask(mask);
  near(losses.meanSquaredError(targets, attached, { reduction: 'sum' }).item(), 14, 'attached');
  near(losses.meanSquaredError(targets, attached, { mask: null }).item(), 257 / 6, 'none');
  assert.deepEqual(losses.meanSquaredError(targets, attached, { reduction: null }).array(), [
    [1, 4, 0],
    [9, 0, 0],
  ]);
});

test('settings are accepted in camelCase and snake_case', () => {
  near(losses.huber([[0]], [[3]], { delta: 2 }).item(), 4, 'huber');
  const logits = losses.binaryCrossentropy([[1]], [[2]], { fromLogits: true }).item();
  near(logits, Math.log1p(Math.exp(-2)), 'logits');
  near(losses.binaryCrossentropy([[1]], [[2]], { from_logits: true }).item(), logits, 'snake');
});

test('an unknown name throws an error that lists the known ones', () => {
  assert.throws(() => losses.huber([[0]], [[3]], { dleta: 2 }), /Huber has no setting 'dleta'/);
  assert.throws(() => metrics.auc({ curve: 'PR', treshold: 1 }), /AUC has no setting 'treshold'/);
  assert.throws(() => new Metric('acuracy'), /no metric 'acuracy'.* accuracy .*mean_squared_error/);
  assert.throws(
    () => losses.meanSquaredError([[0]], [[1]], { reduction: 'avg' }),
    (error) => error instanceof mf.ConfigError && /'avg'.*mean_over_kept/.test(error.message),
  );
  assert.throws(
    () => losses.sparseCategoricalCrossentropy([4], [[0.5, 0.5]]),
    /class 4 but y_pred has 2 classes/,
  );
});

test('a metric accumulates until it is reset, and holds no tensors', () => {
  leavesNothing(() => {
    const metric = metrics.meanAbsoluteError();
    assert.equal(metric.name, 'mean_absolute_error');
    assert.equal(metric.result(), 0);
    metric.updateState([[0, 0]], [[1, 3]]);
    metric.updateState([[0, 0]], [[5, 5]], { sampleWeight: [3] });
    near(metric.result(), 17 / 4, 'two batches');
    metric.resetState();
    assert.equal(metric.result(), 0);
  });
  const names = ['auc', 'klDivergence', 'sparseTopKCategoricalAccuracy'].map(
    (n) => metrics[n]().name,
  );
  assert.deepEqual(names, ['auc', 'kl_divergence', 'sparse_top_k_categorical_accuracy']);
  const recall = metrics.recall({ thresholds: [0.1, 0.5], name: 'found' });
  recall.updateState([1, 1, 0], [0.2, 0.7, 0.9]);
  assert.deepEqual([recall.name, recall.result()], ['found', [1, 0.5]]);
});

const tagger = () =>
  new Sequential([
    layers.embedding({ inputDim: 10, outputDim: 4, maskZero: true }),
    layers.dense({ units: 3, activation: 'softmax' }),
  ]);
const ids = [
  [1, 2, 0, 0],
  [3, 4, 5, 0],
  [6, 0, 0, 0],
];
const tags = [
  [0, 1, 2, 2],
  [2, 1, 0, 0],
  [1, 1, 1, 1],
];

test('evaluate counts kept steps only, whatever the padding contains', () => {
  const model = tagger();
  const input = tensor(ids, { dtype: 'int32' });
  const options = { loss: 'sparse_categorical_crossentropy', metrics: ['accuracy'] };
  const actual = model.evaluate(input, tags, options);
  const output = model.predict(input).array();
  const keptPairs = ids.flatMap((row, r) =>
    row.flatMap((id, t) => (id ? [[output[r][t], tags[r][t]]] : [])),
  );
  const mean = (list) => list.reduce((sum, x) => sum + x, 0) / list.length;
  near(actual.loss, mean(keptPairs.map(([odds, tag]) => -Math.log(odds[tag]))), 'loss');
  near(
    actual.accuracy,
    mean(keptPairs.map(([odds, tag]) => +(odds.indexOf(Math.max(...odds)) === tag))),
    'acc',
  );
  const otherTags = tags.map((row, r) => row.map((tag, t) => (ids[r][t] ? tag : (tag + 1) % 3)));
  assert.deepEqual(model.evaluate(input, otherTags, options), actual);
});

test('evaluate weighs batches by rows in the loss, or by kept steps on request', () => {
  const model = tagger();
  const input = tensor(ids, { dtype: 'int32' });
  const run = (options) =>
    model.evaluate(input, tags, { loss: 'sparse_categorical_crossentropy', ...options }).loss;
  const [firstLoss, lastLoss] = [
    model.evaluate(tensor(ids.slice(0, 2), { dtype: 'int32' }), tags.slice(0, 2), { loss: 'scce' }),
    model.evaluate(tensor(ids.slice(2), { dtype: 'int32' }), tags.slice(2), { loss: 'scce' }),
  ].map(({ loss }) => loss);
  near(run({ batchSize: 2 }), (2 * firstLoss + lastLoss) / 3, 'rows');
  const reduction = 'mean_over_kept';
  near(run({ batchSize: 2, reduction }), (5 * firstLoss + lastLoss) / 6, 'kept');
  near(run({ batchSize: 1, reduction }), run({ batchSize: 0 }), 'any batches');
});

test('evaluate accepts sample weights, functions, custom metrics and names', () => {
  const model = new Sequential([layers.activation({ activation: 'linear' })]);
  const x = [[1], [2], [4]];
  const y = [[0], [0], [0]];
  const sampleWeight = [1, 1, 2];
  const hidden = metrics.meanSquaredError({ name: 'mine' });
  hidden.updateState([[0]], [[100]]); // This batch must be forgotten when the evaluation starts.
  const actual = model.evaluate(tensor(x), y, {
    loss: (t, p, options) => losses.huber(t, p, { ...options, delta: 1 }),
    metrics: ['mae', 'mae'],
    weightedMetrics: ['mae', hidden],
    sampleWeight,
    batchSize: 2,
  });
  assert.deepEqual(Object.keys(actual), ['loss', 'mae', 'mae_1', 'weighted_mae', 'mine']);
  near(actual.loss, (0.5 + 1.5 + 2 * 3.5) / 3, 'loss');
  near(actual.mae, 7 / 3, 'mae');
  near(actual.weighted_mae, 11 / 4, 'weighted');
  near(actual.mine, 37 / 4, 'mine');
});

test('evaluate accepts several inputs and outputs, as lists and by name', () => {
  leavesNothing(() =>
    mf.tidy(() => {
      const input = Input({ shape: [2] });
      const outputs = ['left', 'right'].map((name) =>
        layers.activation({ activation: 'linear', name }).apply(input),
      );
      const model = new Model({ inputs: input, outputs });
      const x = tensor([
        [1, 2],
        [3, 4],
      ]);
      const y = [x, mf.ops.add(x, 2)];
      const byList = model.evaluate(x, y, {
        loss: ['mse', 'mae'],
        lossWeights: [1, 10],
        metrics: [[], ['mse']],
      });
      assert.deepEqual(byList, { loss: 20, left_loss: 0, right_loss: 2, right_mse: 4 });
      const byName = model.evaluate(
        x,
        { right: y[1], left: y[0] },
        { loss: { right: 'mse' }, metrics: { left: ['mae'] } },
      );
      // As in Keras, a single loss has no entry for its output.
      assert.deepEqual(byName, { loss: 4, left_mae: 0 });
      model.dispose();
    }),
  );
});

test('evaluate adds the penalty of a depthwise regularizer of DepthwiseConv1D, as Keras does', () => {
  const lossOf = (make, settings) =>
    mf.tidy(() => {
      const model = new Sequential([make({ kernelSize: 1, useBias: false, ...settings })]);
      model.build([null, 1, 2]);
      model.setWeights(model.getWeights().map((w) => ops.multiply(ops.onesLike(w), 2)));
      const y = model.predict([[[1, 1]]]);
      return model.evaluate([[[1, 1]]], y, { loss: 'mse' }).loss ?? 0;
    });
  const depthwiseRegularizer = { class_name: 'L1', config: { l1: 0.1 } };
  near(lossOf(layers.depthwiseConv1D, { depthwiseRegularizer }), 0.4, 'depthwise');
  near(lossOf(layers.separableConv1D, { filters: 1, depthwiseRegularizer }), 0.4, 'separable');
});

test('evaluate adds the penalties of trainable weights and of layer outputs, as Keras does', () => {
  const weights = [
    [
      [1, -2],
      [3, 0.5],
    ],
    [0.5, -1],
  ];
  const lossOf = (settings, trainable = true) =>
    mf.tidy(() => {
      const layer = layers.dense({ units: 2, ...settings });
      const model = new Sequential([Input({ shape: [2] }), layer].slice(1));
      model.build([null, 2]);
      model.setWeights(weights.map((w) => tensor(w)));
      layer.trainable = trainable;
      const actual = model.evaluate(
        [
          [1, 1],
          [0, 2],
          [1, 0],
        ],
        zeros(3, 2),
        { loss: 'mse', batchSize: 2 },
      );
      model.dispose();
      return actual.loss;
    });
  const zeros = (n, m) => Array.from({ length: n }, () => Array(m).fill(0));
  const unpenalized = lossOf({});
  const l1 = { class_name: 'L1', config: { l1: 0.1 } };
  const l2 = { module: 'keras.regularizers', class_name: 'L2', config: { l2: 0.5 } };
  near(lossOf({ kernelRegularizer: l1 }), unpenalized + 0.65, 'L1');
  near(lossOf({ biasRegularizer: l2 }), unpenalized + 0.625, 'L2');
  near(
    lossOf({ kernelRegularizer: 'l2', biasRegularizer: l1 }),
    unpenalized + 0.1425 + 0.15,
    'by name',
  );
  near(lossOf({ kernelRegularizer: l1 }, false), unpenalized, 'not trainable');
  const l1l2 = { class_name: 'L1L2', config: { l1: 0.1, l2: 0.5 } };
  near(lossOf({ kernelRegularizer: l1l2 }), unpenalized + 0.65 + 0.5 * 14.25, 'L1L2');
  // The cosine of the kernel rows (1, -2) and (3, 0.5), which the regularizer counts twice.
  const cosine = 2 / Math.sqrt(5 * 9.25);
  const orthogonal = { class_name: 'OrthogonalRegularizer', config: { factor: 0.1, mode: 'rows' } };
  near(
    lossOf({ kernelRegularizer: orthogonal }),
    unpenalized + 0.1 * 0.5 * 2 * cosine,
    'orthogonal',
  );
  // Outputs are (4.5, -2.5), (6.5, 0), (1.5, -3): the sum of a batch is divided by its rows, and
  // weighted by them.
  near(lossOf({ activityRegularizer: l1 }), unpenalized + (1.35 + 0.45) / 3, 'activity');
  assert.throws(
    () => lossOf({ kernelRegularizer: { class_name: 'Mine', config: {} } }),
    (error) => error instanceof mf.UnsupportedError && /Mine.*L1L2/.test(error.message),
  );
});

test('evaluate finds regularizers in inner layers, and counts each weight once', () => {
  mf.tidy(() => {
    const regularizer = { class_name: 'L1', config: { l1: 1 } };
    const settings = { kernelRegularizer: regularizer };
    const cases = [
      layers.bidirectional({ layer: layers.gru({ units: 2, ...settings }) }),
      layers.timeDistributed({ layer: layers.dense({ units: 2, ...settings }) }),
      layers.rnn({ cell: layers.lstmCell({ units: 2, ...settings }) }),
      layers.separableConv1D({
        filters: 2,
        kernelSize: 1,
        depthwiseRegularizer: regularizer,
        pointwiseRegularizer: regularizer,
      }),
      layers.activityRegularization({ l1: 1 }),
    ];
    for (const layer of cases) {
      const model = new Sequential([layer]);
      const x = mf.ops.ones([2, 3, 4]);
      const y = model.apply(x);
      const total = (w) => w.data().reduce((sum, value) => sum + Math.abs(value), 0);
      const kernels = layer.weights.map(({ name }) => /^((depth|point)wise_)?kernel$/.test(name));
      const expected =
        layer.weights.length === 0
          ? 24 / 2
          : layer.getWeights().reduce((sum, w, i) => sum + (kernels[i] ? total(w) : 0), 0);
      assert.ok(expected > 0);
      near(model.evaluate(x, y, { loss: 'mse' }).loss, expected, layer.className);
    }
    const attention = layers.multiHeadAttention({ numHeads: 2, keyDim: 2, ...settings });
    const input = Input({ shape: [3, 4] });
    const model = new Model({
      inputs: input,
      outputs: attention.apply({ query: input, value: input }),
    });
    const x = mf.ops.ones([2, 3, 4]);
    const sum = attention
      .getWeights()
      .filter((_, i) => attention.weights[i].name === 'kernel')
      .reduce((all, w) => all + w.data().reduce((s, v) => s + Math.abs(v), 0), 0);
    near(model.evaluate(x, model.apply(x), { loss: 'mse' }).loss, sum, 'attention');
  });
});

test('losses and settings without recordings: set overlaps, wrong labels, pairs, alignments, labels', () => {
  near(losses.dice([[1, 0]], [[0.5, 0.5]]).item(), 0.5, 'dice');
  near(losses.tversky([[1, 0]], [[0.5, 0.5]], { alpha: 1, beta: 0 }).item(), 0.5, 'tversky');
  near(
    losses.categoricalGeneralizedCrossEntropy([1], [[0.75, 0.25]], { q: 0.5 }).item(),
    (1 - 0.5) / 0.5,
    'gce',
  );
  near(
    losses
      .ctc(
        [[1]],
        [
          [
            [0, 0],
            [0, 0],
          ],
        ],
      )
      .item(),
    -Math.log(0.75),
    'ctc',
  );
  const pairs = [
    [1, 0],
    [1, 0],
    [0, 1],
  ];
  near(losses.circle([0, 0, 1], pairs, { gamma: 1, margin: 0 }).item(), Math.LN2, 'circle');
  const auc = metrics.auc({ multiLabel: true, labelWeights: [1, 3] });
  auc.updateState(
    [
      [1, 0],
      [0, 1],
    ],
    [
      [0.9, 0.9],
      [0.1, 0.2],
    ],
  );
  near(auc.result(), (1 + 3 * 0) / 4, 'auc');
});

test('evaluate finds the single output of a model by the name of its layer', () => {
  const model = new Sequential([layers.activation({ activation: 'linear', name: 'out' })]);
  const { loss } = model.evaluate(tensor([[1], [2]]), [[1], [4]], { loss: { out: 'mse' } });
  assert.equal(loss, 2);
  const evaluate = () => model.evaluate(tensor([[1]]), [[1]], { metrics: 'mae' });
  assert.throws(evaluate, /^ValueError: output 'out': metrics must be a list/);
});

test('evaluate reports inputs and labels with different numbers of rows', () => {
  const model = new Sequential([layers.activation({ activation: 'linear' })]);
  const x = tensor([[1], [2]]);
  const assertRefuses = (y, options, pattern) =>
    assert.throws(() => model.evaluate(x, y, { loss: 'mse', ...options }), pattern);
  assertRefuses([[1]], {}, /x has 2 rows but y has 1/);
  assertRefuses([[1], [2]], { sampleWeight: [1, 2, 3] }, /x has 2 rows but sampleWeight has 3/);
  assertRefuses([[1], [2]], { batchSize: 1.5 }, /batchSize is 1.5/);
  assertRefuses([[1], [2]], { loss: 'msee' }, /no loss 'msee'/);
  assertRefuses([[1], [2]], { metrics: ['msee'] }, /no metric 'msee'/);
  assertRefuses([[1], [2]], { metrics: 'mae' }, /metrics must be a list: \['mae'\]/);
  assertRefuses([[1], [2]], { loss: { rigth: 'mse' } }, /no output 'rigth'/);
});
