// SPDX-License-Identifier: MIT
// The states of stateful layers, and those in which custom cells begin. The numbers of cells with
// getInitialState are Keras 3.15.1's: the same cell there, 3 steps of +1 from 7.
import assert from 'node:assert/strict';
import { before, test } from 'node:test';
import * as mf from '../../dist/train.js';
import { close, leavesNothing } from '../support/watch.js';

before(() => mf.ready({ onMaskDropped: 'silent' }));

const { Layer, layers, ops } = mf;
const arrays = (tensors) => tensors?.map((tensor) => tensor.array());
const x = (rows = 2) => ops.zeros([rows, 3, 4]);

/** A cell that adds 1 to its state, which begins at `start`. */
class Adding extends Layer {
  constructor({ stateSize = 2, outputSize, start = 7, axes = [2], ...config } = {}) {
    super(config);
    Object.assign(this, { stateSize, start, axes });
    if (outputSize) this.outputSize = outputSize;
  }
  call(_, { states: [state] }) {
    const next = ops.add(state, 1);
    return [ops.reshape(next, [next.shape[0], -1]), [next]];
  }
  getInitialState(batchSize) {
    return [ops.full([batchSize, ...this.axes], this.start)];
  }
  getConfig() {
    const { stateSize, outputSize = null, start, axes } = this;
    return { ...super.getConfig(), stateSize, outputSize, start, axes };
  }
}

test('states are those after the last call, as in Keras', () => {
  const options = { units: 2, kernelInitializer: 'ones', recurrentInitializer: 'zeros' };
  const layer = layers.lstm({ ...options, stateful: true });
  assert.equal(layer.states, null);
  layer.build([2, 3, 4]);
  const zeros = [
    [0, 0],
    [0, 0],
  ];
  assert.deepEqual(arrays(layer.states), [zeros, zeros]);
  const expected = layers.lstm({ ...options, returnState: true }).apply(ops.ones([2, 3, 4]));
  layer.apply(ops.ones([2, 3, 4]));
  const [h, c] = layer.states;
  close(h.array(), expected[1].array());
  close(c.array(), expected[2].array());
  layer.resetState();
  assert.deepEqual(arrays(layer.states), [zeros, zeros]);
});

test('layers without kept states have none', () => {
  const layer = layers.gru({ units: 1 });
  layer.apply(x());
  assert.equal(layer.states, null);
  assert.equal(layers.dense({ units: 1 }).states, null);
  assert.equal(layers.timeDistributed({ layer: layers.dense({ units: 1 }) }).states, null);
});

test('a custom layer may have a property of this name', () => {
  class Own extends Layer {
    states = ['a'];
  }
  class Later extends Layer {
    constructor() {
      super();
      this.states = ['b'];
    }
  }
  assert.deepEqual(new Own().states, ['a']);
  assert.deepEqual(new Later().states, ['b']);
});

test('Bidirectional lists both directions, ConvLSTM1D has frames', () => {
  const both = layers.bidirectional({ layer: layers.gru({ units: 1, stateful: true }) });
  assert.equal(both.states, null);
  both.build([2, 3, 4]);
  assert.deepEqual(arrays(both.states), [
    [[0], [0]],
    [[0], [0]],
  ]);
  both.apply(ops.ones([2, 3, 4]));
  assert.equal(both.states.length, 2);
  assert.notDeepEqual(both.states[0].array(), [[0], [0]]);
  const frames = layers.convLSTM1D({
    filters: 2,
    kernelSize: 1,
    stateful: true,
    returnState: true,
  });
  const [, h, c] = frames.apply(ops.ones([2, 3, 5, 1]));
  assert.deepEqual(arrays(frames.states), arrays([h, c]));
  assert.deepEqual(frames.states[0].shape, [2, 5, 2]);
});

test('states of a layer of a model begin another layer', () => {
  const gru = layers.gru({ units: 2, stateful: true });
  const model = new mf.Sequential([mf.Input({ batchShape: [2, 3, 4] }), gru]);
  assert.deepEqual(arrays(gru.states), [
    [
      [0, 0],
      [0, 0],
    ],
  ]);
  const last = model.predict(ops.ones([2, 3, 4]));
  close(gru.states[0].array(), last.array());
  const next = layers.gru({ units: 2, returnSequences: true });
  const carried = next.apply(x(), { initialState: gru.states }).array();
  assert.notDeepEqual(carried, next.apply(x()).array());
  close(carried, next.apply(x(), { initialState: last }).array());
  model.resetStates();
  assert.deepEqual(arrays(gru.states), [
    [
      [0, 0],
      [0, 0],
    ],
  ]);
});

