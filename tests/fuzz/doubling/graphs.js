// SPDX-License-Identifier: MIT
// Architectures as JSON: layers, calls, names, wrappers, arguments and nested models.
import * as mf from '../../../dist/train.js';
import { pick } from '../../support/random.js';

/** Names in styles that lists and prefixes find hard: short, long, equal beginnings, Unicode. */
export function names(random) {
  const prefix = pick(random, ['d', 'dense_', 'x'.repeat(60), 'größe_', 'a/b/', 'layer.']);
  const suffix = pick(random, ['', '_', 'y'.repeat(20)]);
  return (i) => `${prefix}${i}${suffix}`;
}

export const layer = (class_name, name, config = {}, more = {}) => ({
  module: 'keras.layers',
  class_name,
  config: { name, ...config },
  registered_name: null,
  name,
  ...more,
});

export const symbol = (name, node = 0, index = 0) => ({
  class_name: '__keras_tensor__',
  config: { shape: [null, 2], dtype: 'float32', keras_history: [name, node, index] },
});

const call = (...tensors) => ({
  args: [tensors.length === 1 ? tensors[0] : tensors],
  kwargs: {},
});
const input = (name) =>
  layer('InputLayer', name, { batch_shape: [null, 2], dtype: 'float32' }, { inbound_nodes: [] });
const identity = (name, ...nodes) =>
  layer('Activation', name, { activation: 'linear' }, { inbound_nodes: nodes });

export const functional = (layers, inputs, outputs, name = 'm') => ({
  module: 'keras',
  class_name: 'Functional',
  config: { name, trainable: true, layers, input_layers: inputs, output_layers: outputs },
  registered_name: null,
  name,
});
export const sequential = (layers, name = 's') => ({
  module: 'keras',
  class_name: 'Sequential',
  config: { name, layers },
  registered_name: null,
});
const end = (name, node = 0) => [name, node, 0];
const range = (size, make) => Array.from({ length: size }, (_, i) => make(i));

export const load = (text) => mf.loadModel(text, { weights: null });
const asModel = (make, options) => ({
  make: (size, random) => JSON.stringify(make(size, random, names(random))),
  run: load,
  ...options,
});

const kinds = [
  ['Dense', { units: 2 }],
  ['Activation', { activation: 'relu' }],
  ['Dropout', { rate: 0.5 }],
  ['LayerNormalization', {}],
  ['Reshape', { target_shape: [2] }],
];

function shuffledStar(size, random, name) {
  const order = range(size, (i) => i).sort(() => random() - 0.5);
  const layers = order.map((i) => identity(name(i), call(symbol('in'))));
  const merge = layer(
    'Add',
    'sum',
    {},
    { inbound_nodes: [call(...order.map((i) => symbol(name(i))))] },
  );
  return functional([input('in'), ...layers, merge], [end('in')], [end('sum')]);
}

