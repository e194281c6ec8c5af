// SPDX-License-Identifier: MIT
// Hand-made files of Keras 1 have the results of the same model built with today's API.
import { test } from 'node:test';
import * as mf from '../../../dist/index.js';
import { array, legacyH5, withNames, valuesOf } from '../../support/legacy_files.js';
import { assertSame, floats, ids, keras1Gates, shake } from '../../support/legacy_models.js';

await mf.ready({ onMaskDropped: 'silent' });
const { layers } = mf;

const recurrent = (name, outputDim, more = {}) => ({
  name,
  trainable: true,
  output_dim: outputDim,
  init: 'glorot_uniform',
  inner_init: 'orthogonal',
  activation: 'tanh',
  inner_activation: 'hard_sigmoid',
  W_regularizer: { name: 'WeightRegularizer', l1: 0, l2: 0.01 },
  U_regularizer: null,
  b_regularizer: null,
  dropout_W: 0.2,
  dropout_U: 0.1,
  return_sequences: false,
  go_backwards: false,
  stateful: false,
  unroll: false,
  consume_less: 'cpu',
  input_dim: 4,
  input_length: null,
  ...more,
});

const dense = (name, outputDim, more = {}) => ({
  name,
  trainable: true,
  output_dim: outputDim,
  init: 'glorot_uniform',
  activation: 'linear',
  W_regularizer: null,
  b_regularizer: null,
  activity_regularizer: null,
  W_constraint: { name: 'MaxNorm', m: 2, axis: 0 },
  b_constraint: null,
  bias: true,
  input_dim: null,
  ...more,
});

const layerWeights = (name, weights) => ({ name, weights });
const dims = (weights, name) => withNames(weights, [`${name}_W`, `${name}_b`]);
// The order of gates is i, c, f, o in these files, and i, f, c, o in Keras 3.
const lstmGates = [
  ['i', 'c', 'f', 'o'],
  [0, 2, 1, 3],
];

test('Keras 1.2: a Sequential model as a bare list, with an LSTM whose gates are separate weights', async () => {
  const reference = shake(
    new mf.Sequential([
      mf.Input({ shape: [5], dtype: 'int32' }),
      layers.embedding({ inputDim: 8, outputDim: 4, maskZero: true }),
      layers.lstm({ units: 3, recurrentActivation: 'hard_sigmoid_keras2' }),
      layers.dense({ units: 2, activation: 'softmax' }),
    ]),
  );
  const [table, ...otherWeights] = valuesOf(reference);
  const config = {
    class_name: 'Sequential',
    keras_version: '1.2.2',
    config: [
      {
        class_name: 'Embedding',
        config: {
          name: 'embedding_1',
          trainable: true,
          batch_input_shape: [null, 5],
          input_dtype: 'int32',
          input_dim: 8,
          output_dim: 4,
          init: 'uniform',
          input_length: 5,
          mask_zero: true,
          activity_regularizer: null,
          W_regularizer: null,
          W_constraint: null,
          dropout: 0.3,
        },
      },
      { class_name: 'LSTM', config: { ...recurrent('lstm_1', 3), forget_bias_init: 'one' } },
      { class_name: 'Dropout', config: { p: 0.5, trainable: true, name: 'dropout_1' } },
      { class_name: 'Dense', config: dense('dense_1', 2) },
      { class_name: 'Activation', config: { name: 'a', trainable: true, activation: 'softmax' } },
    ],
  };
  const file = legacyH5({
    config,
    version: '1.2.2',
    layers: [
      layerWeights('embedding_1', withNames([table], ['embedding_1_W'])),
      layerWeights('lstm_1', keras1Gates(otherWeights.slice(0, 3), ...lstmGates, 'lstm_1')),
      layerWeights('dropout_1', []),
      layerWeights('dense_1', dims(otherWeights.slice(3), 'dense_1')),
      layerWeights('a', []),
    ],
  });
  assertSame(await mf.loadModel(file), reference, ids());
});

