// SPDX-License-Identifier: MIT
// model.stream(): step by step the numbers of predict, whatever the masks, for each kind of causal layer.
import assert from 'node:assert/strict';
import { before, test } from 'node:test';
import * as mf from '../../dist/index.js';
import { causalModels, causalTextModels } from '../support/causal_models.js';

before(() => mf.ready({ onMaskDropped: 'silent', seed: 5 }));

const { Input, Layer, layers, Model, ops, Sequential, tensor } = mf;
const kTolerance = 1e-6;
const kBatch = 3;
const kTime = 9;

let state = 12345;
const random = () => {
  state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
  return state / 2 ** 32;
};
const numbers = (n) => Float32Array.from({ length: n }, () => random() * 2 - 1);
const live = () => {
  const { tensors, bytes } = mf.memory();
  return { tensors, bytes };
};

/** Random features [batch, time, 3], some steps all zero, and a mask; row 1 is kept as a whole, row 2 begins masked. */
function sequences() {
  const x = numbers(kBatch * kTime * 3);
  const mask = Uint8Array.from({ length: kBatch * kTime }, (_, i) =>
    i < kTime || i >= 2 * kTime ? Number(random() < 0.6) : 1,
  );
  mask[2 * kTime] = mask[2 * kTime + 1] = 0;
  for (let i = 0; i < kBatch * kTime; i++) if (random() < 0.2) x.fill(0, 3 * i, 3 * i + 3);
  return { x, mask };
}

const list = (outputs) => [outputs].flat();

function close(actual, expected, what) {
  assert.equal(actual.length, expected.length, `${what}: sizes`);
  for (const [i, x] of actual.entries()) {
    const apart = Math.abs(x - expected[i]) / Math.max(1, Math.abs(expected[i]));
    assert.ok(
      apart <= kTolerance || Object.is(x, expected[i]),
      `${what}: element ${i}: ${x}, ${expected[i]}`,
    );
  }
}

/** Columns [first, first + count) of a flat [batch, time, width]. */
function columns(flatData, width, first, count) {
  const parts = [];
  for (let row = 0; row < kBatch; row++) {
    const at = (row * kTime + first) * width;
    parts.push(...flatData.subarray(at, at + count * width));
  }
  return flatData.constructor.from(parts);
}

/** What the outputs of the steps [0, until) must end with: that of predict on them. */
function expectedAt(model, x, mask, until, width) {
  model.resetStates?.();
  for (const layer of model.layers) layer.resetState();
  const shape = width === 1 ? [kBatch, until] : [kBatch, until, width];
  const part = tensor(columns(x, width, 0, until), { shape });
  const result = list(
    model.predict(part, {
      mask: mask && tensor(columns(mask, 1, 0, until), { shape: [kBatch, until], dtype: 'bool' }),
    }),
  );
  return result.map((y) => {
    const timed = y.rank === 3 && y.shape[1] === until;
    if (!timed) return [...y.data()];
    return [...ops.slice(y, [0, until - 1, 0], [kBatch, 1, y.shape[2]]).data()];
  });
}

function checkSteps(name, model, x, mask, width) {
  const stream = model.stream({ batchSize: kBatch });
  for (let t = 0; t < kTime; t++) {
    const step = columns(x, width, t, 1);
    const given = tensor(step, { shape: width === 1 ? [kBatch] : [kBatch, width] });
    const outputs = list(stream.step(given, mask ? { mask: columns(mask, 1, t, 1) } : {}));
    const expected = expectedAt(model, x, mask, t + 1, width);
    for (const [i, y] of outputs.entries()) {
      close([...y.data()], expected[i], `${name}, step ${t}, output ${i}`);
    }
  }
  return stream;
}

