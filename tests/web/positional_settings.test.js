// SPDX-License-Identifier: MIT
// Settings of initializers, regularizers, constraints and schedules by position, as in Keras.
import assert from 'node:assert/strict';
import { before, describe, test } from 'node:test';
import * as mf from '../../dist/train.js';

before(() => mf.ready({ seed: 1 }));
const { constraints, initializers, layers, regularizers, schedules, tensor } = mf;
const places = { constraints, initializers, regularizers, schedules };

/** Settings that functions accept, in the order of Keras's signatures. */
const signatures = {
  initializers: {
    zeros: '',
    ones: '',
    constant: 'value',
    identity: 'gain',
    randomNormal: 'mean stddev seed',
    truncatedNormal: 'mean stddev seed',
    randomUniform: 'minval maxval seed',
    varianceScaling: 'scale mode distribution seed',
    orthogonal: 'gain seed',
    glorotNormal: 'seed',
    glorotUniform: 'seed',
    heNormal: 'seed',
    heUniform: 'seed',
    lecunNormal: 'seed',
    lecunUniform: 'seed',
  },
  regularizers: { l1: 'l1', l2: 'l2', l1L2: 'l1 l2', orthogonal: 'factor mode' },
  constraints: {
    maxNorm: 'max_value axis',
    minMaxNorm: 'min_value max_value rate axis',
    nonNeg: '',
    unitNorm: 'axis',
  },
  schedules: {
    cosineDecay: 'initial_learning_rate decay_steps alpha name warmup_target warmup_steps',
    cosineDecayRestarts: 'initial_learning_rate first_decay_steps t_mul m_mul alpha name',
    exponentialDecay: 'initial_learning_rate decay_steps decay_rate staircase name',
    inverseTimeDecay: 'initial_learning_rate decay_steps decay_rate staircase name',
    piecewiseConstantDecay: 'boundaries values name',
    polynomialDecay: 'initial_learning_rate decay_steps end_learning_rate power cycle name',
  },
};

/** A value of a setting that is not its default. */
const values = {
  mode: { orthogonal: 'columns', varianceScaling: 'fan_out' },
  distribution: 'uniform',
  name: 'mine',
  staircase: true,
  cycle: true,
  boundaries: [3],
  values: [0.5, 0.25],
  seed: 7,
  axis: 1,
  first_decay_steps: 5,
  decay_steps: 5,
  warmup_steps: 2,
};
const sampleOf = (setting, name) => {
  const value = values[setting] ?? 0.75;
  return setting === 'mode' ? value[name] : value;
};

for (const [place, functions] of Object.entries(signatures)) {
  describe(place, () => {
    test('all functions have a signature here', () => {
      const known = Object.keys(places[place]).filter(
        (name) => typeof places[place][name] === 'function',
      );
      assert.deepEqual(known.sort(), Object.keys(functions).sort());
    });

    for (const [name, text] of Object.entries(functions)) {
      const order = text.split(' ').filter(Boolean);
      const given = order.map((setting) => sampleOf(setting, name));
      const named = Object.fromEntries(order.map((setting, i) => [setting, given[i]]));
      test(`${name}(${order.join(', ')})`, () => {
        const make = places[place][name];
        const expected = order.length > 0 ? make(named) : make();
        assert.deepEqual(make(...given), expected);
        for (const [setting, value] of Object.entries(named)) {
          assert.deepEqual(expected.config[setting], value, setting);
        }
        // The first settings by position, the others by name.
        for (let count = 1; count < order.length; count++) {
          const others = Object.fromEntries(order.slice(count).map((each) => [each, named[each]]));
          assert.deepEqual(make(...given.slice(0, count), others), expected, `${count}`);
        }
        assert.throws(() => make(...given, 1), mf.ValueError);
        if (order.length > 0) {
          const twice = { name: 'ValueError', message: /is given twice: by position and by name/ };
          assert.throws(() => make(given[0], { [order[0]]: given[0] }), twice);
        }
      });
    }
  });
}

