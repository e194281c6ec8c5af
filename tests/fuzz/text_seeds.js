// SPDX-License-Identifier: MIT
// Files of models that read text, for the fuzzer to damage.
import { unzipSync } from 'fflate';
import { treeH5 } from '../support/legacy_files.js';
import { keras, textModelFile, vectorization } from '../support/text_layers.js';

const encode = (text) => new TextEncoder().encode(text);
const column = (length) => Float32Array.from({ length }, (_, i) => Math.sin(i));

const symbol = (name) => ({
  class_name: '__keras_tensor__',
  config: { shape: [null], dtype: 'float32', keras_history: [name, 0, 0] },
});
const node = (entry, ...args) => ({
  ...entry,
  name: entry.config.name,
  inbound_nodes: args.length > 0 ? [{ args: args.map(symbol), kwargs: {} }] : [],
});

/** Returns a Functional model before another, with vocabulary and weights as after adapt(). */
function adapted() {
  const input = { batch_shape: [null], dtype: 'string', name: 'text' };
  const mode = { output_mode: 'tf_idf', output_sequence_length: null, max_tokens: null };
  const dense = keras('Dense', { name: 'dense', units: 2 });
  const numbers = {
    module: 'keras',
    class_name: 'Sequential',
    config: { name: 'numbers', layers: [dense] },
    registered_name: null,
  };
  const config = {
    module: 'keras.src.models.functional',
    class_name: 'Functional',
    config: {
      name: 'texts',
      layers: [
        node(keras('InputLayer', input)),
        node(vectorization(mode), 'text'),
        node(numbers, 'text_vectorization'),
      ],
      input_layers: ['text', 0, 0],
      output_layers: ['numbers', 0, 0],
    },
    registered_name: null,
  };
  const weights = {
    'layers/sequential/layers/dense/vars/0': { shape: [3, 2], data: column(6) },
    'layers/sequential/layers/dense/vars/1': { shape: [2], data: column(2) },
    'layers/text_vectorization/vars/idf_weights': { shape: [3], data: column(3) },
    'layers/text_vectorization/_lookup_layer/vars/idf_weights': { shape: [3], data: column(3) },
  };
  return {
    'metadata.json': encode(JSON.stringify({ keras_version: '3.15.1' })),
    'config.json': encode(JSON.stringify(config)),
    'model.weights.h5': treeH5(weights),
    'assets/layers/text_vectorization/vocabulary.txt': encode('[UNK]\na\nb'),
  };
}

/** Returns the seeds. */
export function textSeeds() {
  const common = { kind: 'keras', level: 0, texts: ['a b', 'the cat sat!'] };
  return [
    { ...common, name: 'texts.keras', files: unzipSync(textModelFile()) },
    { ...common, name: 'adapted texts.keras', files: adapted() },
  ];
}
