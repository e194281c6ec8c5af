// SPDX-License-Identifier: MIT
// model.stream() and its steps refuse wrong uses with the layer, the reason and the remedy, and
// change nothing.
import assert from 'node:assert/strict';
import { before, test } from 'node:test';
import * as mf from '../../dist/index.js';
import { close, live } from '../support/watch.js';

before(() => mf.ready({ onMaskDropped: 'silent', seed: 5 }));

const { Input, Layer, layers, Model, ops, Sequential, tensor } = mf;
const numbers = (n) => Float32Array.from({ length: n }, (_, i) => Math.sin(i + n));
const lstm = (units = 4) => new Sequential([Input({ shape: [null, 3] }), layers.lstm({ units })]);

const refusedLayers = {
  Bidirectional: [
    () => [layers.bidirectional({ layer: layers.lstm({ units: 2 }), name: 'both' })],
    /layer 'both' \(Bidirectional\) has a layer that starts at the last step; use a forward layer/,
  ],
  goBackwards: [
    () => [layers.gru({ units: 2, goBackwards: true, name: 'back' })],
    /layer 'back' \(GRU\) starts at the last step: go_backwards is true; set it to false/,
  ],
  'pooling of another axis': [
    () => [layers.globalMaxPooling1D({ dataFormat: 'channels_first', name: 'pool' })],
    /layer 'pool' \(GlobalMaxPooling1D\) needs later steps with its settings/,
  ],
  Conv1D: [
    () => [layers.conv1D({ filters: 2, kernelSize: 3, padding: 'same', name: 'conv' })],
    /layer 'conv' \(Conv1D\) needs later steps/,
  ],
  MaxPooling1D: [
    () => [layers.maxPooling1D({ name: 'pool' })],
    /layer 'pool' \(MaxPooling1D\) does not compute each step from that step and earlier ones/,
  ],
  Flatten: [() => [layers.permute({ dims: [2, 1], name: 'turned' })], /layer 'turned' \(Permute\)/],
  'normalization over time': [
    () => [layers.groupNormalization({ groups: 1, name: 'norm' })],
    /layer 'norm' \(GroupNormalization\) needs later steps/,
  ],
  'custom layers': [
    () => [
      new (class Own extends Layer {
        call(x) {
          return ops.flip(x, { axis: 1 });
        }
      })({ name: 'own' }),
    ],
    /layer 'own' \(Own\) is a custom layer.*wrap it in TimeDistributed.*cell of an RNN/,
  ],
};

for (const [title, [make, message]] of Object.entries(refusedLayers)) {
  test(`refuses with the layer, the reason and the remedy: ${title}`, () => {
    const model = new Sequential([Input({ shape: [null, 3] }), ...make()]);
    const start = live();
    assert.throws(() => model.stream(), { name: 'UnsupportedError', message });
    assert.deepEqual(live(), start);
  });
}

test('refuses ops over time, attention, custom models, models without time', () => {
  const graph = (build) => {
    const input = Input({ shape: [null, 3] });
    return new Model({ inputs: input, outputs: build(input) });
  };
  const mha = layers.multiHeadAttention({ numHeads: 1, keyDim: 2, name: 'heads' });
  const cases = [
    [graph((x) => ops.cumsum(x, { axis: 1 })), /op '.*' \(Cumsum\) does not compute each step/],
    [graph((x) => ops.flip(x, { axis: 1 })), /\(Flip\)/],
    [graph((x) => ops.mean(x, { axis: 1 })), /\(Mean\)/],
    [graph((x) => mha.apply({ query: x, value: x })), /layer 'heads' \(MultiHeadAttention\)/],
    [
      graph((x) =>
        layers
          .add()
          .apply([
            x,
            layers
              .repeatVector({ n: 1 })
              .apply(layers.dense({ units: 3 }).apply(layers.gru({ units: 2 }).apply(x))),
          ]),
      ),
      /\(Add\) joins a sequence with something else/,
    ],
    [
      new Sequential([Input({ shape: [3] }), layers.dense({ units: 2 })]),
      /has no time axis; call predict/,
    ],
  ];
  for (const [model, message] of cases) {
    assert.throws(() => model.stream(), { name: 'UnsupportedError', message });
  }
  class Mine extends Model {
    call(x) {
      return x;
    }
  }
  assert.throws(() => new Mine({ name: 'mine' }).stream(), {
    name: 'UnsupportedError',
    message: /model 'mine' cannot run step by step: it has code of its own; make a Sequential/,
  });
  assert.throws(() => new Sequential([layers.lstm({ units: 2 })]).stream(), {
    name: 'StateError',
    message: /put Input\(\{ shape \}\) first/,
  });
});

test('wrong steps, masks, outputs, states and uses are errors that change nothing', () => {
  const model = lstm();
  const stream = model.stream({ batchSize: 2 });
  const x = numbers(6);
  stream.step(x);
  const validState = stream.state;
  const cases = [
    [() => stream.step(new Float32Array(5)), 'ShapeError', /5 elements .* \[2,3\]: 6 elements/],
    [
      () => stream.step(tensor(numbers(4), { shape: [2, 2] })),
      'ShapeError',
      /\[2,3\]|\(2, 3\)|6 elements/,
    ],
    [
      () => stream.step(tensor(numbers(9), { shape: [3, 1, 3] })),
      'ShapeError',
      /\(3, 1, 3\).*\(2, 1, 3\)/,
    ],
    [() => stream.step(tensor([], { shape: [2, 0, 3] })), 'ShapeError', /\(2, 0, 3\)/],
    [() => stream.step(x, { mask: Uint8Array.of(1, 0, 1) }), 'ShapeError', /mask/],
    [() => stream.step(x, { out: new Float32Array(3) }), 'ShapeError', /'out' has 3 .* 8/],
    [() => stream.step(undefined), 'ValueError', /undefined/],
    [
      () => {
        stream.state = [];
      },
      'ValueError',
      /0 layers but the stream has 1/,
    ],
    [
      () => {
        stream.state = [{ layer: 'x', tensors: validState[0].tensors.slice(1) }];
      },
      'ShapeError',
      /the state of layer .* has 2 tensors but must have 3/,
    ],
    [
      () => {
        stream.state = lstm(5).stream({ batchSize: 2 }).state;
      },
      'ShapeError',
      /\(2, 5\).*\(2, 4\)/,
    ],
    [() => model.stream({ batchSize: 0 }), 'ValueError', /batchSize is 0/],
    [() => model.stream({ batchSize: 1.5 }), 'ValueError', /batchSize is 1.5/],
  ];
  for (const [act, name, message] of cases) {
    assert.throws(act, { name, message });
    assert.deepEqual(stream.state, validState);
  }
  stream.dispose();
  assert.throws(() => stream.step(x), { name: 'StateError', message: /disposed of/ });
  assert.throws(() => stream.state, { name: 'StateError' });
  assert.throws(() => stream.clone(), { name: 'StateError' });
});

test('an error of user code in a cell is rethrown, and the stream continues', () => {
  let shouldFail = false;
  class Cell extends Layer {
    stateSize = 3;
    call(x, { states }) {
      if (shouldFail) throw new RangeError('mine');
      return [x, [states[0]]];
    }
  }
  const model = new Sequential([Input({ shape: [null, 3] }), layers.rnn({ cell: new Cell() })]);
  const stream = model.stream();
  shouldFail = true;
  assert.throws(() => stream.step(numbers(3)), { name: 'RangeError', message: 'mine' });
  shouldFail = false;
  const x = numbers(3);
  close([...stream.step(x).data()], [...x]);
});
