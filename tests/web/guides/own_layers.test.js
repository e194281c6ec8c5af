// SPDX-License-Identifier: MIT
// Programs with layers, losses and steps of their own return the numbers of Keras:
// tests/fixtures/guide_programs/own_layers.py.
import * as mf from '../../../dist/train.js';
import { everyProgramOf, fill, ids, map, program, wave } from '../../support/guide_programs.js';

const { Input, Layer, layers, losses, metrics, Model, ops, optimizers, regularizers } = mf;
const { Sequential, tensor, toCategorical, valueAndGradients, Variable } = mf;
await mf.ready({ seed: 1 });

class Linear extends Layer {
  constructor({ units = 32, ...config } = {}) {
    super(config);
    this.units = units;
  }
  build(inputShape) {
    this.w = this.addWeight({
      shape: [inputShape.at(-1), this.units],
      initializer: 'random_normal',
      trainable: true,
    });
    this.b = this.addWeight({
      shape: [this.units],
      initializer: 'random_normal',
      trainable: true,
    });
  }
  call(inputs) {
    return ops.matmul(inputs, this.w).add(this.b);
  }
  getConfig() {
    return { ...super.getConfig(), units: this.units };
  }
}

program('linear_layers', () => {
  class ComputeSum extends Layer {
    constructor(inputDim) {
      super();
      this.total = this.addWeight({ initializer: 'zeros', shape: [inputDim], trainable: false });
    }
    call(inputs) {
      this.total.assignAdd(ops.sum(inputs, 0));
      return this.total;
    }
  }
  class MLPBlock extends Layer {
    constructor() {
      super();
      this.linear1 = new Linear({ units: 5 });
      this.linear2 = new Linear({ units: 4 });
      this.linear3 = new Linear({ units: 1 });
    }
    call(inputs) {
      let x = ops.relu(this.linear1.apply(inputs));
      x = ops.relu(this.linear2.apply(x));
      return this.linear3.apply(x);
    }
  }
  const mySum = new ComputeSum(2);
  const sums = [mySum.apply(ops.ones([2, 2])), mySum.apply(ops.ones([2, 2]))];
  const mlp = new MLPBlock();
  mlp.apply(ops.ones([3, 6]));
  fill(mlp);
  const newLayer = Linear.fromConfig(new Linear({ units: 3 }).getConfig());
  return {
    sums,
    weights: [mySum.weights.length, mySum.trainableWeights.length],
    y: mlp.apply(wave([3, 6])),
    'of mlp': [mlp.weights.length, mlp.trainableWeights.length],
    units: newLayer.units,
  };
});

program('variables', async () => {
  class Drift extends Layer {
    constructor(config) {
      super(config);
      this.scale = new Variable(2, { name: 'scale' });
      this.table = new Variable({ initializer: wave([2, 3]), name: 'table' });
      this.calls = new Variable(0, { trainable: false, dtype: 'int32', name: 'calls' });
      this.zeros = new Variable({ initializer: 'zeros', shape: [3], name: 'zeros' });
    }
    call(x) {
      this.calls.assignAdd(1);
      return ops.matmul(x, this.table).multiply(this.scale).add(this.zeros);
    }
  }
  const layer = new Drift();
  const x = wave([4, 2]);
  const first = layer.apply(x);
  layer.scale.assign(3);
  const second = layer.apply(x);
  const model = new Sequential([Input({ shape: [2] }), layer]);
  model.compile({ optimizer: optimizers.sgd(0.1), loss: 'mse' });
  const calls = layer.calls.value.item();
  const { loss } = await model.trainOnBatch(x, wave([4, 3], 1));
  return {
    y: [first, second],
    calls,
    loss,
    scale: layer.scale.value,
    table: layer.table.value,
    weights: layer.weights.map(({ name }) => name),
    trainable: layer.trainableVariables.map(({ name }) => name),
    shapes: layer.weights.map(({ shape }) => shape),
  };
});

