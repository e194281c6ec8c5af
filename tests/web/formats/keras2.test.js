// SPDX-License-Identifier: MIT
// Hand-made files of Keras 2 have the results of the same model built with today's API.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import * as mf from '../../../dist/index.js';
import { legacyH5, withNames, valuesOf } from '../../support/legacy_files.js';
import { assertSame, floats, ids, shake } from '../../support/legacy_models.js';

await mf.ready({ onMaskDropped: 'silent' });
const { layers } = mf;

const layerWeights = (name, weights) => ({ name, weights });
const entry = (className, name, config, inbound) => ({
  class_name: className,
  name,
  config: { name, trainable: true, dtype: 'float32', ...config },
  inbound_nodes: inbound,
});
const input = (name, shape, dtype = 'float32') =>
  entry('InputLayer', name, { batch_input_shape: [null, ...shape], dtype, sparse: false }, []);
const lstmNames = (prefix) =>
  ['kernel', 'recurrent_kernel', 'bias'].map((kind) => `${prefix}/${kind}:0`);
const model = (layerList, inputs, outputs, className = 'Model') => ({
  class_name: className,
  config: {
    name: 'model_1',
    layers: layerList,
    input_layers: inputs.map((name) => [name, 0, 0]),
    output_layers: outputs,
  },
});

const modelInside = () => {
  const x = mf.Input({ shape: [6, 3], name: 'inner_in' });
  const normal = layers.batchNormalization({ name: 'bn' }).apply(x);
  const hidden = layers.dense({ units: 4, name: 'hidden', activation: 'relu' }).apply(normal);
  const copy = layers.batchNormalization({ name: 'bn2' }).apply(hidden);
  return new mf.Model({ inputs: x, outputs: copy, name: 'inner' });
};

test('Keras 2.0: an inner model that is called twice stores the trainable weights of all its layers first', async () => {
  const inner = modelInside();
  const [a, b] = [mf.Input({ shape: [6, 3] }), mf.Input({ shape: [6, 3] })];
  const difference = layers.subtract().apply([inner.apply(a), inner.apply(b)]);
  const pooled = layers.globalAveragePooling1D().apply(difference);
  const reference = shake(
    new mf.Model({
      inputs: [a, b],
      outputs: layers.dense({ units: 1, name: 'out' }).apply(pooled),
    }),
  );
  const [g1, b1, m1, v1, kernel, bias, g2, b2, m2, v2] = valuesOf(reference.getLayer('inner'));
  const file = (versionOfCalls) => {
    const bn = { axis: -1, momentum: 0.99, epsilon: 1e-3, center: true, scale: true };
    const innerConfig = {
      name: 'inner',
      layers: [
        input('inner_in', [6, 3]),
        entry('BatchNormalization', 'bn', bn, [[['inner_in', 0, 0, {}]]]),
        entry('Dense', 'hidden', { units: 4, activation: 'relu', use_bias: true }, [
          [['bn', 0, 0, {}]],
        ]),
        entry('BatchNormalization', 'bn2', { ...bn, axis: [2] }, [[['hidden', 0, 0, {}]]]),
      ],
      input_layers: [['inner_in', 0, 0]],
      output_layers: [['bn2', 0, 0]],
    };
    const innerEntry = {
      class_name: 'Model',
      name: 'inner',
      config: innerConfig,
      inbound_nodes: [[['a', 0, 0, {}]], [['b', 0, 0, {}]]],
    };
    const [firstCall, secondCall] = versionOfCalls;
    const config = model(
      [
        input('a', [6, 3]),
        input('b', [6, 3]),
        innerEntry,
        entry('Subtract', 'less', {}, [
          [
            ['inner', firstCall, 0, {}],
            ['inner', secondCall, 0, {}],
          ],
        ]),
        entry('GlobalAveragePooling1D', 'pool', {}, [[['less', 0, 0, {}]]]),
        entry('Dense', 'out', { units: 1, activation: 'linear', use_bias: true }, [
          [['pool', 0, 0, {}]],
        ]),
      ],
      ['a', 'b'],
      [['out', 0, 0]],
    );
    const order = [g1, b1, kernel, bias, g2, b2, m1, v1, m2, v2];
    const names =
      'bn/gamma:0 bn/beta:0 hidden/kernel:0 hidden/bias:0 bn2/gamma:0 bn2/beta:0 bn/moving_mean:0 bn/moving_variance:0 bn2/moving_mean:0 bn2/moving_variance:0'.split(
        ' ',
      );
    return legacyH5({
      config,
      version: '2.0.6',
      layers: [
        layerWeights('a', []),
        layerWeights('b', []),
        layerWeights('inner', withNames(order, names)),
        layerWeights(
          'out',
          withNames(valuesOf(reference.getLayer('out')), ['out/kernel:0', 'out/bias:0']),
        ),
      ],
    });
  };
  const x = [floats([2, 6, 3]), floats([2, 6, 3], 4)];
  // Some versions count the call that created the model, others do not.
  assertSame(await mf.loadModel(file([1, 2])), reference, x);
  assertSame(await mf.loadModel(file([0, 1])), reference, x);
});

