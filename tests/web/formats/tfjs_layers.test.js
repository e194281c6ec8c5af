// SPDX-License-Identifier: MIT
// Every layer that TF.js and the package have, made and saved by TF.js with default and with random
// settings: see tests/fixtures/tfjs_layers/record.mjs.
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import { gunzipSync } from 'node:zlib';
import * as mf from '../../../dist/index.js';
import { filesOf, tfjsDifference } from '../../support/tfjs_layers.js';

await mf.ready({ onMaskDropped: 'silent' });

const recordings = gunzipSync(
  readFileSync(new URL('../../fixtures/tfjs_layers/layers.jsonl.gz', import.meta.url)),
);
const records = String(recordings)
  .split('\n')
  .map((line) => JSON.parse(line));

test('each layer of TF.js loads with the results of TF.js', async () => {
  assert.equal(records.length, 171);
  for (const record of records) assert.equal(await tfjsDifference(record), null, record.name);
});

test('an Embedding of TF.js whose maskZero was left out has no mask', async () => {
  const record = records.find(({ name }) => name === 'embedding {"inputDim":6,"outputDim":3}');
  assert.ok(JSON.stringify(record.json).includes('"mask_zero":null'));
  const model = await mf.loadModel({ files: filesOf(record) });
  const { mask } = model.layers[0].applyWithMask(mf.tensor([[0, 1]]));
  assert.equal(mask, null);
});

test('an RNN of TF.js has the settings of its cell once', async () => {
  const record = records.find(({ name }) => name === 'rnn of gruCell true');
  assert.ok('units' in record.json.modelTopology.config.layers[1].config);
  const model = await mf.loadModel({ files: filesOf(record) });
  const { cell, units } = model.layers[0].getConfig();
  assert.equal(units, undefined);
  assert.equal(cell.config.units, 3);
});

test('saveTfjs writes each kind of ReLU as the class of TF.js that has its settings', async () => {
  const written = async (layer) => {
    const files = await new mf.Sequential([mf.Input({ shape: [2] }), layer]).saveTfjs();
    const { config } = JSON.parse(new TextDecoder().decode(files.get('model.json'))).modelTopology
      .model_config;
    const { class_name: name, config: settings } = config.layers.at(-1);
    return [name, settings.alpha ?? settings.theta ?? settings.max_value];
  };
  const { layers } = mf;
  assert.deepEqual(await written(layers.leakyReLU({ negativeSlope: 0.5 })), ['LeakyReLU', 0.5]);
  assert.deepEqual(await written(layers.reLU({ negativeSlope: 0.5 })), ['LeakyReLU', 0.5]);
  assert.deepEqual(await written(layers.reLU({ threshold: 0.5 })), ['ThresholdedReLU', 0.5]);
  assert.deepEqual(await written(layers.reLU({ maxValue: 6 })), ['ReLU', 6]);
  await assert.rejects(written(layers.reLU({ maxValue: 6, threshold: 1 })), /ReLU with a slope/);
});

test('saveTfjs writes gelu and Rescaling, and refuses a scale for each feature', async () => {
  const { Input, layers, Sequential } = mf;
  const model = (scale) =>
    new Sequential([
      Input({ shape: [2] }),
      layers.rescaling({ scale, offset: 1 }),
      layers.dense({ units: 1, activation: 'gelu' }),
    ]);
  const files = await model(0.5).saveTfjs();
  const { config } = JSON.parse(new TextDecoder().decode(files.get('model.json'))).modelTopology
    .model_config;
  const entries = config.layers.slice(-2).map(({ class_name: name, config: settings }) => {
    return [name, settings.scale ?? settings.activation];
  });
  assert.deepEqual(entries, [
    ['Rescaling', 0.5],
    ['Dense', 'gelu'],
  ]);
  await assert.rejects(model([1, 2]).saveTfjs(), /Rescaling with a scale for each feature/);
});
