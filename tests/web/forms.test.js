// SPDX-License-Identifier: MIT
// Forms that programs of Keras and TensorFlow.js use: options by position, one callback, wrapped
// layers without a name. tests/fixtures/op_signatures/record.py recorded Keras's signatures.
import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import { before, suite, test } from 'node:test';
import * as mf from '../../dist/train.js';

before(() => mf.ready());
const { layers, ops, optimizers, schedules, Sequential, tensor } = mf;

const read = (path) => readFileSync(new URL(path, import.meta.url), 'utf8');
const keras = JSON.parse(read('../fixtures/op_signatures/signatures.json'));
const camel = (name) => name.replace(/_([a-z0-9])/g, (_, letter) => letter.toUpperCase());
const byCamel = Object.fromEntries(
  Object.entries(keras).map(([name, parameters]) => [
    camel(name),
    parameters
      .filter((parameter) => parameter.endsWith('='))
      .map((each) => camel(each.slice(0, -1))),
  ]),
);

const namesIn = (text, pattern) => [...text.matchAll(pattern)].map(([, name]) => name);

/** Returns the options of each function in generated files, in the order of their positions. */
function optionsOfOps() {
  const folder = new URL('../../web/src/ops/', import.meta.url);
  const files = readdirSync(folder).filter((name) => name.endsWith('ops.gen.ts'));
  const text = files.map((name) => read(`../../web/src/ops/${name}`)).join('');
  const pattern = /^export function (\w+)\((.*)options\?: .*?\{ (.*) \}\)/gm;
  return Object.fromEntries(
    [...text.matchAll(pattern)].map(([, name, required, members]) => [
      name,
      { required: namesIn(required, /(\w+):/g), options: namesIn(members, /(\w+)\?:/g) },
    ]),
  );
}

/** Ops with further options, or with another order from some position on, and the reason. */
const known = {
  countNonzero: 'keepdims is ours',
  linspace: 'Keras has retstep before dtype',
  relu: "the settings of Keras's layer",
  average: 'tested below',
};