test('Keras 2: the output of an inner model can be an output of the model', async () => {
  const reference = shake(modelInside());
  const bn = { axis: -1, momentum: 0.99, epsilon: 1e-3, center: true, scale: true };
  const innerEntry = {
    class_name: 'Sequential',
    name: 'inner',
    config: {
      name: 'inner',
      layers: [
        {
          class_name: 'BatchNormalization',
          config: { ...bn, name: 'bn', batch_input_shape: [null, 6, 3] },
        },
        { class_name: 'Dense', config: { name: 'hidden', units: 4, activation: 'relu' } },
        { class_name: 'BatchNormalization', config: { ...bn, name: 'bn2' } },
      ],
    },
    inbound_nodes: [[['x', 0, 0, {}]]],
  };
  const values = valuesOf(reference);
  const order = [0, 1, 4, 5, 6, 7, 2, 3, 8, 9].map((i) => values[i]);
  for (const className of ['Sequential', 'Functional']) {
    const inside =
      className === 'Sequential'
        ? innerEntry
        : {
            ...innerEntry,
            ...model(
              [
                input('i', [6, 3]),
                ...innerEntry.config.layers.map(({ class_name, config }, i) =>
                  entry(class_name, config.name, config, [[[['i', 'bn', 'hidden'][i], 0, 0, {}]]]),
                ),
              ],
              ['i'],
              [['bn2', 0, 0]],
              'Functional',
            ),
          };
    const config = model([input('x', [6, 3]), inside], ['x'], [['inner', 1, 0]], 'Functional');
    const names = order.map((_, i) => `w${i}:0`);
    const file = legacyH5({
      config,
      version: '2.4.0',
      layers: [layerWeights('inner', withNames(order, names))],
    });
    assertSame(await mf.loadModel(file), reference, floats([2, 6, 3]));
  }
});

/**
 * An encoder and a decoder. In Keras 2 the decoder's mask is used; today it must be passed
 * explicitly.
 */
function sequenceToSequence() {
  const source = mf.Input({ shape: [5], dtype: 'int32' });
  const target = mf.Input({ shape: [5], dtype: 'int32' });
  const embed = () => layers.embedding({ inputDim: 8, outputDim: 3, maskZero: true });
  const [, h, c] = layers.lstm({ units: 4, returnState: true }).apply(embed().apply(source));
  const table = embed();
  const decoder = layers.lstm({ units: 4, returnSequences: true });
  const steps = decoder.apply(table.apply(target), {
    initialState: [h, c],
    mask: mf.ops.notEqual(target, 0),
  });
  const outputs = layers.dense({ units: 2 }).apply(steps);
  return shake(new mf.Model({ inputs: [source, target], outputs }));
}

