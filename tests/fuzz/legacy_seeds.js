// SPDX-License-Identifier: MIT
// Files of Keras 1 and 2 for the fuzzer, with their weights.
import { zipSync } from 'fflate';
import { array, legacyH5, treeH5 } from '../support/legacy_files.js';

const ramp = (name, shape, seed) =>
  array(
    name,
    shape,
    Array.from({ length: shape.reduce((a, b) => a * b, 1) }, (_, i) => Math.sin(i * 5 + seed) / 2),
  );

const ids = Int32Array.of(3, 5, 1, 0, 0, 2, 2, 4, 6, 0);
const inputs = [
  { shape: [2, 5], dtype: 'int32', data: Buffer.from(ids.buffer).toString('base64') },
];

const gates = ['i', 'c', 'f', 'o'].flatMap((gate) => [
  ramp(`lstm_1_W_${gate}`, [4, 3], 1),
  ramp(`lstm_1_U_${gate}`, [3, 3], 2),
  ramp(`lstm_1_b_${gate}`, [3], 3),
]);

function keras1() {
  const config = {
    class_name: 'Sequential',
    keras_version: '1.2.2',
    config: [
      {
        class_name: 'Embedding',
        config: {
          name: 'embedding_1',
          batch_input_shape: [null, 5],
          input_dtype: 'int32',
          input_dim: 8,
          output_dim: 4,
          init: 'uniform',
          mask_zero: true,
          W_regularizer: null,
          dropout: 0.3,
        },
      },
      {
        class_name: 'LSTM',
        config: {
          name: 'lstm_1',
          output_dim: 3,
          activation: 'tanh',
          inner_activation: 'hard_sigmoid',
          forget_bias_init: 'one',
          return_sequences: false,
          dropout_W: 0.1,
          W_regularizer: { name: 'WeightRegularizer', l1: 0, l2: 0.1 },
        },
      },
      { class_name: 'Dropout', config: { p: 0.5, name: 'dropout_1' } },
      { class_name: 'Dense', config: { name: 'dense_1', output_dim: 2, activation: 'softmax' } },
    ],
  };
  const layers = [
    { name: 'embedding_1', weights: [ramp('embedding_1_W', [8, 4], 4)] },
    { name: 'lstm_1', weights: gates },
    { name: 'dropout_1', weights: [] },
    { name: 'dense_1', weights: [ramp('dense_1_W', [3, 2], 5), ramp('dense_1_b', [2], 6)] },
  ];
  return { config, version: '1.2.2', layers };
}

const layer = (class_name, name, config, inbound_nodes) => ({
  class_name,
  config: { name, trainable: true, dtype: 'float32', ...config },
  name,
  inbound_nodes,
});

/** Returns a model of Keras 2 whose graph contains a TensorFlow op. */
function keras2() {
  const config = {
    class_name: 'Functional',
    keras_version: '2.15.0',
    backend: 'tensorflow',
    config: {
      name: 'model',
      layers: [
        layer('InputLayer', 'ids', { batch_input_shape: [null, 5], dtype: 'int32' }, []),
        layer('Embedding', 'table', { input_dim: 8, output_dim: 4, mask_zero: true }, [
          [['ids', 0, 0, {}]],
        ]),
        layer('GRU', 'gru', { units: 3, reset_after: true, return_sequences: true }, [
          [['table', 0, 0, {}]],
        ]),
        layer('TFOpLambda', 'scaled', { function: 'math.multiply' }, [
          ['gru', 0, 0, { y: 0.5, name: null }],
        ]),
        layer('GlobalAveragePooling1D', 'mean', {}, [[['scaled', 0, 0, {}]]]),
        layer('Dense', 'dense', { units: 2, activation: 'softmax' }, [[['mean', 0, 0, {}]]]),
      ],
      input_layers: [['ids', 0, 0]],
      output_layers: [['dense', 0, 0]],
    },
  };
  const layers = [
    { name: 'ids', weights: [] },
    { name: 'table', weights: [ramp('table/embeddings:0', [8, 4], 1)] },
    {
      name: 'gru',
      weights: [
        ramp('gru/gru_cell/kernel:0', [4, 9], 2),
        ramp('gru/gru_cell/recurrent_kernel:0', [3, 9], 3),
        ramp('gru/gru_cell/bias:0', [2, 9], 4),
      ],
    },
    { name: 'scaled', weights: [] },
    { name: 'mean', weights: [] },
    { name: 'dense', weights: [ramp('dense/kernel:0', [3, 2], 5), ramp('dense/bias:0', [2], 6)] },
  ];
  return { config, version: '2.15.0', layers };
}

const text = (value) => new TextEncoder().encode(JSON.stringify(value));

/** Returns a `.h5` file whose config is damaged separately and packed again. */
const h5 = (name, { config, version, layers }) => ({
  kind: 'legacy',
  name,
  files: { 'config.json': text(config) },
  pack: (files) =>
    legacyH5({ config: new TextDecoder().decode(files['config.json']), version, layers }),
  inputs,
});

/**
 * Returns a `.keras` file as Keras 2.12 to 2.15 writes it, with gaps in the layers' numbers and
 * with backslashes.
 */
function keras2Zip() {
  const { config, layers } = keras2();
  const old = '_layer_checkpoint_dependencies';
  const arrays = {
    [`${old}\\embedding/vars/0`]: layers[1].weights[0],
    [`${old}\\gru\\cell/vars/0`]: layers[2].weights[0],
    [`${old}\\gru\\cell/vars/1`]: layers[2].weights[1],
    [`${old}\\gru\\cell/vars/2`]: layers[2].weights[2],
    [`${old}\\dense/vars/0`]: layers[5].weights[0],
    [`${old}\\dense/vars/1`]: layers[5].weights[1],
  };
  return {
    kind: 'keras',
    name: 'keras 2.15.keras',
    files: {
      'metadata.json': text({ keras_version: '2.15.0' }),
      'config.json': text({ module: 'keras.src.engine.functional', ...config }),
      'model.weights.h5': treeH5(arrays),
    },
    pack: (files) => zipSync(files, { level: 0 }),
    inputs,
  };
}

export const legacySeeds = () => [
  h5('keras 1.h5', keras1()),
  h5('keras 2.h5', keras2()),
  keras2Zip(),
];
