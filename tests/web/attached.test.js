// SPDX-License-Identifier: MIT
// Arrays whose memory was transferred to a worker look empty. Whatever reads one says so.
import assert from 'node:assert/strict';
import { before, suite, test } from 'node:test';
import * as mf from '../../dist/index.js';
import { readPickle } from '../../dist/text.js';
import { readTorch } from '../../dist/torch.js';

/** Returns the array after its buffer was transferred, as `postMessage` does it. */
function transferred(array) {
  structuredClone(array, { transfer: [array.buffer ?? array] });
  return array;
}
const floats = () => transferred(Float32Array.of(1, 2));
const bytes = () => transferred(Uint8Array.of(80, 75));

const reads = {
  tensor: () => mf.tensor(floats()),
  'tensor of rows': () => mf.tensor([floats()]),
  'tensor of 64-bit integers': () => mf.tensor([transferred(BigInt64Array.of(1n))]),
  padSequences: () => mf.padSequences(floats()),
  'padSequences of rows': () => mf.padSequences([[1], floats()]),
  'an op': () => mf.ops.add(floats(), 1),
  predict: () => new mf.Sequential([mf.layers.dense({ units: 1 })]).predict([floats()]),
  'weights of an Embedding': () =>
    mf.layers.embedding({ inputDim: 1, outputDim: 2, weights: floats() }),
  loadModel: () => mf.loadModel(bytes()),
  'loadModel of a buffer': () => mf.loadModel(transferred(new ArrayBuffer(4))),
  'loadModel of a DataView': () => mf.loadModel(transferred(new DataView(new ArrayBuffer(4)))),
  readTorch: () => readTorch(bytes()),
  readPickle: () => readPickle(bytes()),
};

suite('an array that was transferred', () => {
  before(() => mf.ready());
  for (const [name, read] of Object.entries(reads)) {
    test(name, async () => {
      await assert.rejects(async () => read(), {
        name: 'StateError',
        message: /^the buffer of the array was transferred .*slice\(\)$/,
      });
    });
  }

  test('an empty array is read as one', () => {
    assert.deepEqual(mf.tensor(new Float32Array(0)).shape, [0]);
    assert.deepEqual(mf.tensor([new Float32Array(0)]).shape, [1, 0]);
    assert.deepEqual(mf.padSequences([new Int32Array(0), [1]], { maxlen: 1 }).array(), [[0], [1]]);
  });
});