export const graphStructures = {
  'loadModel: a Sequential of many layers': asModel((size, random, name) =>
    sequential([
      input('in'),
      ...range(size, (i) => {
        const [kind, config] = pick(random, kinds);
        return layer(kind, name(i), config);
      }),
    ]),
  ),
  'loadModel: a chain of layers': asModel((size, _, name) =>
    functional(
      [
        input('in'),
        ...range(size, (i) => identity(name(i), call(symbol(i > 0 ? name(i - 1) : 'in')))),
      ],
      [end('in')],
      [end(name(size - 1))],
    ),
  ),
  'loadModel: a layer that is called many times': asModel((size, random) => {
    const isChain = random() < 0.5;
    const nodes = range(size, (i) => call(isChain && i > 0 ? symbol('d', i - 1) : symbol('in')));
    return functional([input('in'), identity('d', ...nodes)], [end('in')], [end('d', size - 1)]);
  }),
  'loadModel: calls that nothing completes': asModel((size, random) => {
    const missing = pick(random, [symbol('other'), symbol('d', 3)]);
    const nodes = range(size, () => call(missing));
    return functional([input('in'), identity('d', ...nodes)], [end('in')], [end('d')]);
  }),
  'loadModel: a star of layers': asModel(shuffledStar),
  'loadModel: many inputs and outputs': asModel((size, _, name) =>
    functional(
      range(size, (i) => [input(name(i)), identity(`o${name(i)}`, call(symbol(name(i))))]).flat(),
      range(size, (i) => end(name(i))),
      range(size, (i) => end(`o${name(i)}`)),
    ),
  ),
  'loadModel: operations': asModel((size, random, name) => {
    const op = pick(random, ['Add', 'Subtract', 'Maximum']);
    const layers = range(size, (i) => ({
      module: 'keras.src.ops.numpy',
      class_name: op,
      config: { name: name(i) },
      registered_name: op,
      name: name(i),
      inbound_nodes: [
        { args: [symbol(i > 0 ? name(i - 1) : 'in'), pick(random, [1, symbol('in')])], kwargs: {} },
      ],
    }));
    return functional([input('in'), ...layers], [end('in')], [end(name(size - 1))]);
  }),
  'loadModel: models inside of a model': asModel((size, _, name) =>
    functional(
      [
        input('in'),
        ...range(size, (i) => ({
          ...functional(
            [input('x'), identity('y', call(symbol('x')))],
            [end('x')],
            [end('y')],
            name(i),
          ),
          inbound_nodes: [call(symbol(i > 0 ? name(i - 1) : 'in'))],
        })),
      ],
      [end('in')],
      [end(name(size - 1), 1)],
    ),
  ),
  'loadModel: a cell of many cells': asModel((size, _, name) =>
    sequential([
      layer('InputLayer', 'in', { batch_shape: [null, 3, 2], dtype: 'float32' }),
      layer('RNN', 'rnn', {
        cell: {
          module: 'keras.layers',
          class_name: 'StackedRNNCells',
          config: { cells: range(size, (i) => layer('SimpleRNNCell', name(i), { units: 1 })) },
        },
      }),
    ]),
  ),
  'loadModel: wrappers': asModel((size, _, name) =>
    sequential([
      layer('InputLayer', 'in', { batch_shape: [null, 3, 2], dtype: 'float32' }),
      ...range(size, (i) =>
        layer('Bidirectional', name(i), {
          layer: layer('SimpleRNN', `b${name(i)}`, { units: 1, return_sequences: true }),
        }),
      ),
    ]),
  ),
  'loadModel: long lists among settings': asModel((size, random) => {
    const numbers = range(size, () => Math.round(random() * 1000) / 1000);
    return sequential([
      layer('InputLayer', 'in', { batch_shape: [null, size], dtype: 'float32' }),
      layer('Normalization', 'n', { axis: -1, mean: numbers, variance: numbers }),
    ]);
  }),
  'loadModel: many unknown settings': asModel((size, _, name) =>
    sequential([
      input('in'),
      layer('Dense', 'd', { units: 1, ...Object.fromEntries(range(size, (i) => [name(i), i])) }),
    ]),
  ),
  'loadModel: many named arguments': asModel((size, random, name) => {
    const kwargs = Object.fromEntries(
      range(size, (i) => [name(i), pick(random, [null, 1, symbol('in')])]),
    );
    return functional(
      [
        input('in'),
        layer('Dense', 'd', { units: 1 }, { inbound_nodes: [{ args: [symbol('in')], kwargs }] }),
      ],
      [end('in')],
      [end('d')],
    );
  }),
  'loadModel: unknown classes': asModel((size, random, name) => {
    const isOne = random() < 0.5;
    return sequential([
      input('in'),
      ...range(size, (i) => ({
        ...layer(isOne ? 'Mine' : `Mine${i}`, name(i)),
        module: 'm',
        registered_name: isOne ? 'p>Mine' : `p>Mine${i}`,
      })),
    ]);
  }),
  'loadModel: equal names of layers': asModel((size, random) =>
    sequential([
      input('in'),
      ...range(size, () =>
        layer('Activation', pick(random, ['a', 'a', 'b']), { activation: 'relu' }),
      ),
    ]),
  ),
  'loadModel: a graph of Keras 2': asModel((size, _, name) => ({
    class_name: 'Functional',
    keras_version: '2.15.0',
    config: {
      name: 'm',
      layers: [
        {
          class_name: 'InputLayer',
          name: 'in',
          config: { batch_input_shape: [null, 2], dtype: 'float32', name: 'in' },
          inbound_nodes: [],
        },
        ...range(size, (i) => ({
          class_name: 'Dense',
          name: name(i),
          config: { name: name(i), units: 2 },
          inbound_nodes: [[[i > 0 ? name(i - 1) : 'in', 0, 0, {}]]],
        })),
      ],
      input_layers: [['in', 0, 0]],
      output_layers: [[name(size - 1), 0, 0]],
    },
  })),
  'loadModel: operations of TensorFlow': asModel((size, _, name) => ({
    class_name: 'Functional',
    keras_version: '2.4.0',
    config: {
      name: 'm',
      layers: [
        {
          class_name: 'InputLayer',
          name: 'in',
          config: { batch_input_shape: [null, 2], dtype: 'float32', name: 'in' },
          inbound_nodes: [],
        },
        ...range(size, (i) => ({
          class_name: 'TensorFlowOpLayer',
          name: name(i),
          config: {
            name: name(i),
            node_def: JSON.stringify({
              name: name(i),
              op: 'AddV2',
              input: ['a', 'b'],
              attr: { T: { type: 'DT_FLOAT' } },
            }),
            constants: { 1: 1 },
          },
          inbound_nodes: [[[i > 0 ? name(i - 1) : 'in', 0, 0, {}]]],
        })),
      ],
      input_layers: [['in', 0, 0]],
      output_layers: [[name(size - 1), 0, 0]],
    },
  })),
  'loadModel: a Sequential of Keras 1': asModel((size, _, name) => ({
    class_name: 'Sequential',
    keras_version: '1.2.2',
    config: range(size, (i) => ({
      class_name: 'Dense',
      config: {
        name: name(i),
        output_dim: 2,
        ...(i === 0 ? { batch_input_shape: [null, 2] } : {}),
      },
    })),
  })),
  'Model.fromConfig: a chain of layers': {
    make: (size, random) =>
      JSON.parse(graphStructures['loadModel: a chain of layers'].make(size, random)).config,
    run: (config) => mf.Model.fromConfig(config),
  },
  'deserializeLayer: a chain of layers': {
    make: (size, random) =>
      JSON.parse(graphStructures['loadModel: a chain of layers'].make(size, random)),
    run: (config) => mf.deserializeLayer(config),
  },
};
