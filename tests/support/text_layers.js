// SPDX-License-Identifier: MIT
// Configs of layers that read text, as Keras 3.15.1 writes them.

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
