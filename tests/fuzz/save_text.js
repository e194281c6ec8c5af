// SPDX-License-Identifier: MIT
// Saves models with a TextVectorization layer for real Keras to open:
// node tests/fuzz/save_text.js FOLDER [SEED COUNT], then python tests/fuzz/open_text.py FOLDER
import { mkdirSync, writeFileSync } from 'node:fs';
import * as mf from '../../dist/index.js';
import '../../dist/text.js';
import { storedZip, treeH5, valuesOf } from '../support/legacy_files.js';
import { shake } from '../support/legacy_models.js';
import { generator, integer, pick as pickFrom } from '../support/random.js';
import { keras, vectorization } from '../support/text_layers.js';

const [folder, seed = '1', count = '200'] = process.argv.slice(2);
const random = generator(Number(seed));
const pick = (list) => pickFrom(random, list);

const syllables = ['ka', 'TO', 'mi', 'é', 'Ü', '的', '☃', 'b', '0', 'ß', "n't", 'x-y'];
const word = () => Array.from({ length: integer(random, 1, 3) }, () => pick(syllables)).join('');
const gaps = [' ', '  ', '\t', ' \n', ', ', '. ', '! ', '\u00a0'];

/** Returns a text of known and unknown words. */
const text = (words) =>
  Array.from(
    { length: integer(random, 0, 8) },
    () => `${pick([...words, word()])}${pick(gaps)}`,
  ).join('');

/** Returns a layer's settings with its vocabulary, which has no special tokens. */
function textLayer() {
  const words = [...new Set(Array.from({ length: integer(random, 1, 12) }, word))];
  const split = pick(['whitespace', 'whitespace', 'character', null]);
  const standardize = pick(['lower_and_strip_punctuation', 'lower', 'strip_punctuation', null]);
  const mode = pick(['int', 'int', 'int', 'multi_hot', 'count', 'tf_idf']);
  const vocabulary = standardize?.startsWith('lower')
    ? [...new Set(words.map((one) => one.replace(/[A-Z]/g, (letter) => letter.toLowerCase())))]
    : words;
  const special = mode === 'int' ? 2 : 1;
  const size = vocabulary.length + special;
  const isPadded = mode !== 'int' && random() < 0.3;
  return {
    words: vocabulary,
    special: mode === 'int' ? ['', '[UNK]'] : ['[UNK]'],
    depth: mode === 'int' ? undefined : isPadded ? size + 3 : size,
    settings: {
      max_tokens: isPadded || random() < 0.5 ? size + 3 : null,
      standardize,
      split,
      ngrams: split === 'whitespace' ? pick([null, null, 2, [1, 3]]) : null,
      output_mode: mode,
      output_sequence_length: mode === 'int' ? pick([4, 6]) : null,
      pad_to_max_tokens: isPadded,
      idf_weights: mode === 'tf_idf' ? vocabulary.map(() => 0.25 + random()) : null,
      vocabulary_size: size,
    },
  };
}

/** Keras infers the shapes of vectors of split texts rightly only without an axis of size 1. */
const inputFor = ({ output_mode: mode, split }) =>
  keras('InputLayer', {
    batch_shape: mode === 'int' || split === null ? [null, 1] : [null],
    dtype: 'string',
    name: 'text',
  });
const entry = (class_name, config, module = 'keras') => ({
  module,
  class_name,
  config: { name: 'texts', trainable: true, ...config },
  registered_name: null,
});
const sequential = (layers, name = 'texts') => entry('Sequential', { name, layers });

/** Returns the layers that read the result of the text layer, as a model of numbers. */
function restOf({ depth, settings, words, special }) {
  const head = depth
    ? [mf.Input({ shape: [depth] })]
    : [
        mf.Input({ shape: [settings.output_sequence_length], dtype: 'int32' }),
        mf.layers.embedding({
          inputDim: words.length + special.length,
          outputDim: 3,
          maskZero: random() < 0.5,
          name: 'embedding',
        }),
        mf.layers.gru({ units: 2, name: 'gru' }),
      ];
  return shake(new mf.Sequential([...head, mf.layers.dense({ units: 2, name: 'dense' })]));
}

const layersOf = (model) =>
  model.getConfig().layers.filter(({ class_name }) => class_name !== 'InputLayer');

/** Returns the weights of the layers after the text layer, whose groups are in `group`. */
function weightsOf(model, group) {
  const arrays = valuesOf(model);
  const ids = ['embedding/vars/0', ...[0, 1, 2].map((i) => `gru/cell/vars/${i}`)];
  const paths = [...(arrays.length > 2 ? ids : []), 'dense/vars/0', 'dense/vars/1'];
  return Object.fromEntries(paths.map((path, i) => [`${group}/${path}`, arrays[i]]));
}

/** Returns the weights of tf_idf as Keras stores them after adapt(): all of them, twice. */
function adaptedWeights({ special, settings: { idf_weights: weights } }, group) {
  const mean = weights.reduce((sum, weight) => sum + weight, 0) / weights.length;
  const data = Float32Array.from([...special.map(() => mean), ...weights]);
  const array = { shape: [data.length], data };
  return {
    [`${group}/vars/idf_weights`]: array,
    [`${group}/_lookup_layer/vars/idf_weights`]: array,
  };
}

