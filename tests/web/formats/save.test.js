// SPDX-License-Identifier: MIT
// Saved files equal those that Keras saved of the same models, and saved models have Keras's
// results.
import assert from 'node:assert/strict';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { before, suite, test } from 'node:test';
import { fileURLToPath } from 'node:url';
import * as mf from '../../../dist/index.js';
import { fresh } from '../../support/fresh.js';
import { readWithLibhdf5 } from '../../support/hdf5.js';
import { internals } from '../../support/internals.js';
import { checkModel } from '../../support/models.js';
import { collectGarbage } from '../../support/garbage.js';
import { live } from '../../support/watch.js';

const { openZip } = await internals('formats/zip/read_zip.ts');
const fixtures = (file) => fileURLToPath(new URL(`../../fixtures/${file}`, import.meta.url));
const { models } = JSON.parse(readFileSync(fixtures('models/index.json'), 'utf8'));
const laterModels = JSON.parse(readFileSync(fixtures('next-3.16/index.json'), 'utf8')).models;

function unpack(bytes) {
  const zip = openZip(new Uint8Array(bytes));
  const text = (name) => JSON.parse(new TextDecoder().decode(zip.read(name)));
  return {
    names: zip.names,
    metadata: text('metadata.json'),
    config: text('config.json'),
    weights: zip.read('model.weights.h5').slice(),
  };
}

const isObject = (value) => typeof value === 'object' && value !== null;

/** Yields the differences of two values: [path, first, second]; undefined marks a missing one. */
function* differences(a, b, path = '') {
  if (isObject(a) && isObject(b)) {
    for (const key of new Set([...Object.keys(a), ...Object.keys(b)])) {
      yield* differences(a[key], b[key], `${path}.${key}`);
    }
  } else if (!Object.is(a, b)) yield [path, a, b];
}

const isEqual = (a, b) => JSON.stringify(a) === JSON.stringify(b);

/** Differences from Keras's config that have no meaning for Keras, each with the reason. */
const inert = [
  // Initializers that several layers share have a number in Keras's config.
  (path, _, ours) => path.endsWith('.shared_object_id') && ours === undefined,
  // Arguments that every layer or Bidirectional has may be written or omitted at their defaults.
  (path, keras, ours) =>
    /\.config\.(activity_regularizer|seed|weights)$/.test(path) &&
    keras === undefined &&
    ours === null,
  (path, keras, ours) => path.endsWith('.kwargs.mask') && keras === undefined && ours === null,
  // A dtype policy may be written as an object or by its name.
  (path, keras, ours) => path.endsWith('.dtype') && keras?.config?.name === ours,
  // The single axis of a layer normalization may be a list or a number.
  (path, keras, ours) => path.endsWith('.config.axis') && isEqual(keras, [ours]),
  // Keras treats the number of steps after EinsumDense as unknown; maskflow knows it.
  (path, keras, ours) => /shape\.1$/.test(path) && keras === null && ours === 6,
];

/**
 * Names the argument `value` in calls of attention, so that both forms in Keras's files are equal:
 * (query, value) and (query, value=value).
 */
function byName(config) {
  for (const { class_name: name, inbound_nodes: calls } of config.config.layers) {
    if (!/^(MultiHead|GroupQuery)Attention$/.test(name)) continue;
    for (const call of calls) if (call.args.length > 1) call.kwargs.value = call.args.pop();
  }
  return config;
}

const meaningfulDifferences = (keras, ours) =>
  [...differences(byName(keras), byName(ours))].filter(
    ([path, a, b]) => !inert.some((test) => test(path, a, b)),
  );

before(() => {
  // Suppresses warnings of dropped masks; checkModel tests those.
  console.warn = () => {};
  return mf.ready();
});

suite('models of Keras, saved again', () => {
  for (const { name, keras } of models) {
    test(name, async () => {
      const file = readFileSync(fixtures(`models/${keras}`));
      const model = await mf.loadModel(file);
      const bytes = await model.save();
      const [expected, actual] = [unpack(file), unpack(bytes)];
      assert.deepEqual(actual.names, expected.names);
      assert.equal(actual.metadata.keras_version, '3.15.1');
      assert.match(actual.metadata.date_saved, /^\d{4}-\d\d-\d\d@\d\d:\d\d:\d\d$/);
      assert.deepEqual(meaningfulDifferences(expected.config, actual.config), []);
      // Every group, name, shape and value, as libhdf5 reads them.
      assert.deepEqual(readWithLibhdf5(actual.weights), readWithLibhdf5(expected.weights));
      assert.deepEqual(await model.saveWeights(), actual.weights);
      model.dispose();
      const load = () => mf.loadModel(bytes);
      const { problem } = await checkModel({ load }, { name, folder: 'models' });
      assert.equal(problem, null);
    });
  }

  for (const { name, keras } of laterModels) {
    test(`${name} of Keras 3.16`, async () => {
      const model = await mf.loadModel(fixtures(`next-3.16/models/${keras}`));
      const bytes = await model.save();
      assert.match(unpack(bytes).metadata.keras_version, /^3\.16/);
      const load = () => mf.loadModel(bytes);
      const { problem } = await checkModel({ load }, { name, folder: 'next-3.16/models' });
      assert.equal(problem, null);
    });
  }

  for (const { name, h5 } of models.filter((model) => model.h5)) {
    test(`${name}.h5 becomes a .keras file`, async () => {
      const bytes = await (await mf.loadModel(fixtures(`models/${h5}`))).save();
      const load = () => mf.loadModel(bytes);
      const { problem } = await checkModel({ load }, { name, folder: 'models' });
      assert.equal(problem, null);
    });
  }
});

