// SPDX-License-Identifier: MIT
// Each step of model.stream() returns the numbers of predict, for any masks and each kind of causal
// layer.
import assert from 'node:assert/strict';
import { before, test } from 'node:test';
import * as mf from '../../dist/index.js';
import { causalModels, causalTextModels } from '../support/causal_models.js';
import { live } from '../support/watch.js';

before(() => mf.ready({ onMaskDropped: 'silent', seed: 5 }));

const { Input, layers, Model, ops, Sequential, tensor } = mf;
const kTolerance = 1e-6;
const kBatch = 3;
const kTime = 9;

let state = 12345;
const random = () => {
  state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
  return state / 2 ** 32;
};
const numbers = (n) => Float32Array.from({ length: n }, () => random() * 2 - 1);

/**
 * Random features [batch, time, 3] with some all-zero steps, and a mask; row 1 has no masked steps,
 * row 2 begins with one.
 */
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

function close(actual, expected, title) {
  assert.equal(actual.length, expected.length, `${title}: sizes`);
  for (const [i, x] of actual.entries()) {
    const apart = Math.abs(x - expected[i]) / Math.max(1, Math.abs(expected[i]));
    assert.ok(
      apart <= kTolerance || Object.is(x, expected[i]),
      `${title}: element ${i}: ${x}, ${expected[i]}`,
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

/** The outputs of predict for the last of the steps [0, until). */
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
    const hasTime = y.rank === 3 && y.shape[1] === until;
    if (!hasTime) return [...y.data()];
    return [...ops.slice(y, [0, until - 1, 0], [kBatch, 1, y.shape[2]]).data()];
  });
}

function checkSteps(name, model, x, mask, width) {
  const stream = model.stream({ batchSize: kBatch });
  for (let t = 0; t < kTime; t++) {
    const step = columns(x, width, t, 1);
    const input = tensor(step, { shape: width === 1 ? [kBatch] : [kBatch, width] });
    const outputs = list(stream.step(input, mask ? { mask: columns(mask, 1, t, 1) } : {}));
    const expected = expectedAt(model, x, mask, t + 1, width);
    for (const [i, y] of outputs.entries()) {
      close([...y.data()], expected[i], `${name}, step ${t}, output ${i}`);
    }
  }
  return stream;
}

/** Runs a sequence in pieces of several steps; each piece must equal its single steps. */
function checkPieces(name, model, x, mask, width) {
  const [single, several] = [1, 2].map(() => model.stream({ batchSize: kBatch }));
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
      const stepShape = width === 1 ? [kBatch] : [kBatch, width];
      const input = tensor(columns(x, width, t, 1), { shape: stepShape });
      const singleOutputs = list(single.step(input, mask ? { mask: columns(mask, 1, t, 1) } : {}));
      singles = singleOutputs.map((y, i) => [...(singles[i] ?? []), y]);
    }
    outputs.forEach((y, i) => {
      const hasTime = y.rank === 3 && y.shape[1] === count && singles[i][0].rank === 2;
      const expected = hasTime ? ops.stack(singles[i], { axis: 1 }) : singles[i].at(-1);
      close([...y.data()], [...expected.data()], `${name}, steps ${first} to ${first + count}`);
    });
    first += count;
  }
}

