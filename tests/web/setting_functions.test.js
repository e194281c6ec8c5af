// SPDX-License-Identifier: MIT
// Functions as activations, initializers, regularizers and constraints do what they do in Keras.
// tests/fixtures/setting_functions/record.py recorded it.
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { describe, test } from 'node:test';
import * as mf from '../../dist/train.js';
import { warnings } from '../support/train.js';

const { Input, layers, loadModel, ops, registerFunction, Sequential, tensor } = mf;
const file = (name) => new URL(`../fixtures/setting_functions/${name}`, import.meta.url);
const recording = JSON.parse(readFileSync(file('recording.json'), 'utf8'));
await mf.ready();

const double = (x) => ops.multiply(x, 2);
const cubic = (x) => ops.subtract(x, ops.multiply(ops.power(x, 3), 0.1));
const share = (x) => ops.divide(ops.exp(x), ops.sum(ops.exp(x), { axis: -1, keepdims: true }));
const ramp = (shape) => {
  const count = shape.reduce((size, dim) => size * dim, 1);
  return ops.reshape(ops.subtract(ops.multiply(ops.arange(count), 0.1), 0.3), shape);
};
const penalty = (w) => ops.multiply(ops.sum(ops.square(w)), 0.25);
const bounded = (w) => ops.clip(w, -0.25, 0.25);
const functions = { double, cubic, share, ramp, penalty, bounded };

const close = (actual, expected, tolerance = 2e-6) => {
  const [a, b] = [actual, expected].map((x) => [x].flat(Infinity));
  assert.equal(a.length, b.length);
  a.forEach((value, i) => {
    assert.ok(Math.abs(value - b[i]) <= tolerance * Math.max(1, Math.abs(b[i])), `${a} ≠ ${b}`);
  });
};

/** The layers of record.py, written here. */
const written = () => {
  const every = { kernelInitializer: ramp, biasInitializer: ramp };
  const rnn = { units: 2, ...every, recurrentInitializer: ramp, activation: cubic };
  const gates = { ...rnn, recurrentActivation: share };
  const trained = { kernelRegularizer: penalty, biasConstraint: bounded };
  const dense = { units: 2, activation: share, ...every };
  return {
    dense: layers.dense({
      ...{ ...dense, ...trained },
      activityRegularizer: penalty,
      kernelConstraint: bounded,
    }),
    activation: layers.activation({ activation: double }),
    einsum_dense: layers.einsumDense({
      ...{ equation: 'abc,cd->abd', outputShape: [3, 2], biasAxes: 'd' },
      ...{ activation: cubic, ...every },
    }),
    conv: layers.conv1D({ filters: 2, kernelSize: 2, activation: share, ...every, ...trained }),
    conv_transpose: layers.conv1DTranspose({
      ...{ filters: 2, kernelSize: 2, activation: cubic },
      ...every,
    }),
    simple_rnn: layers.simpleRNN({ ...rnn, recurrentRegularizer: penalty }),
    lstm: layers.lstm({ ...gates, recurrentConstraint: bounded }),
    lstm_all: layers.lstm({ ...gates, returnSequences: true, unitForgetBias: false }),
    gru: layers.gru(gates),
    gru_before: layers.gru({ ...gates, resetAfter: false }),
    bidirectional: layers.bidirectional({ layer: layers.lstm(gates) }),
    rnn: layers.rnn({ cell: layers.gruCell(gates) }),
    time_distributed: layers.timeDistributed({ layer: layers.dense(dense) }),
    embedding: layers.embedding({
      ...{ inputDim: 4, outputDim: 2, embeddingsInitializer: ramp },
      ...{ embeddingsRegularizer: penalty, embeddingsConstraint: bounded },
    }),
  };
};