/** Saves and loads the model, and compares both on the input. */
async function roundTrip(model, input) {
  const expected = model.predict(input).data();
  const loaded = await mf.loadModel(await model.save());
  assert.deepEqual(loaded.predict(input).data(), expected);
  return loaded;
}

const ids = () =>
  mf.tensor(
    [
      [1, 2, 3, 0],
      [4, 1, 0, 0],
    ],
    { dtype: 'int32' },
  );

suite('models built with maskflow', () => {
  test('a Sequential model without an Input can be saved', async () => {
    const { embedding, gru } = mf.layers;
    const model = new mf.Sequential([
      embedding({ inputDim: 5, outputDim: 3, maskZero: true }),
      gru({ units: 2 }),
    ]);
    model.predict(ids());
    const { config } = unpack(await model.save());
    assert.deepEqual(config.build_config, { input_shape: [null, 4] });
    assert.deepEqual(config.config.build_input_shape, [null, 4]);
    assert.deepEqual(
      config.config.layers.map((layer) => [layer.class_name, layer.build_config?.input_shape]),
      [
        ['InputLayer', undefined],
        ['Embedding', [null, 4]],
        ['GRU', [null, 4, 3]],
      ],
    );
    await roundTrip(model, ids());
  });

  test('layers of equal depth are numbered as Keras numbers them, not in the order of their creation', async () => {
    const input = mf.Input({ shape: [3] });
    const [a, b] = [1, 2].map((i) => mf.layers.dense({ units: 2, name: `d${i}` }));
    const [x, y] = [a.apply(input), b.apply(input)];
    const model = new mf.Model({ inputs: input, outputs: mf.layers.subtract().apply([y, x]) });
    const { weights, config } = unpack(await model.save());
    const content = readWithLibhdf5(weights);
    assert.equal(content['layers/dense/vars'].attributes.name, 'd2');
    assert.equal(content['layers/dense_1/vars'].attributes.name, 'd1');
    assert.deepEqual(config.config.layers.map(({ name }) => name).slice(1, 3), ['d2', 'd1']);
    await roundTrip(model, mf.tensor([[1, 2, 3]]));
  });

  test('ops have the module paths of Python', async () => {
    const { ops } = mf;
    const input = mf.Input({ shape: [4] });
    const x = ops.getItem(ops.relu(ops.cast(input, 'float32')), ['...', { start: 1 }]);
    const model = new mf.Model({
      inputs: input,
      outputs: ops.logsumexp(ops.add(x, 1), { axis: -1 }),
    });
    const { config } = unpack(await model.save());
    const places = Object.fromEntries(
      config.config.layers.map((layer) => [layer.class_name, layer.module]),
    );
    assert.deepEqual(places, {
      InputLayer: 'keras.layers',
      Cast: 'keras.src.ops.core',
      Relu: 'keras.src.ops.nn',
      GetItem: 'keras.src.ops.numpy',
      Add: 'keras.src.ops.numpy',
      Logsumexp: 'keras.src.ops.math',
    });
    const item = config.config.layers.find((layer) => layer.class_name === 'GetItem');
    assert.deepEqual(Object.keys(item.config), ['name']);
    assert.equal(item.inbound_nodes[0].args.length, 2);
    await roundTrip(model, mf.tensor([[1, -2, 3, 4]]));
  });

  test('numbers that JSON lacks are written', async () => {
    const model = new mf.Sequential([
      mf.Input({ shape: [2, 1] }),
      mf.layers.rescaling({ scale: Number.POSITIVE_INFINITY }),
      mf.layers.rescaling({ scale: 1, offset: Number.NaN }),
    ]);
    await roundTrip(model, mf.tensor([[[1], [2]]]));
  });

  const old = 'hard_sigmoid_keras2';
  const withOld = {
    lstm: () => [mf.layers.lstm({ units: 5, recurrentActivation: old })],
    gru: () => [mf.layers.gru({ units: 5, activation: old, recurrentActivation: old })],
    'gru without reset_after': () => [
      mf.layers.gru({ units: 5, activation: old, recurrentActivation: old, resetAfter: false }),
    ],
    'simple rnn': () => [mf.layers.simpleRNN({ units: 5, activation: old })],
    'cells, wrapped': () => [
      mf.layers.bidirectional({
        layer: mf.layers.lstm({ units: 4, recurrentActivation: old, returnSequences: true }),
      }),
      mf.layers.rnn({
        cell: [
          mf.layers.lstmCell({ units: 4, recurrentActivation: old }),
          mf.layers.gruCell({ units: 3, recurrentActivation: old }),
        ],
      }),
    ],
    'conv1d and dense': () => [
      mf.layers.conv1D({ filters: 4, kernelSize: 2, activation: old }),
      mf.layers.dense({ units: 3, activation: old }),
    ],
  };
  for (const [title, layers] of Object.entries(withOld)) {
    test(`the hard_sigmoid of Keras 1 and 2 becomes Keras 3's: ${title}`, async () => {
      const model = new mf.Sequential([mf.Input({ shape: [6, 3] }), ...layers()]);
      const bytes = await model.save();
      const text = JSON.stringify(unpack(bytes).config);
      assert.match(text, /"hard_sigmoid"/);
      assert.doesNotMatch(text, /keras2/);
      const x = mf.tensor(
        Array.from({ length: 4 }, (_, b) =>
          Array.from({ length: 6 }, (_, t) => [3 * Math.sin(b + t), 2 * Math.cos(t), b - t / 2]),
        ),
      );
      const [expected, actual] = [model, await mf.loadModel(bytes)].map((m) => m.predict(x).data());
      const worst = Math.max(...expected.map((value, i) => Math.abs(value - actual[i])));
      assert.ok(worst < 1e-6, `${worst}`);
      // A weights file contains the floats, not the 8-bit weights.
      const kernel = readWithLibhdf5(await model.saveWeights());
      const values = Object.values(kernel).find(({ kind }) => kind === 'dataset').values;
      const firstWeights = model.getWeights().map((weight) => weight.data()[0]);
      assert.ok(firstWeights.includes(values[0]));
    });
  }

  test('if no weight can absorb the difference, the old name stays', async () => {
    const model = new mf.Sequential([
      mf.Input({ shape: [6, 3] }),
      mf.layers.lstm({ units: 5, activation: old }),
      mf.layers.activation({ activation: old }),
    ]);
    const { config } = unpack(await model.save()).config;
    assert.deepEqual(
      config.layers.slice(1).map((layer) => layer.config.activation),
      [old, old],
    );
    await roundTrip(model, mf.tensor([Array.from({ length: 6 }, (_, i) => [i, -i, 1])]));
  });

  class Twice extends mf.Layer {
    build(shape) {
      this.inner = mf.layers.dense({ units: shape.at(-1) });
      this.factor = this.addWeight({ name: 'factor', shape: [1], initializer: 'ones' });
    }
    call(x) {
      return mf.ops.multiply(this.inner.apply(x), this.factor);
    }
  }

  test('a custom layer is saved under its registered name', async () => {
    const model = new mf.Sequential([mf.Input({ shape: [3] }), new Twice()]);
    await assert.rejects(model.save(), { name: 'ConfigError', message: /Twice.*registerLayer/ });
    mf.registerLayer(Twice, { package: 'Tests' });
    const { config, weights } = unpack(await model.save());
    const [, entry] = config.config.layers;
    assert.deepEqual([entry.class_name, entry.registered_name], ['Twice', 'Tests>Twice']);
    assert.deepEqual(entry.build_config, { input_shape: [null, 3] });
    const content = readWithLibhdf5(weights);
    assert.deepEqual(content['layers/twice/vars/0'].shape, [1]);
    assert.deepEqual(content['layers/twice/inner/vars/0'].shape, [3, 3]);
    await roundTrip(model, mf.tensor([[1, 2, 3]]));
  });

  test('a custom model saves the shape it was built for', async () => {
    class Mine extends mf.Model {
      constructor(config) {
        super(config);
        this.dense = mf.layers.dense({ units: 2 });
      }
      call(x) {
        return this.dense.apply(x);
      }
    }
    mf.registerLayer(Mine, { package: 'Tests' });
    const model = new Mine();
    model.predict([[1, 2, 3]]);
    assert.deepEqual(unpack(await model.save()).config.build_config, { input_shape: [null, 3] });
    await roundTrip(model, mf.tensor([[1, 2, 3]]));
  });
});

