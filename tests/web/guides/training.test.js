// SPDX-License-Identifier: MIT
// Programs of compile, fit, callbacks, transfer and files return the numbers of Keras:
// tests/fixtures/guide_programs/training.py.
import * as mf from '../../../dist/train.js';
import { everyProgramOf, fill, ids, oneHot, program, wave } from '../../support/guide_programs.js';

const { callbacks, cloneModel, Input, Layer, layers, loadModel, losses, metrics, Model } = mf;
const { ops, optimizers, registerFunction, registerLayer, schedules, Sequential, tensor } = mf;
await mf.ready({ seed: 1 });

function getUncompiledModel() {
  const inputs = Input({ shape: [6], name: 'digits' });
  let x = layers.dense({ units: 5, activation: 'relu', name: 'dense_1' }).apply(inputs);
  x = layers.dense({ units: 5, activation: 'relu', name: 'dense_2' }).apply(x);
  const outputs = layers.dense({ units: 3, activation: 'softmax', name: 'predictions' }).apply(x);
  return fill(new Model({ inputs, outputs }));
}

const whole = { batchSize: 4, shuffle: false };

program('end_to_end', async () => {
  const model = getUncompiledModel();
  const [x, y] = [wave([12, 6]), ids([12], 3)];
  model.compile({
    optimizer: optimizers.rmsprop(),
    loss: losses.sparseCategoricalCrossentropy(),
    metrics: [metrics.sparseCategoricalAccuracy()],
  });
  const { history } = await model.fit(x.slice(0, 8), y.slice(0, 8), {
    ...whole,
    epochs: 2,
    validationData: [x.slice(8), y.slice(8)],
  });
  const { loss, sparse_categorical_accuracy: accuracy } = model.evaluate(x, y, { batchSize: 12 });
  return { history, evaluation: [loss, accuracy], y: model.predict(x.slice(0, 3)) };
});

program('own_measures', async () => {
  const customMeanSquaredError = (yTrue, yPred) =>
    ops.mean(ops.square(ops.subtract(yTrue, yPred)), -1);
  const customMSE =
    ({ regularizationFactor = 0.1 } = {}) =>
    (yTrue, yPred) => {
      const mse = ops.mean(ops.square(ops.subtract(yTrue, yPred)), -1);
      const reg = ops.mean(ops.square(ops.subtract(0.5, yPred)), -1);
      return mse.add(reg.multiply(regularizationFactor));
    };
  class CategoricalTruePositives extends mf.Metric {
    constructor({ name = 'categorical_true_positives' } = {}) {
      super('mean', { name });
      this.truePositives = 0;
    }
    updateState(yTrue, yPred, { sampleWeight = null } = {}) {
      const predicted = ops.reshape(ops.argmax(yPred, 1), [-1, 1]);
      let values = ops.cast(ops.equal(ops.cast(yTrue, 'int32'), predicted), 'float32');
      if (sampleWeight !== null) values = ops.multiply(values, sampleWeight);
      this.truePositives += ops.sum(values).item();
    }
    result() {
      return this.truePositives ?? 0;
    }
    resetState() {
      this.truePositives = 0;
    }
  }
  const [x, y] = [wave([8, 6]), ids([8, 1], 3)];
  const targets = oneHot(y.flat(), 3);
  const model = getUncompiledModel();
  model.compile({ optimizer: optimizers.adam(), loss: customMeanSquaredError });
  const first = await model.fit(x, targets, whole);
  model.compile({ optimizer: optimizers.adam(), loss: customMSE() });
  const second = await model.fit(x, targets, whole);
  model.compile({
    optimizer: optimizers.rmsprop({ learningRate: 1e-3 }),
    loss: losses.sparseCategoricalCrossentropy(),
    metrics: [new CategoricalTruePositives()],
  });
  const third = await model.fit(x, y, { ...whole, epochs: 2 });
  return { function: first.history, class: second.history, metric: third.history };
});

