// SPDX-License-Identifier: MIT
// What is saved against what Keras itself saved of the same models, and saved models against what Keras computed.
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
import { live } from '../../support/watch.js';

const { openZip } = await internals('formats/zip.ts');
const fixtures = (file) => fileURLToPath(new URL(`../../fixtures/${file}`, import.meta.url));
const { models } = JSON.parse(readFileSync(fixtures('models/index.json'), 'utf8'));
const later = JSON.parse(readFileSync(fixtures('next-3.16/index.json'), 'utf8')).models;

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

/** Where two values differ: [path, first, second]; undefined where there is nothing. */
function* differences(a, b, path = '') {
  if (isObject(a) && isObject(b)) {
    for (const key of new Set([...Object.keys(a), ...Object.keys(b)])) {
      yield* differences(a[key], b[key], `${path}.${key}`);
    }
  } else if (!Object.is(a, b)) yield [path, a, b];
}

const same = (a, b) => JSON.stringify(a) === JSON.stringify(b);

/** Differences from Keras's configuration that mean nothing to Keras, each with the reason why. */
const inert = [
  // A number for initialisers that are one object in Python.
  (path, _, ours) => path.endsWith('.shared_object_id') && ours === undefined,
  // Arguments of every layer and of Bidirectional at their defaults, which Keras's classes write or leave out.
  (path, keras, ours) =>
    /\.config\.(activity_regularizer|seed|weights)$/.test(path) &&
    keras === undefined &&
    ours === null,
  (path, keras, ours) => path.endsWith('.kwargs.mask') && keras === undefined && ours === null,
  // A policy by its name.
  (path, keras, ours) => path.endsWith('.dtype') && keras?.config?.name === ours,
  // One axis of a layer normalization, as a list or as a number.
  (path, keras, ours) => path.endsWith('.config.axis') && same(keras, [ours]),
  // The shape behind EinsumDense, of which Keras takes the steps for unknown.
  (path, keras, ours) => /shape\.1$/.test(path) && keras === null && ours === 6,
];

/** `value` of attention is an argument by place or by name: [query, value] or (query, value=value). */
function byName(config) {
  for (const { class_name: name, inbound_nodes: calls } of config.config.layers) {
    if (!/^(MultiHead|GroupQuery)Attention$/.test(name)) continue;
    for (const call of calls) if (call.args.length > 1) call.kwargs.value = call.args.pop();
  }
  return config;
}

const strange = (keras, ours) =>
  [...differences(byName(keras), byName(ours))].filter(
    ([path, a, b]) => !inert.some((test) => test(path, a, b)),
  );

before(() => {
  // Of dropped masks; whether they are told rightly, checkModel looks at.
  console.warn = () => {};
  return mf.ready();
});

suite('models of Keras, saved again', () => {
  for (const { name, keras } of models) {
    test(name, async () => {
      const file = readFileSync(fixtures(`models/${keras}`));
      const model = await mf.loadModel(file);
      const saved = await model.save();
      const [theirs, ours] = [unpack(file), unpack(saved)];
      assert.deepEqual(ours.names, theirs.names);
      assert.equal(ours.metadata.keras_version, '3.15.1');
      assert.match(ours.metadata.date_saved, /^\d{4}-\d\d-\d\d@\d\d:\d\d:\d\d$/);
      assert.deepEqual(strange(theirs.config, ours.config), []);
      // Every group, name, shape and value, as libhdf5 reads them.
      assert.deepEqual(readWithLibhdf5(ours.weights), readWithLibhdf5(theirs.weights));
      assert.deepEqual(await model.saveWeights(), ours.weights);
      model.dispose();
      const load = () => mf.loadModel(saved);
      const { problem } = await checkModel({ load }, { name, folder: 'models' });
      assert.equal(problem, null);
    });
  }

  for (const { name, keras } of later) {
    test(`${name} of Keras 3.16`, async () => {
      const model = await mf.loadModel(fixtures(`next-3.16/models/${keras}`));
      const saved = await model.save();
      assert.match(unpack(saved).metadata.keras_version, /^3\.16/);
      const load = () => mf.loadModel(saved);
      const { problem } = await checkModel({ load }, { name, folder: 'next-3.16/models' });
      assert.equal(problem, null);
    });
  }

  for (const { name, h5 } of models.filter((model) => model.h5)) {
    test(`${name}.h5 becomes a .keras file`, async () => {
      const saved = await (await mf.loadModel(fixtures(`models/${h5}`))).save();
      const load = () => mf.loadModel(saved);
      const { problem } = await checkModel({ load }, { name, folder: 'models' });
      assert.equal(problem, null);
    });
  }
});