suite('options of ops by position', () => {
  test('have the order of Keras', () => {
    const all = Object.entries(optionsOfOps());
    assert.ok(all.length > 110, `found ${all.length}`);
    const others = all.filter(([name, { required, options }]) => {
      // Keras's names in capitals are in lower case here.
      const expected = byCamel[name]
        ?.map((each) => (each.length === 1 ? each.toLowerCase() : each))
        .filter((each) => !required.includes(each));
      if (!expected) return false;
      const count = Math.min(options.length, expected.length);
      return options.slice(0, count).join() !== expected.slice(0, count).join();
    });
    assert.deepEqual(
      others.filter(([name]) => !(name in known)),
      [],
    );
  });

  const x = [
    [1, 5, 2],
    [4, 3, 6],
  ];
  const pairs = {
    sum: [() => ops.sum(x, 1), () => ops.sum(x, { axis: 1 })],
    'sum with keepdims': [() => ops.sum(x, 1, true), () => ops.sum(x, { axis: 1, keepdims: true })],
    'sum, then by name': [
      () => ops.sum(x, 1, { keepdims: true }),
      () => ops.sum(x, { axis: 1, keepdims: true }),
    ],
    'sum of null': [() => ops.sum(x, null, true), () => ops.sum(x, { keepdims: true })],
    'sum of undefined': [() => ops.sum(x, undefined), () => ops.sum(x)],
    'sum of undefined, keepdims': [
      () => ops.sum(x, undefined, true),
      () => ops.sum(x, { keepdims: true }),
    ],
    'sum of axes': [() => ops.sum(x, [0, 1]), () => ops.sum(x)],
    softmax: [() => ops.softmax(x, 0), () => ops.softmax(x, { axis: 0 })],
    concatenate: [() => ops.concatenate([x, x], -1), () => ops.concatenate([x, x], { axis: -1 })],
    'a method': [() => tensor(x).mean(1), () => tensor(x).mean({ axis: 1 })],
    'argmax of a tensor': [() => tensor(x).argmax(-1), () => tensor(x).argmax({ axis: -1 })],
    squeeze: [() => tensor([[[1, 2]]]).squeeze([0]), () => tensor([[[1, 2]]]).squeeze({ axis: 0 })],
    arange: [() => ops.arange(1, 7, 2), () => ops.arange(1, { stop: 7, step: 2 })],
    norm: [() => ops.norm(x, 1, 1), () => ops.norm(x, { ord: 1, axis: 1 })],
    'weights of average': [
      () => ops.average(x, 1, [1, 2, 3]),
      () => ops.average(x, { axis: 1, weights: [1, 2, 3] }),
    ],
    'tolerances of isclose': [
      () => ops.isclose([1, 2], [1.1, 2.5], 0.2),
      () => ops.isclose([1, 2], [1.1, 2.5], { rtol: 0.2 }),
    ],
    'both of isclose': [
      () => ops.isclose([1, NaN], [1.1, NaN], 0, 0.2, true),
      () => ops.isclose([1, NaN], [1.1, NaN], { rtol: 0, atol: 0.2, equalNan: true }),
    ],
    oneHot: [() => ops.oneHot([0, 2], 3, 0), () => ops.oneHot([0, 2], 3, { axis: 0 })],
  };
  for (const [name, [byPosition, byName]] of Object.entries(pairs)) {
    test(`${name}: is what the names say`, () => {
      const [a, b] = [byPosition(), byName()];
      assert.deepEqual(a.array(), b.array());
      assert.deepEqual([a.shape, a.dtype], [b.shape, b.dtype]);
    });
  }

  test('hold in graphs, which are saved with names', async () => {
    const input = mf.Input({ shape: [3, 2] });
    const model = new mf.Model({ inputs: input, outputs: ops.sum(ops.softmax(input, 1), -1) });
    const rows = [[x[0], x[1], x[0]].map((row) => row.slice(0, 2))];
    const expected = ops.sum(ops.softmax(rows, { axis: 1 }), { axis: -1 }).array();
    assert.deepEqual(model.predict(rows).array(), expected);
    const saved = await mf.loadModel(await model.save());
    assert.deepEqual(saved.predict(rows).array(), expected);
  });

  const refused = {
    'an option too many': [
      () => ops.sum(x, 1, true, 2),
      /Sum: got 3 options by position but has 2;/,
    ],
    'an option twice': [
      () => ops.sum(x, 1, { axis: 1 }),
      /Sum: 'axis' is given twice: by position and by name/,
    ],
    'an operand twice': [
      () => ops.isclose(x, x, 1, { rtol: 1 }),
      /Isclose: 'rtol' is given twice: by position and by name/,
    ],
    'a tensor': [() => ops.softmax(x, tensor(1)), /the options are a tensor but must be an object/],
    'a function': [() => ops.softmax(x, () => 1), /the options are a function but must be an/],
  };
  for (const [name, [call, message]] of Object.entries(refused)) {
    test(`${name}: is a ValueError, and the next call works`, () => {
      assert.throws(call, (error) => error instanceof mf.ValueError && message.test(error.message));
      assert.equal(ops.sum(x, 0).array()[0], 5);
    });
  }
});

suite('tensors', () => {
  const flat = [1, 2, 3, 4];
  const square = [
    [1, 2],
    [3, 4],
  ];
  test('have a shape and a dtype by position', () => {
    assert.deepEqual(tensor(flat, [2, 2]).array(), square);
    assert.deepEqual(tensor(Float32Array.from(flat), [2, 2]).array(), square);
    assert.equal(tensor(flat, [2, 2], 'int32').dtype, 'int32');
    assert.equal(tensor(flat, 'int32').dtype, 'int32');
    assert.equal(tensor(flat, undefined, 'bool').dtype, 'bool');
    assert.equal(tensor(flat, { shape: [2, 2] }, 'int32').dtype, 'int32');
  });
  test('refuse others', () => {
    assert.throws(() => tensor(flat, [3, 2]), mf.ShapeError);
    assert.throws(() => tensor(flat, 'int'), mf.MaskflowError);
    assert.throws(() => tensor(flat, 2), /the options are 2 but must be an object/);
  });
});

