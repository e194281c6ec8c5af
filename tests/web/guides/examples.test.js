// SPDX-License-Identifier: MIT
// Programs of tests/fixtures/guide_programs/examples.py.
import * as mf from '../../../dist/train.js';
import { everyProgramOf, fill, ids, map, program, wave } from '../../support/guide_programs.js';

const { callbacks, constraints, initializers, Input, Layer, layers, losses, metrics } = mf;
const { Metric, Model, ops, optimizers, regularizers, schedules, Sequential, tensor } = mf;
await mf.ready({ seed: 1, onMaskDropped: 'silent' });

const roll = (rows) => rows.map(([first, ...others]) => [...others, first]);

program('pretrained_word_embeddings', async () => {
  const matrix = wave([12, 4]);
  matrix[0] = [0, 0, 0, 0];
  const inputs = Input({ shape: [null], dtype: 'int64' });
  let x = layers
    .embedding({ inputDim: 12, outputDim: 4, weights: [matrix], trainable: false })
    .apply(inputs);
  x = layers.conv1D({ filters: 6, kernelSize: 3, activation: 'relu', padding: 'same' }).apply(x);
  x = layers.maxPooling1D({ poolSize: 2 }).apply(x);
  x = layers.conv1D({ filters: 6, kernelSize: 2, activation: 'relu' }).apply(x);
  x = layers.globalMaxPooling1D().apply(x);
  const outputs = layers.dense({ units: 3, activation: 'softmax' }).apply(x);
  const model = new Model({ inputs, outputs });
  for (const layer of model.layers.slice(-5)) fill(layer);
  model.compile({
    loss: 'sparse_categorical_crossentropy',
    optimizer: optimizers.rmsprop(0.01),
    metrics: ['acc'],
  });
  const [xTrain, yTrain] = [ids([8, 6], 12), ids([8], 3)];
  const { history } = await model.fit(xTrain, yTrain, { batchSize: 4, epochs: 3, shuffle: false });
  const constant = layers.dense({ units: 4, kernelInitializer: initializers.constant(matrix) });
  constant.build([null, 12]);
  const embedding = model.layers.find(({ className }) => className === 'Embedding');
  return {
    history,
    table: embedding.getWeights()[0],
    predictions: model.predict(xTrain),
    trainable: model.trainableVariables.length,
    constant: constant.kernel.value,
  };
});

program('speaker_recognition', async () => {
  const residualBlock = (inputs, filters, count = 3, activation = 'relu') => {
    const conv = (kernelSize) => layers.conv1D({ filters, kernelSize, padding: 'same' });
    const s = conv(1).apply(inputs);
    let x = inputs;
    for (let i = 0; i < count - 1; i++) {
      x = layers.activation({ activation }).apply(conv(3).apply(x));
    }
    x = layers.add().apply([conv(3).apply(x), s]);
    x = layers.activation({ activation }).apply(x);
    return layers.maxPooling1D({ poolSize: 2, strides: 2 }).apply(x);
  };
  const inputs = Input({ shape: [16, 1], name: 'input' });
  let x = residualBlock(inputs, 2, 2);
  x = residualBlock(x, 3, 3);
  x = layers.averagePooling1D({ poolSize: 3, strides: 3 }).apply(x);
  x = layers.flatten().apply(x);
  x = layers.dense({ units: 5, activation: 'relu' }).apply(x);
  const outputs = layers.dense({ units: 2, activation: 'softmax', name: 'output' }).apply(x);
  const model = fill(new Model({ inputs, outputs }));
  model.compile({
    optimizer: optimizers.adam(schedules.exponentialDecay(0.01, 4, 0.5)),
    loss: 'sparse_categorical_crossentropy',
    metrics: ['accuracy'],
  });
  const audio = tensor(wave([8, 16]));
  const [real] = ops.fft([audio, ops.zerosLike(audio)]);
  const { history } = await model.fit(real.abs(), ids([8], 2), {
    epochs: 6,
    batchSize: 4,
    shuffle: false,
    validationData: [audio, ids([8], 2)],
    callbacks: [callbacks.earlyStopping({ patience: 2, restoreBestWeights: true })],
  });
  return { history, predictions: model.predict(audio) };
});

