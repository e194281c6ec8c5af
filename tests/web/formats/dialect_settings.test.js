// SPDX-License-Identifier: MIT
// Settings of old configs, and how they appear in the loaded model.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import * as mf from '../../../dist/index.js';
import { array, legacyH5, withNames, valuesOf } from '../../support/legacy_files.js';
import { assertSame, floats, ids, shake } from '../../support/legacy_models.js';

await mf.ready({ onMaskDropped: 'silent' });
const { layers } = mf;

const zeros = (name, shape) =>
  array(name, shape, new Array(shape.reduce((product, dim) => product * dim, 1)).fill(0));

test('regularizers, constraints and initializers under their old names are converted', async () => {
  const config = {
    class_name: 'Sequential',
    config: [
      {
        class_name: 'Embedding',
        config: { name: 'e', input_dim: 5, output_dim: 2, input_length: 3, init: 'uniform' },
      },
      {
        class_name: 'Dense',
        config: {
          name: 'd',
          output_dim: 2,
          init: {
            class_name: 'VarianceScaling',
            config: { scale: 1, mode: 'fan_avg', distribution: 'normal', seed: null },
          },
          W_regularizer: { name: 'WeightRegularizer', l1: 0.1, l2: 0.2 },
          b_regularizer: { class_name: 'L2', config: { l2: 0.3 } },
          W_constraint: { name: 'MaxNorm', m: 2, axis: 0 },
          b_constraint: { class_name: 'NonNeg', config: {} },
        },
      },
    ],
  };
  const weights = [
    { name: 'e', weights: [zeros('e', [5, 2])] },
    { name: 'd', weights: [zeros('k', [2, 2]), zeros('b', [2])] },
  ];
  const model = await mf.loadModel(legacyH5({ config, version: '1.2.2', layers: weights }));
  const settings = model.getLayer('d').getConfig();
  const keras = (module, className, classConfig) => ({
    module: `keras.${module}`,
    class_name: className,
    config: classConfig,
    registered_name: null,
  });
  assert.deepEqual(
    settings.kernel_regularizer,
    keras('regularizers', 'L1L2', { l1: 0.1, l2: 0.2 }),
  );
  assert.deepEqual(settings.bias_regularizer, keras('regularizers', 'L2', { l2: 0.3 }));
  assert.deepEqual(
    settings.kernel_constraint,
    keras('constraints', 'MaxNorm', { max_value: 2, axis: 0 }),
  );
  assert.deepEqual(settings.bias_constraint, keras('constraints', 'NonNeg', {}));
  assert.equal(settings.kernel_initializer.config.distribution, 'truncated_normal');
  // An Embedding makes the input of the model an integer input.
  assert.equal(model.inputs[0].dtype, 'int32');
  assert.deepEqual(model.inputs[0].shape, [null, 3]);
});

test('causal Attention stays causal', async () => {
  const x = mf.Input({ shape: [4, 2] });
  const outputs = layers.attention().apply([x, x], { useCausalMask: true });
  const reference = new mf.Model({ inputs: x, outputs });
  const config = {
    class_name: 'Functional',
    config: {
      name: 'm',
      layers: [
        {
          class_name: 'InputLayer',
          name: 'x',
          config: { name: 'x', batch_input_shape: [null, 4, 2], dtype: 'float32' },
          inbound_nodes: [],
        },
        {
          class_name: 'Attention',
          name: 'a',
          config: { name: 'a', causal: true, use_scale: false, dropout: 0 },
          inbound_nodes: [
            [
              ['x', 0, 0, {}],
              ['x', 0, 0, {}],
            ],
          ],
        },
      ],
      input_layers: [['x', 0, 0]],
      output_layers: [['a', 0, 0]],
    },
  };
  const model = await mf.loadModel(legacyH5({ config, version: '2.4.0', layers: [] }));
  assertSame(model, reference, floats([2, 4, 2]));
});