/** Predicts and trains as record.py did. */
async function checkAsKeras(model, { x, output, loss, weights }) {
  const inputs = tensor(x, { dtype: model.inputs[0].dtype });
  close(model.predict(inputs).array(), output);
  model.compile({ optimizer: mf.optimizers.sgd({ learningRate: 0.1 }), loss: 'mse' });
  const y = tensor([[0.5], [-1]]);
  const history = await model.fit(inputs, y, { batchSize: 2, epochs: 2, shuffle: false });
  close(history.history.loss, loss, 1e-5);
  close(
    model.getWeights().map((weight) => weight.array()),
    weights,
    1e-5,
  );
}

describe('a function as a setting', () => {
  for (const [name, entry] of Object.entries(recording)) {
    test(`computes, trains and constrains as in Keras: ${name}`, async () => {
      const [shape, dtype] = name === 'embedding' ? [[3], 'int32'] : [[3, 2], 'float32'];
      const model = new Sequential([
        Input({ shape, dtype }),
        written()[name],
        layers.flatten(),
        layers.dense({ units: 1, kernelInitializer: ramp, name: 'head' }),
      ]);
      await checkAsKeras(model, entry);
    });
    test(`is found by name in the JSON of Keras: ${name}`, async () => {
      const options = { weights: null, customObjects: functions };
      await checkAsKeras(await loadModel(JSON.parse(entry.json), options), entry);
    });
  }

  test('is the value of the property of the layer', () => {
    const dense = layers.dense({ units: 2, activation: double, kernelInitializer: ramp });
    assert.equal(dense.activation, double);
    assert.equal(dense.kernelInitializer, ramp);
    dense.activation = share;
    close(dense.apply([[1, 1]]).array(), [[0.450166, 0.549834]]);
  });

  test('sees the whole tensor, with its gradient', () => {
    const shapes = [];
    const seen = (x) => {
      shapes.push(x.shape);
      return ops.tanh(x);
    };
    const dense = layers.dense({ units: 4, activation: seen });
    const twin = layers.dense({ units: 4, activation: 'tanh' });
    const x = tensor([
      [
        [1, 2],
        [3, 4],
        [5, 6],
      ],
    ]);
    dense.build([null, null, 2]);
    twin.build([null, null, 2]);
    twin.setWeights(dense.getWeights());
    const [a, b] = [dense, twin].map((layer) =>
      mf.valueAndGradients(() => ops.sum(layer.apply(x)), layer.trainableVariables),
    );
    close(a.value.array(), b.value.array());
    const [own, named] = [a, b].map(({ gradients }) =>
      gradients.map((gradient) => gradient.array()),
    );
    close(own, named, 1e-5);
    assert.deepEqual(shapes, [[1, 3, 4]]);
  });

  test('may return lists as the initial value', () => {
    const dense = layers.dense({
      units: 2,
      kernelInitializer: () => [
        [1, 2],
        [3, 4],
      ],
    });
    close(dense.apply([[1, 1]]).array(), [[4, 6]]);
    class Own extends mf.Layer {
      build([, size]) {
        this.w = this.addWeight({ shape: [size], initializer: (shape) => ops.full(shape, 3) });
      }
      call(x) {
        return ops.multiply(x, this.w);
      }
    }
    close(new Own().apply([[1, 2]]).array(), [[3, 6]]);
  });

  test('keeps masks, and skips nothing', () => {
    const x = tensor([[[1], [2]]]).withMask([[true, false]]);
    const y = layers.dense({ units: 1, kernelInitializer: 'ones', activation: double }).apply(x);
    close(y.array(), [[[2], [4]]]);
    assert.deepEqual(y.mask.array(), [[true, false]]);
  });

  test('streams step by step in recurrent layers and in TimeDistributed', () => {
    const step = layers.timeDistributed({ layer: layers.dense({ units: 2, activation: cubic }) });
    const gru = layers.gru({ units: 3, activation: cubic, returnSequences: true });
    const model = new Sequential([Input({ shape: [null, 2] }), gru, step]);
    const x = [
      [
        [1, 0],
        [0.5, -1],
        [2, 1],
      ],
    ];
    const whole = model.predict(tensor(x)).array()[0];
    const stream = model.stream();
    close(
      x[0].map((row) => stream.step(tensor([row])).array()),
      whole,
    );
    const dense = layers.dense({ units: 2, activation: cubic });
    const unknown = new Sequential([Input({ shape: [null, 2] }), dense]);
    assert.throws(() => unknown.stream(), /has a function as its activation.*TimeDistributed/);
  });

  test('throws its own errors, and the next call works', () => {
    let fails = false;
    const picky = (x) => {
      if (fails) throw new RangeError('no');
      return x;
    };
    const lstm = layers.lstm({ units: 2, activation: picky });
    const x = tensor([[[1]]]);
    const apply = () => mf.tidy(() => void lstm.apply(x));
    apply();
    const before = mf.memory();
    fails = true;
    assert.throws(apply, RangeError);
    fails = false;
    apply();
    assert.deepEqual(mf.memory(), before);
    const wrong = (f) => layers.dense({ units: 2, activation: f }).apply([[1]]);
    assert.throws(() => wrong(() => 3), /must return a tensor, but returned/);
    assert.throws(() => wrong(async (x) => x), /Promise; it cannot be async/);
    assert.throws(() => wrong((x) => ops.sum(x)), /returned shape .* but must return/);
    const initializer = () => ops.ones([3]);
    assert.throws(
      () =>
        layers
          .dense({ units: 2, kernelInitializer: initializer })
          .apply([[1]])
          .array(),
      /the function 'initializer' returned shape \(3,\) but must return \(1, 2\)/,
    );
    assert.throws(() => layers.dense({ units: () => 3 }), /'units' is a function/);
  });

  test('cannot run a layer that has it, even if it catches the error', () => {
    const kinds = {
      dense: (f) => layers.dense({ units: 2, activation: f }),
      gru: (f) => layers.gru({ units: 2, activation: f, recurrentActivation: f }),
      lstm: (f) => layers.bidirectional({ layer: layers.lstm({ units: 2, activation: f }) }),
    };
    for (const [kind, make] of Object.entries(kinds)) {
      for (const rows of [2, 50]) {
        let isNested = false;
        const nested = (x) => {
          if (isNested) {
            isNested = false;
            assert.throws(
              () => model.predict(ops.ones([rows, 7, 3])),
              /use another (function|cell) there$/,
            );
          }
          return ops.tanh(x);
        };
        const model = new Sequential([Input({ shape: [null, 3] }), make(nested)]);
        const x = ops.ones([3, 5, 3]);
        const expected = model.predict(x).array();
        isNested = true;
        // The run of a cell is refused before it changes memory, so the outer one can continue.
        if (kind === 'dense') {
          assert.throws(
            () => model.predict(x),
            /^StateError: the function 'nested' of a layer runs a layer that has it, too/,
            `${rows} rows`,
          );
        } else assert.deepEqual(model.predict(x).array(), expected, `${kind}, ${rows} rows`);
        assert.deepEqual(model.predict(x).array(), expected);
      }
    }
  });

  test('a regularizer must return one number', () => {
    const dense = layers.dense({ units: 2, kernelRegularizer: (w) => ops.square(w) });
    dense.build([null, 2]);
    assert.throws(() => dense.losses, /must return one number as a tensor.*ops\.sum/);
  });
});