/** The same sequence in pieces of several steps: each gives what its single steps give. */
function checkPieces(name, model, x, mask, width) {
  const [one, several] = [1, 2].map(() => model.stream({ batchSize: kBatch }));
  let first = 0;
  for (const count of [2, 1, 4, 2]) {
    const shape = width === 1 ? [kBatch, count] : [kBatch, count, width];
    const piece = tensor(columns(x, width, first, count), { shape });
    const options = mask
      ? { mask: tensor(columns(mask, 1, first, count), { shape: [kBatch, count], dtype: 'bool' }) }
      : {};
    const outputs = list(several.step(piece, options));
    let singles = [];
    for (let t = first; t < first + count; t++) {
      const shapeOne = width === 1 ? [kBatch] : [kBatch, width];
      const given = tensor(columns(x, width, t, 1), { shape: shapeOne });
      const made = list(one.step(given, mask ? { mask: columns(mask, 1, t, 1) } : {}));
      singles = made.map((y, i) => [...(singles[i] ?? []), y]);
    }
    outputs.forEach((y, i) => {
      const timed = y.rank === 3 && y.shape[1] === count && singles[i][0].rank === 2;
      const expected = timed ? ops.stack(singles[i], { axis: 1 }) : singles[i].at(-1);
      close([...y.data()], [...expected.data()], `${name}, steps ${first} to ${first + count}`);
    });
    first += count;
  }
}

for (const [name, make] of Object.entries(causalModels(mf))) {
  test(`${name}: steps are those of predict`, () => {
    mf.tidy(() => {
      const model = make();
      for (let round = 0; round < 3; round++) {
        const { x, mask } = sequences();
        checkSteps(name, model, x, null, 3);
        checkSteps(`${name}, masked`, model, x, mask, 3);
        checkPieces(name, model, x, null, 3);
        checkPieces(`${name}, masked`, model, x, mask, 3);
      }
    });
  });
}

for (const [name, make] of Object.entries(causalTextModels(mf))) {
  test(`${name}: steps are those of predict`, () => {
    mf.tidy(() => {
      const model = make();
      for (let round = 0; round < 3; round++) {
        const ids = Int32Array.from({ length: kBatch * kTime }, () =>
          random() < 0.3 ? 0 : Math.floor(random() * 20),
        );
        checkSteps(name, model, ids, null, 1);
        checkPieces(name, model, ids, null, 1);
      }
    });
  });
}

const lstm = (units = 4) => new Sequential([Input({ shape: [null, 3] }), layers.lstm({ units })]);

test('typed arrays, nested arrays, tensors, one step or several, and `out`', () => {
  const model = lstm();
  const x = numbers(6);
  const wanted = [...model.predict(tensor(x, { shape: [1, 2, 3] })).data()];
  const run = (...steps) => {
    const stream = model.stream();
    return steps.map((step) => stream.step(step)).at(-1);
  };
  const rows = [[...x.subarray(0, 3)], [...x.subarray(3)]];
  for (const y of [
    run(x.subarray(0, 3), x.subarray(3)),
    run(x),
    run([rows[0]], [rows[1]]),
    run([rows]),
    run(tensor(rows[0]), tensor(rows[1])),
    run(Float64Array.from(rows[0]), x.subarray(3)),
  ]) {
    assert.deepEqual(y.shape, [1, 4]);
    close([...y.data()], wanted, 'forms of input');
  }
  const stream = model.stream();
  const out = new Float32Array(4);
  assert.equal(stream.step(x.subarray(0, 3), { out }), out);
  assert.equal(stream.step([rows[1]], { out, mask: true }), out);
  close([...out], wanted, 'out');
  assert.equal(stream.step(x.subarray(3), { out, mask: false }), out);
  close([...out], wanted, 'a masked step shows the last output');
});

test('ids one at a time', () => {
  const model = new Sequential([
    Input({ shape: [null], dtype: 'int32' }),
    layers.embedding({ inputDim: 9, outputDim: 3, maskZero: true }),
    layers.lstm({ units: 4 }),
  ]);
  const stream = model.stream();
  let y;
  for (const id of [3, 0, 8]) y = stream.step(id);
  close([...y.data()], [...model.predict([[3, 0, 8]]).data()], 'numbers');
  stream.reset();
  for (const id of [3, 0, 8]) y = stream.step(Int32Array.of(id));
  close([...y.data()], [...model.predict([[3, 0, 8]]).data()], 'typed arrays');
  assert.throws(() => stream.step(9), { name: 'ValueError', message: /id 9 is out of range/ });
  const later = stream.step(1);
  close([...later.data()], [...model.predict([[3, 0, 8, 1]]).data()], 'after an error');
});

