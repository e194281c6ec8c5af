// SPDX-License-Identifier: MIT
// After the first calls with a shape, a prediction requests no block from the allocator: it reuses
// the blocks that it released. The core counts requests (bindings/free_list.cpp), including those
// for the caller's tensors.
import assert from 'node:assert/strict';
import { suite, test } from 'node:test';
import * as mf from '../../dist/index.js';

const { Input, layers, Sequential } = mf;

/** Returns the wasm instance that `start` creates. */
async function instanceOf(start) {
  const { instantiate } = WebAssembly;
  let instance;
  WebAssembly.instantiate = async (...args) => {
    instance = await instantiate(...args);
    return instance;
  };
  try {
    await start();
  } finally {
    WebAssembly.instantiate = instantiate;
  }
  return instance;
}

const { exports } = await instanceOf(() => mf.ready({ seed: 1 }));
const blocksRequested = () => exports.blocks_asked();

const floats = (...shape) => ({
  shape,
  data: Float32Array.from({ length: shape.reduce((a, b) => a * b) }, (_, i) => Math.sin(i)),
});
/** Ids whose rows have 1, 2, … steps, padded at the end. */
const ids = (batch, time) => ({
  shape: [batch, time],
  data: Int32Array.from({ length: batch * time }, (_, i) =>
    i % time <= Math.floor(i / time) ? 1 + (i % 49) : 0,
  ),
});

function block() {
  const input = Input({ shape: [null, 16] });
  const x = layers.masking().apply(input);
  const attention = layers
    .multiHeadAttention({ numHeads: 2, keyDim: 8 })
    .apply({ query: x, value: x });
  const sum = layers.layerNormalization().apply(layers.add().apply([x, attention]));
  return new mf.Model({ inputs: input, outputs: layers.dense({ units: 4 }).apply(sum) });
}

const embedding = () => layers.embedding({ inputDim: 50, outputDim: 16, maskZero: true });
const cases = {
  'one row through an LSTM': [
    () => new Sequential([layers.lstm({ units: 128 })]),
    floats(1, 100, 64),
  ],
  'the guide’s model': [() => new Sequential([embedding(), layers.lstm({ units: 32 })]), ids(1, 6)],
  'a batch of texts': [
    () =>
      new Sequential([
        embedding(),
        layers.bidirectional({ layer: layers.lstm({ units: 64 }) }),
        layers.dense({ units: 1, activation: 'sigmoid' }),
      ]),
    ids(64, 200),
  ],
  'a batch through a GRU, in batches of 8': [
    () => new Sequential([layers.masking(), layers.gru({ units: 64, returnSequences: true })]),
    floats(32, 50, 8),
    { batchSize: 8 },
  ],
  'convolution and GRU': [
    () =>
      new Sequential([layers.conv1D({ filters: 16, kernelSize: 5 }), layers.gru({ units: 16 })]),
    floats(8, 64, 8),
  ],
  'a transformer block': [block, floats(4, 32, 16)],
};

suite('allocations', () => {
  for (const [name, [make, { shape, data }, options]] of Object.entries(cases)) {
    test(`${name}: requests no block after the first calls`, () => {
      const model = make();
      const predict = () => {
        const x = mf.tensor(data, { shape });
        const y = model.predict(x, options);
        const numbers = y.data();
        x.dispose();
        y.dispose();
        return numbers;
      };
      const expected = predict();
      for (let i = 0; i < 3; i++) predict();
      const before = blocksRequested();
      for (let i = 0; i < 10; i++) assert.deepEqual(predict(), expected);
      assert.equal(blocksRequested() - before, 0);
    });
  }

  test('a stream requests no block after the first steps', () => {
    const model = new Sequential([
      Input({ shape: [null, 8] }),
      layers.lstm({ units: 32, returnSequences: true }),
      layers.gru({ units: 16 }),
    ]);
    const stream = model.stream();
    const out = new Float32Array(16);
    const step = () => stream.step(new Float32Array(8).fill(0.5), { out });
    for (let i = 0; i < 3; i++) step();
    const before = blocksRequested();
    for (let i = 0; i < 100; i++) step();
    assert.equal(blocksRequested() - before, 0);
  });

  test('the counter sees a tensor larger than all free blocks', () => {
    const make = () => mf.tensor(new Float32Array(1 << 22)).dispose();
    make();
    const before = blocksRequested();
    make();
    // A prediction usually requests one block, and two if no small block is free.
    assert.ok(blocksRequested() > before);
  });
});