const symbol = (name, dtype, shape) => ({
  class_name: '__keras_tensor__',
  config: { shape, dtype, keras_history: [name, 0, 0] },
});

/** Returns a chain of layers as a Functional model. */
function functional(layers) {
  const nodes = layers.map((layer, i) => {
    const before = layers[i - 1]?.config.name;
    const args = i === 0 ? [] : [symbol(before, i === 1 ? 'string' : 'float32', [null, 1])];
    const inbound_nodes = i === 0 ? [] : [{ args, kwargs: {} }];
    return { ...layer, name: layer.config.name, inbound_nodes };
  });
  const output = layers.at(-1).config.name;
  const ends = { input_layers: ['text', 0, 0], output_layers: [output, 0, 0] };
  return entry('Functional', { layers: nodes, ...ends }, 'keras.src.models.functional');
}

/**
 * Models with the text layer: `make` returns the config, `text` is the folder of the layer's
 * assets, and `weights` the group of the weights of the other layers, if there are any.
 */
const forms = {
  alone: { make: (input, layer) => sequential([input, layer]) },
  'alone, never built': { make: (_, layer) => sequential([layer]) },
  'alone, Functional': { make: (input, layer) => functional([input, layer]) },
  'before layers': {
    make: (input, layer, rest) => sequential([input, layer, ...rest]),
    weights: 'layers',
  },
  'before layers, Functional': {
    make: (input, layer, rest) => functional([input, layer, ...rest]),
    weights: 'layers',
  },
  'before a model': {
    make: (input, layer, rest) => functional([input, layer, sequential(rest, 'numbers')]),
    weights: 'layers/sequential/layers',
  },
  'in a model of its own': {
    make: (input, layer, rest) => sequential([input, sequential([layer], 'reader'), ...rest]),
    text: 'layers/sequential/layers',
    weights: 'layers',
  },
  'in a model before a model': {
    make: (input, layer, rest) =>
      sequential([input, sequential([layer], 'reader'), sequential(rest, 'numbers')]),
    text: 'layers/sequential/layers',
    weights: 'layers/sequential_1/layers',
  },
};

/** Where the vocabulary is: returns the settings of the layer, and files beside the model. */
const places = {
  config: ({ words }) => ({ settings: { vocabulary: words } }),
  assets: ({ words, special }, { text = 'layers' }) => ({
    assets: { [`assets/${text}/text_vectorization/vocabulary.txt`]: [...special, ...words] },
    // Then the weights of tf_idf are in the file of weights, as after adapt().
    settings: { idf_weights: null },
    idfGroup: `${text}/text_vectorization`,
  }),
  file: ({ words }) => ({
    settings: { vocabulary: '/data/words.txt' },
    files: { 'words.txt': words },
  }),
};

const encoded = (files = {}) =>
  Object.fromEntries(
    Object.entries(files).map(([name, lines]) => [
      name,
      new TextEncoder().encode(lines.join('\n')),
    ]),
  );

await mf.ready({ onMaskDropped: 'silent' });
mkdirSync(folder, { recursive: true });
const index = [];
for (let i = 0; i < Number(count); i++) {
  const layer = textLayer();
  const { idf_weights: idf } = layer.settings;
  // Keras does not read a file with a vocabulary for tf_idf.
  const place = pick(Object.keys(places).filter((one) => !idf || one !== 'file'));
  // Without splitting, each text is one id, and no id follows another.
  const isShort = layer.settings.split === null && layer.settings.output_mode === 'int';
  const how = pick(Object.keys(forms).filter((one) => !isShort || one.startsWith('alone')));
  const form = forms[how];
  const { settings = {}, assets, files, idfGroup } = places[place](layer, form);
  const rest = restOf(layer);
  const first = vectorization({ ...layer.settings, ...settings });
  const input = inputFor(layer.settings);
  const config = form.make(input, first, layersOf(rest));
  const data = storedZip({
    'metadata.json': { keras_version: '3.15.1' },
    'config.json': config,
    'model.weights.h5': treeH5({
      ...(form.weights && weightsOf(rest, form.weights)),
      ...(idf && idfGroup && adaptedWeights(layer, idfGroup)),
    }),
    ...encoded(assets),
  });
  const beside = Object.entries(encoded(files)).map(([name, bytes]) => ({ name, data: bytes }));
  const source = files ? { files: [{ name: 'model.keras', data }, ...beside] } : data;
  const name = `${how}, vocabulary in ${place}, ${JSON.stringify(layer.settings)}`;
  const texts = Array.from({ length: 3 }, () => [text(layer.words)]);
  const file = `${String(i).padStart(4, '0')}.keras`;
  try {
    const model = await mf.loadModel(source);
    const output = model.predict(texts);
    writeFileSync(`${folder}/${file}`, await model.save());
    index.push({ file, name, texts, shape: output.shape, output: [...output.data()] });
    output.dispose();
    model.dispose();
  } catch (error) {
    throw new Error(`case ${i}, ${name}: ${error.message}`, { cause: error });
  } finally {
    rest.dispose();
  }
}
writeFileSync(`${folder}/index.json`, JSON.stringify(index));