program('activity_loss', async () => {
  class ActivityRegularizationLayer extends Layer {
    constructor(rate = 1e-2) {
      super();
      this.rate = rate;
    }
    call(inputs) {
      this.addLoss(ops.mean(inputs).multiply(this.rate));
      return inputs;
    }
  }
  class OuterLayer extends Layer {
    constructor() {
      super();
      this.dense = layers.dense({ units: 4, kernelRegularizer: regularizers.l2(1e-3) });
      this.activityReg = new ActivityRegularizationLayer(1e-2);
    }
    call(inputs) {
      return this.activityReg.apply(this.dense.apply(inputs));
    }
  }
  const layer = new OuterLayer();
  const before = layer.losses.length;
  layer.apply(ops.zeros([1, 3]));
  fill(layer);
  layer.apply(wave([2, 3]));
  const total = layer.losses.reduce((sum, loss) => sum + loss.item(), 0);
  const once = [layer.losses.length, total];
  layer.apply(wave([2, 3]));
  const inputs = Input({ shape: [3] });
  const dense = layers.dense({ units: 2 }).apply(inputs);
  const model = new Model({ inputs, outputs: new ActivityRegularizationLayer().apply(dense) });
  fill(model);
  model.compile({ optimizer: 'adam', loss: 'mse' });
  const { history } = await model.fit(wave([4, 3]), wave([4, 2]));
  return { before, once, twice: layer.losses.length, history };
});

program('endpoint_layer', async () => {
  class LogisticEndpoint extends Layer {
    constructor(config) {
      super(config);
      this.lossFn = losses.binaryCrossentropy({ fromLogits: true });
      this.accuracyMetric = metrics.binaryAccuracy({ name: 'accuracy' });
    }
    call([logits, targets]) {
      this.addLoss(this.lossFn(targets, logits));
      this.accuracyMetric.updateState(targets, logits);
      return ops.softmax(logits);
    }
  }
  const inputs = Input({ shape: [3], name: 'inputs' });
  const targets = Input({ shape: [2], name: 'targets' });
  const logits = layers.dense({ units: 2 }).apply(inputs);
  const predictions = new LogisticEndpoint({ name: 'predictions' }).apply([logits, targets]);
  const model = fill(new Model({ inputs: [inputs, targets], outputs: predictions }));
  const data = { inputs: wave([4, 3]), targets: ids([4, 2], 2) };
  model.compile({ optimizer: optimizers.adam(1e-2) });
  const { history } = await model.fit(data, { epochs: 2, shuffle: false });
  return { history, y: model.apply(data) };
});

class Sampling extends Layer {
  call([zMean, zLogVar]) {
    const epsilon = tensor(wave([2], 2));
    return zMean.add(ops.exp(zLogVar.multiply(0.5)).multiply(epsilon));
  }
}
class Encoder extends Layer {
  constructor({ latentDim = 2, intermediateDim = 5, ...config } = {}) {
    super({ name: 'encoder', ...config });
    this.denseProj = layers.dense({ units: intermediateDim, activation: 'relu' });
    this.denseMean = layers.dense({ units: latentDim });
    this.denseLogVar = layers.dense({ units: latentDim });
    this.sampling = new Sampling();
  }
  call(inputs) {
    const x = this.denseProj.apply(inputs);
    const zMean = this.denseMean.apply(x);
    const zLogVar = this.denseLogVar.apply(x);
    return [zMean, zLogVar, this.sampling.apply([zMean, zLogVar])];
  }
}
class Decoder extends Layer {
  constructor({ originalDim, intermediateDim = 5, ...config }) {
    super({ name: 'decoder', ...config });
    this.denseProj = layers.dense({ units: intermediateDim, activation: 'relu' });
    this.denseOutput = layers.dense({ units: originalDim, activation: 'sigmoid' });
  }
  call(inputs) {
    return this.denseOutput.apply(this.denseProj.apply(inputs));
  }
}

program('vae', async () => {
  class VariationalAutoEncoder extends Model {
    constructor(originalDim) {
      super({ name: 'autoencoder' });
      this.encoder = new Encoder();
      this.decoder = new Decoder({ originalDim });
    }
    call(inputs) {
      const [zMean, zLogVar, z] = this.encoder.apply(inputs);
      const terms = zLogVar.subtract(ops.square(zMean)).subtract(ops.exp(zLogVar)).add(1);
      this.addLoss(ops.mean(terms).multiply(-0.5));
      return this.decoder.apply(z);
    }
  }
  const model = new VariationalAutoEncoder(6);
  const x = map(wave([8, 6]), (value) => (value + 1) / 2);
  model.apply(x);
  fill(model);
  model.compile({
    optimizer: optimizers.adam({ learningRate: 1e-3 }),
    loss: losses.meanSquaredError(),
  });
  const { history } = await model.fit(x, x, { epochs: 2, batchSize: 4, shuffle: false });
  return { history, y: model.predict(x.slice(0, 2)) };
});