/** Loads what is saved, and compares both on the input. */
async function roundTrip(model, input) {
  const wanted = model.predict(input).data();
  const loaded = await mf.loadModel(await model.save());
  assert.deepEqual(loaded.predict(input).data(), wanted);
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

suite('models made here', () => {
  test('a Sequential model that was not told its input', async () => {
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

  test('layers of one depth are counted as Keras counts them, not as they were made', async () => {
    const input = mf.Input({ shape: [3] });
    const [a, b] = [1, 2].map((i) => mf.layers.dense({ units: 2, name: `d${i}` }));
    const [x, y] = [a.apply(input), b.apply(input)];
    const model = new mf.Model({ inputs: input, outputs: mf.layers.subtract().apply([y, x]) });
    const { weights, config } = unpack(await model.save());
    const found = readWithLibhdf5(weights);
    assert.equal(found['layers/dense/vars'].attributes.name, 'd2');
    assert.equal(found['layers/dense_1/vars'].attributes.name, 'd1');
    assert.deepEqual(config.config.layers.map(({ name }) => name).slice(1, 3), ['d2', 'd1']);
    await roundTrip(model, mf.tensor([[1, 2, 3]]));
  });

  test('operations are where Python finds them', async () => {
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

  test('numbers that JSON has no words for', async () => {
    const model = new mf.Sequential([
      mf.Input({ shape: [2, 1] }),
      mf.layers.masking({ maskValue: Number.NaN }),
      mf.layers.simpleRNN({ units: 1 }),
    ]);
    await roundTrip(model, mf.tensor([[[1], [Number.NaN]]]));
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
  for (const [what, layers] of Object.entries(withOld)) {
    test(`the hard_sigmoid of Keras 1 and 2 becomes Keras 3's: ${what}`, async () => {
      const model = new mf.Sequential([mf.Input({ shape: [6, 3] }), ...layers()]);
      const saved = await model.save();
      const text = JSON.stringify(unpack(saved).config);
      assert.match(text, /"hard_sigmoid"/);
      assert.doesNotMatch(text, /keras2/);
      const x = mf.tensor(
        Array.from({ length: 4 }, (_, b) =>
          Array.from({ length: 6 }, (_, t) => [3 * Math.sin(b + t), 2 * Math.cos(t), b - t / 2]),
        ),
      );
      const [wanted, got] = [model, await mf.loadModel(saved)].map((m) => m.predict(x).data());
      const worst = Math.max(...wanted.map((value, i) => Math.abs(value - got[i])));
      assert.ok(worst < 1e-6, `${worst}`);
      // Weights alone stay what they are.
      const kernel = readWithLibhdf5(await model.saveWeights());
      const first = Object.values(kernel).find(({ kind }) => kind === 'dataset').values;
      const own = model.getWeights().map((weight) => weight.data()[0]);
      assert.ok(own.includes(first[0]));
    });
  }

  test('where no weight can carry the difference, the old name stays', async () => {
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

  test("a layer of one's own goes under its registered name", async () => {
    const model = new mf.Sequential([mf.Input({ shape: [3] }), new Twice()]);
    await assert.rejects(model.save(), { name: 'ConfigError', message: /Twice.*registerLayer/ });
    mf.registerLayer(Twice, { package: 'Tests' });
    const { config, weights } = unpack(await model.save());
    const [, own] = config.config.layers;
    assert.deepEqual([own.class_name, own.registered_name], ['Twice', 'Tests>Twice']);
    assert.deepEqual(own.build_config, { input_shape: [null, 3] });
    const found = readWithLibhdf5(weights);
    assert.deepEqual(found['layers/twice/vars/0'].shape, [1]);
    assert.deepEqual(found['layers/twice/inner/vars/0'].shape, [3, 3]);
    await roundTrip(model, mf.tensor([[1, 2, 3]]));
  });

  test("a model of one's own knows what it was built for", async () => {
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

suite('what is not saved', () => {
  const model = () => new mf.Sequential([mf.Input({ shape: [2] }), mf.layers.dense({ units: 1 })]);

  test('a model without weights', async () => {
    const empty = new mf.Sequential([mf.layers.dense({ units: 1 })]);
    for (const save of ['save', 'saveWeights', 'saveTfjs']) {
      await assert.rejects(empty[save](), { name: 'StateError', message: /has no weights yet/ });
    }
  });

  test('a Lambda', async () => {
    const lambda = new mf.Sequential([
      mf.Input({ shape: [2] }),
      new mf.Lambda({ function: (x) => x }),
    ]);
    await assert.rejects(lambda.save(), { name: 'UnsupportedError', message: /a Lambda, whose/ });
  });

  test('under a name that says another format', async () => {
    await assert.rejects(model().save('x.h5'), { name: 'ValueError', message: /'x\.h5'/ });
    await assert.rejects(model().saveWeights('x.h5'), { name: 'ValueError', message: /'x\.h5'/ });
  });

  test('where there is no folder', async () => {
    await assert.rejects(model().save('/nowhere/at/all.keras'), {
      name: 'FormatError',
      message: /all\.keras.*cannot be written/,
    });
  });
});

test('files are written to their path, and nothing stays in memory', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'maskflow-save-'));
  const model = await mf.loadModel(fixtures('models/conv1d_gru.keras'));
  const before = live();
  try {
    const bytes = await model.save(join(folder, 'a.keras'));
    assert.deepEqual(new Uint8Array(readFileSync(join(folder, 'a.keras'))), bytes);
    const weights = await model.saveWeights(join(folder, 'a.weights.h5'));
    assert.deepEqual(new Uint8Array(readFileSync(join(folder, 'a.weights.h5'))), weights);
    await model.loadWeights(join(folder, 'a.weights.h5'));
  } finally {
    rmSync(folder, { recursive: true });
  }
  assert.deepEqual(live(), before);
});

test('on a page the file is a download, in a worker there is no place for it', () => {
  const said = fresh(`
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
  assert.equal(said[0][0], 'StateError');
  assert.match(said[0][1], /'a\.keras' can be written neither/);
  assert.deepEqual(said[1], ['a.keras', true]);
});