suite('saving is refused', () => {
  const model = () => new mf.Sequential([mf.Input({ shape: [2] }), mf.layers.dense({ units: 1 })]);

  test('for a model without weights', async () => {
    const empty = new mf.Sequential([mf.layers.dense({ units: 1 })]);
    for (const save of ['save', 'saveWeights', 'saveTfjs']) {
      await assert.rejects(empty[save](), { name: 'StateError', message: /has no weights yet/ });
    }
  });

  test('for a Lambda', async () => {
    const lambda = new mf.Sequential([
      mf.Input({ shape: [2] }),
      new mf.Lambda({ function: (x) => x }),
    ]);
    await assert.rejects(lambda.save(), { name: 'UnsupportedError', message: /a Lambda, whose/ });
  });

  test('under a name of another format', async () => {
    await assert.rejects(model().save('x.h5'), { name: 'ValueError', message: /'x\.h5'/ });
    await assert.rejects(model().saveWeights('x.h5'), { name: 'ValueError', message: /'x\.h5'/ });
  });

  test('into a folder that does not exist', async () => {
    await assert.rejects(model().save('/nowhere/at/all.keras'), {
      name: 'FormatError',
      message: /all\.keras.*cannot be written/,
    });
  });
});

test('weights of 16 bits are rounded, and read as floats', async () => {
  const { layers } = mf;
  const model = new mf.Sequential([
    mf.Input({ shape: [null, 6] }),
    layers.lstm({ units: 40, biasInitializer: 'glorot_uniform', unitForgetBias: false }),
    layers.batchNormalization(),
    layers.dense({ units: 2 }),
  ]);
  const [whole, small] = [await model.save(), await model.save(undefined, { weights: 'float16' })];
  const saved = model.weights.reduce((sum, { shape }) => {
    return shape.length > 1 ? sum + 2 * shape[0] * shape[1] : sum;
  }, 0);
  assert.equal(whole.length - small.length, saved);
  const again = await mf.loadModel(small);
  const values = again.getWeights();
  for (const [i, weight] of model.getWeights().entries()) {
    const [original, read] = [weight.data(), values[i].data()];
    assert.equal(read.constructor, Float32Array);
    // Half of the last of 11 digits, or of the smallest number.
    const isExact = weight.shape.length < 2;
    original.forEach((value, k) => {
      const limit = isExact ? 0 : Math.max(Math.abs(value) * 2 ** -11, 2 ** -25);
      assert.ok(Math.abs(read[k] - value) <= limit, `${read[k]}, not ${value}`);
    });
  }
  const twice = await again.save(undefined, { weights: 'float16' });
  assert.deepEqual(unpack(twice).weights, unpack(small).weights);
});