test('Keras 2: an LSTM with states as further inputs uses its mask', async () => {
  const reference = sequenceToSequence();
  const embedding = { input_dim: 8, output_dim: 3, mask_zero: true, input_length: null };
  const lstm = { units: 4, recurrent_activation: 'sigmoid', implementation: 1 };
  const config = model(
    [
      input('s', [5]),
      input('t', [5]),
      entry('Embedding', 'es', embedding, [[['s', 0, 0, {}]]]),
      entry('Embedding', 'et', embedding, [[['t', 0, 0, {}]]]),
      entry('LSTM', 'enc', { ...lstm, return_state: true, time_major: false }, [
        [['es', 0, 0, {}]],
      ]),
      entry('LSTM', 'dec', { ...lstm, return_sequences: true }, [
        [
          ['et', 0, 0, {}],
          ['enc', 0, 1, {}],
          ['enc', 0, 2, {}],
        ],
      ]),
      entry(
        'TimeDistributed',
        'td',
        { layer: { class_name: 'Dense', config: { name: 'd', units: 2, activation: 'linear' } } },
        [[['dec', 0, 0, {}]]],
      ),
    ],
    ['s', 't'],
    [['td', 0, 0]],
  );
  // The layers of our model, found by shape: tables, recurrent layers, the dense one.
  const find = (className) => reference.layers.filter((layer) => layer.className === className);
  const [es, et] = find('Embedding');
  const [enc, dec] = find('LSTM');
  const [dense] = find('Dense');
  const encoderFirst = enc.getConfig().return_state;
  const [encoder, decoder] = encoderFirst ? [enc, dec] : [dec, enc];
  const layersOf = (source, target) => [
    layerWeights('es', withNames(valuesOf(source), ['es/embeddings:0'])),
    layerWeights('et', withNames(valuesOf(target), ['et/embeddings:0'])),
    layerWeights('enc', withNames(valuesOf(encoder), lstmNames('enc'))),
    // TensorFlow 2 adds the name of the cell to the names of weights.
    layerWeights('dec', withNames(valuesOf(decoder), lstmNames('dec/lstm_cell_1'))),
    layerWeights('td', withNames(valuesOf(dense), ['td/kernel:0', 'td/bias:0'])),
  ];
  const x = [
    ids(),
    mf.tensor(
      [
        [1, 2, 0, 4, 0],
        [5, 6, 0, 0, 0],
        [7, 6, 5, 0, 3],
      ],
      { dtype: 'int32' },
    ),
  ];
  const loaded = await mf.loadModel(
    legacyH5({ config, version: '2.2.4', layers: layersOf(es, et) }),
  );
  const outputs = loaded.predict(x).array();
  const expected = reference.predict(x).array();
  assert.ok(Math.abs(outputs[0][3][0] - expected[0][3][0]) < 1e-6, `${outputs[0]} ${expected[0]}`);
  assertSame({ apply: () => loaded.predict(x) }, { apply: () => reference.predict(x) }, x);
  // The mask survives saving and loading.
  const copy = mf.Model.fromConfig(loaded.getConfig());
  copy.setWeights(loaded.getWeights());
  assertSame({ apply: () => copy.predict(x) }, { apply: () => reference.predict(x) }, x);
});

test('Keras 2: hard_sigmoid is the old one, unless the file says otherwise', async () => {
  const config = {
    class_name: 'Sequential',
    config: [
      {
        class_name: 'LSTM',
        config: {
          name: 'l',
          units: 2,
          batch_input_shape: [null, 3, 2],
          recurrent_activation: 'hard_sigmoid',
        },
      },
      { class_name: 'Activation', config: { name: 'a', activation: 'hard_sigmoid' } },
    ],
  };
  const make = (name) =>
    shake(
      new mf.Sequential([
        mf.Input({ shape: [3, 2] }),
        layers.lstm({ units: 2, recurrentActivation: name }),
        layers.activation({ activation: name }),
      ]),
    );
  const [old, today] = ['hard_sigmoid_keras2', 'hard_sigmoid'].map(make);
  const bytes = legacyH5({
    config,
    version: '2.3.1',
    layers: [layerWeights('l', withNames(valuesOf(old), lstmNames('l')))],
  });
  const x = floats([2, 3, 2]);
  assertSame(await mf.loadModel(bytes), old, x);
  assertSame(await mf.loadModel(bytes, { hardSigmoid: 'keras3' }), today, x);
  assert.notDeepEqual(old.predict(x).array(), today.predict(x).array());
});

test('GRU of Keras 2: reset_after comes from the file, and is off by default', async () => {
  for (const resetAfter of [false, true, undefined]) {
    const reference = shake(
      new mf.Sequential([
        mf.Input({ shape: [4, 2] }),
        layers.gru({ units: 3, resetAfter: resetAfter ?? false }),
      ]),
    );
    const settings = resetAfter === undefined ? {} : { reset_after: resetAfter };
    const config = {
      class_name: 'Sequential',
      config: [
        {
          class_name: 'GRU',
          config: {
            name: 'g',
            units: 3,
            recurrent_activation: 'sigmoid',
            batch_input_shape: [null, 4, 2],
            ...settings,
          },
        },
      ],
    };
    const layersOf = [layerWeights('g', withNames(valuesOf(reference), lstmNames('g')))];
    const file = legacyH5({ config, version: '2.1.5', layers: layersOf });
    assertSame(await mf.loadModel(file), reference, floats([2, 4, 2]));
  }
});

