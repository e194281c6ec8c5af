// SPDX-License-Identifier: MIT
// maskflow has the ops that the inference of sequence models needs; errors name maskflow/train for
// the others. The modules of `npm run build:dev` have all ops: tests of the others are then
// skipped.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import * as mf from '../../dist/index.js';
import * as train from '../../dist/train.js';
import { needsBuild } from '../support/built.js';
import { entry } from '../support/fresh.js';
import { runNode } from '../support/programs.js';

const needed = `topK sort argsort stopGradient nanToNum divideNoNan layerNormalization
  rmsNormalization dotProductAttention scan cond whileLoop`;

test('maskflow has ops of sequence models, and maskflow/train all of them', () => {
  for (const name of needed.split(/\s+/)) assert.equal(mf.ops[name], train.ops[name], name);
  for (const [name, op] of Object.entries(mf.ops)) assert.equal(train.ops[name], op, name);
  assert.ok(!('arctan2' in mf.ops) && 'arctan2' in train.ops);
});

const config = (className) => ({
  module: 'keras',
  class_name: 'Functional',
  registered_name: null,
  config: {
    name: 'm',
    trainable: true,
    layers: [
      {
        module: 'keras.layers',
        class_name: 'InputLayer',
        registered_name: null,
        name: 'x',
        config: { batch_shape: [null, 3], dtype: 'float32', sparse: false, name: 'x' },
        inbound_nodes: [],
      },
      {
        module: 'keras.src.ops.numpy',
        class_name: className,
        registered_name: className,
        name: 'op',
        config: { name: 'op' },
        inbound_nodes: [
          {
            args: [
              {
                class_name: '__keras_tensor__',
                config: { shape: [null, 3], dtype: 'float32', keras_history: ['x', 0, 0] },
              },
            ],
            kwargs: {},
          },
        ],
      },
    ],
    input_layers: [['x', 0, 0]],
    output_layers: [['op', 0, 0]],
  },
});

const load = (name, className) =>
  runNode([
    '--input-type=module',
    '-e',
    `const mf = await import('${new URL(name, entry)}');
     const bytes = new TextEncoder().encode(${JSON.stringify(JSON.stringify(config(className)))});
     const model = await mf.loadModel(bytes, { weights: null }).catch((error) => error);
     console.log(model instanceof mf.ConfigError ? model.message : String([model.predict([[0, 1, 3]])].flat()[0].array()));`,
  ]).trim();

test('a file with an op of maskflow/train alone names that entry', { skip: needsBuild }, () => {
  assert.equal(load('train.js', 'Diff'), '1,2');
  assert.match(
    load('index.js', 'Diff'),
    /'op' is the operation Diff: there is no op 'Diff'; import from 'maskflow\/train', which has it/,
  );
  assert.match(load('recurrent.js', 'Sort'), /there is no op 'Sort'.*import from 'maskflow'/);
  assert.equal(load('index.js', 'Sort'), '0,1,3');
});

test('a file with a layer of maskflow/train alone names that entry', { skip: needsBuild }, () => {
  const path = new URL('../fixtures/train_layers/speech.keras', import.meta.url);
  const loaded = (name) =>
    runNode([
      '--input-type=module',
      '-e',
      `import { readFileSync } from 'node:fs';
       const mf = await import('${new URL(name, entry)}');
       const bytes = new Uint8Array(readFileSync(new URL('${path}')));
       const model = await mf.loadModel(bytes).catch((error) => error);
       console.log(model instanceof mf.ConfigError ? model.message : model.layers.length);`,
    ]).trim();
  assert.match(
    loaded('index.js'),
    /MelSpectrogram '\w+' is a layer of 'maskflow\/train'; import from/,
  );
  assert.match(loaded('index.js'), /STFTSpectrogram '\w+' is a layer of 'maskflow\/train'/);
  assert.match(loaded('recurrent.js'), /unknown layer classes: .*Spectrogram/);
  assert.match(loaded('train.js'), /^\d+$/);
});