test('Keras 1: convolution with a kernel of four axes, batch normalization, GRU by gates, TimeDistributedDense', async () => {
  const reference = shake(
    new mf.Sequential([
      mf.Input({ shape: [8, 3] }),
      layers.conv1D({ filters: 4, kernelSize: 3, strides: 2, padding: 'same', activation: 'relu' }),
      layers.batchNormalization({ epsilon: 1e-5 }),
      layers.gru({
        units: 3,
        resetAfter: false,
        returnSequences: true,
        recurrentActivation: 'hard_sigmoid_keras2',
      }),
      layers.dense({ units: 2, activation: 'tanh' }),
    ]),
  );
  const [kernel, bias, ...otherWeights] = valuesOf(reference);
  const config = {
    class_name: 'Sequential',
    config: [
      {
        class_name: 'Convolution1D',
        config: {
          name: 'conv',
          trainable: true,
          batch_input_shape: [null, 8, 3],
          nb_filter: 4,
          filter_length: 3,
          init: 'uniform',
          activation: 'relu',
          border_mode: 'same',
          subsample_length: 2,
          W_regularizer: null,
          b_regularizer: null,
          activity_regularizer: null,
          W_constraint: null,
          b_constraint: null,
          bias: true,
          input_dim: 3,
          input_length: 8,
          input_dtype: 'float32',
        },
      },
      {
        class_name: 'BatchNormalization',
        config: {
          name: 'bn',
          trainable: true,
          mode: 0,
          axis: -1,
          epsilon: 1e-5,
          momentum: 0.99,
          gamma_regularizer: null,
          beta_regularizer: null,
          beta_init: 'zero',
          gamma_init: 'one',
        },
      },
      { class_name: 'GRU', config: recurrent('gru', 3, { return_sequences: true }) },
      {
        class_name: 'TimeDistributedDense',
        config: dense('tdd', 2, { activation: 'tanh', input_length: null }),
      },
    ],
  };
  const order = ['gamma', 'beta', 'running_mean', 'running_std'].map((kind) => `bn_${kind}`);
  const file = (convolution, backend) =>
    legacyH5({
      config,
      version: '1.2.0',
      backend,
      layers: [
        layerWeights('conv', [convolution, array('conv_b', bias.shape, bias.data)]),
        layerWeights('bn', withNames(otherWeights.slice(0, 4), order)),
        layerWeights(
          'gru',
          keras1Gates(otherWeights.slice(4, 7), ['z', 'r', 'h'], [0, 1, 2], 'gru'),
        ),
        layerWeights('tdd', dims(otherWeights.slice(7), 'tdd')),
      ],
    });
  const today = array('conv_W', [3, 1, 3, 4], kernel.data);
  assertSame(await mf.loadModel(file(today, 'tensorflow')), reference, floats([2, 8, 3]));

  // Keras 1.1 stores [filters, inputs, steps, 1].
  const older = Float32Array.from({ length: 36 }, (_, i) => {
    const [filter, input, step] = [Math.floor(i / 9), Math.floor(i / 3) % 3, i % 3];
    return kernel.data[(step * 3 + input) * 4 + filter];
  });
  const transposed = array('conv_W', [4, 3, 3, 1], older);
  assertSame(await mf.loadModel(file(transposed, 'tensorflow')), reference, floats([2, 8, 3]));

  // Theano flips the kernel, so its files contain the kernel reversed along the steps.
  const reversed = Float32Array.from({ length: 36 }, (_, i) => {
    return kernel.data[(2 - Math.floor(i / 12)) * 12 + (i % 12)];
  });
  const theano = array('conv_W', [3, 1, 3, 4], reversed);
  assertSame(await mf.loadModel(file(theano, 'theano')), reference, floats([2, 8, 3]));
});