describe('a function in a file', () => {
  const model = () =>
    new Sequential([
      Input({ shape: [2] }),
      layers.dense({ units: 2, activation: share, kernelInitializer: ramp, name: 'first' }),
    ]);

  test('is an error with the line to write while it is not registered', async () => {
    const fresh = (x) => ops.multiply(x, 3);
    const unsaved = new Sequential([layers.dense({ units: 1, activation: fresh, name: 'd' })]);
    unsaved.build([null, 1]);
    await assert.rejects(unsaved.save(), (error) => {
      const line = /first call (registerFunction\(fresh, .*\)), where fresh is the function$/.exec(
        error.message,
      )?.[1];
      assert.ok(line, error.message);
      new Function('registerFunction', 'fresh', line)(registerFunction, fresh);
      return error instanceof mf.ConfigError;
    });
    const copy = await loadModel(await unsaved.save());
    assert.equal(copy.layers[0].activation, fresh);
    await assert.rejects(unsaved.saveTfjs(), mf.UnsupportedError);
  });

  test('is named as in Keras, and opened again', async () => {
    registerFunction(share, { package: 'own' });
    registerFunction(ramp, { package: 'own', name: 'ramp' });
    const saved = model();
    const bytes = await saved.save();
    const text = new TextDecoder('latin1').decode(bytes);
    assert.ok(!text.includes('function_id'));
    const copy = await loadModel(bytes);
    assert.equal(copy.layers[0].activation, share);
    close(copy.predict([[1, 2]]).array(), saved.predict([[1, 2]]).array());
  });

  test('of Keras opens with registered functions, and with customObjects', async () => {
    for (const [name, f] of Object.entries(functions))
      registerFunction(f, { package: 'own', name });
    const bytes = new Uint8Array(readFileSync(file('dense.keras')));
    const { x, output } = recording.dense;
    for (const options of [{}, { customObjects: { share } }]) {
      close((await loadModel(bytes, options)).predict(x).array(), output);
    }
  });

  test('that is unknown is an error that says what to pass', async () => {
    const text = recording.dense.json.replaceAll('own>share', 'own>gone');
    await assert.rejects(
      loadModel(JSON.parse(text), { weights: null }),
      /customObjects: \{ 'own>gone': \(x\) => … \}/,
    );
  });
});

