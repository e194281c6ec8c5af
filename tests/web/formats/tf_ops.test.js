// SPDX-License-Identifier: MIT
// Ops of TensorFlow in graphs of Keras 2 have the results of our ops.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import * as mf from '../../../dist/index.js';
import { legacyH5 } from '../../support/legacy_files.js';
import { internals } from '../../support/internals.js';
import { assertSame, floats } from '../../support/legacy_models.js';

await mf.ready({ onMaskDropped: 'silent' });
const { ops } = mf;

const input = (name) => ({
  class_name: 'InputLayer',
  name,
  config: { name, batch_input_shape: [null, 4, 3], dtype: 'float32', sparse: false, ragged: false },
  inbound_nodes: [],
});

const lambda = (name, fn, node, className = 'TFOpLambda') => ({
  class_name: className,
  name,
  config: { name, trainable: true, dtype: 'float32', function: fn },
  inbound_nodes: [node],
});

const load = (entries, output, version = '2.9.0', options = {}) =>
  mf.loadModel(
    legacyH5({
      config: {
        class_name: 'Functional',
        config: {
          name: 'ops',
          layers: [input('x'), input('y'), ...entries],
          input_layers: [
            ['x', 0, 0],
            ['y', 0, 0],
          ],
          output_layers: [[output, 0, 0]],
        },
      },
      version,
      layers: [],
    }),
    options,
  );

const slice = (start, stop, step) => ({ start, stop, step });
const tuple = (...items) => ({ class_name: '__tuple__', items });

// Each case has a name, a function of TensorFlow, its call in a file, and the same in maskflow.
const lambdas = [
  ['math.add', ['x', 0, 0, { y: ['y', 0, 0], name: null }], (x, y) => ops.add(x, y)],
  ['math.subtract', ['_CONSTANT_VALUE', -1, 1.5, { y: ['x', 0, 0] }], (x) => ops.subtract(1.5, x)],
  ['__operators__.mul', ['x', 0, 0, { y: 2 }], (x) => ops.multiply(x, 2)],
  ['math.truediv', ['x', 0, 0, { y: [2, 4, 8] }], (x) => ops.divide(x, [2, 4, 8])],
  [
    'math.reduce_mean',
    ['x', 0, 0, { axis: 1, keepdims: true }],
    (x) => ops.mean(x, { axis: 1, keepdims: true }),
  ],
  ['math.reduce_sum', ['x', 0, 0, { axis: [1, 2] }], (x) => ops.sum(x, { axis: [1, 2] })],
  ['nn.softmax', ['x', 0, 0, { axis: 1 }], (x) => ops.softmax(x, { axis: 1 })],
  ['reshape', ['x', 0, 0, { shape: tuple(-1, 2, 6) }], (x) => ops.reshape(x, [-1, 2, 6])],
  [
    'compat.v1.transpose',
    ['x', 0, 0, { perm: [0, 2, 1] }],
    (x) => ops.transpose(x, { axes: [0, 2, 1] }),
  ],
  ['expand_dims', ['x', 0, 0, { axis: -1 }], (x) => ops.expandDims(x, -1)],
  [
    'concat',
    [
      ['x', 0, 0, { axis: 2 }],
      ['y', 0, 0, { axis: 2 }],
    ],
    (x, y) => ops.concatenate([x, y], { axis: 2 }),
  ],
  [
    'stack',
    [
      ['x', 0, 0, {}],
      ['y', 0, 0, {}],
    ],
    (x, y) => ops.stack([x, y]),
  ],
  [
    'linalg.matmul',
    ['x', 0, 0, { b: ['y', 0, 0], transpose_b: true }],
    (x, y) => ops.matmul(x, ops.transpose(y, { axes: [0, 2, 1] })),
  ],
  [
    'linalg.matmul',
    ['x', 0, 0, { b: ['y', 0, 0], transpose_a: true, transpose_b: false }],
    (x, y) => ops.matmul(ops.transpose(x, { axes: [0, 2, 1] }), y),
  ],
  [
    'clip_by_value',
    ['x', 0, 0, { clip_value_min: -0.2, clip_value_max: 0.3 }],
    (x) => ops.clip(x, -0.2, 0.3),
  ],
  ['cast', ['x', 0, 0, { dtype: 'int64' }], (x) => ops.cast(x, 'int32')],
  [
    'gather',
    ['x', 0, 0, { indices: [1, 0, 1], batch_dims: 0 }],
    (x) => ops.take(x, [1, 0, 1], { axis: 0 }),
  ],
  ['nn.leaky_relu', ['x', 0, 0, { alpha: 0.3 }], (x) => ops.leakyRelu(x, { negativeSlope: 0.3 })],
  [
    'math.argmax',
    ['x', 0, 0, { axis: -1, output_type: 'int64' }],
    (x) => ops.argmax(x, { axis: -1 }),
  ],
  ['math.argmax', ['x', 0, 0, {}], (x) => ops.argmax(x, { axis: 0 })],
];

