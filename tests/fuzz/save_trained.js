// SPDX-License-Identifier: MIT
// Compiles, trains and saves random models for real Keras to open and to train further. Many
// settings are integers, which a file must write as floats: node tests/fuzz/save_trained.js FOLDER
// [SEED COUNT], then python tests/fuzz/go_on.py FOLDER
import { mkdirSync, writeFileSync } from 'node:fs';
import * as mf from '../../dist/train.js';
import { generator, pick as pickOf, integer as wholeOf } from '../support/random.js';

const { layers, ops } = mf;
const [folder, first = '1', count = '100'] = process.argv.slice(2);
const kRows = 4;
const kTime = 3;

/** A random model, its options of compile, and its data. */
class Program {
  constructor(seed) {
    this.random = generator(seed);
  }
  pick(...list) {
    return pickOf(this.random, list);
  }
  whole(low, high) {
    return wholeOf(this.random, low, high);
  }
  flip(share = 0.5) {
    return this.random() < share;
  }
  numbers(shape, low = -1, high = 1) {
    const size = shape.reduce((a, b) => a * b, 1);
    const data = Float32Array.from({ length: size }, () => low + (high - low) * this.random());
    return mf.tensor(data, { shape });
  }

  initializer() {
    const config = this.pick(
      ['Constant', { value: 1 }],
      ['RandomNormal', { mean: 0, stddev: 1, seed: 3 }],
      ['RandomUniform', { minval: -1, maxval: 1, seed: null }],
      ['TruncatedNormal', { mean: 0, stddev: 1, seed: 3 }],
      ['VarianceScaling', { scale: 1, mode: 'fan_in', distribution: 'uniform', seed: 1 }],
      ['Orthogonal', { gain: 1, seed: 2 }],
    );
    return this.object('initializers', ...config);
  }
  regularizer(isMatrix) {
    const list = [
      ['L2', { l2: 1 }],
      ['L1', { l1: 0 }],
      ['L1L2', { l1: 0, l2: 0.01 }],
    ];
    if (isMatrix) list.push(['OrthogonalRegularizer', { factor: 1, mode: 'columns' }]);
    return this.object('regularizers', ...this.pick(...list));
  }
  constraint() {
    return this.object(
      'constraints',
      ...this.pick(
        ['MaxNorm', { max_value: 1, axis: 0 }],
        ['NonNeg', {}],
        ['UnitNorm', { axis: 0 }],
        ['MinMaxNorm', { min_value: 0, max_value: 2, rate: 1, axis: 0 }],
      ),
    );
  }
  object(module, class_name, config) {
    return { module: `keras.${module}`, class_name, config, registered_name: null };
  }
  kernel(name = 'kernel', isMatrix = true) {
    const config = {};
    if (this.flip(0.3)) config[`${name}Initializer`] = this.initializer();
    if (this.flip(0.15)) config[`${name}Regularizer`] = this.regularizer(isMatrix);
    if (this.flip(0.2)) config[`${name}Constraint`] = this.constraint();
    return config;
  }