program('weights_of_samples', async () => {
  const [x, y] = [wave([12, 6]), ids([12], 3)];
  const model = getUncompiledModel();
  const loss = 'sparse_categorical_crossentropy';
  model.compile({ optimizer: 'sgd', loss, weightedMetrics: ['accuracy'] });
  const byClass = await model.fit(x, y, { ...whole, classWeight: { 0: 1, 1: 1, 2: 2 } });
  const sampleWeight = y.map((label) => (label === 2 ? 2 : 1));
  const bySample = await model.fit(x, y, { ...whole, sampleWeight });
  return {
    class: byClass.history,
    sample: bySample.history,
    evaluation: Object.values(model.evaluate(x, y, { sampleWeight })),
  };
});

program('several_outputs', async () => {
  const leftInput = Input({ shape: [4, 3], name: 'left_input' });
  const timeseriesInput = Input({ shape: [null, 2], name: 'ts_input' });
  const conv = () => layers.conv1D({ filters: 3, kernelSize: 3 });
  const pool = () => layers.globalMaxPooling1D();
  const x1 = pool().apply(conv().apply(leftInput));
  const x2 = pool().apply(conv().apply(timeseriesInput));
  const x = layers.concatenate().apply([x1, x2]);
  const scoreOutput = layers.dense({ units: 1, name: 'score_output' }).apply(x);
  const classOutput = layers.dense({ units: 3, name: 'class_output' }).apply(x);
  const inputs = [leftInput, timeseriesInput];
  const model = fill(new Model({ inputs, outputs: [scoreOutput, classOutput] }));
  model.compile({
    optimizer: optimizers.rmsprop(1e-3),
    loss: [losses.meanSquaredError(), losses.categoricalCrossentropy({ fromLogits: true })],
    metrics: [
      [metrics.meanAbsolutePercentageError(), metrics.meanAbsoluteError()],
      [metrics.categoricalAccuracy()],
    ],
    lossWeights: [2, 1],
  });
  const [left, series] = [wave([6, 4, 3]), wave([6, 5, 2], 1)];
  const [scores, classes] = [wave([6, 1], 2), oneHot(ids([6], 3), 3)];
  const options = { batchSize: 3, epochs: 1, shuffle: false };
  const lists = await model.fit([left, series], [scores, classes], options);
  const dictionaries = await model.fit(
    { left_input: left, ts_input: series },
    { score_output: scores, class_output: classes },
    options,
  );
  model.compile({ optimizer: 'sgd', loss: ['mse', null] });
  const partial = await model.fit([left, series], [scores, classes], options);
  return {
    lists: lists.history,
    dictionaries: dictionaries.history,
    partial: partial.history,
    y: model.predict([left, series]),
  };
});

class EarlyStoppingAtMinLoss extends mf.Callback {
  constructor(patience = 0) {
    super();
    this.patience = patience;
    this.bestWeights = null;
  }
  onTrainBegin() {
    this.wait = 0;
    this.stoppedEpoch = 0;
    this.best = Infinity;
  }
  onEpochEnd(epoch, logs) {
    if (logs.loss < this.best) {
      this.best = logs.loss;
      this.wait = 0;
      this.bestWeights = this.model.getWeights();
    } else {
      this.wait += 1;
      if (this.wait < this.patience) return;
      this.stoppedEpoch = epoch;
      this.model.stopTraining = true;
      this.model.setWeights(this.bestWeights);
    }
  }
}