suite('optimizers', () => {
  test('have a learning rate by position, as in Keras', () => {
    assert.equal(
      optimizers.adam(0.01).learningRate,
      optimizers.adam({ learningRate: 0.01 }).learningRate,
    );
    const { config } = optimizers.serialize(optimizers.sgd(0.5, { momentum: 0.25 }));
    assert.deepEqual([config.learning_rate, config.momentum], [0.5, 0.25]);
    const decay = schedules.exponentialDecay({
      initialLearningRate: 0.5,
      decaySteps: 1,
      decayRate: 0.5,
    });
    assert.equal(optimizers.adam(decay).learningRate, 0.5);
    assert.equal(optimizers.adam((step) => 1 / (step + 1)).learningRate, 1);
  });
  test('refuse further ones by position', () => {
    const error = /only the learning rate is positional; .*\{ learningRate: 0.001, beta1: 0.9 \}/;
    assert.throws(() => optimizers.adam(0.01, 0.9), error);
    const sgd = /by name: optimizers\.sgd\(\{ learningRate: 0\.001, momentum: 0\.9 \}\)/;
    assert.throws(() => optimizers.sgd(0.01, 0.9), sgd);
    assert.ok(optimizers.sgd({ learningRate: 0.001, momentum: 0.9 }));
    for (const name of Object.keys(optimizers)) {
      if (/^(get|serialize|deserialize|lossScaleOptimizer)$/.test(name)) continue;
      assert.throws(
        () => optimizers[name](0.01, 0.9),
        ({ message }) => {
          const [call] = /optimizers\..*$/.exec(message);
          return new Function('optimizers', `return ${call}`)(optimizers).built === false;
        },
        name,
      );
    }
    assert.throws(() => optimizers.adam({}, {}), error);
    assert.ok(optimizers.adam({ learningRate: 0.001, beta1: 0.9 }));
  });
});

suite('layers', () => {
  const x = [
    [
      [1, 2],
      [3, 4],
    ],
  ];
  test('that wrap a layer accept it alone', () => {
    const settings = { units: 2, kernelInitializer: 'ones', recurrentInitializer: 'ones' };
    const pairs = [
      [
        layers.bidirectional(layers.lstm(settings)),
        { layer: layers.lstm(settings) },
        'bidirectional',
      ],
      [
        layers.timeDistributed(layers.dense({ units: 1, kernelInitializer: 'ones' })),
        { layer: layers.dense({ units: 1, kernelInitializer: 'ones' }) },
        'timeDistributed',
      ],
      [layers.rnn(layers.gruCell(settings)), { cell: layers.gruCell(settings) }, 'rnn'],
      [
        new mf.RNN([layers.gruCell(settings), layers.gruCell(settings)]),
        { cell: [layers.gruCell(settings), layers.gruCell(settings)] },
        'rnn',
      ],
      [
        layers.rnn(layers.stackedRNNCells([layers.gruCell(settings)])),
        { cell: layers.stackedRNNCells({ cells: [layers.gruCell(settings)] }) },
        'rnn',
      ],
    ];
    for (const [layer, named, factory] of pairs) {
      assert.deepEqual(layer.apply(x).array(), layers[factory](named).apply(x).array());
    }
  });
  test('say what to write for other forms', () => {
    const [a, h] = [tensor(x), tensor([[1, 2]])];
    const cases = [
      [() => layers.add([a, a]), /write layers\.add\(\)\.apply\(\[a, b\]\)/],
      [() => layers.concatenate([a, a]), /write layers\.concatenate\(\)\.apply\(\[a, b\]\)/],
      [() => layers.dense(8), /such as \{ units: 8 \}/],
      [
        () => layers.lstm({ units: 2 }).apply([a, h, h]),
        /LSTM takes one tensor but was given 3; pass states by name: apply\(x, \{ initialState: \[h\] \}\)/,
      ],
      [
        () => new (class extends mf.Layer {})().addWeight('w', [2]),
        /the options of a weight are 'w' but must be an object: addWeight\(\{ name: 'w', shape: \[2, 3\] \}\)/,
      ],
    ];
    for (const [call, message] of cases) assert.throws(call, message);
    const states = { initialState: [h, h] };
    assert.deepEqual(layers.lstm({ units: 2 }).apply(a, states).shape, [1, 2]);
    assert.deepEqual(layers.add().apply([a, a]).array()[0][0], [2, 4]);
    const layer = new (class extends mf.Layer {})();
    assert.deepEqual(layer.addWeight({ name: 'w', shape: [2, 3] }).shape, [2, 3]);
  });
});

