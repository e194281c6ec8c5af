// SPDX-License-Identifier: MIT
// The saved settings of each layer class are those that Keras 3.15.1 writes, or at least accepts.
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import * as mf from '../../../dist/index.js';

await mf.ready();
const { layers } = mf;

const recording = JSON.parse(
  readFileSync(new URL('../../fixtures/saved/layer_keys.json', import.meta.url), 'utf8'),
);

const requiredSettings = {
  Activation: { activation: 'relu' },
  AdaptiveAveragePooling1D: { output_size: 2 },
  AdaptiveMaxPooling1D: { output_size: 2 },
  AlphaDropout: { rate: 0.5 },
  AveragePooling1D: { pool_size: 2 },
  CategoryEncoding: { num_tokens: 3 },
  Conv1D: { filters: 2, kernel_size: 2 },
  Conv1DTranspose: { filters: 2, kernel_size: 2 },
  ConvLSTM1D: { filters: 2, kernel_size: 2 },
  Dense: { units: 2 },
  DepthwiseConv1D: { kernel_size: 2 },
  Discretization: { bin_boundaries: [0, 1] },
  Dot: { axes: 1 },
  Dropout: { rate: 0.5 },
  EinsumDense: { equation: 'ab,bc->ac', output_shape: 3 },
  Embedding: { input_dim: 3, output_dim: 2 },
  GRU: { units: 2 },
  GRUCell: { units: 2 },
  GaussianDropout: { rate: 0.5 },
  GaussianNoise: { stddev: 0.5 },
  GroupQueryAttention: { head_dim: 2, num_query_heads: 2, num_key_value_heads: 1 },
  InputLayer: { batch_shape: [null, 2] },
  LSTM: { units: 2 },
  LSTMCell: { units: 2 },
  MaxPooling1D: { pool_size: 2 },
  MultiHeadAttention: { num_heads: 2, key_dim: 2 },
  Permute: { dims: [2, 1] },
  RepeatVector: { n: 2 },
  Rescaling: { scale: 2 },
  Reshape: { target_shape: [2] },
  ReversibleEmbedding: { input_dim: 3, output_dim: 2 },
  SeparableConv1D: { filters: 2, kernel_size: 2 },
  SimpleRNN: { units: 2 },
  SimpleRNNCell: { units: 2 },
  SpatialDropout1D: { rate: 0.5 },
};
const cell = () => layers.lstmCell({ units: 2 });
const wrappers = {
  Bidirectional: () => layers.bidirectional({ layer: layers.lstm({ units: 2 }) }),
  RNN: () => layers.rnn({ cell: cell() }),
  SpectralNormalization: () => layers.spectralNormalization({ layer: layers.dense({ units: 2 }) }),
  StackedRNNCells: () => layers.stackedRNNCells({ cells: [cell()] }),
  TimeDistributed: () => layers.timeDistributed({ layer: layers.dense({ units: 2 }) }),
};

/** Keys that Keras writes but does not need; Keras has them for its own training. */
const kLeftOut = new Set(['quantization_config']);

test('every layer class is recorded', () => {
  const classes = Object.entries(mf)
    .filter(([, value]) => typeof value === 'function' && value.prototype instanceof mf.Layer)
    .map(([name]) => name)
    // Except models, functions, and a class that Keras 3 no longer has.
    .filter((name) => !['Model', 'Sequential', 'Lambda', 'ThresholdedReLU'].includes(name));
  assert.deepEqual(
    classes.filter((name) => !(name in recording)),
    [],
  );
});

for (const [className, { writes, takes }] of Object.entries(recording)) {
  test(className, () => {
    const layer =
      wrappers[className]?.() ??
      mf.deserializeLayer({ class_name: className, config: requiredSettings[className] ?? {} });
    const keys = Object.keys(layer.getConfig());
    const refusedKeys = keys.filter((key) => !writes.includes(key) && !takes.includes(key));
    assert.deepEqual(refusedKeys, [], 'Keras would refuse them');
    const missing = writes.filter((key) => !keys.includes(key) && !kLeftOut.has(key));
    assert.deepEqual(missing, [], 'Keras writes them');
  });
}
