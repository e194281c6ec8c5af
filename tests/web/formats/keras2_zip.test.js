// SPDX-License-Identifier: MIT
// The `.keras` and `.weights.h5` of Keras 2.12 to 2.15: a zip as today, with a config of Keras 2
// inside.
import { test } from 'node:test';
import * as mf from '../../../dist/index.js';
import { storedZip, treeH5, valuesOf } from '../../support/legacy_files.js';
import { assertSame, floats, shake } from '../../support/legacy_models.js';

await mf.ready({ onMaskDropped: 'silent' });
const { layers } = mf;

function reference() {
  const x = mf.Input({ shape: [4, 3], name: 'x' });
  let y = layers.masking({ maskValue: 9 }).apply(x);
  y = layers.lstm({ units: 3, returnSequences: true, name: 'rnn' }).apply(y);
  for (const name of ['a', 'b', 'c'])
    y = layers.dense({ units: 3, activation: 'tanh', name }).apply(y);
  const settings = { numHeads: 2, keyDim: 2, name: 'att' };
  y = layers.multiHeadAttention(settings).apply({ query: y, value: y });
  return shake(new mf.Model({ inputs: x, outputs: y }));
}

const object = (module, className, config) => ({
  module,
  class_name: className,
  config,
  registered_name: null,
});
const zeros = object('keras.initializers', 'Zeros', {});
const entry = (className, name, config, inbound) => ({
  ...object('keras.layers', className, { name, trainable: true, dtype: 'float32', ...config }),
  name,
  build_config: { input_shape: [null, 4, 3] },
  inbound_nodes: inbound,
});

const dense = (name, from) =>
  entry(
    'Dense',
    name,
    {
      units: 3,
      activation: 'tanh',
      use_bias: true,
      bias_initializer: zeros,
      kernel_regularizer: object('keras.regularizers', 'L2', { l2: 0.01 }),
    },
    [[[from, 0, 0, {}]]],
  );

const config = {
  ...object('keras.src.engine.functional', 'Functional', {
    name: 'model',
    trainable: true,
    layers: [
      entry(
        'InputLayer',
        'x',
        { batch_input_shape: [null, 4, 3], sparse: false, ragged: false },
        [],
      ),
      entry('Masking', 'm', { mask_value: 9 }, [[['x', 0, 0, {}]]]),
      entry(
        'LSTM',
        'rnn',
        {
          units: 3,
          return_sequences: true,
          time_major: false,
          implementation: 2,
          unit_forget_bias: true,
        },
        [[['m', 0, 0, {}]]],
      ),
      dense('a', 'rnn'),
      dense('b', 'a'),
      dense('c', 'b'),
      entry(
        'MultiHeadAttention',
        'att',
        {
          num_heads: 2,
          key_dim: 2,
          value_dim: 2,
          attention_axes: [1],
          query_shape: [null, 4, 3],
          key_shape: [null, 4, 3],
          value_shape: [null, 4, 3],
        },
        [[['c', 0, 0, { value: ['c', 0, 0], training: null }]]],
      ),
    ],
    input_layers: [['x', 0, 0]],
    output_layers: [['att', 0, 0]],
  }),
  registered_name: 'Functional',
  build_config: { input_shape: [null, 4, 3] },
};

/** Weights by path. `dense` lists the names of the groups of the three dense layers. */
function weights(model, list, groups, attention) {
  const result = {};
  const addWeights = (path, values) => {
    values.forEach((value, i) => {
      result[`${path}/vars/${i}`] = value;
    });
  };
  addWeights(`${list}/lstm/cell`, valuesOf(model.getLayer('rnn')));
  for (const [i, name] of ['a', 'b', 'c'].entries()) {
    addWeights(`${list}/${groups[i]}`, valuesOf(model.getLayer(name)));
  }
  const parts = valuesOf(model.getLayer('att'));
  for (const [i, name] of ['query', 'key', 'value', 'output'].entries()) {
    addWeights(`${list}/multi_head_attention/${attention(name)}`, parts.slice(2 * i, 2 * i + 2));
  }
  return result;
}

const publicName = (name) => `${name}_dense`;
const privateName = (name) => `_${name}_dense`;

const cases = {
  '2.12.0': ['_layer_checkpoint_dependencies', ['dense', 'dense_2', 'dense_4'], privateName],
  '2.13.1': ['layers', ['dense', 'dense_1', 'dense_2'], privateName],
  '2.15.0': ['layers', ['dense', 'dense_1', 'dense_2'], publicName],
};

const onWindows = (arrays) =>
  Object.fromEntries(
    Object.entries(arrays).map(([path, value]) => {
      const [group, index] = path.split('/vars/');
      return [`${group.replaceAll('/', '\\')}/vars/${index}`, value];
    }),
  );

for (const [version, [list, groups, attention]] of Object.entries(cases)) {
  test(`.keras and .weights.h5 of Keras ${version} load, also from Windows`, async () => {
    const expected = reference();
    const arrays = weights(expected, list, groups, attention);
    const x = floats([2, 4, 3]);
    for (const tree of [arrays, onWindows(arrays)]) {
      const h5 = treeH5(tree);
      const file = storedZip({
        'metadata.json': { keras_version: version, date_saved: '2023-04-05@06:07:08' },
        'config.json': config,
        'model.weights.h5': h5,
      });
      assertSame(await mf.loadModel(file), expected, x);
      const otherModel = shake(mf.Model.fromConfig(expected.getConfig()), 77);
      await otherModel.loadWeights(h5);
      assertSame(otherModel, expected, x);
    }
  });
}
