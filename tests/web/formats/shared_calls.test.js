// SPDX-License-Identifier: MIT
// Layers that are called several times in a graph of Keras 2.
import { test } from 'node:test';
import * as mf from '../../../dist/index.js';
import { legacyH5, withNames, valuesOf } from '../../support/legacy_files.js';
import { assertSame, floats, shake } from '../../support/legacy_models.js';

await mf.ready({ onMaskDropped: 'silent' });
const { layers } = mf;

const entry = (className, name, config, inbound) => ({
  class_name: className,
  name,
  config: { name, trainable: true, ...config },
  inbound_nodes: inbound.map((tensors) => tensors.map((tensor) => [...tensor, {}])),
});
const input = (name, shape) =>
  entry(
    'InputLayer',
    name,
    { batch_input_shape: [null, ...shape], dtype: 'float32', sparse: false },
    [],
  );
const dense = (name, units, activation, inbound) =>
  entry('Dense', name, { units, activation, use_bias: true }, inbound);
const layerWeights = (model, name, parts) => ({
  name,
  weights: withNames(
    valuesOf(model.getLayer(name)),
    parts.map((part) => `${name}/${part}:0`),
  ),
});
const denseWeights = ['kernel', 'bias'];
const recurrentWeights = ['kernel', 'recurrent_kernel', 'bias'];

const file = (layerList, inputs, outputs, weights) =>
  legacyH5({
    config: {
      class_name: 'Model',
      config: {
        name: 'm',
        layers: layerList,
        input_layers: inputs.map((name) => [name, 0, 0]),
        output_layers: outputs,
      },
    },
    version: '2.1.2',
    layers: weights,
  });

test('a layer whose second call can run before the first is loaded', async () => {
  const x = mf.Input({ shape: [3] });
  const shared = layers.dense({ units: 3, activation: 'tanh', name: 'shared' });
  const firstOutput = shared.apply(layers.dense({ units: 3, name: 'a' }).apply(x));
  const secondOutput = layers.dense({ units: 3, name: 'b' }).apply(shared.apply(x));
  const reference = shake(
    new mf.Model({ inputs: x, outputs: layers.subtract().apply([firstOutput, secondOutput]) }),
  );
  // Keras lists layers by depth: the shared one precedes the one that its first call needs.
  const bytes = file(
    [
      input('x', [3]),
      dense('shared', 3, 'tanh', [[['a', 0, 0]], [['x', 0, 0]]]),
      dense('a', 3, 'linear', [[['x', 0, 0]]]),
      dense('b', 3, 'linear', [[['shared', 1, 0]]]),
      entry('Subtract', 'less', {}, [
        [
          ['shared', 0, 0],
          ['b', 0, 0],
        ],
      ]),
    ],
    ['x'],
    [['less', 0, 0]],
    ['shared', 'a', 'b'].map((name) => layerWeights(reference, name, denseWeights)),
  );
  assertSame(await mf.loadModel(bytes), reference, floats([4, 3]));
});

test('a decoder with attention calls every layer once per step, the LSTM with its own states', async () => {
  const [time, steps, units] = [4, 3, 3];
  const [x, s, c] = [
    mf.Input({ shape: [time, 2] }),
    mf.Input({ shape: [units] }),
    mf.Input({ shape: [units] }),
  ];
  const lstm = { units, recurrentActivation: 'hard_sigmoid_keras2' };
  const encoder = layers.bidirectional({
    layer: layers.lstm({ ...lstm, returnSequences: true }),
    name: 'both',
  });
  const part = {
    repeat: layers.repeatVector({ n: time, name: 'repeat' }),
    join: layers.concatenate({ axis: -1, name: 'join' }),
    score: layers.dense({ units: 1, activation: 'relu', name: 'score' }),
    share: layers.activation({ activation: 'softmax', name: 'share' }),
    dot: layers.dot({ axes: 1, name: 'dot' }),
    step: layers.lstm({ ...lstm, returnState: true, name: 'step' }),
    out: layers.dense({ units: 2, activation: 'softmax', name: 'out' }),
  };
  const a = encoder.apply(x);
  let [hidden, cell] = [s, c];
  const outputs = Array.from({ length: steps }, () => {
    const scores = part.share.apply(
      part.score.apply(part.join.apply([a, part.repeat.apply(hidden)])),
    );
    [, hidden, cell] = part.step.apply(part.dot.apply([scores, a]), {
      initialState: [hidden, cell],
    });
    return part.out.apply(hidden);
  });
  const reference = shake(new mf.Model({ inputs: [x, s, c], outputs }));

  const calls = Array.from({ length: steps }, (_, k) => k);
  // The state of the first step is an input; the state of a later step is the output of the step
  // before.
  const state = (k, index, initial) => (k === 0 ? [initial, 0, 0] : ['step', k - 1, index]);
  const settings = {
    units,
    activation: 'tanh',
    recurrent_activation: 'hard_sigmoid',
    use_bias: true,
    implementation: 1,
  };
  const inner = { class_name: 'LSTM', config: { ...settings, name: 'l', return_sequences: true } };
  const bytes = file(
    [
      input('x', [time, 2]),
      input('s', [units]),
      entry('Bidirectional', 'both', { layer: inner, merge_mode: 'concat' }, [[['x', 0, 0]]]),
      entry(
        'RepeatVector',
        'repeat',
        { n: time },
        calls.map((k) => [state(k, 0, 's')]),
      ),
      entry(
        'Concatenate',
        'join',
        { axis: -1 },
        calls.map((k) => [
          ['both', 0, 0],
          ['repeat', k, 0],
        ]),
      ),
      dense(
        'score',
        1,
        'relu',
        calls.map((k) => [['join', k, 0]]),
      ),
      entry(
        'Activation',
        'share',
        { activation: 'softmax' },
        calls.map((k) => [['score', k, 0]]),
      ),
      entry(
        'Dot',
        'dot',
        { axes: 1, normalize: false },
        calls.map((k) => [
          ['share', k, 0],
          ['both', 0, 0],
        ]),
      ),
      input('c', [units]),
      entry(
        'LSTM',
        'step',
        { ...settings, return_state: true },
        calls.map((k) => [['dot', k, 0], state(k, 0, 's'), state(k, 2, 'c')]),
      ),
      dense(
        'out',
        2,
        'softmax',
        calls.map((k) => [['step', k, 0]]),
      ),
    ],
    ['x', 's', 'c'],
    calls.map((k) => ['out', k, 0]),
    [
      layerWeights(reference, 'both', [
        ...recurrentWeights.map((p) => `forward_l/${p}`),
        ...recurrentWeights.map((p) => `backward_l/${p}`),
      ]),
      layerWeights(reference, 'score', denseWeights),
      layerWeights(reference, 'step', recurrentWeights),
      layerWeights(reference, 'out', denseWeights),
    ],
  );
  const inputs = [floats([2, time, 2]), floats([2, units], 3), floats([2, units], 4)];
  assertSame(await mf.loadModel(bytes), reference, inputs);
});