test('names without :0, without groups, a config in parts, and NaN in it', async () => {
  const reference = shake(
    new mf.Sequential([mf.Input({ shape: [4, 2] }), layers.simpleRNN({ units: 3 })]),
  );
  const config = JSON.stringify({
    class_name: 'Sequential',
    config: {
      name: 'NaN, Infinity',
      layers: [
        {
          class_name: 'Masking',
          config: { name: 'm', mask_value: 'HERE', batch_input_shape: [null, 4, 2] },
        },
        {
          class_name: 'SimpleRNN',
          config: {
            name: 'rnn',
            units: 3,
            dtype: { class_name: 'Policy', config: { name: 'mixed_float16' } },
          },
        },
      ],
    },
  }).replace('"HERE"', 'NaN');
  const weights = withNames(valuesOf(reference), [
    'kernel',
    'rnn/recurrent_kernel',
    'rnn/rnn/bias',
  ]);
  const file = legacyH5({
    config,
    version: '2.1.6',
    backend: 'cntk',
    layers: [layerWeights('m', []), layerWeights('rnn', weights)],
    parts: 3,
  });
  const loaded = await mf.loadModel(file);
  assertSame(loaded, reference, floats([2, 4, 2]));
  assert.equal(loaded.name, 'NaN, Infinity');
});

test('the weights of a frozen layer keep the order of their creation', async () => {
  const reference = shake(
    new mf.Sequential([
      mf.Input({ shape: [3] }),
      layers.batchNormalization(),
      layers.dense({ units: 2 }),
    ]),
  );
  const config = {
    class_name: 'Sequential',
    config: {
      name: 's',
      layers: [
        {
          class_name: 'Sequential',
          config: {
            name: 'frozen',
            trainable: false,
            layers: [
              {
                class_name: 'BatchNormalization',
                config: {
                  name: 'bn',
                  trainable: false,
                  batch_input_shape: [null, 3],
                  axis: [1],
                  epsilon: 1e-3,
                },
              },
              {
                class_name: 'Dense',
                config: { name: 'd', trainable: false, units: 2, activation: 'linear' },
              },
            ],
          },
        },
      ],
    },
  };
  const names =
    'bn/gamma:0 bn/beta:0 bn/moving_mean:0 bn/moving_variance:0 d/kernel:0 d/bias:0'.split(' ');
  const values = valuesOf(reference);
  const file = (order) =>
    legacyH5({
      config,
      version: '2.8.0',
      layers: [
        layerWeights(
          'frozen',
          withNames(
            order.map((i) => values[i]),
            order.map((i) => names[i]),
          ),
        ),
      ],
    });
  assertSame(await mf.loadModel(file([0, 1, 2, 3, 4, 5])), reference, floats([2, 3]));
  // Some versions wrote the moving statistics last. The reader must match arrays by their names.
  assertSame(await mf.loadModel(file([0, 1, 4, 5, 2, 3])), reference, floats([2, 3]));
});

test('Bidirectional with a separate backward layer', async () => {
  const reference = shake(
    new mf.Sequential([
      mf.Input({ shape: [4, 2] }),
      layers.bidirectional({
        layer: layers.lstm({ units: 2, returnSequences: true }),
        backwardLayer: layers.lstm({
          units: 3,
          returnSequences: true,
          goBackwards: true,
          activation: 'relu',
        }),
      }),
    ]),
  );
  const lstm = (name, units, more) => ({
    class_name: 'LSTM',
    config: {
      name,
      units,
      return_sequences: true,
      activation: 'tanh',
      recurrent_activation: 'sigmoid',
      unit_forget_bias: null,
      ...more,
    },
  });
  const config = {
    class_name: 'Sequential',
    config: {
      name: 's',
      layers: [
        {
          class_name: 'Bidirectional',
          config: {
            name: 'b',
            batch_input_shape: [null, 4, 2],
            merge_mode: 'concat',
            layer: lstm('there', 2, {}),
            backward_layer: lstm('back', 3, { go_backwards: true, activation: 'relu' }),
          },
        },
      ],
    },
  };
  const names = [
    ...lstmNames('b/forward_there/lstm_cell'),
    ...lstmNames('b/backward_back/lstm_cell'),
  ];
  const file = legacyH5({
    config,
    version: '2.5.0',
    layers: [layerWeights('b', withNames(valuesOf(reference), names))],
  });
  assertSame(await mf.loadModel(file), reference, floats([2, 4, 2]));
});
