// SPDX-License-Identifier: MIT
// Architectures as JSON, in every dialect, with weights in another file.
import assert from 'node:assert/strict';
import { mkdtempSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, test } from 'node:test';
import { unzipSync } from 'fflate';
import * as mf from '../../../dist/index.js';
import { readFixture, toTensor } from '../../support/recorded_cases.js';
import { legacyH5, withNames, treeH5, valuesOf } from '../../support/legacy_files.js';
import { assertSame, ids, shake } from '../../support/legacy_models.js';

await mf.ready({ onMaskDropped: 'silent' });
const { layers } = mf;

const folder = new URL('../../fixtures/architectures/', import.meta.url);
const recording = JSON.parse(readFileSync(new URL('keras3.json', folder), 'utf8'));
const weights3 = new Uint8Array(readFileSync(new URL('keras3.weights.h5', folder)));

function assertRecorded(model) {
  const actual = model.predict(mf.tensor(recording.inputs, { dtype: 'int32' })).array();
  recording.outputs.forEach(([value], i) => {
    assert.ok(Math.abs(actual[i][0] - value) <= 1e-6, `${actual[i][0]}, not ${value}`);
  });
}

/** The model that all older architectures below describe. */
const reference = shake(
  new mf.Sequential([
    mf.Input({ shape: [5], dtype: 'int32' }),
    layers.embedding({ inputDim: 8, outputDim: 4, maskZero: true }),
    layers.gru({ units: 3, recurrentActivation: 'hard_sigmoid_keras2', resetAfter: false }),
    layers.dense({ units: 2, activation: 'hard_sigmoid_keras2' }),
  ]),
);

const weightNames = [
  ['words', ['words/embeddings:0']],
  ['rnn', ['kernel', 'recurrent_kernel', 'bias'].map((name) => `rnn/${name}:0`)],
  ['out', ['out/kernel:0', 'out/bias:0']],
];
const stored = () => {
  const values = valuesOf(reference);
  return weightNames.map(([name, names]) => ({
    name,
    weights: withNames(values.splice(0, names.length), names),
  }));
};
const weightsOf = (version) => legacyH5({ version, layers: stored() });
const tree = () => {
  const values = valuesOf(reference);
  const paths = ['embedding/vars/0', 'gru/cell/vars/0', 'gru/cell/vars/1', 'gru/cell/vars/2'];
  const allPaths = [...paths, 'dense/vars/0', 'dense/vars/1'];
  return treeH5(Object.fromEntries(allPaths.map((path, i) => [`layers/${path}`, values[i]])));
};

const inputSettings = { batch_input_shape: [null, 5], dtype: 'int32' };
const list2 = [
  ['Embedding', { name: 'words', ...inputSettings, input_dim: 8, output_dim: 4, mask_zero: true }],
  ['GRU', { name: 'rnn', units: 3, recurrent_activation: 'hard_sigmoid', implementation: 1 }],
  ['Dense', { name: 'out', units: 2, activation: 'hard_sigmoid' }],
].map(([class_name, config]) => ({ class_name, config }));
const list1 = [
  ['Embedding', { name: 'words', ...inputSettings, input_dim: 8, output_dim: 4, mask_zero: true }],
  ['GRU', { name: 'rnn', output_dim: 3, inner_activation: 'hard_sigmoid', consume_less: 'cpu' }],
  ['Dense', { name: 'out', output_dim: 2, activation: 'hard_sigmoid', init: 'glorot_uniform' }],
].map(([class_name, config]) => ({ class_name, config }));
const tail = { keras_version: '2.15.0', backend: 'tensorflow' };
const sequential = { name: 'sequential', layers: list2 };
const functional = {
  name: 'model',
  layers: [
    {
      class_name: 'InputLayer',
      name: 'ids',
      config: { batch_input_shape: [null, 5], dtype: 'int32', sparse: false, name: 'ids' },
      inbound_nodes: [],
    },
    ...list2.map((layer, i) => ({
      ...layer,
      name: layer.config.name,
      inbound_nodes: [[[['ids', 'words', 'rnn'][i], 0, 0, {}]]],
    })),
  ],
  input_layers: [['ids', 0, 0]],
  output_layers: [['out', 0, 0]],
};