for (const [name, make] of Object.entries(causalModels(mf))) {
  test(`${name}: steps equal predict`, () => {
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
  test(`${name}: steps equal predict`, () => {
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

test('accepts typed arrays, nested arrays, tensors, one step or several, and `out`', () => {
  const model = lstm();
  const x = numbers(6);
  const expected = [...model.predict(tensor(x, { shape: [1, 2, 3] })).data()];
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
    close([...y.data()], expected, 'forms of input');
  }
  const stream = model.stream();
  const out = new Float32Array(4);
  assert.equal(stream.step(x.subarray(0, 3), { out }), out);
  assert.equal(stream.step([rows[1]], { out, mask: true }), out);
  close([...out], expected, 'out');
  assert.equal(stream.step(x.subarray(3), { out, mask: false }), out);
  close([...out], expected, 'a masked step shows the last output');
});

test('streams a graph for sequences of a fixed length', () => {
  const input = Input({ shape: [4, 3] });
  const y = layers.lstm({ units: 4 }).apply(ops.multiply(input, 2));
  const model = new Model({ inputs: input, outputs: y });
  const x = numbers(12);
  const stream = model.stream();
  for (let t = 0; t < 3; t++) stream.step(x.subarray(3 * t, 3 * t + 3)).dispose();
  const expected = model.predict(tensor(x, { shape: [1, 4, 3] }));
  close([...stream.step(x.subarray(9)).data()], [...expected.data()], 'the last step');
});

test('accepts single ids', () => {
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
  const output = stream.step(1);
  close([...output.data()], [...model.predict([[3, 0, 8, 1]]).data()], 'after an error');
});

test('accepts inputs without time, such as initial states', () => {
  const x = Input({ shape: [null, 3] });
  const h = Input({ shape: [4] });
  const outputs = layers.gru({ units: 4 }).apply(x, { initialState: h });
  const model = new Model({ inputs: [x, h], outputs });
  const steps = numbers(6);
  const start = tensor(numbers(4), { shape: [1, 4] });
  const expected = model.predict([tensor(steps, { shape: [1, 2, 3] }), start]);
  const stream = model.stream();
  for (const round of ['first', 'after reset']) {
    stream.step([tensor(steps.subarray(0, 3), { shape: [1, 3] }), start]);
    const y = stream.step([tensor(steps.subarray(3), { shape: [1, 3] }), start]);
    close([...y.data()], [...expected.data()], round);
    stream.reset();
  }
});

test('streams of one model, their clones and the model itself do not affect each other', () => {
  const model = lstm();
  const [a, b] = [model.stream(), model.stream()];
  const x = [1, 2, 3].map(() => numbers(3));
  a.step(x[0]);
  const copy = a.clone();
  const expected = [...a.step(x[1]).data()];
  b.step(x[2]);
  model.predict(tensor(x[2], { shape: [1, 1, 3] })).dispose();
  close([...copy.step(x[1]).data()], expected, 'a clone goes on from where it was made');
  a.reset();
  a.step(x[0]);
  close([...a.step(x[1]).data()], expected, 'reset');
});

test('the state is plain data that survives JSON and structuredClone bit for bit', () => {
  const model = new Sequential([
    Input({ shape: [null, 3] }),
    layers.conv1D({ filters: 3, kernelSize: 3, padding: 'causal' }),
    layers.gru({ units: 4, returnSequences: true }),
    layers.globalMaxPooling1D(),
  ]);
  const stream = model.stream({ batchSize: 2 });
  stream.step(numbers(6));
  stream.step(numbers(6));
  const state = stream.state;
  assert.deepEqual(
    state.map(({ layer, tensors }) => [layer, tensors.map(({ shape }) => shape)]),
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
  for (const savedState of [JSON.parse(JSON.stringify(state)), structuredClone(state)]) {
    const otherStream = model.stream({ batchSize: 2 });
    otherStream.state = savedState;
    assert.deepEqual(otherStream.state, state);
    assert.deepEqual(otherStream.step(x).data(), expected);
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
  const otherStream = model.stream();
  otherStream.state = JSON.parse(JSON.stringify(stream.state));
  assert.deepEqual(otherStream.state, stream.state);
});

test('weights that are set later apply to the next step', () => {
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

test('steps leave memory use unchanged', () => {
  for (const make of [lstm, causalModels(mf).merges, causalModels(mf)['masks that meet']]) {
    const model = make();
    // Weights are created when they are first read, so they are read before memory is measured.
    for (const weight of model.getWeights()) weight.dispose();
    const memoryBefore = live();
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
    assert.deepEqual(live(), memoryBefore, 'a stream frees all its memory');
  }
});

test('a step may have its mask attached, and leaves no tensor behind', () => {
  const model = new Sequential([
    Input({ shape: [null, 3] }),
    layers.lstm({ units: 2, returnSequences: true }),
  ]);
  const masks = [
    [1, 1],
    [0, 1],
    [0, 0],
    [1, 0],
  ];
  const rows = masks.map(() => numbers(6));
  const [attached, given] = [1, 2].map(() => model.stream({ batchSize: 2 }));
  for (const [t, mask] of masks.entries()) {
    const step = tensor(rows[t], { shape: [2, 3] });
    const kept = tensor(Uint8Array.from(mask), { shape: [2], dtype: 'bool' });
    const wanted = given.step(step, { mask: Uint8Array.from(mask) }).data();
    close([...attached.step(step.withMask(kept)).data()], [...wanted], `step ${t}`);
  }
  const kept = tensor(Uint8Array.of(1, 0), { shape: [2], dtype: 'bool' });
  const step = tensor(rows[0], { shape: [2, 3] }).withMask(kept);
  attached.step(step).dispose();
  const before = live();
  for (let i = 0; i < 3; i++) attached.step(step).dispose();
  assert.deepEqual(live(), before);
  attached.dispose();
  given.dispose();
  model.dispose();
});