program('timeseries_transformer', async () => {
  const normalize = (x) => layers.layerNormalization({ epsilon: 1e-6 }).apply(x);
  const encoder = (inputs, headSize, numHeads, ffDim) => {
    const attention = layers.multiHeadAttention({ keyDim: headSize, numHeads });
    const res = normalize(attention.apply({ query: inputs, value: inputs })).add(inputs);
    let x = layers.conv1D({ filters: ffDim, kernelSize: 1, activation: 'relu' }).apply(res);
    x = layers.conv1D({ filters: inputs.shape.at(-1), kernelSize: 1 }).apply(x);
    return normalize(x).add(res);
  };
  const inputs = Input({ shape: [10, 2] });
  let x = inputs;
  for (let i = 0; i < 2; i++) x = encoder(x, 3, 2, 4);
  x = layers.globalAveragePooling1D({ dataFormat: 'channels_last' }).apply(x);
  x = layers.dense({ units: 4, activation: 'relu' }).apply(x);
  const outputs = layers.dense({ units: 2, activation: 'softmax' }).apply(x);
  const model = fill(new Model({ inputs, outputs }));
  model.compile({
    loss: 'sparse_categorical_crossentropy',
    optimizer: optimizers.adam({ learningRate: 1e-3 }),
    metrics: ['sparse_categorical_accuracy'],
  });
  const [xTrain, yTrain] = [wave([6, 10, 2]), ids([6], 2)];
  const { history } = await model.fit(xTrain, yTrain, { epochs: 2, batchSize: 3, shuffle: false });
  const { loss, sparse_categorical_accuracy: accuracy } = model.evaluate(xTrain, yTrain);
  return { history, predictions: model.predict(xTrain), evaluation: [loss, accuracy] };
});

program('attention_over_states', async () => {
  const source = Input({ shape: [null], dtype: 'int32', name: 'source' });
  const target = Input({ shape: [null], dtype: 'int32', name: 'target' });
  const embed = (inputDim, x) =>
    layers.embedding({ inputDim, outputDim: 4, maskZero: true }).apply(x);
  const encoder = layers.gru({ units: 5, returnSequences: true, returnState: true });
  const [states, h] = encoder.apply(embed(9, source));
  const decoder = layers.gru({ units: 5, returnSequences: true });
  const decoded = decoder.apply(embed(7, target), { initialState: h });
  const context = layers.attention().apply([decoded, states]);
  const joined = layers.concatenate().apply([decoded, context]);
  const dense = layers.dense({ units: 7, activation: 'softmax' });
  const outputs = layers.timeDistributed(dense).apply(joined);
  const model = fill(new Model({ inputs: [source, target], outputs }));
  model.compile({
    optimizer: 'rmsprop',
    loss: 'sparse_categorical_crossentropy',
    weightedMetrics: ['accuracy'],
  });
  const [x, y] = [ids([4, 5], 9, 1), ids([4, 4], 7, 1)];
  x[1].fill(0, 3);
  y[2].fill(0, 2);
  const { history } = await model.fit([x, y], roll(y), { epochs: 3, batchSize: 2, shuffle: false });
  let token = [[1], [1], [1], [1]];
  let scores;
  for (let i = 0; i < 3; i++) {
    scores = model.predict({ source: x, target: token }).getItem([{}, -1]);
    const best = scores.argmax(-1).array();
    token = token.map((row, k) => [...row, best[k]]);
  }
  return { history, decoded: token, scores };
});

class Distiller extends Model {
  constructor(student, teacher) {
    super();
    this.teacher = teacher;
    this.student = student;
  }
  distils({ alpha, temperature, studentLoss, distillationLoss, ...options }) {
    super.compile(options);
    Object.assign(this, { alpha, temperature, studentLoss, distillationLoss });
  }
  computeLoss(x, y, yPred) {
    const soft = (scores) => ops.softmax(ops.divide(scores, this.temperature), 1);
    const teacherPred = this.teacher.apply(x, { training: false });
    const distilled = this.distillationLoss(soft(teacherPred), soft(yPred));
    return ops.add(
      this.studentLoss(y, yPred).multiply(this.alpha),
      distilled.multiply(this.temperature ** 2 * (1 - this.alpha)),
    );
  }
  call(x) {
    return this.student.apply(x);
  }
}

// The divergence of nearly equal softmax values is rounding to a part, times 100.
program(
  'knowledge_distillation',
  async () => {
    const network = (units, name) =>
      fill(
        new Sequential(
          [Input({ shape: [6, 2] }), layers.lstm({ units }), layers.dense({ units: 3 })],
          {
            name,
          },
        ),
      );
    const [x, y] = [wave([8, 6, 2]), ids([8], 3)];
    const [teacher, student] = [network(6, 'teacher'), network(3, 'student')];
    const crossentropy = losses.sparseCategoricalCrossentropy({ fromLogits: true });
    const measures = () => [metrics.sparseCategoricalAccuracy()];
    teacher.compile({ optimizer: optimizers.adam(0.01), loss: crossentropy, metrics: measures() });
    const taught = await teacher.fit(x, y, { epochs: 2, batchSize: 4, shuffle: false });
    teacher.trainable = false;
    const distiller = new Distiller(student, teacher);
    distiller.distils({
      optimizer: optimizers.adam(0.01),
      metrics: measures(),
      studentLoss: crossentropy,
      distillationLoss: losses.klDivergence(),
      alpha: 0.1,
      temperature: 10,
    });
    const { history } = await distiller.fit(x, y, { epochs: 3, batchSize: 4, shuffle: false });
    return {
      taught: taught.history,
      history,
      teacher: teacher.predict(x),
      student: student.predict(x),
    };
  },
  1e-4,
);