suite('callbacks', () => {
  const compiled = () => {
    const model = new Sequential([layers.dense({ units: 1 })]);
    model.compile({ optimizer: 'sgd', loss: 'mse' });
    return model;
  };
  const rows = [
    [[1], [2]],
    [[1], [2]],
  ];
  test('may be one object, for fit, evaluate and predict', async () => {
    const events = [];
    const callbacks = {
      onEpochEnd: (epoch) => events.push(`epoch ${epoch}`),
      onTestEnd: () => events.push('test'),
      onPredictEnd: () => events.push('predict'),
    };
    const model = compiled();
    await model.fit(...rows, { callbacks, epochs: 2 });
    model.evaluate(...rows, { callbacks });
    model.predict(rows[0], { callbacks });
    assert.deepEqual(events, ['epoch 0', 'epoch 1', 'test', 'predict']);
    await model.fit(...rows, { callbacks: mf.callbacks.terminateOnNaN() });
    await model.fit(...rows, { callbacks: null });
  });
  test('refuse other values', async () => {
    await assert.rejects(
      compiled().fit(...rows, { callbacks: 3 }),
      /callbacks is 3 but must be a list/,
    );
    await assert.rejects(compiled().fit(...rows, { callbacks: () => {} }), mf.ValueError);
    await assert.rejects(
      compiled().fit(...rows, { callbacks: { onEpochFinished() {} } }),
      mf.MaskflowError,
    );
  });
});