test('inputs that have no time, and states to begin with', () => {
  const x = Input({ shape: [null, 3] });
  const h = Input({ shape: [4] });
  const outputs = layers.gru({ units: 4 }).apply(x, { initialState: h });
  const model = new Model({ inputs: [x, h], outputs });
  const steps = numbers(6);
  const start = tensor(numbers(4), { shape: [1, 4] });
  const wanted = model.predict([tensor(steps, { shape: [1, 2, 3] }), start]);
  const stream = model.stream();
  for (const round of ['first', 'after reset']) {
    stream.step([tensor(steps.subarray(0, 3), { shape: [1, 3] }), start]);
    const y = stream.step([tensor(steps.subarray(3), { shape: [1, 3] }), start]);
    close([...y.data()], [...wanted.data()], round);
    stream.reset();
  }
});

test('streams of one model, their clones and the model itself do not touch each other', () => {
  const model = lstm();
  const [a, b] = [model.stream(), model.stream()];
  const x = [1, 2, 3].map(() => numbers(3));
  a.step(x[0]);
  const copy = a.clone();
  const after = [...a.step(x[1]).data()];
  b.step(x[2]);
  model.predict(tensor(x[2], { shape: [1, 1, 3] })).dispose();
  close([...copy.step(x[1]).data()], after, 'a clone goes on from where it was made');
  a.reset();
  a.step(x[0]);
  close([...a.step(x[1]).data()], after, 'reset');
});

test('the state is plain data that survives JSON and structuredClone, bit for bit', () => {
  const model = new Sequential([
    Input({ shape: [null, 3] }),
    layers.conv1D({ filters: 3, kernelSize: 3, padding: 'causal' }),
    layers.gru({ units: 4, returnSequences: true }),
    layers.globalMaxPooling1D(),
  ]);
  const stream = model.stream({ batchSize: 2 });
  stream.step(numbers(6));
  stream.step(numbers(6));
  const kept = stream.state;
  assert.deepEqual(
    kept.map(({ layer, tensors }) => [layer, tensors.map(({ shape }) => shape)]),
    [
      [model.layers[0].name, [[2, 2, 3]]],
      [
        model.layers[1].name,
        [
          [2, 4],
          [2, 4],
        ],
      ],
      [
        model.layers[2].name,
        [
          [2, 4],
          [2, 1],
        ],
      ],
    ],
  );
  const x = numbers(6);
  const expected = stream.step(x).data();
  for (const saved of [JSON.parse(JSON.stringify(kept)), structuredClone(kept)]) {
    const other = model.stream({ batchSize: 2 });
    other.state = saved;
    assert.deepEqual(other.state, kept);
    assert.deepEqual(other.step(x).data(), expected);
  }
});

test('NaN and infinities in a state survive JSON', () => {
  const model = new Sequential([
    Input({ shape: [null, 2] }),
    layers.conv1D({ filters: 2, kernelSize: 2, padding: 'causal' }),
  ]);
  const stream = model.stream();
  stream.step(Float32Array.of(NaN, -Infinity));
  assert.deepEqual(stream.state[0].tensors[0].data, ['NaN', '-Infinity']);
  const other = model.stream();
  other.state = JSON.parse(JSON.stringify(stream.state));
  assert.deepEqual(other.state, stream.state);
});

test('weights that are set later count', () => {
  const model = lstm();
  const stream = model.stream();
  const x = numbers(3);
  model.layers[0].setWeights(model.layers[0].getWeights().map((w) => ops.multiply(w, 2)));
  close(
    [...stream.step(x).data()],
    [...model.predict(tensor(x, { shape: [1, 1, 3] })).data()],
    'set',
  );
});

test('steps leave the memory as it was', () => {
  for (const make of [lstm, causalModels(mf).merges, causalModels(mf)['masks that meet']]) {
    const model = make();
    // Weights are made when they are read first.
    for (const weight of model.getWeights()) weight.dispose();
    const nothing = live();
    const stream = model.stream({ batchSize: 2 });
    const x = numbers(6);
    const mask = Uint8Array.of(1, 0);
    const step = () => {
      stream.step(x).dispose();
      stream.step(x, { mask }).dispose();
      assert.throws(() => stream.step(new Float32Array(5)));
    };
    step();
    const start = { ...live(), heapBytes: mf.memory().heapBytes };
    for (let i = 0; i < 500; i++) step();
    assert.deepEqual({ ...live(), heapBytes: mf.memory().heapBytes }, start);
    const copy = stream.clone();
    copy.state = stream.state;
    copy.dispose();
    assert.deepEqual(live(), { tensors: start.tensors, bytes: start.bytes });
    stream.dispose();
    stream.dispose();
    assert.deepEqual(live(), nothing, 'a stream gives all its memory back');
  }
});