test('errors name the function and its settings', () => {
  assert.throws(
    () => initializers.randomNormal(0, 1, 2, 3),
    /^ValueError: initializers.randomNormal accepts only mean, stddev, seed by position, but was given 3, too/,
  );
  assert.throws(
    () => initializers.zeros(1),
    /initializers.zeros accepts no settings, but was given 1/,
  );
});

describe('a constant of several numbers', () => {
  const matrix = [
    [1, 2, 3],
    [4, 5, 6],
  ];
  const kernelOf = (kernelInitializer, inputs = 2, units = 3) => {
    const layer = layers.dense({ units, kernelInitializer });
    layer.build([null, inputs]);
    return layer.getWeights()[0].array();
  };

  test('is the first value of a weight', () => {
    for (const value of [
      matrix,
      tensor(matrix),
      tensor(matrix, { dtype: 'int32' }),
      matrix.map((row) => Float32Array.from(row)),
    ]) {
      assert.deepEqual(kernelOf(initializers.constant(value)), matrix);
      assert.deepEqual(kernelOf(initializers.constant({ value })), matrix);
    }
    assert.deepEqual(kernelOf(initializers.constant(true)), [Array(3).fill(1), Array(3).fill(1)]);
  });

  test('repeats along axes of size 1 and missing ones', () => {
    const [row] = matrix;
    assert.deepEqual(kernelOf(initializers.constant(row)), [row, row]);
    assert.deepEqual(kernelOf(initializers.constant(Float32Array.from(row))), [row, row]);
    assert.deepEqual(kernelOf(initializers.constant([[1], [2]])), [
      [1, 1, 1],
      [2, 2, 2],
    ]);
  });

  test('of another shape is refused, with both shapes', () => {
    const layer = layers.dense({ units: 4, kernelInitializer: initializers.constant(matrix) });
    layer.build([null, 2]);
    assert.throws(() => layer.getWeights(), {
      name: 'ShapeError',
      message: /initializer Constant has values of shape \(2, 3\) for a weight of shape \(2, 4\)/,
    });
    // Keras gives the weight another shape then.
    assert.throws(() => kernelOf(initializers.constant([[[1]]]), 1, 1), mf.ShapeError);
    assert.throws(() => kernelOf(initializers.constant([[1, 2], [3]])), mf.ConfigError);
  });

  test("is in configs in Keras's form, and in files and copies", async () => {
    const constant = initializers.constant(tensor(matrix));
    assert.deepEqual(constant.config.value, {
      class_name: '__numpy__',
      config: { value: matrix, dtype: 'float32' },
    });
    assert.deepEqual(initializers.constant(matrix).config.value, matrix);
    const model = new mf.Sequential([
      mf.Input({ shape: [2] }),
      layers.dense({ units: 3, kernelInitializer: constant }),
    ]);
    model.setWeights([
      [
        [0, 0, 0],
        [0, 0, 0],
      ],
      [0, 0, 0],
    ]);
    const loaded = await mf.loadModel(await model.save());
    assert.deepEqual(loaded.getWeights()[0].array()[1], [0, 0, 0]);
    assert.deepEqual(mf.cloneModel(loaded).getWeights()[0].array(), matrix);
    assert.deepEqual(mf.Model.fromConfig(model.getConfig()).getWeights()[0].array(), matrix);
  });

  test('serves addWeight and Variable', () => {
    class Own extends mf.Layer {
      build() {
        const initializer = initializers.constant([1, 2]);
        this.w = this.addWeight({ name: 'w', shape: [2], dtype: 'int32', initializer });
      }
      call(x) {
        return x;
      }
    }
    const own = new Own();
    own.build([null, 2]);
    assert.deepEqual(own.getWeights()[0].array(), [1, 2]);
    const variable = new mf.Variable(initializers.constant([1, 2]), { shape: [2] });
    assert.deepEqual(variable.value.array(), [1, 2]);
  });

  test('of more than a million numbers is refused, with what to write', () => {
    const rows = Array.from({ length: 1001 }, () => new Float32Array(1000).fill(2));
    assert.throws(() => initializers.constant(rows), {
      name: 'ConfigError',
      message: /1001000 numbers, .*write layers\.embedding\(\{ …, weights: \[matrix\] \}\)/,
    });
    const layer = layers.embedding({ inputDim: 1001, outputDim: 1000, weights: [rows] });
    assert.equal(layer.apply([[1000]]).array()[0][0][999], 2);
  });
});

