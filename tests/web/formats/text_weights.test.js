// SPDX-License-Identifier: MIT
// Paths of weights and vocabularies in the files of models with text layers, as in Keras 3.
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { unzipSync } from 'fflate';
import * as mf from '../../../dist/index.js';
import '../../../dist/text.js';
import { readWithLibhdf5 } from '../../support/hdf5.js';
import { storedZip, treeH5 } from '../../support/legacy_files.js';
import { keras, vectorization } from '../../support/text_layers.js';

await mf.ready({ onMaskDropped: 'silent' });

const input = keras('InputLayer', { batch_shape: [null], dtype: 'string', name: 'text' });
const sequential = (name, layers) => ({
  module: 'keras',
  class_name: 'Sequential',
  config: { name, trainable: true, layers },
  registered_name: null,
});
const dense = (name) => keras('Dense', { name, units: 1, activation: 'linear', use_bias: false });
const file = (config, weights, assets = {}) =>
  storedZip({
    'metadata.json': { keras_version: '3.15.1' },
    'config.json': config,
    'model.weights.h5': treeH5(weights),
    ...Object.fromEntries(
      Object.entries(assets).map(([path, lines]) => [
        `assets/${path}/vocabulary.txt`,
        new TextEncoder().encode(lines.join('\n')),
      ]),
    ),
  });
const column = (...data) => ({ shape: [data.length, 1], data: Float32Array.from(data) });
const row = (...data) => ({ shape: [data.length], data: Float32Array.from(data) });
const vectors = (output_mode, more) =>
  vectorization({ output_mode, output_sequence_length: null, max_tokens: null, ...more });

/** Paths of all groups and arrays in the weights of a saved file. */
const weightPaths = (saved) => Object.keys(readWithLibhdf5(unzipSync(saved)['model.weights.h5']));

const layer = 'layers/text_vectorization';
const groups = [`${layer}/vars/idf_weights`, `${layer}/_lookup_layer/vars/idf_weights`];

describe('the weights of tf_idf', () => {
  const idf = [0.5, 0.25, 2];
  const tfIdf = (more) => vectors('tf_idf', { vocabulary: ['a', 'b'], ...more });
  const config = (more) => sequential('texts', [input, tfIdf(more), dense('dense')]);
  const kernel = { 'layers/dense/vars/0': column(1, 10, 100) };
  const adapted = { ...kernel, ...Object.fromEntries(groups.map((path) => [path, row(...idf)])) };
  const inConfig = { vocabulary: ['[UNK]', 'a', 'b'], idf_weights: idf };

  const files = {
    'in the config': file(config(inConfig), adapted),
    'in the file of weights, after adapt()': file(
      config({ vocabulary: null, idf_weights: null }),
      adapted,
      { [layer]: ['[UNK]', 'a', 'b'] },
    ),
    'padded to max_tokens': file(
      config({ vocabulary: null, idf_weights: null, max_tokens: 5, pad_to_max_tokens: true }),
      {
        'layers/dense/vars/0': column(1, 10, 100, 1000, 10000),
        ...Object.fromEntries(groups.map((path) => [path, row(...idf, 0, 0)])),
      },
      { [layer]: ['[UNK]', 'a', 'b'] },
    ),
  };
  for (const [where, bytes] of Object.entries(files)) {
    test(`${where}: are read, and saved where Keras expects them`, async () => {
      const model = await mf.loadModel(bytes);
      const expected = [[0.5 + 2 * 0.25 * 10], [2 * 100]];
      assert.deepEqual(model.predict(['a A zoo', 'b']).array(), expected);
      const saved = await model.save();
      assert.deepEqual((await mf.loadModel(saved)).predict(['a A zoo', 'b']).array(), expected);
      const paths = weightPaths(saved);
      assert.deepEqual(
        groups.filter((path) => !paths.includes(path)),
        [],
      );
      const [, entry] = model.getConfig().layers;
      assert.deepEqual(entry.config.vocabulary, ['[UNK]', 'a', 'b']);
      assert.deepEqual(entry.config.idf_weights, idf);
    });
  }

  test('are missing in a file without them: a typed error', async () => {
    const bytes = file(config({ vocabulary: null, idf_weights: null }), kernel, {
      [layer]: ['[UNK]', 'a', 'b'],
    });
    await assert.rejects(mf.loadModel(bytes), { name: 'ValueError', message: /idfWeights/ });
  });
});

test('models of text layers count where Keras numbers the groups of models', async () => {
  const words = vectors('count', { vocabulary: ['a', 'b'] });
  const path = 'layers/sequential_1/layers/dense/vars/0';
  const config = sequential('texts', [
    input,
    sequential('reader', [words]),
    sequential('numbers', [dense('dense')]),
  ]);
  const model = await mf.loadModel(file(config, { [path]: column(1, 10, 100) }));
  assert.deepEqual(model.predict(['a b b']).array(), [[210]]);
  const saved = await model.save();
  assert.ok(weightPaths(saved).includes(path));
  assert.deepEqual((await mf.loadModel(saved)).predict(['a b b']).array(), [[210]]);
});

test('a vocabulary in assets belongs to the layer with its number', async () => {
  const tensor = (name) => ({
    class_name: '__keras_tensor__',
    config: { shape: [null], dtype: 'float32', keras_history: [name, 0, 0] },
  });
  const node = (entry, ...args) => ({
    ...entry,
    name: entry.config.name,
    inbound_nodes: args.length > 0 ? [{ args, kwargs: {} }] : [],
  });
  const first = vectors('count', { name: 'first', vocabulary: ['a'] });
  const second = vectors('count', { name: 'second' });
  const functional = {
    module: 'keras.src.models.functional',
    class_name: 'Functional',
    config: {
      name: 'texts',
      layers: [
        node(input),
        node(first, tensor('text')),
        node(second, tensor('text')),
        node(keras('Add', { name: 'add' }), [tensor('first'), tensor('second')]),
      ],
      input_layers: ['text', 0, 0],
      output_layers: ['add', 0, 0],
    },
    registered_name: null,
  };
  const assets = { 'layers/text_vectorization_1': ['[UNK]', 'b'] };
  const model = await mf.loadModel(file(functional, {}, assets));
  assert.deepEqual(model.predict(['a b b']).array(), [[3, 3]]);
});