const refused = {
  Bidirectional: [
    () => [layers.bidirectional({ layer: layers.lstm({ units: 2 }), name: 'both' })],
    /layer 'both' \(Bidirectional\) has a layer that begins at the last step; use a forward layer/,
  ],
  goBackwards: [
    () => [layers.gru({ units: 2, goBackwards: true, name: 'back' })],
    /layer 'back' \(GRU\) begins at the last step: go_backwards is true; set it to false/,
  ],
  attention: [
    () => [layers.globalMaxPooling1D({ dataFormat: 'channels_first', name: 'pool' })],
    /layer 'pool' \(GlobalMaxPooling1D\) needs steps that come later, with the settings/,
  ],
  Conv1D: [
    () => [layers.conv1D({ filters: 2, kernelSize: 3, padding: 'same', name: 'conv' })],
    /layer 'conv' \(Conv1D\) needs steps that come later/,
  ],
  MaxPooling1D: [
    () => [layers.maxPooling1D({ name: 'pool' })],
    /layer 'pool' \(MaxPooling1D\) does not make each step of its result of the steps until then/,
  ],
  Flatten: [() => [layers.permute({ dims: [2, 1], name: 'turned' })], /layer 'turned' \(Permute\)/],
  'normalization over time': [
    () => [layers.groupNormalization({ groups: 1, name: 'norm' })],
    /layer 'norm' \(GroupNormalization\) needs steps that come later/,
  ],
  'code of one’s own': [
    () => [
      new (class Own extends Layer {
        call(x) {
          return ops.flip(x, { axis: 1 });
        }
      })({ name: 'own' }),
    ],
    /layer 'own' \(Own\) has code of its own.*wrap it in TimeDistributed.*cell of an RNN/,
  ],
};

for (const [what, [make, message]] of Object.entries(refused)) {
  test(`refused, with the layer, the reason and the remedy: ${what}`, () => {
    const model = new Sequential([Input({ shape: [null, 3] }), ...make()]);
    const start = live();
    assert.throws(() => model.stream(), { name: 'UnsupportedError', message });
    assert.deepEqual(live(), start);
  });
}

test('refused: operations over time, attention, models of one’s own, models without time', () => {
  const graph = (build) => {
    const input = Input({ shape: [null, 3] });
    return new Model({ inputs: input, outputs: build(input) });
  };
  const mha = layers.multiHeadAttention({ numHeads: 1, keyDim: 2, name: 'heads' });
  const cases = [
    [graph((x) => ops.cumsum(x, 1)), /op '.*' \(Cumsum\) does not make each step/],
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
  const before = stream.state;
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
        stream.state = [{ layer: 'x', tensors: before[0].tensors.slice(1) }];
      },
      'ShapeError',
      /the state of layer .* has 2 tensors where 3 are needed/,
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
    assert.deepEqual(stream.state, before);
  }
  stream.dispose();
  assert.throws(() => stream.step(x), { name: 'StateError', message: /disposed of/ });
  assert.throws(() => stream.state, { name: 'StateError' });
  assert.throws(() => stream.clone(), { name: 'StateError' });
});

test('what user code throws in a cell comes out, and the stream goes on', () => {
  let fails = false;
  class Cell extends Layer {
    stateSize = 3;
    call(x, { states }) {
      if (fails) throw new RangeError('mine');
      return [x, [states[0]]];
    }
  }
  const model = new Sequential([Input({ shape: [null, 3] }), layers.rnn({ cell: new Cell() })]);
  const stream = model.stream();
  fails = true;
  assert.throws(() => stream.step(numbers(3)), { name: 'RangeError', message: 'mine' });
  fails = false;
  const x = numbers(3);
  close([...stream.step(x).data()], [...x], 'afterwards');
});
