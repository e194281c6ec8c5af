// SPDX-License-Identifier: MIT
// 64-bit integers, as tokenizers return them, as data; and sets as vocabularies.
import assert from 'node:assert/strict';
import { before, suite, test } from 'node:test';
import * as text from '../../dist/text.js';
import * as mf from '../../dist/train.js';
import { openWorker } from '../../dist/worker.js';

const max = 2n ** 53n - 1n;
const ids = [3n, 0n, 2n, 1n];

suite('64-bit integers', () => {
  let model;
  before(async () => {
    await mf.ready({ seed: 1 });
    model = new mf.Sequential([
      mf.Input({ shape: [null] }),
      mf.layers.embedding({ inputDim: 5, outputDim: 2 }),
      mf.layers.globalAveragePooling1D(),
      mf.layers.dense({ units: 1 }),
    ]);
  });

  for (const Class of [BigInt64Array, BigUint64Array]) {
    test(`are int32 if they fit, otherwise float32: ${Class.name}`, () => {
      const ofDType = (dtype, ...values) => {
        const tensor = mf.tensor(Class.from(values));
        assert.deepEqual([tensor.dtype, tensor.shape], [dtype, [values.length]]);
        const numbers = values.map(Number);
        assert.deepEqual(tensor.array(), dtype === 'int32' ? numbers : numbers.map(Math.fround));
      };
      ofDType('int32', ...ids);
      ofDType('int32', 2n ** 31n - 1n);
      ofDType('float32', 2n ** 31n);
      ofDType('float32', 1n, max);
      assert.equal(mf.tensor(new Class(0)).size, 0);
      const shaped = mf.tensor(Class.from(ids), { shape: [2, 2], dtype: 'float32' });
      assert.deepEqual(
        [shaped.dtype, shaped.array()],
        [
          'float32',
          [
            [3, 0],
            [2, 1],
          ],
        ],
      );
      assert.throws(() => mf.tensor(Class.from([2n ** 31n]), { dtype: 'int32' }), {
        name: 'ValueError',
        message: /2147483648, not an int32; use dtype 'float32'/,
      });
      for (const value of [max + 1n, 2n ** 63n - 1n]) {
        assert.throws(() => mf.tensor(Class.from([0n, value])), {
          name: 'ValueError',
          message: `the element at [1] of a tensor is ${value}, beyond ±(2^53 - 1), which numbers cannot represent; use smaller ids`,
        });
      }
    });
  }

  test('may be negative, nested, and beside numbers', () => {
    assert.deepEqual(mf.tensor(BigInt64Array.of(-5n, -(2n ** 31n))).array(), [-5, -(2 ** 31)]);
    assert.throws(() => mf.tensor(BigInt64Array.of(-max - 1n)), /-9007199254740992, beyond/);
    const rows = [BigInt64Array.from(ids), BigInt64Array.from(ids)];
    assert.deepEqual(mf.tensor(rows).shape, [2, 4]);
    assert.equal(mf.tensor(rows).dtype, 'int32');
    assert.equal(mf.tensor([1n, 2n]).dtype, 'int32');
    assert.deepEqual(mf.tensor([1n, 0.5]).array(), [1, 0.5]);
    assert.throws(() => mf.tensor([BigInt64Array.of(1n), BigInt64Array.of(1n, 2n)]), {
      name: 'ShapeError',
    });
  });

  test('are inputs and targets of models, here and in a worker', async () => {
    const expected = model.predict([[3, 0, 2, 1]]).array();
    const rows = [BigInt64Array.from(ids)];
    assert.deepEqual(model.predict(rows).array(), expected);
    assert.deepEqual(model.apply(mf.tensor(rows)).array(), expected);
    assert.deepEqual(mf.ops.add(BigInt64Array.of(1n), 1).array(), [2]);
    const worker = await openWorker();
    try {
      const remote = await worker.loadModel(await model.save());
      assert.deepEqual((await remote.predict(rows)).array(), expected);
    } finally {
      await worker.close();
    }
    model.compile({ loss: 'mse', optimizer: 'sgd' });
    const y = BigInt64Array.of(1n);
    assert.deepEqual(model.evaluate(rows, y), model.evaluate([[3, 0, 2, 1]], [1]));
    const { history } = await model.fit(rows, y, { epochs: 2 });
    assert.ok(history.loss[1] < history.loss[0]);
  });

  test('are padded as numbers', () => {
    const sequences = [BigInt64Array.from(ids), [7n], [8]];
    const padded = [
      [3, 0, 2, 1],
      [0, 0, 0, 7],
      [0, 0, 0, 8],
    ];
    assert.deepEqual(mf.padSequences(sequences).array(), padded);
    assert.deepEqual(mf.padSequences(sequences, { dtype: 'int64' }).array(), padded);
    assert.throws(() => mf.padSequences([[max + 1n]], { dtype: 'int64' }), {
      name: 'ValueError',
      message: /^the item is 9007199254740992, beyond/,
    });
    assert.throws(() => mf.padSequences([[2n ** 40n]]), /outside the range of int32/);
  });

  test('are data of layers that look numbers up or hash them', () => {
    const lookup = new text.IntegerLookup({ vocabulary: [12, 36] });
    assert.deepEqual(lookup.apply(BigInt64Array.of(36n, 12n, 5n)).array(), [2, 1, 0]);
    assert.throws(() => lookup.apply(BigInt64Array.of(max + 1n)), /beyond ±\(2\^53 - 1\)/);
    const hashing = new text.Hashing({ numBins: 50 });
    assert.deepEqual(
      hashing.apply(BigInt64Array.from(ids)).array(),
      hashing.apply([3, 0, 2, 1]).array(),
    );
  });
});

test('a set is a vocabulary', () => {
  const words = ['a', 'b', 'c'];
  const list = new text.StringLookup({ vocabulary: words });
  const set = new text.StringLookup({ vocabulary: new Set(words) });
  assert.deepEqual(set.getVocabulary(), list.getVocabulary());
  assert.deepEqual(set.apply(['c', 'x']).array(), list.apply(['c', 'x']).array());
  const vectorization = new text.TextVectorization({ vocabulary: new Set(words) });
  assert.deepEqual(vectorization.apply(['b c']).array(), [[3, 4]]);
  set.setVocabulary(new Set(['z']));
  assert.deepEqual(set.getVocabulary(), ['[UNK]', 'z']);
  const integers = new text.IntegerLookup({ vocabulary: new Set([4, 2]) });
  assert.deepEqual(integers.getConfig().vocabulary, [4, 2]);
  assert.deepEqual(vectorization.getConfig().vocabulary, words);
});