test('weights of 16 bits are refused for other words, and for large numbers', async () => {
  const model = new mf.Sequential([mf.Input({ shape: [1] }), mf.layers.dense({ units: 1 })]);
  for (const weights of ['uint8', 'float64', 16, null]) {
    await assert.rejects(model.save(undefined, { weights }), {
      name: 'ConfigError',
      message: /weights is .* but must be 'float32' or 'float16'/,
    });
  }
  model.setWeights([[[70000]], [0]]);
  await assert.rejects(model.save(undefined, { weights: 'float16' }), {
    name: 'ValueError',
    message:
      /'layers\/dense\/vars\/0' has the number 70000, which float16 cannot hold; leave the option weights out/,
  });
});

test('files are written to their path, and all memory is freed', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'maskflow-save-'));
  const model = await mf.loadModel(fixtures('models/conv1d_gru.keras'));
  await collectGarbage();
  const memoryBefore = live();
  try {
    const bytes = await model.save(join(folder, 'a.keras'));
    assert.deepEqual(new Uint8Array(readFileSync(join(folder, 'a.keras'))), bytes);
    const weights = await model.saveWeights(join(folder, 'a.weights.h5'));
    assert.deepEqual(new Uint8Array(readFileSync(join(folder, 'a.weights.h5'))), weights);
    await model.loadWeights(join(folder, 'a.weights.h5'));
  } finally {
    rmSync(folder, { recursive: true });
  }
  assert.deepEqual(live(), memoryBefore);
});

test('on a page the file is a download; without files and a page, saving to a path is an error', () => {
  const messages = fresh(`
    await mf.ready();
    const model = new mf.Sequential([mf.Input({ shape: [2] }), mf.layers.dense({ units: 1 })]);
    process.getBuiltinModule = undefined;
    await model.save('a.keras').catch((error) => say([error.name, error.message]));
    const clicked = [];
    globalThis.document = { createElement: () => ({ click() { clicked.push(this); } }) };
    const bytes = await model.save('folder/a.keras');
    const [{ href, download }] = clicked;
    const got = new Uint8Array(await (await fetch(href)).arrayBuffer());
    say([download, got.length === bytes.length && got.every((byte, i) => byte === bytes[i])]);
    process.exit();`);
  assert.equal(messages[0][0], 'StateError');
  assert.match(messages[0][1], /'a\.keras' cannot be written/);
  assert.deepEqual(messages[1], ['a.keras', true]);
});
