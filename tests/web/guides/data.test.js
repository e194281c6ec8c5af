// SPDX-License-Identifier: MIT
// Programs that prepare data and measure results return the numbers of Keras:
// tests/fixtures/guide_programs/data.py.
import * as mf from '../../../dist/train.js';
import { TextVectorization } from '../../../dist/text.js';
import {
  everyProgramOf,
  fill,
  ids,
  map,
  oneHot,
  program,
  wave,
} from '../../support/guide_programs.js';

const { Input, layers, losses, metrics, Model, ops, optimizers, Sequential } = mf;
const { tensor } = mf;
await mf.ready({ seed: 1 });

program('structured_data', async () => {
  const age = map(wave([12, 1]), (value) => 50 + 20 * value);
  const chol = map(wave([12, 1], 2), (value) => 200 + 60 * value);
  const kind = ids([12, 1], 4);
  const columns = ops.concatenate([age, chol], 1);
  const normalizer = layers.normalization();
  normalizer.adapt(columns);
  const bins = layers.discretization({ binBoundaries: [40, 50, 60], outputMode: 'one_hot' });
  const category = layers.categoryEncoding({ numTokens: 4, outputMode: 'one_hot' });
  const numeric = Input({ shape: [2], name: 'numeric' });
  const kinds = Input({ shape: [1], name: 'kind', dtype: 'int32' });
  const features = layers.concatenate().apply([normalizer.apply(numeric), category.apply(kinds)]);
  const x = layers.dense({ units: 4, activation: 'relu' }).apply(features);
  const outputs = layers.dense({ units: 1, activation: 'sigmoid' }).apply(x);
  const model = new Model({ inputs: { numeric, kind: kinds }, outputs });
  const trained = fill(new Sequential(model.layers.slice(-2)));
  const data = { numeric: columns, kind };
  const loss = 'binary_crossentropy';
  model.compile({ optimizer: 'adam', loss, metrics: ['accuracy', 'AUC'] });
  const targets = ids([12, 1], 2);
  const { history } = await model.fit(data, targets, { batchSize: 4, epochs: 2, shuffle: false });
  return {
    normalized: normalizer.apply(columns),
    bins: bins.apply(age),
    history,
    y: model.predict(data),
    weights: trained.weights.length,
  };
});

program('text_to_ids', async () => {
  const texts = ['The cat sat', 'the dog sat', 'the cat ran!', 'the end'];
  const words = new TextVectorization({
    vocabulary: ['the', 'cat', 'sat', 'dog', 'ran'],
    outputSequenceLength: 4,
  });
  const rows = words.apply([texts[0], texts[1], 'the cat ran away']);
  const model = new Sequential([
    Input({ shape: [null], dtype: 'int32' }),
    layers.embedding({ inputDim: words.vocabularySize(), outputDim: 4, maskZero: true }),
    layers.gru({ units: 3 }),
  ]);
  model.add(layers.dense({ units: 1, activation: 'sigmoid' }));
  fill(model);
  const endToEnd = new Sequential([words, model]);
  const loss = 'binary_crossentropy';
  model.compile({ optimizer: 'adam', loss, metrics: ['accuracy'] });
  const targets = [[1], [0], [1]];
  const { history } = await model.fit(rows, targets, { epochs: 2, shuffle: false });
  return {
    ids: rows,
    history,
    y: endToEnd.predict([texts[0], texts[1], 'The cat ran away']),
  };
});

program('addition_rnn', async () => {
  const chars = '0123456789+ ';
  const encode = (texts) =>
    oneHot(
      texts.map((text) => [...text].map((c) => chars.indexOf(c))),
      12,
    );
  const x = encode(['1+2  ', '34+5 ', '6+78 ', '9+9  ']);
  const y = encode(['3  ', '39 ', '84 ', '18 ']);
  const model = new Sequential();
  model.add(Input({ shape: [5, chars.length] }));
  model.add(layers.lstm({ units: 6 }));
  model.add(layers.repeatVector({ n: 3 }));
  for (let i = 0; i < 2; i++) model.add(layers.lstm({ units: 6, returnSequences: true }));
  model.add(layers.dense({ units: chars.length, activation: 'softmax' }));
  fill(model);
  const loss = 'categorical_crossentropy';
  model.compile({ loss, optimizer: 'adam', metrics: ['accuracy'] });
  const { history } = await model.fit(x, y, { batchSize: 2, epochs: 2, shuffle: false });
  const best = model.predict(x).argmax(-1).array();
  return { history, guess: best.map((row) => row.map((i) => chars[i]).join('')) };
});

