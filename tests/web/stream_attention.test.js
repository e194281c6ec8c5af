// SPDX-License-Identifier: MIT
// model.stream() with causal attention returns the numbers of predict, for one step or several per
// call and any masks.
import assert from 'node:assert/strict';
import { before, test } from 'node:test';
import * as mf from '../../dist/index.js';
import { causalAttention, decoder } from '../support/causal_attention.js';
import { live } from '../support/watch.js';

before(() => mf.ready({ onMaskDropped: 'silent', seed: 5 }));

const { Input, layers, Model, ops, Sequential, tensor } = mf;
const kBatch = 3;
const kTime = 20;
const kPieces = [Array(kTime).fill(1), [2, 1, 9, 3, 5], [kTime]];

let state = 4711;
const random = () => {
  state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
  return state / 2 ** 32;
};
const numbers = (n) => Float32Array.from({ length: n }, () => random() * 2 - 1);
const list = (outputs) => [outputs].flat();
const ids = (data, steps) => tensor(Int32Array.from(data), { shape: [data.length / steps, steps] });

/** Asserts equality within 1e-5 relative or 1e-6 absolute, where `isCompared` returns true. */
function close(actual, expected, title, isCompared = () => true) {
  assert.deepEqual(actual.shape, expected.shape, title);
  const [a, b] = [actual.data(), expected.data()];
  for (const [i, expected] of b.entries()) {
    if (!isCompared(i)) continue;
    const apart = Math.abs(a[i] - expected);
    assert.ok(
      apart <= Math.max(1e-6, 1e-5 * Math.abs(expected)),
      `${title}: ${i}: ${a[i]}, ${expected}`,
    );
  }
}

/** Steps [first, first + count) of an axis. */
function piece(x, axis, first, count) {
  const [start, size] = [x.shape.map(() => 0), [...x.shape]];
  start[axis] = first;
  size[axis] = count;
  return ops.slice(x, start, size);
}

/** Compares each call of a stream with predict on all steps so far, including masked ones. */
function checkPieces(name, model, inputs, mask) {
  for (const pieces of kPieces) {
    const stream = model.stream({ batchSize: kBatch });
    let until = 0;
    for (const count of pieces) {
      const first = until;
      until += count;
      const options = mask ? { mask: piece(mask, 1, first, count) } : {};
      const pieceInputs = inputs.map((x) => piece(x, 1, first, count));
      const actual = list(
        stream.step(pieceInputs.length === 1 ? pieceInputs[0] : pieceInputs, options),
      );
      const sofar = inputs.map((x) => piece(x, 1, 0, until));
      const expected = list(
        model.predict(inputs.length === 1 ? sofar[0] : sofar, {
          mask: mask && piece(mask, 1, 0, until),
        }),
      );
      for (const [i, y] of actual.entries()) {
        // Scores of several heads have the shape [batch, heads, queries, keys].
        const axis = i === 1 && expected[i].shape.length === 4 ? 2 : 1;
        close(y, piece(expected[i], axis, first, count), `${name}, ${pieces}, step ${first}, ${i}`);
      }
    }
    stream.dispose();
  }
}

const masks = {
  'no mask': () => null,
  holes: () => Uint8Array.from({ length: kBatch * kTime }, () => Number(random() < 0.6)),
  ragged: () =>
    Uint8Array.from({ length: kBatch * kTime }, (_, i) =>
      Number(i % kTime < [20, 7, 1][Math.floor(i / kTime)]),
    ),
  'padded before': () =>
    Uint8Array.from({ length: kBatch * kTime }, (_, i) =>
      Number(i % kTime >= [0, 3, 19][Math.floor(i / kTime)]),
    ),
};

for (const [name, make] of Object.entries(causalAttention(mf))) {
  for (const [maskName, maskOf] of Object.entries(masks)) {
    test(`${name}, ${maskName}: steps and scores equal predict`, () => {
      mf.tidy(() => {
        const flat = maskOf();
        const mask = flat && tensor(flat, { shape: [kBatch, kTime], dtype: 'bool' });
        const x = tensor(numbers(kBatch * kTime * 4), { shape: [kBatch, kTime, 4] });
        checkPieces(name, make(), [x], mask);
        checkPieces(`${name}, scores`, make({ returnAttentionScores: true }), [x], mask);
      });
    });
  }
}

