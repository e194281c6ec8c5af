// SPDX-License-Identifier: MIT
// Programs of further rows of docs/from-keras.md: tests/fixtures/guide_programs/rows.py.
import * as mf from '../../../dist/train.js';
import { everyProgramOf, fill, ids, map, program, wave } from '../../support/guide_programs.js';

const { cloneModel, Input, Layer, layers, losses, metrics, ops, random, schedules } = mf;
const { Sequential, tensor } = mf;
await mf.ready({ seed: 1 });

program('calls_and_masks', () => {
  const [x, mask] = [wave([2, 4, 3]), map(ids([2, 4], 3), (id) => id > 0)];
  const lstm = layers.lstm({ units: 3, returnSequences: true });
  lstm.apply(x);
  fill(lstm);
  const [h, c] = [tensor(wave([2, 3])), tensor(wave([2, 3], 1))];
  const mha = layers.multiHeadAttention({ numHeads: 2, keyDim: 3 });
  const m = map(ids([2, 4, 4], 2), (id) => id > 0);
  mha.apply({ query: x, value: x });
  fill(mha);
  const embedding = layers.embedding({ inputDim: 5, outputDim: 2, maskZero: true });
  return {
    masked: lstm.apply(x, { mask, training: true }),
    states: lstm.apply(x, { initialState: [h, c] }),
    attention: mha.apply({ query: x, value: x }, { attentionMask: m }),
    mask: embedding.computeMask(ids([1, 6], 5)),
  };
});

program('inner_layers_and_settings', () => {
  const bidirectional = layers.bidirectional(layers.gru({ units: 2 }));
  const timeDistributed = layers.timeDistributed(layers.dense({ units: 3 }));
  const rnn = layers.rnn(layers.lstmCell({ units: 2 }));
  const x = wave([2, 3, 4]);
  for (const layer of [bidirectional, timeDistributed, rnn]) {
    layer.apply(x);
    fill(layer);
  }
  const [dense, dropout] = [timeDistributed.layer, layers.dropout({ rate: 0.5 })];
  dropout.rate = 0.2;
  const lstm = layers.lstm({ units: 2 });
  lstm.apply(x);
  fill(lstm);
  return {
    forward: bidirectional.forwardLayer.apply(x),
    dense: [dense.units, dense.apply(x)],
    cell: [rnn.cell.units, rnn.cell.weights.length],
    rate: dropout.rate,
    kernel: dense.kernel.value,
    recurrent: lstm.recurrentKernel.value,
  };
});

program('functions_of_numbers', () => {
  const a = wave([3, 4]);
  const x = tensor(a);
  const [y, p] = [ids([3, 4], 2), map(a, (value) => (value + 1) / 2)];
  const schedule = schedules.cosineDecay({ initialLearningRate: 0.1, decaySteps: 100 });
  const step = (carry, row) => [carry.add(row), carry.multiply(2)];
  const [total, sums] = ops.scan(step, ops.zeros([4]), x);
  const m = metrics.auc();
  m.updateState(y, p);
  return {
    exp: ops.exp(x),
    plus: x.add(1),
    last: x.getItem([{}, -1]),
    list: x.array(),
    gelu: ops.gelu(x),
    threshold: ops.threshold(x, { threshold: 0.5 }),
    mse: losses.meanSquaredError(y, p),
    auc: m.result(),
    rates: [0, 10, 50, 100].map((each) => schedule.at(each)),
    scan: [total, sums],
  };
});

program('hooks_of_models', async () => {
  class Bounded extends Sequential {
    computeLoss(_x, y, yPred) {
      return ops.minimum(ops.mean(ops.square(ops.subtract(yPred, y))), 10);
    }
    computeMetrics(x, y, yPred, sampleWeight) {
      const logs = super.computeMetrics(x, y, yPred, sampleWeight);
      return { ...logs, largest: ops.max(yPred) };
    }
    predictStep([x]) {
      return this.apply(x).multiply(2);
    }
  }
  const model = fill(new Bounded([Input({ shape: [4] }), layers.dense({ units: 1 })]));
  model.compile({ optimizer: 'sgd', metrics: ['mae'] });
  const [x, y] = [wave([8, 4]), wave([8, 1], 1)];
  const { history } = await model.fit(x, y, {
    batchSize: 4,
    epochs: 5,
    validationSplit: 0.5,
    shuffle: false,
  });
  return {
    history,
    metrics: model.getMetricsResult().mae,
    y: model.predict(x, { batchSize: 32 }),
  };
});

program('copies_of_models', () => {
  class Mine extends Layer {
    constructor({ factor = 2, ...config } = {}) {
      super(config);
      this.factor = factor;
    }
    call(x) {
      return ops.multiply(x, this.factor);
    }
    getConfig() {
      return { ...super.getConfig(), factor: this.factor };
    }
  }
  const dense = layers.dense({ units: 2, name: 'a' });
  const model = fill(new Sequential([Input({ shape: [3] }), dense, new Mine({ factor: 3 })]));
  const copy = Sequential.fromConfig(model.getConfig(), { customObjects: { Mine } });
  copy.setWeights(model.getWeights());
  const clone = cloneModel(model);
  clone.setWeights(model.getWeights());
  const x = wave([2, 3]);
  return {
    y: [model, copy, clone].map((each) => each.predict(x)),
    shapes: [model.inputShape, model.outputShape],
    factor: Mine.fromConfig(new Mine({ factor: 5 }).getConfig()).factor,
  };
});

program('random_numbers', async () => {
  await mf.ready({ seed: 1 });
  const g = new random.SeedGenerator(1);
  const logits = wave([2, 3]);
  const drawn = random.categorical(logits, 4, { seed: g });
  const first = random.normal([3], { seed: 7 });
  const again = random.normal([3], { seed: 7 });
  const isInRange = drawn.greaterEqual(0).logicalAnd(drawn.less(3));
  return {
    shape: drawn.shape,
    'in range': Boolean(isInRange.all().item()),
    same: Boolean(first.equal(again).all().item()),
  };
});

everyProgramOf('rows');