describe('first weights of an Embedding', () => {
  const table = [
    [0, 1],
    [2, 3],
    [4, 5],
    [6, 7],
  ];
  const create = (weights, options = {}) =>
    layers.embedding({ inputDim: 4, outputDim: 2, weights, ...options });

  test('are rows, a tensor or a typed array, alone or in a list', () => {
    for (const weights of [
      [table],
      table,
      [tensor(table)],
      tensor(table),
      [Float32Array.from(table.flat())],
      Float32Array.from(table.flat()),
      [table.map((row) => Float32Array.from(row))],
      table.map((row) => Float32Array.from(row)),
    ]) {
      const layer = create(weights);
      assert.deepEqual(layer.getWeights()[0].array(), table);
      assert.deepEqual(layer.apply([[3, 1]]).array(), [[table[3], table[1]]]);
    }
    for (const weights of [[[[8, 9]]], [[8, 9]], [new Float32Array([8, 9])]]) {
      const layer = layers.embedding({ inputDim: 1, outputDim: 2, weights });
      assert.deepEqual(layer.getWeights()[0].array(), [[8, 9]]);
    }
  });

  test('stay as they are with trainable: false, and are not part of the config', () => {
    const layer = create([table], { trainable: false, maskZero: true, name: 'words' });
    assert.equal(layer.trainableVariables.length, 0);
    assert.equal(layer.built, true);
    assert.ok(!('weights' in layer.getConfig()));
    assert.deepEqual(layer.apply([[1, 0]]).mask.array(), [[true, false]]);
    assert.deepEqual(create(null).weights, []);
    assert.deepEqual(create(undefined).weights, []);
  });

  test('serve ReversibleEmbedding', () => {
    const layer = layers.reversibleEmbedding({
      inputDim: 4,
      outputDim: 2,
      tieWeights: true,
      weights: [table],
    });
    assert.deepEqual(layer.apply([[3]]).array(), [[table[3]]]);
  });

  test('of another shape are refused, with both shapes, and leave nothing behind', () => {
    const before = mf.memory();
    for (const [options, given] of [
      [{ outputDim: 3 }, '\\(4, 2\\)'],
      [{ inputDim: 5 }, '\\(4, 2\\)'],
    ]) {
      assert.throws(() => create([table], options), {
        name: 'ShapeError',
        message: new RegExp(`shape \\(\\d, \\d\\) but was given ${given}`),
      });
    }
    assert.throws(() => create([tensor(table), tensor(table)]).weights, mf.ValueError);
    assert.throws(() => create([]), mf.ValueError);
    assert.throws(() => create('glove'), mf.MaskflowError);
    assert.throws(() => layers.dense({ units: 2, weights: [table] }), mf.ConfigError);
    assert.ok(mf.memory().tensors <= before.tensors + 2);
  });

  test('are trained, saved and loaded', async () => {
    const model = new mf.Sequential([create([table]), layers.globalAveragePooling1D()]);
    assert.deepEqual(model.predict([[0, 1]]).array(), [[1, 2]]);
    const loaded = await mf.loadModel(await model.save());
    assert.deepEqual(loaded.predict([[0, 1]]).array(), [[1, 2]]);
    model.compile({ optimizer: mf.optimizers.sgd(1), loss: 'mse' });
    await model.fit([[0, 1]], [[0, 0]], { verbose: 0 });
    assert.notDeepEqual(model.predict([[0, 1]]).array(), [[1, 2]]);
    assert.deepEqual(model.predict([[2, 3]]).array(), [[5, 6]]);
  });
});