/** Token ids and positions of rows with these lengths, or with a hole; padding is zeros. */
function sentences(lengths, hole = 0) {
  const tokens = new Int32Array(kBatch * kTime);
  const positions = new Int32Array(kBatch * kTime);
  for (let row = 0; row < kBatch; row++) {
    let position = 0;
    for (let t = 0; t < lengths[row]; t++) {
      if (random() < hole) continue;
      tokens[row * kTime + t] = 1 + Math.floor(random() * 29);
      positions[row * kTime + t] = ++position;
    }
  }
  return [ids(tokens, kTime), ids(positions, kTime)];
}

for (const kind of ['multi', 'group', 'list']) {
  test(`a decoder of two blocks (${kind}): steps, pieces and ragged rows equal predict`, () => {
    mf.tidy(() => {
      const model = decoder(mf, { kind });
      for (const inputs of [
        sentences([20, 20, 20]),
        sentences([20, 11, 3]),
        sentences([20, 20, 15], 0.3),
      ]) {
        checkPieces(kind, model, inputs, null);
        checkWhole(kind, model, inputs);
      }
    });
  });
}

/** Compares single steps with predict on the whole sequence. */
function checkWhole(name, model, inputs, shown) {
  const stream = model.stream({ batchSize: kBatch });
  const outputs = [];
  for (let t = 0; t < kTime; t++) {
    outputs.push(stream.step(inputs.map((x) => ops.reshape(piece(x, 1, t, 1), [kBatch]))));
  }
  close(ops.stack(outputs, { axis: 1 }), model.predict(inputs), `${name}, whole`, shown);
  stream.dispose();
}

test("without dropout, Keras's masked steps return the mean of all steps, also later ones; kept steps equal predict", () => {
  mf.tidy(() => {
    for (const kind of ['multi', 'group']) {
      const model = decoder(mf, { kind, dropout: 0 });
      checkWhole(kind, model, sentences([20, 20, 20]));
      for (const inputs of [sentences([20, 11, 3]), sentences([20, 20, 15], 0.3)]) {
        const tokens = inputs[0].data();
        checkWhole(kind, model, inputs, (i) => tokens[Math.floor(i / 30)] !== 0);
        // One call with all steps sees the same steps as predict.
        const stream = model.stream({ batchSize: kBatch });
        close(stream.step(inputs), model.predict(inputs), 'at once');
      }
    }
  });
});

test('accepts masks computed by ops and passed by name', () => {
  mf.tidy(() => {
    const tokens = Input({ shape: [null], dtype: 'int32' });
    const x = layers.embedding({ inputDim: 30, outputDim: 8 }).apply(tokens);
    const mask = ops.notEqual(tokens, 0);
    const call = { useCausalMask: true, queryMask: mask, valueMask: mask, keyMask: mask };
    for (const make of [
      () => layers.multiHeadAttention({ numHeads: 2, keyDim: 4 }),
      () =>
        layers.groupQueryAttention({
          headDim: 4,
          numQueryHeads: 2,
          numKeyValueHeads: 1,
          dropout: 0.1,
        }),
    ]) {
      const outputs = make().apply({ query: x, value: x, key: x }, call);
      checkPieces(
        'named',
        new Model({ inputs: tokens, outputs }),
        [sentences([20, 9, 2])[0]],
        null,
      );
    }
  });
});

test('accepts query and value as two sequences of the same time', () => {
  mf.tidy(() => {
    const [a, b] = [Input({ shape: [null, 4] }), Input({ shape: [null, 6] })];
    const layer = layers.multiHeadAttention({ numHeads: 2, keyDim: 3 });
    const outputs = layer.apply({ query: a, value: b }, { useCausalMask: true });
    const model = new Model({ inputs: [a, b], outputs });
    const x = (width) => tensor(numbers(kBatch * kTime * width), { shape: [kBatch, kTime, width] });
    checkPieces('two', model, [x(4), x(6)], null);
  });
});