program('anomaly_detection', async () => {
  const values = tensor(wave([40, 1]));
  const normalized = values.subtract(values.mean()).divide(values.std()).array();
  const x = Array.from({ length: 33 }, (_, i) => normalized.slice(i, i + 8));
  const conv = { kernelSize: 3, padding: 'same', strides: 2, activation: 'relu' };
  const model = new Sequential([
    Input({ shape: [8, 1] }),
    layers.conv1D({ ...conv, filters: 4 }),
    layers.dropout({ rate: 0 }),
    layers.conv1D({ ...conv, filters: 2 }),
    layers.conv1DTranspose({ ...conv, filters: 2 }),
    layers.conv1DTranspose({ ...conv, filters: 4 }),
    layers.conv1DTranspose({ filters: 1, kernelSize: 3, padding: 'same' }),
  ]);
  fill(model);
  model.compile({ optimizer: optimizers.adam({ learningRate: 0.001 }), loss: 'mse' });
  const { history } = await model.fit(x, x, {
    epochs: 2,
    batchSize: 8,
    validationSplit: 0.1,
    shuffle: false,
  });
  const mae = ops.mean(ops.abs(model.predict(x).subtract(x)), 1);
  return { history, threshold: ops.max(mae).item(), shape: model.outputShape };
});

program('standalone_metrics', () => {
  const m = metrics.auc();
  m.updateState([0, 0, 1, 1], [0, 0.5, 0.3, 0.9]);
  const first = m.result();
  m.resetState();
  m.updateState([0, 0, 1, 1], [0, 0.5, 0.3, 0.9], { sampleWeight: [1, 0, 0, 1] });
  const precision = metrics.precision({ thresholds: [0.2, 0.6] });
  precision.updateState([0, 1, 1, 1], [0.3, 0.5, 0.7, 0.1]);
  const top = metrics.topKCategoricalAccuracy({ k: 2 });
  top.updateState(
    [
      [0, 0, 1],
      [0, 1, 0],
    ],
    [
      [0.1, 0.9, 0.8],
      [0.05, 0, 0.95],
    ],
  );
  const iou = metrics.meanIoU({ numClasses: 2 });
  iou.updateState([0, 0, 1, 1], [0, 1, 0, 1]);
  const f1 = metrics.f1Score({ threshold: 0.5 });
  f1.updateState(
    [
      [1, 1, 1],
      [1, 0, 0],
      [1, 1, 0],
    ],
    [
      [0.2, 0.6, 0.7],
      [0.2, 0.6, 0.6],
      [0.6, 0.8, 0],
    ],
  );
  return {
    auc: [first, m.result()],
    precision: precision.result(),
    top: top.result(),
    iou: iou.result(),
    f1: f1.result(),
  };
});

program('named_entities', async () => {
  const lossFn = losses.sparseCategoricalCrossentropy({ fromLogits: false, reduction: null });
  const customNonPaddingTokenLoss = (yTrue, yPred) => {
    const mask = ops.cast(ops.greater(yTrue, 0), 'float32');
    return ops.sum(lossFn(yTrue, yPred).multiply(mask)).divide(ops.sum(mask));
  };
  const inputs = Input({ shape: [null], dtype: 'int32' });
  let x = layers.embedding({ inputDim: 15, outputDim: 6 }).apply(inputs);
  const attention = layers.multiHeadAttention({ numHeads: 2, keyDim: 6 });
  const added = x.add(attention.apply({ query: x, value: x }));
  x = layers.layerNormalization({ epsilon: 1e-6 }).apply(added);
  const outputs = layers.dense({ units: 4, activation: 'softmax' }).apply(x);
  const model = fill(new Model({ inputs, outputs }));
  model.compile({ optimizer: 'adam', loss: customNonPaddingTokenLoss });
  const [tokens, tags] = [ids([6, 5], 15), ids([6, 5], 4)];
  const { history } = await model.fit(tokens, tags, { batchSize: 3, epochs: 2, shuffle: false });
  return { history, y: model.predict(tokens.slice(0, 1)) };
});