test('reading states frees all its memory', () => {
  const layer = layers.gru({ units: 2, stateful: true });
  layer.apply(x());
  leavesNothing(() => mf.tidy(() => void layer.states));
});

test('an undefined initialState is refused, null begins with zeros', () => {
  const layer = layers.gru({ units: 2 });
  const zeros = layer.apply(x(), { initialState: null });
  close(zeros.array(), layer.apply(x()).array());
  const { states } = {};
  for (const call of [
    () => layer.apply(x(), { initialState: states }),
    () => layer.apply(mf.Input({ shape: [3, 4] }), { initialState: undefined }),
    () => layers.bidirectional({ layer }).apply(x(), { initialState: undefined }),
  ]) {
    assert.throws(call, (error) => {
      assert.ok(error instanceof mf.ValueError);
      assert.match(error.message, /initialState is undefined: pass the states, or null/);
      return true;
    });
  }
});

test('getInitialState of a cell begins each sequence', () => {
  const last = (layer, input = x()) => layer.apply(input).array();
  assert.deepEqual(last(layers.rnn({ cell: new Adding() })), [
    [10, 10],
    [10, 10],
  ]);
  const masked = x().withMask([
    [true, true, false],
    [false, false, false],
  ]);
  const layer = layers.rnn({ cell: new Adding(), returnSequences: true, returnState: true });
  const [sequences, state] = layer.apply(masked);
  assert.deepEqual(sequences.array(), [
    [
      [8, 8],
      [9, 9],
      [9, 9],
    ],
    [
      [0, 0],
      [0, 0],
      [0, 0],
    ],
  ]);
  assert.deepEqual(state.array(), [
    [9, 9],
    [7, 7],
  ]);
  const given = layers.rnn({ cell: new Adding() });
  assert.deepEqual(given.apply(x(), { initialState: [ops.ones([2, 2])] }).array(), [
    [4, 4],
    [4, 4],
  ]);
});

test('it works by name, for one tensor, in stacked cells, in Bidirectional and in models', () => {
  class Named extends Adding {
    getInitialState({ batchSize }) {
      return ops.full([batchSize, 2], 3);
    }
  }
  assert.deepEqual(layers.rnn({ cell: new Named() }).apply(x()).array(), [
    [6, 6],
    [6, 6],
  ]);
  const stacked = layers.rnn({
    cell: [new Adding(), layers.gruCell({ units: 1 }), new Adding({ start: 1 })],
    returnState: true,
  });
  const [output, first, , third] = stacked.apply(x());
  assert.deepEqual(arrays([output, first, third]), [
    [
      [4, 4],
      [4, 4],
    ],
    [
      [10, 10],
      [10, 10],
    ],
    [
      [4, 4],
      [4, 4],
    ],
  ]);
  mf.registerLayer(Adding);
  const both = layers.bidirectional({ layer: layers.rnn({ cell: new Adding() }) });
  assert.deepEqual(both.apply(x()).array(), [
    [10, 10, 10, 10],
    [10, 10, 10, 10],
  ]);
  const model = new mf.Sequential([mf.Input({ shape: [null, 4] }), both]);
  assert.deepEqual(model.predict(x(3), { batchSize: 2 }).shape, [3, 4]);
  assert.deepEqual(model.predict(x(1)).array(), [[10, 10, 10, 10]]);
  const stream = new mf.Sequential([
    mf.Input({ shape: [null, 4] }),
    layers.rnn({ cell: new Adding(), returnSequences: true }),
  ]).stream();
  assert.deepEqual(
    [8, 9].map(() => stream.step(ops.zeros([1, 4])).array()),
    [[[8, 8]], [[9, 9]]],
  );
});