  /** Applies a random layer or op that turns [batch, time, features] into a tensor of that rank. */
  step(x) {
    const units = this.whole(1, 4);
    const features = x.shape.at(-1);
    const one = (layer) => layer.apply(x);
    return this.pick(
      () =>
        one(layers.dense({ units, activation: this.pick(null, 'tanh', 'relu'), ...this.kernel() })),
      () => one(layers.lstm({ units, returnSequences: true, dropout: 0, ...this.kernel() })),
      () => one(layers.gru({ units, returnSequences: true, resetAfter: this.flip() })),
      () => one(layers.simpleRNN({ units, returnSequences: true, ...this.kernel('recurrent') })),
      () => one(layers.bidirectional({ layer: layers.gru({ units, returnSequences: true }) })),
      () =>
        one(
          layers.conv1D({
            filters: units,
            kernelSize: 2,
            padding: 'same',
            ...this.kernel('kernel', false),
          }),
        ),
      () => one(layers.batchNormalization({ momentum: this.pick(0, 1, 0.9), epsilon: 1 })),
      () => one(layers.layerNormalization({ epsilon: this.pick(1, 0.001) })),
      () => one(layers.groupNormalization({ groups: 1, epsilon: 1 })),
      () => one(layers.rmsNormalization({ epsilon: 1 })),
      () => one(layers.unitNormalization()),
      () => one(layers.dropout({ rate: 0 })),
      () => one(layers.spatialDropout1D({ rate: 0 })),
      () => one(layers.gaussianNoise({ stddev: 0 })),
      () => one(layers.gaussianDropout({ rate: 0 })),
      () => one(layers.alphaDropout({ rate: 0 })),
      () => one(layers.activityRegularization({ l1: 0, l2: 1 })),
      () => one(layers.leakyReLU({ negativeSlope: this.pick(0, 1) })),
      () => one(layers.elu({ alpha: 1 })),
      () => one(layers.reLU({ maxValue: 6, negativeSlope: 0, threshold: this.pick(0, 1) })),
      () => one(layers.pReLU({ sharedAxes: [1] })),
      () => one(layers.softmax({ axis: -1 })),
      () => one(layers.rescaling({ scale: 2, offset: this.pick(0, 1) })),
      () => one(layers.masking({ maskValue: 0 })),
      () => one(layers.normalization({ axis: -1, mean: 0, variance: 1 })),
      () => one(layers.timeDistributed({ layer: layers.dense({ units }) })),
      () => one(layers.averagePooling1D({ poolSize: 2, padding: 'same', strides: 1 })),
      () => one(layers.spectralNormalization({ layer: layers.dense({ units }) })),
      () => one(layers.einsumDense({ equation: 'btf,fg->btg', outputShape: [null, units] })),
      () =>
        layers
          .multiHeadAttention({ numHeads: 2, keyDim: 2, dropout: 0 })
          .apply({ query: x, value: x }),
      () => layers.attention({ useScale: this.flip(), dropout: 0 }).apply([x, x]),
      () => layers.add().apply([x, layers.dense({ units: features }).apply(x)]),
      () => ops.multiply(x, this.pick(2, 0.5)),
      () => ops.add(ops.einsum([x, x], 'btf,bsf->bts'), 1),
      () => ops.multiply(x, ops.fullLike(x, this.pick(1, 2, 0.5))),
      () => ops.add(x, ops.cast(ops.countNonzero(x, { axis: [1, 2], keepdims: true }), 'float32')),
      () =>
        ops.divide(x, ops.add(ops.norm(x, { ord: this.pick(1, 2), axis: -1, keepdims: true }), 1)),
      () => ops.normalize(x, { order: this.pick(1, 2), epsilon: this.pick(null, 1) }),
      () => ops.clip(x, -1, 1),
      () =>
        ops.pad(
          x,
          [
            [0, 0],
            [0, 1],
            [0, 0],
          ],
          { constantValues: 1 },
        ),
      () => ops.concatenate([x, ops.square(x)], { axis: -1 }),
      () => ops.leakyRelu(x, { negativeSlope: 1 }),
      () => ops.mean(ops.stack([x, ops.negative(x), x], { axis: 0 }), { axis: 0 }),
    )();
  }

  model() {
    const kind = this.pick('functional', 'functional', 'sequential', 'dictionary');
    const input = mf.Input({ shape: [kTime, 3] });
    let x = input;
    for (let i = this.whole(1, 4); i > 0; i--) x = this.step(x);
    const classes = this.pick(1, 3);
    const last = () =>
      layers.dense({ units: classes, activation: classes === 1 ? 'sigmoid' : 'softmax' });
    this.classes = classes;
    const y = last().apply(layers.globalAveragePooling1D().apply(x));
    if (kind === 'dictionary') {
      this.outputs = 2;
      const other = last().apply(layers.globalMaxPooling1D().apply(x));
      return new mf.Model({ inputs: input, outputs: { z: y, a: other } });
    }
    this.outputs = 1;
    if (kind !== 'sequential') return new mf.Model({ inputs: input, outputs: y });
    const chain = [layers.dense({ units: 3, ...this.kernel() }), layers.lstm({ units: 2 }), last()];
    if (this.flip()) chain.unshift(layers.batchNormalization({ momentum: this.pick(0, 0.5) }));
    return new mf.Sequential([mf.Input({ shape: [kTime, 3] }), ...chain]);
  }

