// SPDX-License-Identifier: MIT
// Programs of sequences in pairs, of several inputs, of labels without alignment and on graphs
// return the numbers of Keras: tests/fixtures/guide_programs/series.py.
import * as mf from '../../../dist/train.js';
import { everyProgramOf, fill, ids, map, program, wave } from '../../support/guide_programs.js';

const { callbacks, Input, Layer, layers, losses, metrics, Model, ops } = mf;
const { optimizers, padSequences, Sequential, tensor } = mf;
await mf.ready({ seed: 1, onMaskDropped: 'silent' });

const kEpsilon = 1e-7;

program('siamese_words', async () => {
  const encoder = new Sequential(
    [
      Input({ shape: [null], dtype: 'int32' }),
      layers.embedding({ inputDim: 12, outputDim: 5, maskZero: true }),
      layers.bidirectional(layers.gru({ units: 3 })),
      layers.dense({ units: 4 }),
      layers.unitNormalization(),
    ],
    { name: 'encoder' },
  );
  const euclideanDistance = ([x, y]) => {
    const total = ops.sum(ops.square(x.subtract(y)), { axis: 1, keepdims: true });
    return ops.sqrt(ops.maximum(total, kEpsilon));
  };
  const contrastiveLoss = (yTrue, yPred) => {
    const near = ops.square(yPred);
    const far = ops.square(ops.maximum(ops.subtract(1, yPred), 0));
    return ops.mean(ops.subtract(1, yTrue).multiply(near).add(ops.multiply(yTrue, far)));
  };
  const [left, right] = ['left', 'right'].map((name) =>
    Input({ shape: [null], dtype: 'int32', name }),
  );
  const codes = [encoder.apply(left), encoder.apply(right)];
  const distance = layers.lambda(euclideanDistance, { outputShape: [1] }).apply(codes);
  const model = new Model({ inputs: [left, right], outputs: distance });
  fill(encoder);
  const rows = Array.from({ length: 6 }, (_, i) => ids([3 + (i % 3)], 12, 1));
  const x = padSequences(rows, { padding: 'post', maxlen: 6 });
  const z = ops.flip(x, 0);
  const y = [[0], [1], [1], [0], [1], [0]];
  model.compile({
    loss: contrastiveLoss,
    optimizer: optimizers.rmsprop(0.01),
    metrics: ['accuracy'],
  });
  const { history } = await model.fit([x, z], y, { epochs: 3, batchSize: 2, shuffle: false });
  return {
    history,
    distances: model.predict([x, z]),
    same: model.predict([x, x]),
    codes: encoder.predict(x),
    weights: model.trainableWeights.length,
  };
});

program('forecast_of_several_inputs', async () => {
  const past = Input({ shape: [8, 3], name: 'past' });
  const future = Input({ shape: [4, 2], name: 'future' });
  const fixed = Input({ shape: [1], dtype: 'int32', name: 'static' });
  const shop = layers.flatten().apply(layers.embedding({ inputDim: 5, outputDim: 4 }).apply(fixed));
  const stateH = layers.dense({ units: 6, activation: 'tanh' }).apply(shop);
  const stateC = layers.dense({ units: 6, activation: 'tanh' }).apply(shop);
  const [encoded, h, c] = layers
    .lstm({ units: 6, returnSequences: true, returnState: true })
    .apply(past, { initialState: [stateH, stateC] });
  const decoded = layers
    .lstm({ units: 6, returnSequences: true })
    .apply(future, { initialState: [h, c] });
  const context = layers
    .multiHeadAttention({ numHeads: 2, keyDim: 3 })
    .apply({ query: decoded, value: encoded });
  let x = layers.layerNormalization().apply(layers.add().apply([decoded, context]));
  x = layers.concatenate().apply([x, layers.repeatVector({ n: 4 }).apply(shop)]);
  const mean = layers.timeDistributed(layers.dense({ units: 1 }), { name: 'mean' }).apply(x);
  const scale = layers
    .timeDistributed(layers.dense({ units: 1, activation: 'softplus' }), { name: 'scale' })
    .apply(x);
  const inputs = { past, future, static: fixed };
  const model = fill(new Model({ inputs, outputs: { mean, scale } }));
  const data = { past: wave([6, 8, 3]), future: wave([6, 4, 2], 1), static: ids([6, 1], 5) };
  const targets = { mean: wave([6, 4, 1], 2), scale: map(wave([6, 4, 1], 3), Math.abs) };
  model.compile({
    optimizer: optimizers.adam({ learningRate: 0.01, clipnorm: 1 }),
    loss: { mean: losses.huber({ delta: 0.5 }), scale: 'mae' },
    lossWeights: { mean: 1, scale: 0.5 },
    metrics: { mean: ['mae'] },
  });
  const { history } = await model.fit(data, targets, {
    epochs: 2,
    batchSize: 3,
    shuffle: false,
    validationSplit: 1 / 3,
  });
  return { history, y: model.predict(data) };
});