test('a stateful layer begins with them, and with zeros after a reset', () => {
  const layer = layers.rnn({ cell: new Adding(), stateful: true });
  const step = () => layer.apply(x()).array()[0];
  layer.resetState();
  assert.equal(layer.states, null);
  assert.deepEqual(
    [step(), step()],
    [
      [10, 10],
      [13, 13],
    ],
  );
  assert.deepEqual(layer.states[0].array()[0], [13, 13]);
  layer.resetState();
  assert.deepEqual(layer.states[0].array()[0], [0, 0]);
  assert.deepEqual(
    [step(), step()],
    [
      [3, 3],
      [6, 6],
    ],
  );
});

test('an initial state that is a weight is trained', () => {
  class Learned extends Adding {
    build() {
      this.begin = this.addWeight({ shape: [1, 2], initializer: 'zeros' });
    }
    getInitialState(batchSize) {
      return ops.repeat(this.begin, batchSize, { axis: 0 });
    }
  }
  const layer = layers.rnn({ cell: new Learned() });
  layer.build([2, 3, 4]);
  const { gradients } = mf.valueAndGradients(
    () => ops.sum(layer.apply(x(), { training: true })),
    layer.trainableVariables,
  );
  assert.deepEqual(arrays(gradients), [[[2, 2]]]);
});

test('states have several axes', () => {
  for (const stateSize of [[[2, 3]], 6]) {
    const options = { stateSize, outputSize: 6, axes: [2, 3] };
    const layer = layers.rnn({ cell: new Adding(options), returnState: true });
    const [output, state] = layer.apply(x());
    assert.deepEqual(output.array(), [Array(6).fill(10), Array(6).fill(10)]);
    assert.deepEqual(state.shape, [2, 2, 3]);
    const begin = ops.zeros([2, 2, 3]);
    assert.deepEqual(layer.apply(x(), { initialState: begin })[0].array()[0], Array(6).fill(3));
    const { gradients } = mf.valueAndGradients(
      () => ops.sum(layer.apply(x(), { initialState: begin })[1]),
      [begin],
    );
    assert.deepEqual(gradients[0].shape, [2, 2, 3]);
  }
});

test('outputs have several axes, also in models', () => {
  class Frames extends Layer {
    stateSize = [[2, 3], 1];
    call(_, { states: [frame, count] }) {
      return [frame, [ops.add(frame, 1), ops.add(count, 1)]];
    }
  }
  const layer = layers.rnn({ cell: new Frames(), returnSequences: true, returnState: true });
  const input = mf.Input({ shape: [null, 4] });
  const outputs = layer.apply(input);
  assert.deepEqual(
    outputs.map(({ shape }) => shape),
    [
      [null, null, 2, 3],
      [null, 2, 3],
      [null, 1],
    ],
  );
  const [frames, , count] = new mf.Model({ inputs: input, outputs }).predict(x());
  assert.deepEqual(frames.shape, [2, 3, 2, 3]);
  assert.deepEqual(frames.array()[0][2], [Array(3).fill(2), Array(3).fill(2)]);
  assert.deepEqual(count.array(), [[3], [3]]);
});

test('wrong initial states are refused by name', () => {
  const refuse = (cell, Class, message) =>
    assert.throws(
      () => layers.rnn({ cell }).apply(x()),
      (error) => error instanceof Class && message.test(error.message),
    );
  class Wide extends Adding {
    getInitialState(batchSize) {
      return [ops.zeros([batchSize, 3])];
    }
  }
  refuse(new Wide(), mf.ShapeError, /getInitialState\(\) of cell 'wide'.*\(2, 3\).*\(2, 2\)/);
  class Two extends Adding {
    getInitialState(batchSize) {
      return [ops.zeros([batchSize, 2]), ops.zeros([batchSize, 2])];
    }
  }
  refuse(new Two(), mf.ValueError, /returned 2 tensors, but stateSize declares 1/);
  class Nothing extends Adding {
    getInitialState() {}
  }
  refuse(new Nothing(), mf.ShapeError, /getInitialState\(\) of Nothing.*must return tensors/);
  refuse(
    new (class Zero extends Adding {
      stateSize = [[2, 0]];
    })(),
    mf.ConfigError,
    /stateSize.*not 0/,
  );
});

test('a cell that was built for other inputs is refused', () => {
  for (const cell of [new Adding(), layers.lstmCell({ units: 2 })]) {
    cell.build([2, 5]);
    assert.throws(
      () => layers.rnn({ cell }).apply(x()),
      (error) =>
        error instanceof mf.ShapeError && /was built for 5 features.*\(2, 4\)/.test(error.message),
    );
  }
});
