// SPDX-License-Identifier: MIT
// Models that TF.js built and saved, with the results of TF.js for the same files.
import assert from 'node:assert/strict';
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { fileURLToPath } from 'node:url';
import * as mf from '../../../dist/index.js';

await mf.ready({ onMaskDropped: 'silent' });

const folder = fileURLToPath(new URL('../../fixtures/tfjs/', import.meta.url));
const read = (path) => new Uint8Array(readFileSync(`${folder}${path}`));
const json = (path) => JSON.parse(readFileSync(`${folder}${path}`, 'utf8'));
const text = (value) => new TextEncoder().encode(JSON.stringify(value));

const filesOf = (name) =>
  readdirSync(`${folder}${name}`)
    .filter((file) => file !== 'io.json')
    .map((file) => ({ name: file, data: read(`${name}/${file}`) }));

function check(model, name) {
  const { inputs, outputs } = json(`${name}/io.json`);
  const inputTensors = inputs.map(({ shape, dtype, values }) => {
    const Elements = dtype === 'int32' ? Int32Array : Float32Array;
    return mf.tensor(Elements.from(values), { shape, dtype });
  });
  const result = model.predict(inputTensors.length === 1 ? inputTensors[0] : inputTensors);
  const actual = Array.isArray(result) ? result : [result];
  outputs.forEach(({ shape, values }, i) => {
    assert.deepEqual(actual[i].shape, shape);
    const data = actual[i].data();
    values.forEach((value, k) => {
      assert.ok(Math.abs(data[k] - value) <= 1e-6, `output ${i}, ${k}: ${data[k]}, not ${value}`);
    });
  });
}

const names = readdirSync(folder);
assert.equal(names.length, 7);
for (const name of names) {
  test(`TF.js: ${name} loads from a path and as a set of files`, async () => {
    check(await mf.loadModel(`${folder}${name}/model.json`), name);
    check(await mf.loadModel({ files: filesOf(name).reverse() }), name);
  });
}

test('a Keras config around the model, weights in another order, other groups and unknown prefixes load', async () => {
  const name = 'sequential_lstm';
  const model = json(`${name}/model.json`);
  const { weights } = model.weightsManifest[0];
  const bytes = read(`${name}/weights.bin`);
  let offset = 0;
  const parts = weights.map((spec) => {
    const size = spec.shape.reduce((product, dim) => product * dim, 4);
    offset += size;
    return { spec, data: bytes.slice(offset - size, offset) };
  });
  // Each weight is a group of its own, in reverse order, with names as TensorFlow 2 writes them.
  model.weightsManifest = parts.toReversed().map(({ spec }, i) => ({
    paths: [`group ${i}`],
    weights: [{ ...spec, name: spec.name.replace('lstm_LSTM1/', 'lstm_LSTM1/lstm_cell_7/') }],
  }));
  model.modelTopology = {
    keras_version: '2.3.0-tf',
    backend: 'tensorflow',
    model_config: {
      class_name: model.modelTopology.class_name,
      config: model.modelTopology.config.layers,
    },
    training_config: {},
  };
  const files = parts.toReversed().map(({ data }, i) => ({ name: `group ${i}`, data }));
  check(await mf.loadModel({ files: [{ name: 'model.json', data: text(model) }, ...files] }), name);
});

test('shards may end in the middle of weights and of numbers', async () => {
  const name = 'bidirectional';
  const model = json(`${name}/model.json`);
  const [group] = model.weightsManifest;
  const data = group.paths.flatMap((path) => [...read(`${name}/${path}`)]);
  for (const size of [3, 61, 1000]) {
    const shards = Array.from({ length: Math.ceil(data.length / size) }, (_, i) => ({
      name: `part ${i}`,
      data: Uint8Array.from(data.slice(i * size, (i + 1) * size)),
    }));
    const split = {
      ...model,
      weightsManifest: [{ ...group, paths: shards.map((shard) => shard.name) }],
    };
    const files = [{ name: 'model.json', data: text(split) }, ...shards];
    check(await mf.loadModel({ files }), name);
  }
});

test('the shards alone load into a model that is built', async () => {
  const name = 'bidirectional';
  const reference = await mf.loadModel(`${folder}${name}/model.json`);
  const model = mf.Model.fromConfig(reference.getConfig());
  model.setWeights(
    model.weights.map(({ shape }) => new Float32Array(shape.reduce((a, b) => a * b, 1))),
  );
  await model.loadWeights(`${folder}${name}/model.json`);
  check(model, name);
});

test('shards are read only from beside model.json', async (t) => {
  const top = mkdtempSync(join(tmpdir(), 'maskflow-shards-'));
  t.after(() => rmSync(top, { recursive: true }));
  const place = join(top, 'model');
  mkdirSync(place);
  const model = json('sequential_lstm/model.json');
  const outside = join(top, 'weights.bin');
  for (const path of [outside, join(place, 'weights.bin')])
    writeFileSync(path, read('sequential_lstm/weights.bin'));
  const load = (path) => {
    const weightsManifest = [{ ...model.weightsManifest[0], paths: [path] }];
    writeFileSync(join(place, 'model.json'), text({ ...model, weightsManifest }));
    return mf.loadModel(join(place, 'model.json'));
  };
  check(await load('weights.bin'), 'sequential_lstm');
  const places = [
    outside,
    '../weights.bin',
    'x/../../weights.bin',
    '..\\weights.bin',
    '\\weights.bin',
  ];
  for (const path of [...places, `file://${outside}`, 'https://example.org/weights.bin', 'a\0b'])
    await assert.rejects(
      load(path),
      { name: 'FormatError', message: /is outside its folder/ },
      path,
    );
});

test('errors in a model.json are named', async () => {
  const load = (model, ...files) =>
    mf.loadModel({ files: [{ name: 'model.json', data: text(model) }, ...files] });
  const model = json('sequential_lstm/model.json');
  const data = read('sequential_lstm/weights.bin');
  await assert.rejects(load({ format: 'graph-model', modelTopology: { node: [] } }), {
    name: 'UnsupportedError',
    message: /graph model of TF\.js.*without layers/,
  });
  await assert.rejects(load(model), { name: 'FormatError', message: /weights\.bin/ });
  await assert.rejects(load(model, { name: 'weights.bin', data: data.slice(0, -4) }), {
    name: 'FormatError',
    message: /have 540 bytes, but their weights need 544.*cut short/,
  });
  await assert.rejects(load(model, { name: 'weights.bin', data: new Uint8Array(548) }), {
    name: 'FormatError',
    message: /have 548 bytes.*belong to this model\.json/,
  });
  const [group] = model.weightsManifest;
  const less = { ...model, weightsManifest: [{ ...group, weights: group.weights.slice(0, -1) }] };
  await assert.rejects(load(less, { name: 'weights.bin', data: data.slice(0, -8) }), {
    name: 'FormatError',
    message: /1 missing/,
  });
  const withStrings = structuredClone(model);
  withStrings.weightsManifest[0].weights[0].dtype = 'string';
  await assert.rejects(load(withStrings, { name: 'weights.bin', data }), {
    name: 'UnsupportedError',
  });
  const lost = structuredClone(model);
  lost.weightsManifest[0].weights[0].quantization = { dtype: 'uint8' };
  await assert.rejects(load(lost, { name: 'weights.bin', data: data.slice(96) }), {
    name: 'FormatError',
    message: /needs scale and min/,
  });
});