program('speech_ctc', async () => {
  const frames = Input({ shape: [null, 4], name: 'frames' });
  const conv = { filters: 5, kernelSize: 3, padding: 'same', activation: 'relu' };
  let x = layers.conv1D(conv).apply(frames);
  x = layers.bidirectional(layers.lstm({ units: 5, returnSequences: true })).apply(x);
  x = layers.timeDistributed(layers.dense({ units: 6, activation: 'relu' })).apply(x);
  const logits = layers.dense({ units: 5 }).apply(x);
  const model = fill(new Model({ inputs: frames, outputs: logits }));
  const lengths = [7, 5, 6];
  const data = wave([3, 7, 4]);
  const labels = tensor([
    [1, 2, 3],
    [4, 1, 0],
    [2, 2, 0],
  ]);
  const ctcLoss = (yTrue, yPred) => {
    const targetLength = ops.sum(ops.cast(ops.notEqual(yTrue, 0), 'int32'), { axis: -1 });
    return ops.ctcLoss(yTrue, yPred, targetLength, lengths, { maskIndex: 0 });
  };
  model.compile({ optimizer: 'adam', loss: ctcLoss });
  const { history } = await model.fit(data, labels, { epochs: 3, batchSize: 3, shuffle: false });
  const y = model.predict(data);
  const [decoded, scores] = ops.ctcDecode(y, lengths, { strategy: 'greedy', maskIndex: 0 });
  const loss = ops.ctcLoss(labels, y, [3, 2, 2], lengths, { maskIndex: 0 });
  return { history, y: y.array()[0], loss, decoded, scores };
});

class GraphConvolution extends Layer {
  constructor({ units, adjacency, activation, ...config }) {
    super(config);
    this.units = units;
    this.activation = activation;
    this.shares = adjacency.map((row) => {
      const degree = Math.max(
        row.reduce((sum, edge) => sum + edge),
        1,
      );
      return row.map((edge) => edge / degree);
    });
  }
  build([, , , features]) {
    this.own = this.addWeight({ shape: [features, this.units], name: 'own' });
    this.neighbours = this.addWeight({ shape: [features, this.units], name: 'neighbours' });
    this.bias = this.addWeight({ shape: [this.units], initializer: 'zeros', name: 'bias' });
  }
  call(inputs) {
    const mixed = ops.einsum('nm,btmf->btnf', this.shares, inputs);
    const y = ops.matmul(inputs, this.own).add(ops.matmul(mixed, this.neighbours)).add(this.bias);
    return this.activation(y);
  }
}

program('traffic_on_a_graph', async () => {
  const [steps, nodes, features, horizon] = [6, 5, 2, 3];
  const places = wave([nodes, 2], 1);
  const distance = (a, b) => Math.hypot(a[0] - b[0], a[1] - b[1]);
  const isNear = (far) => Number(far < 1.2 && far > 0);
  const adjacency = places.map((a) => places.map((b) => isNear(distance(a, b))));
  const inputs = Input({ shape: [steps, nodes, features] });
  let x = new GraphConvolution({ units: 4, adjacency, activation: ops.relu }).apply(inputs);
  x = layers.permute({ dims: [2, 1, 3] }).apply(x);
  x = layers.reshape({ targetShape: [nodes * steps, 4] }).apply(x);
  x = layers.lambda((t) => ops.reshape(t, [-1, steps, 4]), { outputShape: [steps, 4] }).apply(x);
  x = layers.lstm({ units: 5 }).apply(x);
  x = layers.dense({ units: horizon }).apply(x);
  const outputShape = [nodes, horizon];
  x = layers.lambda((t) => ops.reshape(t, [-1, nodes, horizon]), { outputShape }).apply(x);
  const model = fill(new Model({ inputs, outputs: layers.permute({ dims: [2, 1] }).apply(x) }));
  const series = wave([20, nodes, features]);
  const starts = Array.from({ length: 12 }, (_, i) => i);
  const windows = starts.map((i) => series.slice(i, i + steps));
  const targets = starts.map((i) =>
    series.slice(i + steps, i + steps + horizon).map((step) => step.map(([first]) => first)),
  );
  model.compile({
    optimizer: optimizers.rmsprop(0.002),
    loss: losses.meanSquaredError(),
    metrics: [metrics.rootMeanSquaredError()],
  });
  const { history } = await model.fit(windows, targets, {
    epochs: 2,
    batchSize: 4,
    shuffle: false,
  });
  return { adjacency, history, y: model.predict(windows.slice(0, 2)) };
});

/** Rises to the rate of a transformer, then falls with the root of the step. */
const warmUp = ({ units, warmupSteps = 4 }) =>
  Object.assign(
    (step) => Math.min((step + 1) ** -0.5, (step + 1) * warmupSteps ** -1.5) / Math.sqrt(units),
    { getConfig: () => ({ units, warmup_steps: warmupSteps }) },
  );

program('own_schedule', async () => {
  const inputs = Input({ shape: [null], dtype: 'int32' });
  let x = layers.embedding({ inputDim: 9, outputDim: 6 }).apply(inputs);
  const attention = layers.multiHeadAttention({ numHeads: 2, keyDim: 3 });
  x = x.add(attention.apply({ query: x, value: x }, { useCausalMask: true }));
  x = layers.layerNormalization().apply(x);
  x = layers.lstm({ units: 4, returnSequences: true }).apply(x);
  const model = fill(new Model({ inputs, outputs: layers.dense({ units: 9 }).apply(x) }));
  const schedule = warmUp({ units: 64, warmupSteps: 4 });
  model.compile({
    optimizer: optimizers.adam({ learningRate: schedule, beta2: 0.98, epsilon: 1e-9 }),
    loss: losses.sparseCategoricalCrossentropy({ fromLogits: true }),
  });
  const rows = ids([8, 5], 9);
  const used = [];
  class Rates extends callbacks.Callback {
    onTrainBatchEnd() {
      used.push(this.model.optimizer.learningRate);
    }
  }
  const next = ops.roll(rows, -1, { axis: 1 });
  const { history } = await model.fit(rows, next, {
    epochs: 3,
    batchSize: 4,
    shuffle: false,
    callbacks: [new Rates()],
  });
  return {
    rates: Array.from({ length: 8 }, (_, step) => schedule(step)),
    history,
    used,
    config: schedule.getConfig(),
    y: model.predict(rows.slice(0, 1)),
  };
});

everyProgramOf('series');