program('own_train_step', async () => {
  class CustomModel extends Model {
    lossTracker = metrics.mean({ name: 'loss' });
    maeMetric = metrics.meanAbsoluteError({ name: 'mae' });

    trainStep([x, y]) {
      const variables = this.trainableVariables;
      const { value, aux, gradients } = valueAndGradients(
        () => {
          const yPred = this.apply(x, { training: true });
          return [ops.mean(losses.meanSquaredError(y, yPred)), yPred];
        },
        variables,
        { hasAux: true },
      );
      this.optimizer.apply(gradients, variables);
      this.lossTracker.updateState(value);
      this.maeMetric.updateState(y, aux);
      return { loss: this.lossTracker.result(), mae: this.maeMetric.result() };
    }
    get metrics() {
      return [this.lossTracker, this.maeMetric];
    }
  }
  const inputs = Input({ shape: [4] });
  const outputs = layers.dense({ units: 1 }).apply(inputs);
  const model = fill(new CustomModel({ inputs, outputs }));
  model.compile({ optimizer: 'adam' });
  const data = [wave([8, 4]), wave([8, 1], 1)];
  const { history } = await model.fit(...data, { batchSize: 4, epochs: 3, shuffle: false });
  return { history, weights: model.getWeights() };
});

program('own_test_step', async () => {
  class CustomModel extends Model {
    trainStep([x, y, sampleWeight = null]) {
      const variables = this.trainableVariables;
      const step = () => {
        const yPred = this.apply(x, { training: true });
        return [this.computeLoss(x, y, yPred, sampleWeight), yPred];
      };
      const { value, aux, gradients } = valueAndGradients(step, variables, { hasAux: true });
      this.optimizer.apply(gradients, variables);
      return this.update(value, y, aux, sampleWeight);
    }
    testStep([x, y]) {
      const yPred = this.apply(x, { training: false });
      return this.update(this.computeLoss(y, yPred), y, yPred);
    }
    update(loss, y, yPred, sampleWeight = null) {
      for (const metric of this.metrics) {
        if (metric.name === 'loss') metric.updateState(loss);
        else metric.updateState(y, yPred, { sampleWeight });
      }
      return Object.fromEntries(this.metrics.map((m) => [m.name, m.result()]));
    }
  }
  const inputs = Input({ shape: [4] });
  const outputs = layers.dense({ units: 1 }).apply(inputs);
  const model = fill(new CustomModel({ inputs, outputs }));
  model.compile({ optimizer: 'sgd', loss: 'mse', metrics: ['mae'] });
  const [x, y] = [wave([8, 4]), wave([8, 1], 1)];
  const sampleWeight = map(wave([8, 1], 3), (value) => value + 1);
  await model.fit(x, y, { sampleWeight, batchSize: 8, epochs: 3, shuffle: false });
  return { evaluation: model.evaluate(x, y).loss, weights: model.getWeights() };
});

class GAN extends Model {
  constructor({ discriminator, generator }) {
    super();
    this.discriminator = discriminator;
    this.generator = generator;
    this.dLossTracker = metrics.mean({ name: 'd_loss' });
    this.gLossTracker = metrics.mean({ name: 'g_loss' });
  }
  compile({ dOptimizer, gOptimizer, lossFn }) {
    super.compile({});
    this.dOptimizer = dOptimizer;
    this.gOptimizer = gOptimizer;
    this.lossFn = lossFn;
  }
  trainStep([real]) {
    const count = real.shape[0];
    const noise = wave([count, 2], 4);
    const both = ops.concatenate([this.generator.apply(noise), real], 0);
    const labels = ops.concatenate([ops.ones([count, 1]), ops.zeros([count, 1])], 0);
    const d = valueAndGradients(
      () => this.lossFn(labels, this.discriminator.apply(both)),
      this.discriminator.trainableVariables,
    );
    this.dOptimizer.apply(d.gradients, this.discriminator.trainableVariables);
    const g = valueAndGradients(() => {
      const predictions = this.discriminator.apply(this.generator.apply(noise));
      return this.lossFn(ops.zeros([count, 1]), predictions);
    }, this.generator.trainableVariables);
    this.gOptimizer.apply(g.gradients, this.generator.trainableVariables);
    this.dLossTracker.updateState(d.value);
    this.gLossTracker.updateState(g.value);
    return { d_loss: this.dLossTracker.result(), g_loss: this.gLossTracker.result() };
  }
}

