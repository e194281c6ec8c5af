// SPDX-License-Identifier: MIT
// The entry maskflow/recurrent is the same package with fewer layers; errors name the entry that
// has a missing one.
import assert from 'node:assert/strict';
import { createRequire } from 'node:module';
import { test } from 'node:test';
import * as entire from '../../dist/index.js';
import * as recurrent from '../../dist/recurrent.js';
import { needsBuild } from '../support/built.js';
import { entry, fresh } from '../support/fresh.js';
import { runNode } from '../support/programs.js';

// A plain object, because the test looks exports up by name.
const mainExports = { ...entire };

const recurrentEntry = new URL('recurrent.js', entry);
const load = `const r = await import('${recurrentEntry}');`;

test('its exports are those of the main entry, except ready, loadModel, the layers object and what it omits', () => {
  for (const [name, value] of Object.entries(recurrent)) {
    if (!['ready', 'loadModel', 'layers', 'ops'].includes(name))
      assert.equal(value, mainExports[name], name);
    assert.ok(name in mainExports, name);
  }
  const { layers, ops } = recurrent;
  for (const [group, functions] of Object.entries({ layers, ops })) {
    for (const [name, make] of Object.entries(functions)) {
      assert.equal(make, mainExports[group][name], name);
    }
  }
  const omitted = Object.keys(mainExports).filter((name) => !(name in recurrent));
  for (const name of ['MultiHeadAttention', 'Conv1D', 'LayerNormalization', 'ReLU', 'losses']) {
    assert.ok(omitted.includes(name), name);
  }
  const keptNames = `Input Masking Embedding SimpleRNN LSTM GRU RNN LSTMCell StackedRNNCells Bidirectional TimeDistributed
    Dense Activation Dropout Lambda Add Concatenate Flatten GlobalAveragePooling1D Sequential Model`;
  for (const name of keptNames.split(/\s+/).filter((name) => name !== 'Input')) {
    assert.ok(name in recurrent, name);
  }
});

test('CommonJS has the same exports and shares its state with the main entry', () => {
  const body = `const { createRequire } = require('node:module');
    const path = (name) => require('node:url').fileURLToPath(new URL(name, '${entry}'));
    const all = require(path('index.cjs'));
    const part = require(path('recurrent.cjs'));
    part.ready().then(() => console.log(JSON.stringify([Object.keys(part), all.runtimeInfo().layers, all.LSTM === part.LSTM])));`;
  const output = runNode(['--input-type=commonjs', '-e', body]);
  const [names, layers, isSameClass] = JSON.parse(output);
  assert.deepEqual(names.sort(), Object.keys(recurrent).sort());
  assert.deepEqual([layers, isSameClass], ['recurrent', true]);
  assert.ok(createRequire(import.meta.url)('../../dist/recurrent.cjs').LSTM);
});

const flag = '--experimental-wasm-relaxed-simd';
// Node 20 has relaxed SIMD behind a flag, which later versions do not know.
const flags =
  process.allowedNodeEnvironmentFlags.has(flag) || process.version < 'v22' ? [flag] : [];

for (const variant of ['simd', 'relaxed']) {
  test(`its models return the same numbers as the main entry (${variant})`, () => {
    const program = (mf) => `
      const embedding = ${mf}.layers.embedding({ inputDim: 9, outputDim: 5, maskZero: true });
      const model = new ${mf}.Sequential([embedding,
        ${mf}.layers.bidirectional({ layer: ${mf}.layers.lstm({ units: 4, returnSequences: true }) }),
        ${mf}.layers.gru({ units: 6 }), ${mf}.layers.dense({ units: 3, activation: 'softmax' })]);
      const ids = ${mf}.padSequences([[3, 1, 4, 1, 5], [8, 2], [6]], { padding: 'post' });
      say(model.predict(ids).array());
      say(${mf}.runtimeInfo().layers);`;
    const options = `{ variant: '${variant}', seed: 5 }`;
    const [part, layers] = fresh(`${load} await r.ready(${options}); ${program('r')}`, { flags });
    const [expected] = fresh(`await mf.ready(${options}); ${program('mf')}`, { flags });
    assert.equal(layers, 'recurrent');
    assert.deepEqual(part, expected);
    assert.ok(part.flat().every((value) => value > 0));
  });
}

const attention = `{ class_name: 'Attention', config: {} }`;

test('using an omitted layer is a typed error that names the entry that has it', {
  skip: needsBuild,
}, () => {
  const calls = [
    `r.deserializeLayer(${attention})`,
    `r.ops.einsum([[1], [2]], 'i,j->ij')`,
    `model.evaluate(r.tensor([[1]]), r.tensor([[1]]), { loss: 'mse' })`,
  ];
  const messages = fresh(`${load} await r.ready();
    const model = new r.Sequential([r.layers.dense({ units: 1 })]);
    for (const call of [${calls.map((call) => `() => ${call}`)}]) {
      try { call(); say('nothing'); } catch (error) { say([error.name, error.message]); }
    }
    say(model.predict(r.tensor([[0]])).array());`);
  assert.deepEqual(
    messages.slice(0, 3).map(([name]) => name),
    ['ConfigError', 'ConfigError', 'UnsupportedError'],
  );
  for (const [, message] of messages.slice(0, 3)) assert.match(message, /from 'maskflow'/);
  assert.deepEqual(messages[3], [[0]], 'the next call works');
});

test('the first ready() decides; loading more later is a StateError', () => {
  const [loadedLayers, [name, message]] =
    fresh(`${load} await r.ready(); say(mf.runtimeInfo().layers);
    await mf.ready().catch((error) => say([error.name, error.message]));`);
  assert.equal(loadedLayers, 'recurrent');
  assert.equal(name, 'StateError');
  assert.match(message, /only the module with recurrent layers is running.*ready\(\) of maskflow/);
  const [layers, y] = fresh(`${load} await mf.ready(); await r.ready(); say(r.runtimeInfo().layers);
    say(mf.deserializeLayer(${attention}).className);`);
  assert.deepEqual([layers, y], ['all', 'Attention']);
});