suite('programs of TensorFlow.js', () => {
  const dense = () => new Sequential([mf.Input({ shape: [2] }), layers.dense({ units: 1 })]);
  const rows = [[1, 2]];

  test('load a model from the parts that an IOHandler returns', async () => {
    const model = dense();
    const files = await model.saveTfjs();
    const json = JSON.parse(new TextDecoder().decode(files.get('model.json')));
    const [{ paths, weights }] = json.weightsManifest;
    const buffers = paths.map((path) => files.get(path).slice().buffer);
    const parts = { modelTopology: json.modelTopology, weightSpecs: weights };
    for (const weightData of [buffers[0], new Uint8Array(buffers[0]), buffers]) {
      const loaded = await mf.loadModel({ ...parts, weightData });
      assert.deepEqual(loaded.predict(rows).array(), model.predict(rows).array());
    }
    await assert.rejects(
      mf.loadModel({ ...parts, weightData: new ArrayBuffer(4) }),
      mf.FormatError,
    );
    await assert.rejects(mf.loadModel({ ...parts }), mf.FormatError);
    const endless = { class_name: 'Sequential' };
    endless.config = endless;
    await assert.rejects(
      mf.loadModel({ ...parts, modelTopology: endless, weightData: buffers }),
      mf.MaskflowError,
    );
  });

  test('name places of models that other programs have', async () => {
    await assert.rejects(mf.loadModel('localstorage://m'), /store models as 'indexeddb:\/\/name'/);
    for (const place of ['downloads://m', 'localstorage://m.keras']) {
      await assert.rejects(dense().save(place), /write save\('model\.keras'\), which downloads/);
    }
  });

  test('train on batches { xs, ys }', async () => {
    const model = dense();
    model.compile({ optimizer: 'sgd', loss: 'mse' });
    const batch = { xs: tensor(rows), ys: tensor([[3]]) };
    const { history } = await model.fit(function* () {
      yield batch;
      yield batch;
    });
    assert.ok(history.loss[0] >= 0);
  });

  test('do not pass async functions to tidy', () => {
    const before = mf.memory().tensors;
    assert.throws(
      () =>
        mf.tidy(async () => {
          tensor([1]);
          await null;
        }),
      /tidy\(\) would free the tensors of an async function before it is done; await outside/,
    );
    assert.equal(mf.memory().tensors, before);
    assert.equal(mf.tidy(() => tensor([1])).item(), 1);
  });

  test('learn the names of layers', () => {
    const names = {
      globalMaxPool1d: /write layers\.globalMaxPooling1D\(/,
      GlobalAvgPool1D: /write layers\.globalAveragePooling1D\(/,
      maxPool1d: /write layers\.maxPooling1D\(/,
      averagePooling1d: /write layers\.averagePooling1D\(/,
      input: /write Input\(\{ shape: \[10\] \}\)/,
      textVectorization: /write new TextVectorization\(\{ … \}\) of 'maskflow\/text'/,
      maxPool2d: /image layer/,
    };
    for (const [name, message] of Object.entries(names)) assert.throws(() => layers[name], message);
    assert.equal(layers.nothing, undefined);
  });

  test('name the batch axis and returnSequences', () => {
    const lstm = () => layers.lstm({ units: 2 });
    const message = /one sequence needs a batch axis, \[x\], and a recurrent layer before this one/;
    const model = new Sequential([mf.Input({ shape: [null, 2] }), lstm()]);
    assert.throws(() => model.predict(rows), /one sequence needs a batch axis, \[x\]$/);
    assert.deepEqual(model.predict([rows]).shape, [1, 2]);
    assert.throws(() => lstm().apply(lstm().apply([rows])), message);
    const first = layers.lstm({ units: 2, returnSequences: true });
    assert.deepEqual(lstm().apply(first.apply([rows])).shape, [1, 2]);
  });
});

test('functions that make losses, metrics, optimizers and the like have their names', () => {
  const { constraints, initializers, losses, metrics, optimizers, schedules } = mf;
  const others = new Set(['serialize', 'deserialize', 'get']);
  for (const namespace of [constraints, initializers, losses, metrics, optimizers, schedules]) {
    for (const [name, f] of Object.entries(namespace)) {
      if (!others.has(name)) assert.equal(f.name, name);
    }
  }
});

test('models and inputs with positional arguments are accepted, or shown by name', () => {
  const input = mf.Input([2]);
  assert.deepEqual(input.shape, [null, 2]);
  const output = layers.dense({ units: 1 }).apply(input);
  assert.throws(() => new mf.Model(input, output), /new Model\(\{ inputs, outputs \}\)/);
  const model = new mf.Model({ inputs: input, outputs: output });
  assert.throws(
    () => model.compile('adam', 'mse'),
    /an object: compile\(\{ optimizer: 'adam', loss: 'mse' \}\)/,
  );
  model.compile({ optimizer: 'adam', loss: 'mse' });
});

test('layers wrap with further settings, and refuse arguments that they would not read', () => {
  const cell = () => layers.gruCell({ units: 2 });
  assert.equal(layers.rnn(cell(), { returnSequences: true }).getConfig().return_sequences, true);
  const sum = layers.bidirectional(layers.lstm({ units: 2 }), { mergeMode: 'sum' });
  assert.equal(sum.getConfig().merge_mode, 'sum');
  const wrapped = layers.timeDistributed(layers.dense({ units: 1 }), { name: 'each' });
  assert.equal(wrapped.name, 'each');
  assert.equal(layers.stackedRNNCells([cell(), cell()], { name: 'two' }).name, 'two');
  const lambda = layers.lambda(([x, y]) => ops.add(x, y), { outputShape: [3] });
  const inputs = [mf.Input([3]), mf.Input([3])];
  assert.deepEqual(lambda.apply(inputs).shape, [null, 3]);
  assert.deepEqual(
    layers
      .lambda((x) => ops.square(x))
      .apply([[2]])
      .array(),
    [[4]],
  );
  assert.throws(() => layers.dense({ units: 1 }, { name: 'x' }), /one argument.*but got 2/);
  assert.throws(() => layers.rnn(cell(), {}, 1), /object|argument/);
});
