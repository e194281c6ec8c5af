// SPDX-License-Identifier: MIT
// Mistakes of the first hour: each error says what to write instead.
import assert from 'node:assert/strict';
import { suite, test } from 'node:test';
import { inspect } from 'node:util';
import * as mf from '../../dist/index.js';
import * as recurrent from '../../dist/recurrent.js';
import * as train from '../../dist/train.js';
import { needsBuild } from '../support/built.js';

await mf.ready();
const { layers } = mf;
const dense = new mf.Sequential([mf.Input({ shape: [3] }), layers.dense({ units: 1 })]);

suite('first mistakes', () => {
  test('a number in place of settings is shown as a setting', () => {
    const refuses = (make, message) => assert.throws(make, { name: 'ValueError', message });
    refuses(
      () => layers.lstm(64),
      'the settings of a layer are 64 but must be an object, such as { units: 64 }',
    );
    refuses(() => layers.embedding(10, 3), /such as \{ inputDim: 10 \}/);
    refuses(() => layers.conv1D(8, 3), /such as \{ filters: 8 \}/);
    refuses(() => layers.dropout(0.5), /such as \{ rate: 0\.5 \}/);
    refuses(
      () => layers.reshape([2, 3]),
      /a list but must be .* such as \{ targetShape: \[2, 3\] \}/,
    );
    refuses(() => layers.permute([2, 1]), /such as \{ dims: \[2, 1\] \}$/);
    refuses(
      () => layers.rescaling([2, 1]),
      /are a list but must be .* such as \{ scale: \[2, 1\] \}$/,
    );
    refuses(() => layers.lstm([2, 1]), /are a list but must be an object, or left out$/);
    assert.deepEqual(layers.permute({ dims: [2, 1] }).apply([[[1, 2]]]).shape, [1, 2, 1]);
    refuses(() => layers.lstm('64'), /are '64' but must be an object, or left out/);
  });

  test('the first argument in Keras is named for each class, if it fits', () => {
    const { activation } = layers;
    const shown = {
      activation: ['relu', "activation: 'relu'"],
      dot: [1, 'axes: 1'],
      flatten: ['channels_last', "dataFormat: 'channels_last'"],
      gaussianNoise: [0.1, 'stddev: 0.1'],
      leakyReLU: [0.3, 'negativeSlope: 0.3'],
      masking: [-1, 'maskValue: -1'],
      maxPooling1D: [[2], 'poolSize: [2]'],
      multiHeadAttention: [2, 'numHeads: 2'],
      reLU: [6, 'maxValue: 6'],
      rescaling: [0.5, 'scale: 0.5'],
      separableConv1D: [8, 'filters: 8'],
      softmax: [-1, 'axis: -1'],
    };
    for (const [name, [value, setting]] of Object.entries(shown)) {
      assert.throws(
        () => layers[name](value),
        (error) => error.message.endsWith(`must be an object, such as { ${setting} }`),
        name,
      );
    }
    assert.throws(() => activation((x) => x), /such as \{ activation: a function \}$/);
    // A hint that the layer would refuse is worse than none.
    for (const make of [() => layers.add(5), () => layers.lstm(0.5), () => layers.softmax('x')]) {
      assert.throws(make, /must be an object, or left out$/);
    }
    const x = mf.tensor([[1]]);
    assert.throws(() => layers.average([x, x]), /write layers\.average\(\)\.apply\(\[a, b\]\)$/);
  });

  test('tensors after the first are shown where they belong', () => {
    const x = mf.tensor([[[1, 2]]]);
    const attention = layers.multiHeadAttention({ numHeads: 1, keyDim: 2 });
    assert.throws(
      () => attention.apply(x, x),
      /options .*; write several inputs as apply\(\{ query, value, key \}\)$/,
    );
    assert.throws(
      () => layers.add().apply(x, x),
      /options .*; write several inputs as apply\(\[a, b\]\)$/,
    );
  });

  test('call(x, mask) of a custom layer is refused, as is call(x, training)', () => {
    const classes = {
      mask: class Mine extends mf.Layer {
        call(x, mask = null) {
          return mask ? x : x;
        }
      },
      training: class Mine extends mf.Layer {
        call(x, training) {
          return training ? x : x.add(1);
        }
      },
      states: class Mine extends mf.Layer {
        stateSize = 1;
        call(x, states, training = false) {
          return [x, states, training];
        }
      },
    };
    for (const [option, Mine] of Object.entries(classes)) {
      const message = `Mine: options are one object; write call(inputs, { ${option} })`;
      assert.throws(() => new Mine(), { name: 'ConfigError', message });
    }
    class Inputs extends mf.Layer {
      call([x, mask], { training }) {
        return training ? x : ops.multiply(x, mask);
      }
    }
    const { ops } = mf;
    assert.deepEqual(new Inputs().apply([mf.tensor([[2]]), mf.tensor([[3]])]).array(), [[6]]);
    class Named extends mf.Layer {
      call(mask, options) {
        return options.mask ? mask : mask.add(1);
      }
    }
    assert.deepEqual(new Named().apply([[1]]).array(), [[2]]);
    class Commented extends mf.Layer {
      call(x /* data, mask and all */, options) {
        return options.mask ? x : x.add(1);
      }
    }
    assert.deepEqual(new Commented().apply([[1]]).array(), [[2]]);
    const f = (x, mask) => (mask ? x : x);
    assert.throws(
      () => layers.lambda(f),
      /^ConfigError: Lambda: .* write call\(inputs, \{ mask \}\)$/,
    );
  });

  test('a setting of another type or size is named', () => {
    const refuses = (make, message) => assert.throws(make, { name: 'ConfigError', message });
    const axis = /'axis' must be an integer or a list of integers, but is 'x'$/;
    refuses(() => mf.ops.sum([1, 2], { axis: 'x' }), axis);
    assert.equal(mf.ops.sum([1, 2], { axis: [0] }).item(), 3);
    const slope = "LeakyReLU: 'negative_slope' is -7 but must be at least 0";
    refuses(() => layers.leakyReLU({ negativeSlope: -7 }), slope);
    refuses(() => layers.reLU({ maxValue: -7 }), "ReLU: 'max_value' is -7 but must be at least 0");
    refuses(() => layers.reLU({ threshold: -1 }), "ReLU: 'threshold' is -1 but must be at least 0");
  });

  test('names of other programs in `layers` are answered with the name here', () => {
    const answers = {
      LSTM: /^there is no layers\.LSTM; write layers\.lstm\(\{ … \}\)$/,
      Dense: /write layers\.dense\(/,
      conv1d: /write layers\.conv1D\(/,
      time_distributed: /write layers\.timeDistributed\(/,
      global_max_pooling_1d: /write layers\.globalMaxPooling1D\(/,
    };
    for (const [name, message] of Object.entries(answers)) {
      assert.throws(() => layers[name], { name: 'ValueError', message });
      if (name !== 'conv1d') assert.throws(() => recurrent.layers[name], { message });
      assert.throws(() => train.layers[name], { message });
    }
    const message = /write layers\.melSpectrogram\(/;
    assert.throws(() => train.layers.MelSpectrogram, { name: 'ValueError', message });
    for (const name of ['conv2d', 'Conv2D', 'maxPooling2D', 'conv_lstm_2d', 'upSampling3D']) {
      assert.throws(() => layers[name], {
        name: 'UnsupportedError',
        message: `layers.${name} is an image layer, which this package lacks`,
      });
    }
  });

  test('`layers` is an object like others to tools that look at it', () => {
    for (const name of ['then', 'toJSON', 'nodeType', '$$typeof', 'default', 'length', 'foo']) {
      assert.equal(layers[name], undefined);
    }
    assert.equal(Object.prototype.toString.call(layers), '[object Object]');
    assert.equal(String(layers), '[object Object]');
    assert.equal('LSTM' in layers, false);
    assert.equal(Object.hasOwn(layers, 'lstm'), true);
    assert.deepEqual({ ...layers }, Object.fromEntries(Object.entries(layers)));
    assert.match(inspect(layers), /lstm: /);
    assert.ok(Object.keys(layers).length > 70);
  });

  test('one row in place of a batch is shown as a batch', () => {
    const refuses = (inputs, message) =>
      assert.throws(() => dense.predict(inputs), { name: 'ShapeError', message });
    refuses(
      [1, 2, 3],
      /but was given \(3,\); one sample needs a batch axis, \[x\]; write one row as \[\[1, 2, 3\]\]$/,
    );
    refuses([1, 2, 3, 4], /; write one row as \[\[1, 2, 3, …\]\]$/);
    refuses([[1, 2]], /^((?!write one row).)*$/);
    refuses(mf.tensor([1, 2, 3]), /^((?!write one row).)*$/);
    // Rank 1 is right for a model of single numbers.
    const ids = new mf.Sequential([mf.Input({ shape: [] }), layers.rescaling({ scale: 2 })]);
    assert.deepEqual(ids.predict([1, 2]).array(), [2, 4]);
  });

  test('options of predict in other spellings are named', () => {
    for (const name of ['batch_size', 'batchsize', 'BatchSize']) {
      assert.throws(() => dense.predict([[1, 2, 3]], { [name]: 2 }), {
        name: 'ConfigError',
        message: `unknown option '${name}' (did you mean 'batchSize'?); the options are batchSize, workers, mask, training`,
      });
    }
    assert.throws(() => dense.predict([[1, 2, 3]], { num_workers: 2 }), /did you mean 'workers'/);
    assert.throws(() => dense.predict([[1, 2, 3]], { masks: 1 }), /did you mean 'mask'/);
  });
});

suite('names and forms of Keras', () => {
  test('classes of Keras are answered with the function here', () => {
    const { callbacks, constraints, initializers, losses, metrics, optimizers } = train;
    const { random, regularizers, schedules } = train;
    const answers = [
      [() => losses.MeanSquaredError, /losses\.MeanSquaredError; write losses\.meanSquaredError\(/],
      [() => losses.binary_crossentropy, /write losses\.binaryCrossentropy\(/],
      [() => metrics.AUC, /write metrics\.auc\(/],
      [() => optimizers.Adam, /write optimizers\.adam\(/],
      [() => schedules.CosineDecay, /write schedules\.cosineDecay\(/],
      [() => callbacks.EarlyStopping, /write callbacks\.earlyStopping\(/],
      [() => regularizers.L2, /write regularizers\.l2\(/],
      [() => constraints.MaxNorm, /write constraints\.maxNorm\(/],
      [() => initializers.HeNormal, /write initializers\.heNormal\(/],
      [() => random.truncated_normal, /write random\.truncatedNormal\(/],
    ];
    for (const [read, message] of answers) {
      assert.throws(read, { name: 'ValueError', message });
    }
    assert.equal(losses.nothing, undefined);
    assert.equal('Adam' in optimizers, false);
    assert.equal(typeof optimizers.get, 'function');
  });

  test('what trains is refused if another entry has started the core', { skip: needsBuild }, () => {
    const { constraints, optimizers, schedules } = train;
    for (const make of [
      () => optimizers.adam(),
      () => optimizers.get('adam'),
      () => constraints.maxNorm(),
      () => schedules.cosineDecay({ initialLearningRate: 0.1, decaySteps: 3 }),
    ]) {
      assert.throws(make, {
        name: 'StateError',
        message: /call ready\(\) of maskflow\/train before that of other entries/,
      });
    }
  });
});