class Positions extends Layer {
  build(inputShape) {
    this.table = this.addWeight({ name: 'table', shape: inputShape.slice(1) });
  }
  call(x) {
    return ops.add(x, this.table);
  }
}

class MaskedLanguageModel extends Model {
  computeLoss(_x, y, yPred, sampleWeight) {
    const loss = losses.sparseCategoricalCrossentropy(y, yPred, { reduction: null, sampleWeight });
    return ops.divide(ops.sum(loss), ops.sum(sampleWeight));
  }
}

program('masked_language_model', async () => {
  const [vocabulary, length, width] = [11, 6, 4];
  const inputs = Input({ shape: [length], dtype: 'int64' });
  const words = layers.embedding({ inputDim: vocabulary, outputDim: width }).apply(inputs);
  let x = new Positions({ name: 'positions' }).apply(words);
  const mha = layers.multiHeadAttention({ numHeads: 2, keyDim: 2 });
  const attention = mha.apply({ query: x, value: x, key: x });
  x = layers.layerNormalization({ epsilon: 1e-6 }).apply(x.add(attention));
  const ffn = new Sequential([
    layers.dense({ units: 8, activation: 'relu' }),
    layers.dense({ units: width }),
  ]);
  x = layers.layerNormalization({ epsilon: 1e-6 }).apply(x.add(ffn.apply(x)));
  const head = layers.dense({ units: vocabulary, activation: 'softmax', name: 'mlm_cls' });
  const model = fill(new MaskedLanguageModel({ inputs, outputs: head.apply(x) }));
  model.compile({ optimizer: optimizers.adam(0.01) });
  const y = ids([6, length], vocabulary, 1);
  const weights = map(ids([6, length], 4), (id) => Number(id === 0));
  const masked = y.map((row, i) => row.map((id, k) => (weights[i][k] ? vocabulary - 1 : id)));
  const { history } = await model.fit(masked, y, {
    sampleWeight: weights,
    epochs: 3,
    batchSize: 3,
    shuffle: false,
  });
  const scores = model.predict(masked.slice(0, 1)).getItem([0]);
  return { history, best: ops.topK(scores, 3)[1], scores };
});

class Perplexity extends Metric {
  #sum = 0;
  #steps = 0;
  constructor(options = {}) {
    super('mean', { name: 'perplexity', ...options });
  }
  updateState(yTrue, yPred) {
    const loss = losses.sparseCategoricalCrossentropy(yTrue, yPred, { reduction: null });
    this.#sum += ops.sum(loss).item();
    this.#steps += loss.size;
  }
  result() {
    return Math.exp(this.#sum / Math.max(1, this.#steps));
  }
  resetState() {
    this.#sum = 0;
    this.#steps = 0;
  }
}

program('warmup_and_perplexity', async () => {
  const model = fill(
    new Sequential([
      Input({ shape: [null], dtype: 'int32' }),
      layers.embedding({ inputDim: 8, outputDim: 4 }),
      layers.gru({
        units: 5,
        returnSequences: true,
        kernelConstraint: constraints.maxNorm(0.9),
        kernelRegularizer: regularizers.l1L2(0.001, 0.002),
      }),
      layers.dense({ units: 8, activation: 'softmax' }),
    ]),
  );
  const rate = schedules.cosineDecay(0.001, 6, { warmupTarget: 0.02, warmupSteps: 2 });
  model.compile({
    optimizer: optimizers.adam(rate),
    loss: losses.sparseCategoricalCrossentropy(),
    metrics: [new Perplexity()],
  });
  const x = ids([6, 5], 8);
  const rates = [];
  const { history } = await model.fit(x, roll(x), {
    ...{ epochs: 3, batchSize: 3, shuffle: false },
    callbacks: { onTrainBatchEnd: () => rates.push(model.optimizer.learningRate) },
  });
  const gru = model.layers.find(({ className }) => className === 'GRU');
  return { history, rates, kernel: gru.kernel.value };
});

everyProgramOf('examples');
