// SPDX-License-Identifier: MIT
// Configs of layers that read text, as Keras 3.15.1 writes them.
import { editedFile } from './archives.js';

export const keras = (class_name, config) => ({
  module: 'keras.layers',
  class_name,
  config,
  registered_name: null,
});

export const vectorization = (more = {}) =>
  keras('TextVectorization', {
    name: 'text_vectorization',
    trainable: true,
    dtype: {
      module: 'keras',
      class_name: 'DTypePolicy',
      config: { name: 'float32' },
      registered_name: null,
    },
    max_tokens: 20,
    standardize: 'lower_and_strip_punctuation',
    split: 'whitespace',
    ngrams: null,
    output_mode: 'int',
    output_sequence_length: 6,
    pad_to_max_tokens: false,
    sparse: false,
    ragged: false,
    vocabulary: null,
    idf_weights: null,
    encoding: 'utf-8',
    vocabulary_size: 6,
    ...more,
  });

/** Words of the model of textModelFile(), by id. */
const words = ['', '[UNK]', 'the', 'cat', 'sat', 'mat', 'on', 'a', 'dog', 'ran', 'far', 'off'];

/** Returns a file of the recorded model with a TextVectorization layer in front of it. */
export const textModelFile = () =>
  editedFile('seq_embed_lstm', ({ config }) => {
    const input = { batch_shape: [null, 1], dtype: 'string', sparse: false, ragged: false };
    const rest = config.layers.filter((layer) => layer.class_name !== 'InputLayer');
    const layer = vectorization({ vocabulary: words, max_tokens: 12, vocabulary_size: 12 });
    config.layers = [keras('InputLayer', { ...input, name: 'text' }), layer, ...rest];
  });