program('own_callbacks', async () => {
  const events = [];
  const keys = (logs) => Object.keys(logs).join();
  class CustomCallback extends mf.Callback {
    onTrainBegin(logs) {
      events.push(`train begins: ${keys(logs)}`);
    }
    onTrainEnd(logs) {
      events.push(`train ends: ${keys(logs)}`);
    }
    onEpochBegin(epoch) {
      events.push(`epoch ${epoch} begins`);
    }
    onEpochEnd(epoch, logs) {
      events.push(`epoch ${epoch} ends: ${keys(logs)}`);
    }
    onTrainBatchEnd(batch, logs) {
      events.push(`batch ${batch}: ${keys(logs)}`);
    }
    onTestBatchEnd(batch, logs) {
      events.push(`test ${batch}: ${keys(logs)}`);
    }
    onPredictBatchEnd(batch, logs) {
      events.push(`predict ${batch}: ${keys(logs)}`);
    }
  }
  const rates = { 1: 0.05, 2: 0.01, 3: 3 };
  class CustomLearningRateScheduler extends mf.Callback {
    onEpochBegin(epoch) {
      if (epoch in rates) this.model.optimizer.learningRate = rates[epoch];
    }
  }
  const model = fill(new Sequential([Input({ shape: [4] }), layers.dense({ units: 1 })]));
  model.compile({
    optimizer: optimizers.rmsprop({ learningRate: 0.1 }),
    loss: 'mean_squared_error',
  });
  const [x, y] = [wave([8, 4]), wave([8, 1], 1)];
  await model.fit(x, y, { ...whole, validationSplit: 0.5, callbacks: [new CustomCallback()] });
  model.evaluate(x, y, { batchSize: 4, callbacks: [new CustomCallback()] });
  model.predict(x, { batchSize: 4, callbacks: [new CustomCallback()] });
  const stopping = new EarlyStoppingAtMinLoss();
  const { history } = await model.fit(x, y, {
    ...whole,
    epochs: 8,
    callbacks: [new CustomLearningRateScheduler(), stopping],
  });
  return { events, history, epoch: stopping.stoppedEpoch, weights: model.getWeights() };
});

program('given_callbacks', async () => {
  let file;
  const model = getUncompiledModel();
  const loss = 'sparse_categorical_crossentropy';
  model.compile({ optimizer: 'sgd', loss, metrics: ['accuracy'] });
  const [x, y] = [wave([12, 6]), ids([12], 3)];
  const rates = [];
  const { history } = await model.fit(x, y, {
    batchSize: 3,
    epochs: 6,
    shuffle: false,
    validationSplit: 0.25,
    callbacks: [
      callbacks.modelCheckpoint(
        (bytes) => {
          file = bytes;
        },
        { monitor: 'val_loss', saveBestOnly: true },
      ),
      callbacks.reduceLROnPlateau({ monitor: 'val_loss', factor: 0.5, patience: 1 }),
      callbacks.lambda({ onEpochEnd: () => rates.push(model.optimizer.learningRate) }),
    ],
  });
  const best = await loadModel(file);
  const scheduled = await model.fit(x, y, {
    batchSize: 6,
    epochs: 3,
    shuffle: false,
    callbacks: [callbacks.learningRateScheduler((_, rate) => rate * 0.5)],
  });
  return { history, rates, best: best.predict(x.slice(0, 2)), scheduled: scheduled.history };
});

program('transfer', async () => {
  const baseModel = new Sequential([
    Input({ shape: [8, 2] }),
    layers.conv1D({ filters: 4, kernelSize: 3 }),
    layers.batchNormalization(),
    layers.globalAveragePooling1D(),
  ]);
  baseModel.trainable = false;
  const inputs = Input({ shape: [8, 2] });
  let x = layers.rescaling({ scale: 1 / 127.5, offset: -1 }).apply(inputs);
  x = baseModel.apply(x, { training: false });
  x = layers.dropout({ rate: 0 }).apply(x);
  const model = fill(new Model({ inputs, outputs: layers.dense({ units: 1 }).apply(x) }));
  const counts = [model.weights.length, model.trainableWeights.length];
  const compile = (optimizer) =>
    model.compile({
      optimizer,
      loss: losses.binaryCrossentropy({ fromLogits: true }),
      metrics: [metrics.binaryAccuracy()],
    });
  compile(optimizers.adam());
  const data = tensor(wave([8, 8, 2]))
    .add(1)
    .multiply(127.5);
  const labels = ids([8, 1], 2);
  const head = await model.fit(data, labels, { ...whole, epochs: 2 });
  baseModel.trainable = true;
  counts.push(model.trainableWeights.length);
  compile(optimizers.adam(1e-5));
  const all = await model.fit(data, labels, { ...whole, epochs: 2 });
  baseModel.trainable = false;
  baseModel.layers[0].trainable = true;
  counts.push(baseModel.trainableWeights.length);
  return { counts, head: head.history, whole: all.history, y: model.predict(data) };
});