test('every step attends to a value without time', () => {
  mf.tidy(() => {
    const x = Input({ shape: [null, 4] });
    const about = Input({ shape: [10] });
    const memory = layers
      .reshape({ targetShape: [5, 4] })
      .apply(layers.dense({ units: 20 }).apply(about));
    const heads = layers.multiHeadAttention({ numHeads: 2, keyDim: 3 });
    for (const outputs of [
      heads.apply({ query: x, value: memory }),
      layers.attention().apply([x, memory]),
    ]) {
      const model = new Model({ inputs: [x, about], outputs });
      const sequence = tensor(numbers(kBatch * kTime * 4), { shape: [kBatch, kTime, 4] });
      const context = tensor(numbers(kBatch * 10), { shape: [kBatch, 10] });
      const expected = model.predict([sequence, context]);
      const stream = model.stream({ batchSize: kBatch });
      for (const [first, count] of [
        [0, 1],
        [1, 4],
        [5, 15],
      ]) {
        close(
          stream.step([piece(sequence, 1, first, count), context]),
          piece(expected, 1, first, count),
          `${first}`,
        );
      }
      assert.deepEqual(stream.state, []);
    }
  });
});

test('attention over another axis treats each step alone', () => {
  mf.tidy(() => {
    const x = Input({ shape: [null, 5, 4] });
    const heads = layers.multiHeadAttention({ numHeads: 2, keyDim: 3, attentionAxes: [2] });
    const model = new Model({ inputs: x, outputs: heads.apply({ query: x, value: x }) });
    const sequence = tensor(numbers(kBatch * kTime * 20), { shape: [kBatch, kTime, 5, 4] });
    checkPieces('axis 2', model, [sequence], null);
  });
});

test('EinsumDense streams if its equation leaves time alone', () => {
  mf.tidy(() => {
    const x = tensor(numbers(kBatch * kTime * 4), { shape: [kBatch, kTime, 4] });
    for (const config of [
      { equation: 'abc,cd->abd', outputShape: [null, 3], biasAxes: 'd', activation: 'relu' },
      { equation: 'abc,cde->abde', outputShape: [null, 2, 3], biasAxes: 'de' },
      { equation: '...x,xy->...y', outputShape: [3] },
    ]) {
      const model = new Sequential([Input({ shape: [null, 4] }), layers.einsumDense(config)]);
      checkPieces(config.equation, model, [x], null);
    }
  });
});

test('reset, clone and a state through JSON work at any length', () => {
  mf.tidy(() => {
    const model = decoder(mf);
    const inputs = sentences([20, 20, 20]);
    const at = (t) => inputs.map((x) => ops.reshape(piece(x, 1, t, 1), [kBatch]));
    const run = (stream, first, last) => {
      let y;
      for (let t = first; t < last; t++) y = stream.step(at(t));
      return y;
    };
    const stream = model.stream({ batchSize: kBatch });
    const empty = stream.state;
    assert.deepEqual(
      empty[0].tensors.map(({ shape }) => shape),
      [[3, 0, 16], [3, 0, 16], [3, 0, 1], [3, 16], [1]],
    );
    run(stream, 0, 18);
    const json = JSON.stringify(stream.state);
    assert.deepEqual(JSON.parse(json)[0].tensors[0].shape, [3, 18, 16]);
    const copy = stream.clone();
    const expected = run(stream, 18, 20);
    close(run(copy, 18, 20), expected, 'clone');
    const otherStream = model.stream({ batchSize: kBatch });
    otherStream.state = JSON.parse(json);
    assert.equal(JSON.stringify(otherStream.state), json);
    close(run(otherStream, 18, 20), expected, 'state');
    otherStream.state = empty;
    close(run(otherStream, 0, 20), expected, 'the beginning as a state');
    stream.reset();
    assert.deepEqual(stream.state, empty);
    close(run(stream, 0, 20), expected, 'reset');
  });
});

test("a mask on the caller's tensor stays attached", () => {
  mf.tidy(() => {
    const model = causalAttention(mf).MultiHeadAttention();
    const x = tensor(numbers(8), { shape: [1, 2, 4] }).withMask([[true, false]]);
    model.stream().step(x);
    assert.deepEqual(x.mask.array(), [[true, false]]);
  });
});

test('steps allocate only the kept state, and reset frees it', () => {
  const model = decoder(mf, { width: 8 });
  for (const weight of model.getWeights()) weight.dispose();
  const memoryBefore = live();
  const stream = model.stream();
  const round = () => {
    for (let t = 1; t <= 40; t++) stream.step([t % 30, t]).dispose();
    stream.reset();
  };
  round();
  const start = { ...live(), heapBytes: mf.memory().heapBytes };
  for (let i = 0; i < 20; i++) round();
  assert.deepEqual({ ...live(), heapBytes: mf.memory().heapBytes }, start);
  stream.dispose();
  assert.deepEqual(live(), memoryBefore);
});