test('TFOpLambda', async () => {
  const [x, y] = [floats([2, 4, 3]), floats([2, 4, 3], 5)];
  for (const [fn, node, expectedOp] of lambdas) {
    const model = await load([lambda('op', fn, node)], 'op');
    assertSame({ apply: () => model.apply([x, y]) }, { apply: () => expectedOp(x, y) }, []);
  }
});

test('SlicingOpLambda', async () => {
  const [x, y] = [floats([2, 4, 3]), floats([2, 4, 3], 5)];
  const slices = [
    [slice(null, null, null), -1],
    [slice(null, null, null), slice(1, 4, 2)],
    [{ class_name: '__ellipsis__' }, slice(1, null, null)],
    [slice(null, null, null), null, 0],
  ];
  const expected = [
    x.array().map((row) => row.at(-1)),
    x.array().map((row) => [row[1], row[3]]),
    x.array().map((row) => row.map((step) => step.slice(1))),
    x.array().map((row) => [row[0]]),
  ];
  for (const [i, spec] of slices.entries()) {
    const node = ['x', 0, 0, { slice_spec: tuple(...spec) }];
    const model = await load(
      [lambda('op', '__operators__.getitem', node, 'SlicingOpLambda')],
      'op',
    );
    assert.deepEqual(model.predict([x, y]).array(), expected[i]);
  }
});

const node = (name, op, inbound, constants = {}, attr = {}) => ({
  class_name: 'TensorFlowOpLayer',
  name: `tf_op_layer_${name}`,
  config: {
    name,
    trainable: true,
    dtype: 'float32',
    node_def: { name, op, input: ['a', 'b'], attr: { T: { type: 'DT_FLOAT' }, ...attr } },
    constants,
  },
  inbound_nodes: [inbound.map((from) => [from, 0, 0, {}])],
});

const nodes = [
  [node('n', 'AddV2', ['x', 'y']), (x, y) => ops.add(x, y)],
  [node('n', 'Sub', ['x'], { 0: 2 }), (x) => ops.subtract(2, x)],
  [
    node('n', 'Mean', ['x'], { 1: [1] }, { keep_dims: { b: true } }),
    (x) => ops.mean(x, { axis: 1, keepdims: true }),
  ],
  [node('n', 'Reshape', ['x'], { 1: [-1, 12] }), (x) => ops.reshape(x, [-1, 12])],
  [node('n', 'ConcatV2', ['x', 'y'], { 2: -1 }), (x, y) => ops.concatenate([x, y], { axis: -1 })],
  [
    node('n', 'Pack', ['x', 'y'], {}, { axis: { i: '1' } }),
    (x, y) => ops.stack([x, y], { axis: 1 }),
  ],
  [
    node('n', 'BatchMatMulV2', ['x', 'y'], {}, { adj_y: { b: true } }),
    (x, y) => ops.matmul(x, ops.transpose(y, { axes: [0, 2, 1] })),
  ],
  [node('n', 'Cast', ['x'], {}, { DstT: { type: 'DT_INT32' } }), (x) => ops.cast(x, 'int32')],
  [
    node(
      'n',
      'StridedSlice',
      ['x'],
      { 1: [0, 1], 2: [0, 2], 3: [1, 1] },
      { begin_mask: { i: '1' }, end_mask: { i: 1 }, shrink_axis_mask: { i: '2' } },
    ),
    (x) => ops.getItem(x, [{ start: null }, 1]),
  ],
];