test('Keras 1: a Sequential model that begins with a Merge of two others', async () => {
  const a = mf.Input({ shape: [4, 3] });
  const b = mf.Input({ shape: [6] });
  const left = layers.simpleRNN({ units: 2 }).apply(a);
  const right = layers.dense({ units: 2, activation: 'relu' }).apply(b);
  const concatenated = layers.concatenate({ axis: 1 }).apply([left, right]);
  const reference = shake(
    new mf.Model({ inputs: [a, b], outputs: layers.dense({ units: 1 }).apply(concatenated) }),
  );
  const byName = Object.fromEntries(
    reference.layers.map((layer) => [`${layer.className} ${layer.weights[0]?.shape}`, layer]),
  );
  const { inner_activation: _, ...simple } = recurrent('rnn', 2, {
    batch_input_shape: [null, 4, 3],
  });
  const branch = (layer) => ({ class_name: 'Sequential', config: [layer] });
  const config = {
    class_name: 'Sequential',
    config: [
      {
        class_name: 'Merge',
        config: {
          name: 'merge_1',
          mode: 'concat',
          mode_type: 'raw',
          concat_axis: 1,
          dot_axes: -1,
          arguments: {},
          output_shape: null,
          layers: [
            branch({ class_name: 'SimpleRNN', config: simple }),
            branch({
              class_name: 'Dense',
              config: dense('side', 2, { activation: 'relu', batch_input_shape: [null, 6] }),
            }),
          ],
        },
      },
      { class_name: 'Dense', config: dense('out', 1) },
    ],
  };
  const file = legacyH5({
    config,
    version: '1.1.1',
    layers: [
      layerWeights(
        'rnn',
        withNames(valuesOf(byName['SimpleRNN 3,2']), ['rnn_W', 'rnn_U', 'rnn_b']),
      ),
      layerWeights('side', dims(valuesOf(byName['Dense 6,2']), 'side')),
      layerWeights('out', dims(valuesOf(byName['Dense 4,1']), 'out')),
    ],
  });
  assertSame(await mf.loadModel(file), reference, [floats([2, 4, 3]), floats([2, 6], 3)]);
});

test('Keras 1: a graph whose Merge layers add and multiply', async () => {
  const x = mf.Input({ shape: [3] });
  const one = layers.dense({ units: 2, name: 'one' }).apply(x);
  const two = layers.dense({ units: 2, name: 'two' }).apply(x);
  const sum = layers.add().apply([one, two]);
  const reference = shake(
    new mf.Model({ inputs: x, outputs: layers.multiply().apply([sum, two]) }),
  );
  const merge = (name, mode, inbound) => ({
    class_name: 'Merge',
    name,
    config: { name, mode, mode_type: 'raw', concat_axis: -1, dot_axes: -1, arguments: {} },
    inbound_nodes: [inbound.map((from) => [from, 0, 0])],
  });
  const config = {
    class_name: 'Model',
    config: {
      name: 'model_1',
      layers: [
        {
          class_name: 'InputLayer',
          name: 'x',
          config: {
            name: 'x',
            batch_input_shape: [null, 3],
            input_dtype: 'float32',
            sparse: false,
          },
          inbound_nodes: [],
        },
        ...['one', 'two'].map((name) => ({
          class_name: 'Dense',
          name,
          config: dense(name, 2),
          inbound_nodes: [[['x', 0, 0]]],
        })),
        merge('sum', 'sum', ['one', 'two']),
        merge('product', 'mul', ['sum', 'two']),
      ],
      input_layers: [['x', 0, 0]],
      output_layers: [['product', 0, 0]],
    },
  };
  const layersOf = ['one', 'two'].map((name) =>
    layerWeights(name, dims(valuesOf(reference.getLayer(name)), name)),
  );
  const file = legacyH5({ config, version: '1.0.8', layers: layersOf });
  assertSame(await mf.loadModel(file), reference, floats([4, 3]));
});