program('optimizers_and_schedules', async () => {
  const lrSchedule = schedules.exponentialDecay({
    initialLearningRate: 0.1,
    decaySteps: 3,
    decayRate: 0.96,
    staircase: true,
  });
  const chosen = {
    schedule: optimizers.rmsprop({ learningRate: lrSchedule }),
    clipped: optimizers.sgd({ learningRate: 0.1, momentum: 0.9, clipnorm: 0.5 }),
    decayed: optimizers.adamW({ learningRate: 0.01, weightDecay: 0.1 }),
    averaged: optimizers.adam(0.05, { useEma: true, emaMomentum: 0.9 }),
    accumulated: optimizers.adam(0.05, { gradientAccumulationSteps: 2 }),
  };
  const results = {};
  for (const [name, optimizer] of Object.entries(chosen)) {
    const model = fill(new Sequential([Input({ shape: [4] }), layers.dense({ units: 2 })]));
    model.compile({ optimizer, loss: 'mse' });
    const data = [wave([8, 4]), wave([8, 2], 1)];
    const { history } = await model.fit(...data, { ...whole, epochs: 3 });
    results[name] = [history.loss, model.getWeights()];
  }
  return results;
});

program('save_and_load', async () => {
  class CustomLayer extends Layer {
    constructor({ factor, ...config }) {
      super(config);
      this.factor = factor;
    }
    call(x) {
      return x.multiply(this.factor);
    }
    getConfig() {
      return { ...super.getConfig(), factor: this.factor };
    }
  }
  registerLayer(CustomLayer, { package: 'MyLayers' });
  const customFn = (x) => ops.square(x);
  registerFunction(customFn, { package: 'my_package', name: 'custom_fn' });
  const inputs = Input({ shape: [4] });
  const mid = new CustomLayer({ factor: 0.5 }).apply(inputs);
  const outputs = layers.dense({ units: 3, activation: customFn }).apply(mid);
  const model = fill(new Model({ inputs, outputs }));
  model.compile({ optimizer: 'adam', loss: 'mean_squared_error' });
  const [x, y] = [wave([8, 4]), wave([8, 3], 1)];
  await model.fit(x, y, whole);
  const reconstructed = await loadModel(await model.save());
  const { history } = await reconstructed.fit(x, y, whole);
  const weights = await reconstructed.saveWeights();
  const fresh = Model.fromConfig(model.getConfig());
  await fresh.loadWeights(weights);
  const clone = cloneModel(model);
  clone.setWeights(model.getWeights());
  const rows = x.slice(0, 2);
  return { history, y: [model, reconstructed, fresh, clone].map((each) => each.predict(rows)) };
});

program('batches', async () => {
  const [x, y] = [wave([12, 4]), wave([12, 1], 1)];
  function* batchGenerator(batchSize) {
    for (let start = 0; start < x.length; start += batchSize) {
      yield [x.slice(start, start + batchSize), y.slice(start, start + batchSize)];
    }
  }
  const model = fill(new Sequential([Input({ shape: [4] }), layers.dense({ units: 1 })]));
  model.compile({ optimizer: 'sgd', loss: 'mse', metrics: ['mae'] });
  const first = await model.fit(batchGenerator(4), { epochs: 1 });
  const second = await model.fit(() => batchGenerator(4), { epochs: 2, shuffle: false });
  function* inputs() {
    for (const [part] of batchGenerator(6)) yield part;
  }
  return {
    generator: first.history,
    dataset: second.history,
    evaluation: await model.evaluate(batchGenerator(6)),
    y: await model.predict(inputs()),
    batch: await model.trainOnBatch(x.slice(0, 4), y.slice(0, 4)),
    test: await model.testOnBatch(x.slice(0, 4), y.slice(0, 4)),
  };
});

everyProgramOf('training');