test('TensorFlowOpLayer', async () => {
  const [x, y] = [floats([2, 4, 3]), floats([2, 4, 3], 5)];
  for (const [entry, expectedOp] of nodes) {
    for (const text of [false, true]) {
      const entryCopy = structuredClone(entry);
      if (text) entryCopy.config.node_def = JSON.stringify(entryCopy.config.node_def);
      const model = await load([entryCopy], 'tf_op_layer_n', '2.2.0-tf');
      assertSame({ apply: () => model.apply([x, y]) }, { apply: () => expectedOp(x, y) }, []);
    }
  }
});

test('ops without an equivalent are listed at once, and can be replaced by name', async () => {
  const entries = [
    lambda('tf.signal', 'signal.fft', ['x', 0, 0, { name: null }]),
    lambda('tf.pad', 'compat.v1.pad', ['y', 0, 0, { paddings: [[0, 0]], mode: 'REFLECT' }]),
    lambda('tf.math.add', 'math.add', ['tf.signal', 0, 0, { y: ['tf.pad', 0, 0] }]),
  ];
  await assert.rejects(load(entries, 'tf.math.add'), (error) => {
    assert.equal(error.name, 'ConfigError');
    assert.match(error.message, /'tf\.signal' is TensorFlow's signal\.fft/);
    assert.match(error.message, /'tf\.pad' is TensorFlow's compat\.v1\.pad with mode "REFLECT"/);
    return true;
  });
  const customObjects = {
    'tf.signal': (x) => ops.multiply(x, 2),
    'tf.pad': (y) => ops.negative(y),
  };
  const model = await load(entries, 'tf.math.add', '2.9.0', { customObjects });
  const [x, y] = [floats([2, 4, 3]), floats([2, 4, 3], 5)];
  assertSame(
    { apply: () => model.apply([x, y]) },
    { apply: () => ops.subtract(ops.multiply(x, 2), y) },
    [],
  );
});

test('an argument without an equivalent is ignored if it changes nothing, and refused otherwise', async () => {
  const { isHarmless } = await internals('formats/dialects/tf_functions.ts');
  const harmless = {
    batch_dims: [0],
    mode: ['CONSTANT', 'constant'],
    exclusive: [false],
    reverse: [false],
    conjugate: [false],
    on_value: [1],
    off_value: [0],
    a_is_sparse: [false],
    b_is_sparse: [false],
    adjoint_a: [false],
    adjoint_b: [false],
  };
  const values = [0, 1, 2, -1, true, false, 'CONSTANT', 'constant', 'REFLECT', null];
  for (const [argument, expected] of Object.entries(harmless)) {
    const accepted = values.filter((value) => isHarmless(argument, value));
    assert.deepEqual(new Set(accepted), new Set(expected), argument);
  }
  for (const argument of ['name', 'dtype', 'output_type', 'validate_indices', 'num']) {
    assert.ok(
      values.every((value) => isHarmless(argument, value)),
      argument,
    );
  }
  for (const argument of ['transpose_a', 'toString', '']) assert.ok(!isHarmless(argument, 0));
  const product = (settings) =>
    load([lambda('m', 'linalg.matmul', ['x', 0, 0, { b: ['y', 0, 0], ...settings }])], 'm');
  await assert.rejects(product({ adjoint_a: true }), /adjoint_a/);
});