program('gan', async () => {
  const discriminator = new Sequential([
    Input({ shape: [3] }),
    layers.dense({ units: 4, activation: 'relu' }),
    layers.dense({ units: 1 }),
  ]);
  const generator = new Sequential([Input({ shape: [2] }), layers.dense({ units: 3 })]);
  fill(discriminator);
  fill(generator);
  const model = new GAN({ discriminator, generator });
  model.compile({
    dOptimizer: optimizers.adam({ learningRate: 0.0003 }),
    gOptimizer: optimizers.adam({ learningRate: 0.0003 }),
    lossFn: losses.binaryCrossentropy({ fromLogits: true }),
  });
  const { history } = await model.fit(wave([8, 3]), { batchSize: 4, epochs: 2, shuffle: false });
  return { history, image: generator.apply(wave([1, 2], 4)) };
});

program('training_loop', () => {
  const inputs = Input({ shape: [4], name: 'digits' });
  const x1 = layers.dense({ units: 8, activation: 'relu' }).apply(inputs);
  const x2 = layers.dense({ units: 5, activation: 'relu' }).apply(x1);
  const outputs = layers.dense({ units: 3, name: 'predictions' }).apply(x2);
  const model = fill(new Model({ inputs, outputs }));
  const optimizer = optimizers.adam({ learningRate: 1e-3 });
  const lossFn = losses.categoricalCrossentropy({ fromLogits: true });
  const trainAccMetric = metrics.categoricalAccuracy();
  const valAccMetric = metrics.categoricalAccuracy();
  const [x, y] = [wave([12, 4]), toCategorical(ids([12], 3)).array()];
  const [values, accuracies] = [[], []];
  for (let epoch = 0; epoch < 2; epoch++) {
    for (let step = 0; step < 3; step++) {
      const batch = (rows) => rows.slice(step * 4, step * 4 + 4);
      const [xBatch, yBatch] = [batch(x), batch(y)];
      const { value, aux, gradients } = valueAndGradients(
        () => {
          const logits = model.apply(xBatch, { training: true });
          return [lossFn(yBatch, logits), logits];
        },
        model.trainableVariables,
        { hasAux: true },
      );
      optimizer.apply(gradients, model.trainableVariables);
      trainAccMetric.updateState(yBatch, aux);
      values.push(value.item());
    }
    accuracies.push(trainAccMetric.result());
    trainAccMetric.resetState();
  }
  valAccMetric.updateState(y, model.apply(x, { training: false }));
  return { losses: values, accuracies, val: valAccMetric.result() };
});

class Distiller extends Model {
  constructor({ student, teacher }) {
    super();
    this.teacher = teacher;
    this.student = student;
  }
  compile({ optimizer, metrics: chosen, ...settings }) {
    super.compile({ optimizer, metrics: chosen });
    this.settings = settings;
  }
  computeLoss(x, y, yPred) {
    const { studentLossFn, distillationLossFn, alpha, temperature } = this.settings;
    const teacherPred = this.teacher.apply(x, { training: false });
    const studentLoss = studentLossFn(y, yPred);
    const distillationLoss = distillationLossFn(
      ops.softmax(teacherPred.divide(temperature), 1),
      ops.softmax(yPred.divide(temperature), 1),
    ).multiply(temperature ** 2);
    return studentLoss.multiply(alpha).add(distillationLoss.multiply(1 - alpha));
  }
  call(x) {
    return this.student.apply(x);
  }
}

program('distillation', async () => {
  const teacher = new Sequential([
    Input({ shape: [4] }),
    layers.dense({ units: 8, activation: 'relu' }),
    layers.dense({ units: 3 }),
  ]);
  const student = new Sequential([Input({ shape: [4] }), layers.dense({ units: 3 })]);
  fill(teacher);
  fill(student);
  teacher.trainable = false;
  const [x, y] = [wave([8, 4]), ids([8], 3)];
  const distiller = new Distiller({ student, teacher });
  distiller.compile({
    optimizer: optimizers.adam(0.01),
    metrics: [metrics.sparseCategoricalAccuracy()],
    studentLossFn: losses.sparseCategoricalCrossentropy({ fromLogits: true }),
    distillationLossFn: losses.klDivergence(),
    alpha: 0.1,
    temperature: 10,
  });
  const { history } = await distiller.fit(x, y, { batchSize: 4, epochs: 2, shuffle: false });
  return { history, y: student.apply(x) };
});

everyProgramOf('own_layers');