describe('copies without registration', () => {
  test('cloneModel, fromConfig and deserializeLayer keep functions of this program', () => {
    const local = (x) => ops.multiply(x, 5);
    const model = new Sequential([
      Input({ shape: [1] }),
      layers.dense({ units: 1, activation: local }),
    ]);
    assert.equal(mf.cloneModel(model).layers[0].activation, local);
    assert.equal(Sequential.fromConfig(model.getConfig()).layers[0].activation, local);
    const [dense] = model.layers;
    assert.equal(mf.deserializeLayer(mf.serializeLayer(dense)).activation, local);
    const stored = JSON.parse(JSON.stringify(dense));
    stored.config.activation.function_id = 'another-program-0';
    assert.throws(() => mf.deserializeLayer(stored), /unknown activation 'local'/);
    const copy = mf.deserializeLayer(stored, { customObjects: { local } });
    assert.equal(copy.activation, local);
  });

  test('cloneModel and deserializeLayer with customObjects need no registered class', async () => {
    class Twice extends mf.Layer {
      call(x) {
        return ops.multiply(x, 2);
      }
    }
    const model = new Sequential([Input({ shape: [1] }), new Twice({ name: 'twice' })]);
    const inner = new Sequential([Input({ shape: [1] }), model, new Twice({ name: 'again' })]);
    close(
      mf
        .cloneModel(inner)
        .predict([[3]])
        .array(),
      [[12]],
    );
    const config = mf.serializeLayer(new Twice());
    assert.throws(() => mf.deserializeLayer(config), mf.ConfigError);
    const copy = mf.deserializeLayer(config, { customObjects: { Twice } });
    assert.ok(copy instanceof Twice);
    assert.throws(
      () => mf.deserializeLayer(config, { customObjects: { Twice: 3 } }),
      mf.ConfigError,
    );
    assert.throws(() => mf.deserializeLayer(config, { objects: {} }), mf.ConfigError);
    assert.equal((await warnings(() => mf.cloneModel(model))).length, 0);
  });
});