  rate() {
    const plain = this.pick(1, 0.1, 0.01);
    if (this.flip(0.6)) return plain;
    const steps = this.pick(1, 10);
    return this.pick(
      mf.schedules.exponentialDecay({
        initialLearningRate: plain,
        decaySteps: steps,
        decayRate: 1,
      }),
      mf.schedules.cosineDecay({
        initialLearningRate: plain,
        decaySteps: 10,
        alpha: 0,
        warmupTarget: 1,
        warmupSteps: 2,
      }),
      mf.schedules.polynomialDecay({
        initialLearningRate: 1,
        decaySteps: 10,
        endLearningRate: 0,
        power: 1,
      }),
      mf.schedules.inverseTimeDecay({
        initialLearningRate: plain,
        decaySteps: steps,
        decayRate: 1,
      }),
      mf.schedules.piecewiseConstantDecay({ boundaries: [1, 2], values: [1, 0.5, 0] }),
      mf.schedules.cosineDecayRestarts({
        initialLearningRate: 1,
        firstDecaySteps: 5,
        tMul: 2,
        mMul: 1,
        alpha: 0,
      }),
    );
  }
  optimizer() {
    const name = this.pick(
      'adadelta',
      'adafactor',
      'adagrad',
      'adam',
      'adamax',
      'adamW',
      'ftrl',
      'lamb',
      'lion',
      'muon',
      'nadam',
      'rmsprop',
      'scheduleFreeAdamW',
      'sgd',
      'sgd',
      'lossScale',
    );
    if (name === 'lossScale') {
      const inner = mf.optimizers.sgd({ learningRate: 1, momentum: 0 });
      return mf.optimizers.lossScaleOptimizer({ innerOptimizer: inner, initialScale: 2 });
    }
    const config = {};
    if (this.flip(0.8)) config.learningRate = this.rate();
    const settings = {
      adadelta: { rho: 1, epsilon: 1 },
      adafactor: { beta2Decay: -1, epsilon1: 1, clipThreshold: 1, learningRate: 1 },
      adagrad: { initialAccumulatorValue: 1, epsilon: 1 },
      adam: { beta1: 0, epsilon: 1, amsgrad: this.flip() },
      adamax: { beta1: 0, epsilon: 1 },
      adamW: { weightDecay: 0, epsilon: 1 },
      ftrl: {
        beta: 1,
        l1RegularizationStrength: 0,
        l2RegularizationStrength: 1,
        initialAccumulatorValue: 1,
      },
      lamb: { beta1: 0, epsilon: 1 },
      lion: { beta1: 0.9, beta2: 0.99 },
      muon: { weightDecay: 0, momentum: 0 },
      nadam: { epsilon: 1 },
      rmsprop: { rho: 0, momentum: this.pick(0, 1), centered: this.flip() },
      scheduleFreeAdamW: { beta1: 0.9, epsilon: 1 },
      sgd: { momentum: this.pick(0, 1, 0.5), nesterov: this.flip() },
    };
    if (this.flip(0.7)) Object.assign(config, settings[name]);
    if (name === 'sgd' && config.momentum === 0) config.nesterov = false;
    if (this.flip(0.2)) config[this.pick('clipnorm', 'clipvalue', 'globalClipnorm')] = 1;
    if (this.flip(0.15)) Object.assign(config, { useEma: true, emaMomentum: this.pick(0, 1, 0.5) });
    if (this.flip(0.1)) config.lossScaleFactor = 2;
    if (this.flip(0.1)) config.gradientAccumulationSteps = 2;
    return mf.optimizers[name](config);
  }