test('both calls of an inner model are outputs', async () => {
  const make = () => {
    const x = mf.Input({ shape: [2] });
    return new mf.Model({
      inputs: x,
      outputs: layers.dense({ units: 2, name: 'd' }).apply(x),
      name: 'in',
    });
  };
  const [a, b] = [mf.Input({ shape: [2] }), mf.Input({ shape: [2] })];
  const inner = make();
  const reference = shake(
    new mf.Model({ inputs: [a, b], outputs: [inner.apply(a), inner.apply(b)] }),
  );
  const input = (name) => ({
    class_name: 'InputLayer',
    name,
    config: { name, batch_input_shape: [null, 2], dtype: 'float32' },
    inbound_nodes: [],
  });
  const functional = (name, list, inputs, outputs) => ({
    class_name: 'Functional',
    name,
    config: { name, layers: list, input_layers: inputs, output_layers: outputs },
  });
  const dense = {
    class_name: 'Dense',
    name: 'd',
    config: { name: 'd', units: 2 },
    inbound_nodes: [[['i', 0, 0, {}]]],
  };
  const inside = functional('in', [input('i'), dense], [['i', 0, 0]], [['d', 0, 0]]);
  for (const [firstCall, secondCall] of [
    [1, 2],
    [0, 1],
  ]) {
    const calls = { ...inside, inbound_nodes: [[['a', 0, 0, {}]], [['b', 0, 0, {}]]] };
    const config = functional(
      'm',
      [input('a'), input('b'), calls],
      [
        ['a', 0, 0],
        ['b', 0, 0],
      ],
      [
        ['in', firstCall, 0],
        ['in', secondCall, 0],
      ],
    );
    const weights = [
      { name: 'in', weights: withNames(valuesOf(reference), ['d/kernel:0', 'd/bias:0']) },
    ];
    const model = await mf.loadModel(legacyH5({ config, version: '2.6.0', layers: weights }));
    assertSame(model, reference, [floats([3, 2]), floats([3, 2], 2)]);
  }
});

test('TF.js: one name at two depths is resolved', async () => {
  const make = () => {
    const inside = new mf.Sequential(
      [mf.Input({ shape: [2] }), layers.dense({ units: 2, name: 'd' })],
      { name: 'in' },
    );
    const around = new mf.Sequential([mf.Input({ shape: [2] }), inside], { name: 'e' });
    return new mf.Sequential([
      mf.Input({ shape: [2] }),
      layers.dense({ units: 2, name: 'd' }),
      around,
      layers.dense({ units: 2, name: 'in' }),
    ]);
  };
  const reference = shake(make());
  const prefixes = ['d', 'e/in/d', 'in'];
  const values = valuesOf(reference);
  for (const order of [
    [0, 1, 2],
    [2, 1, 0],
    [1, 0, 2],
  ]) {
    const model = shake(make(), 8);
    const specs = order.flatMap((i) => [
      { name: `${prefixes[i]}/kernel`, shape: [2, 2], dtype: 'float32' },
      { name: `${prefixes[i]}/bias`, shape: [2], dtype: 'float32' },
    ]);
    const data = order.flatMap((i) => [...values[2 * i].data, ...values[2 * i + 1].data]);
    const json = { format: 'layers-model', weightsManifest: [{ paths: ['w'], weights: specs }] };
    const files = [
      { name: 'model.json', data: new TextEncoder().encode(JSON.stringify(json)) },
      { name: 'w', data: Float32Array.from(data) },
    ];
    await model.loadWeights({ files });
    assert.deepEqual(valuesOf(model), values);
  }
});

test('ids reach an Embedding although the file says float32', async () => {
  const reference = shake(
    new mf.Sequential([
      mf.Input({ shape: [5], dtype: 'int32' }),
      layers.embedding({ inputDim: 8, outputDim: 2, maskZero: true }),
    ]),
  );
  const config = {
    class_name: 'Sequential',
    config: {
      name: 's',
      layers: [
        {
          class_name: 'Embedding',
          config: {
            name: 'e',
            batch_input_shape: [null, 5],
            dtype: 'float32',
            input_dim: 8,
            output_dim: 2,
            mask_zero: true,
          },
        },
      ],
    },
  };
  const weights = [{ name: 'e', weights: withNames(valuesOf(reference), ['e/embeddings:0']) }];
  const model = await mf.loadModel(legacyH5({ config, version: '2.3.1', layers: weights }));
  assertSame(model, reference, ids());
});