const older = {
  'Keras 1: to_json': { class_name: 'Sequential', keras_version: '1.2.2', config: list1 },
  'Keras 1: get_config': list1,
  'Keras 2.0: to_json': {
    class_name: 'Sequential',
    config: list2,
    ...tail,
    keras_version: '2.0.6',
  },
  'Keras 2: to_json': { class_name: 'Sequential', config: sequential, ...tail },
  'Keras 2: get_config': sequential,
  'Keras 2: to_json of a graph': { class_name: 'Functional', config: functional, ...tail },
  'Keras 2: get_config of a graph': functional,
  'TF.js: toJSON': {
    class_name: 'Sequential',
    config: sequential,
    keras_version: 'tfjs-layers 4.22.0',
    backend: 'tensor_flow.js',
  },
  'TF.js: model_config': {
    keras_version: 'tfjs-layers 4.22.0',
    backend: 'tensor_flow.js',
    model_config: { class_name: 'Sequential', config: sequential },
  },
  'TF.js: model.json': {
    format: 'layers-model',
    modelTopology: { class_name: 'Sequential', config: sequential, ...tail },
  },
};

for (const [name, architecture] of Object.entries(older)) {
  describe(name, () => {
    const assertLoads = async (loading) => assertSame(await loading, reference, ids());
    const json = JSON.stringify(architecture);

    test('loads with .h5 and .weights.h5, as an object, text and bytes', async () => {
      await assertLoads(mf.loadModel(architecture, { weights: weightsOf('2.15.0') }));
      await assertLoads(mf.loadModel(json, { weights: weightsOf('1.2.2') }));
      await assertLoads(mf.loadModel(new TextEncoder().encode(json), { weights: tree() }));
    });

    test('loads as a set of files, and from a path to the architecture with a path to the weights', async () => {
      const files = [
        { name: 'architecture.json', data: new TextEncoder().encode(json) },
        { name: 'run7.h5', data: weightsOf('2.15.0') },
      ];
      await assertLoads(mf.loadModel({ files }));
      await assertLoads(mf.loadModel([{ ...files[0], name: 'model.json' }, files[1]]));
      const place = mkdtempSync(join(tmpdir(), 'architecture-'));
      writeFileSync(join(place, 'a.json'), json);
      writeFileSync(join(place, 'w.h5'), files[1].data);
      await assertLoads(mf.loadModel(join(place, 'a.json'), { weights: join(place, 'w.h5') }));
    });

    test('loads an architecture alone, and loadWeights sets the weights later', async () => {
      const model = await mf.loadModel(json, { weights: null });
      await model.loadWeights(weightsOf('2.15.0'));
      await assertLoads(model);
    });

    test('Model.fromConfig and deserializeLayer throw errors that name loadModel', () => {
      for (const make of [
        () => mf.Model.fromConfig(architecture),
        () => mf.Model.fromConfig(json),
        () => mf.deserializeLayer(architecture),
      ]) {
        assert.throws(make, { name: 'ConfigError', message: /await loadModel\(json, \{ weights/ });
      }
    });
  });
}

test('a Sequential of Keras 2 inside another, and one with only time_major, are recognized', () => {
  const inside = { class_name: 'Sequential', config: sequential };
  for (const config of [
    { name: 'outer', layers: [inside] },
    { layers: [{ class_name: 'LSTM', config: { units: 2, time_major: false } }] },
  ]) {
    assert.throws(() => mf.Model.fromConfig(config), { name: 'ConfigError', message: /Keras 2/ });
  }
});

describe('Keras 3', () => {
  for (const key of ['to_json', 'get_config']) {
    test(key, async () => {
      const model = mf.Model.fromConfig(recording[key]);
      await model.loadWeights(weights3);
      assertRecorded(model);
      const loaded = await mf.loadModel(recording[key], { weights: weights3 });
      assertRecorded(loaded);
      // Our own form of the model loads as well.
      const copy = await mf.loadModel(loaded.getConfig(), { weights: await loaded.saveWeights() });
      assertRecorded(copy);
      assertRecorded(await mf.loadModel(JSON.stringify(loaded), { weights: await loaded.save() }));
    });
  }

  test("weights of another file replace the model's own", async () => {
    const bytes = await shake(await mf.loadModel(recording.to_json, { weights: null }), 7).save();
    assertRecorded(await mf.loadModel(bytes, { weights: weights3 }));
  });
});

describe('combinations that do not fit are refused:', () => {
  const assertRefused = (loading, message, name = 'FormatError') =>
    assert.rejects(loading, (error) => {
      assert.equal(error.name, name, error.stack);
      assert.match(error.message, message);
      return true;
    });

  test('an architecture alone', () =>
    assertRefused(mf.loadModel(recording.to_json), /architecture without weights: pass both/));
  test('weights alone', () =>
    assertRefused(mf.loadModel(weights3), /weights only, no architecture/));
  test('two architectures', () =>
    assertRefused(
      mf.loadModel(recording.to_json, { weights: new TextEncoder().encode(recording.to_json) }),
      /architecture without weights/,
    ));
  test('weights of another model', () =>
    assertRefused(mf.loadModel(older['Keras 2: to_json'], { weights: weights3 }), /weight/));
  test('refuses a set with two files of weights', () => {
    const data = new TextEncoder().encode(recording.to_json);
    const files = [
      { name: 'a.json', data },
      ...['b.h5', 'c.h5'].map((name) => ({ name, data: weights3 })),
    ];
    return assertRefused(mf.loadModel({ files }), /without weights: pass both/);
  });
  test('JSON of something else', () =>
    assertRefused(mf.loadModel('{"a": 1}'), /neither an architecture/));
  test('loadWeights of an architecture', async () => {
    const model = await mf.loadModel(recording.to_json, { weights: weights3 });
    await assertRefused(
      model.loadWeights(new TextEncoder().encode(recording.to_json)),
      /has an architecture only, no weights/,
    );
  });
});

describe('recorded models with separate architecture and weights', () => {
  const models = new URL('../../fixtures/models/', import.meta.url);
  const read = (file) => new Uint8Array(readFileSync(new URL(file, models)));
  const outputsOf = (model, { inputs }) => {
    const input = Array.isArray(inputs)
      ? inputs.map(toTensor)
      : Object.fromEntries(Object.entries(inputs).map(([key, value]) => [key, toTensor(value)]));
    const result = model.predict(input);
    return (result instanceof mf.Tensor ? [result] : Object.values(result)).map((tensor) =>
      tensor.array(),
    );
  };
  const files = readdirSync(models).filter((file) => /\.(keras|h5)$/.test(file));
  assert.ok(files.length > 60);

  for (const file of files.filter((name) => name.endsWith('.keras'))) {
    test(file, async () => {
      const parts = unzipSync(read(file));
      const io = readFixture(`models/${file.replace('.keras', '.io.json')}`);
      const options = { weights: parts['model.weights.h5'] };
      const complete = await mf.loadModel(read(file));
      const apart = await mf.loadModel(parts['config.json'], options);
      assert.deepEqual(outputsOf(apart, io), outputsOf(complete, io));
      const legacy = file.replace('.keras', '.h5');
      if (!files.includes(legacy)) return;
      const old = await mf.loadModel(parts['config.json'], { weights: read(legacy) });
      assert.deepEqual(outputsOf(old, io), outputsOf(complete, io));
    });
  }
});