program('siamese', async () => {
  const euclideanDistance = ([x, y]) => {
    const sumSquare = ops.sum(ops.square(x.subtract(y)), { axis: 1, keepdims: true });
    return ops.sqrt(ops.maximum(sumSquare, 1e-7));
  };
  const loss =
    (margin = 1) =>
    (yTrue, yPred) => {
      const squarePred = ops.square(yPred);
      const marginSquare = ops.square(ops.maximum(ops.subtract(margin, yPred), 0));
      const same = ops.subtract(1, yTrue).multiply(squarePred);
      return ops.mean(same.add(ops.multiply(yTrue, marginSquare)));
    };
  const inputs = Input({ shape: [5] });
  let x = layers.batchNormalization().apply(inputs);
  x = layers.dense({ units: 4, activation: 'tanh' }).apply(x);
  const embeddingNetwork = new Model({ inputs, outputs: x });
  const [input1, input2] = [Input({ shape: [5] }), Input({ shape: [5] })];
  const mergeLayer = layers
    .lambda({ function: euclideanDistance, outputShape: [1] })
    .apply([embeddingNetwork.apply(input1), embeddingNetwork.apply(input2)]);
  const outputLayer = layers
    .dense({ units: 1, activation: 'sigmoid' })
    .apply(layers.batchNormalization().apply(mergeLayer));
  const network = fill(new Model({ inputs: [input1, input2], outputs: outputLayer }));
  network.compile({ loss: loss(1), optimizer: 'RMSprop', metrics: ['accuracy'] });
  const [pairs, labels] = [[wave([8, 5]), wave([8, 5], 1)], ids([8, 1], 2)];
  const { history } = await network.fit(pairs, labels, { batchSize: 4, epochs: 2, shuffle: false });
  return { history, y: network.predict(pairs) };
});

program('wide_and_deep', async () => {
  class WideAndDeepModel extends Model {
    constructor(units = 30, activation = 'relu', config = {}) {
      super(config);
      this.normLayerWide = layers.normalization({ axis: -1 });
      this.hidden1 = layers.dense({ units, activation });
      this.hidden2 = layers.dense({ units, activation });
      this.mainOutput = layers.dense({ units: 1 });
      this.auxOutput = layers.dense({ units: 1 });
    }
    call([inputWide, inputDeep]) {
      const normWide = this.normLayerWide.apply(inputWide);
      const hidden2 = this.hidden2.apply(this.hidden1.apply(inputDeep));
      const concat = layers.concatenate().apply([normWide, hidden2]);
      return [this.mainOutput.apply(concat), this.auxOutput.apply(hidden2)];
    }
  }
  const model = new WideAndDeepModel(4, 'relu', { name: 'my_cool_model' });
  const [wide, deep] = [wave([8, 3]), wave([8, 4], 1)];
  model.normLayerWide.adapt(wide);
  model.apply([tensor(wide), tensor(deep)]);
  for (const layer of model.layers.slice(1)) fill(layer);
  model.compile({ loss: ['mse', 'mse'], lossWeights: [0.9, 0.1], optimizer: 'sgd' });
  const y = wave([8, 1], 2);
  const options = { batchSize: 4, epochs: 2, shuffle: false };
  const { history } = await model.fit([wide, deep], [y, y], options);
  return { loss: history.loss, y: model.predict([wide, deep]) };
});

program('functions_as_settings', async () => {
  const mySoftplus = (z) => ops.log(ops.exp(z).add(1));
  const myInitializer = (shape) => ops.ones(shape).multiply(0.25);
  const l1 = (factor) => (weights) => ops.sum(ops.abs(ops.multiply(weights, factor)));
  const myPositiveWeights = (weights) =>
    ops.where(ops.less(weights, 0), ops.zerosLike(weights), weights);
  const layer = layers.dense({
    units: 2,
    activation: mySoftplus,
    kernelInitializer: myInitializer,
    kernelRegularizer: l1(0.01),
    kernelConstraint: myPositiveWeights,
  });
  const model = new Sequential([
    Input({ shape: [4] }),
    layer,
    layers.dense({ units: 1, kernelInitializer: myInitializer, kernelRegularizer: l1(0.02) }),
  ]);
  model.compile({ loss: 'huber', optimizer: optimizers.nadam(0.1), metrics: ['mae'] });
  const data = [wave([8, 4]), wave([8, 1], 1)];
  const { history } = await model.fit(...data, { batchSize: 4, epochs: 3, shuffle: false });
  return { history, weights: model.getWeights() };
});

program('masked_sensors', async () => {
  const readings = wave([6, 5, 2]);
  readings[1].fill([-10, -10], 3);
  readings[4].fill([-10, -10], 2);
  const model = new Sequential([
    Input({ shape: [null, 2] }),
    layers.masking({ maskValue: -10 }),
    layers.gru({ units: 3, returnSequences: true }),
    layers.timeDistributed(layers.dense({ units: 2, activation: 'tanh' })),
    layers.globalAveragePooling1D(),
    layers.dense({ units: 1 }),
  ]);
  fill(model);
  model.compile({ optimizer: 'sgd', loss: 'mae', metrics: ['mse'] });
  const { history } = await model.fit(readings, wave([6, 1]), { epochs: 2, shuffle: false });
  const steps = new Model({ inputs: model.inputs, outputs: model.layers[1].output });
  return { history, y: model.predict(readings), steps: steps.predict(readings) };
});

everyProgramOf('data');