  loss() {
    const loss = (class_name, config) => ({ class_name, config });
    const one = [
      () => 'binary_crossentropy',
      () => loss('BinaryCrossentropy', { from_logits: false, label_smoothing: 0 }),
      () => loss('BinaryFocalCrossentropy', { alpha: 1, gamma: 2 }),
      () => loss('Huber', { delta: 1 }),
      () => loss('Tversky', { alpha: 1, beta: 1 }),
      () => loss('Hinge', {}),
      () => 'mse',
      () => loss('LogCosh', {}),
    ];
    const several = [
      () => 'categorical_crossentropy',
      () => loss('CategoricalCrossentropy', { label_smoothing: 0 }),
      () => loss('CategoricalFocalCrossentropy', { alpha: 1, gamma: 1 }),
      () => loss('CosineSimilarity', { axis: -1 }),
      () => loss('Huber', { delta: 2 }),
      () => loss('KLDivergence', {}),
      () => loss('Dice', {}),
    ];
    return this.pick(...(this.classes === 1 ? one : several))();
  }
  metrics() {
    const { metrics } = mf;
    const binary = [
      () => 'mae',
      () => 'accuracy',
      () => metrics.binaryAccuracy({ threshold: this.pick(0, 1) }),
      () => metrics.precision({ thresholds: this.pick(1, [0, 1], 0.5) }),
      () => metrics.auc({ numThresholds: 5 }),
      () => metrics.auc({ thresholds: [0, 1], numThresholds: 2 }),
      () => metrics.sensitivityAtSpecificity({ specificity: 1, numThresholds: 3 }),
      () => metrics.recallAtPrecision({ precision: 1, numThresholds: 3 }),
      () => metrics.binaryIoU({ targetClassIds: [0, 1], threshold: 1 }),
      () => metrics.truePositives({ thresholds: [0, 1] }),
      () => metrics.huber({ delta: 1 }),
    ];
    const categorical = [
      () => 'categorical_accuracy',
      () => metrics.f1Score({ threshold: this.pick(null, 1) }),
      () => metrics.fBetaScore({ beta: this.pick(1, 2), threshold: this.pick(null, 1, 0.5) }),
      () => metrics.topKCategoricalAccuracy({ k: 2 }),
      () => metrics.cosineSimilarity({ axis: -1 }),
      () => metrics.oneHotMeanIoU({ numClasses: 3 }),
      () => metrics.categoricalCrossentropy({ labelSmoothing: 0 }),
    ];
    const list = this.classes === 1 ? binary : categorical;
    return Array.from({ length: this.whole(0, 2) }, () => this.pick(...list)());
  }
  measures() {
    if (this.outputs === 1) return { loss: this.loss(), metrics: this.metrics() };
    const measures = { loss: { z: this.loss(), a: this.loss() } };
    if (this.flip()) measures.lossWeights = { z: 1, a: this.pick(2, 0.5) };
    if (this.flip()) measures.metrics = { z: this.metrics(), a: this.metrics() };
    return measures;
  }
  targets() {
    const target = () => {
      const ids = Array.from({ length: kRows }, () => this.whole(0, Math.max(1, this.classes - 1)));
      if (this.classes === 1)
        return mf.tensor(
          ids.map((id) => [id]),
          { dtype: 'float32' },
        );
      return mf.ops.oneHot(mf.tensor(ids, { dtype: 'int32' }), this.classes);
    };
    return this.outputs === 1 ? target() : { z: target(), a: target() };
  }
}

const plain = (value) => {
  if (!(value instanceof mf.Tensor))
    return Object.fromEntries(Object.entries(value).map(([key, item]) => [key, plain(item)]));
  const data = [...value.data()].map((x) => (Number.isFinite(x) ? Number(x) : String(x)));
  return { shape: value.shape, dtype: value.dtype, data };
};

await mf.ready({ onMaskDropped: 'silent' });
console.warn = () => {};
mkdirSync(folder, { recursive: true });
const index = [];
const problems = new Map();
for (let seed = Number(first); seed < Number(first) + Number(count); seed++) {
  try {
    const program = new Program(seed);
    const model = program.model();
    const optimizer = program.optimizer();
    model.compile({ optimizer, ...program.measures() });
    const x = program.numbers([kRows, kTime, 3]);
    const y = program.targets();
    // The state of ScheduleFreeAdamW depends on the weights. Keras creates it before it loads them,
    // so this optimizer is compared only after a first step.
    const minSteps = optimizer.className === 'ScheduleFreeAdamW' ? 1 : 0;
    for (let i = program.whole(minSteps, 2); i > 0; i--) await model.trainOnBatch(x, y);
    const file = `trained_${seed}.keras`;
    const bytes = await model.save();
    const copy = await mf.loadModel(bytes);
    const predicted = copy.predict(x);
    const before = copy.getWeights().map(plain);
    const logs = await copy.trainOnBatch(x, y);
    writeFileSync(`${folder}/${file}`, bytes);
    index.push({
      file,
      x: plain(x),
      y: plain(y),
      predicted: plain(predicted),
      before,
      logs,
      after: copy.getWeights().map(plain),
    });
  } catch (error) {
    const problem = `${error.name}: ${error.message}`.slice(0, 200);
    problems.set(problem, [...(problems.get(problem) ?? []), seed]);
  }
}
writeFileSync(`${folder}/trained.json`, JSON.stringify(index));
console.log(`${index.length} models saved`);
for (const [problem, seeds] of problems)
  console.log(`${seeds.length} x ${problem} (${seeds.slice(0, 3)})`);
