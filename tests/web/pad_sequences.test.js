// SPDX-License-Identifier: MIT
import assert from 'node:assert/strict';
import { before, suite, test } from 'node:test';
import * as mf from '../../dist/index.js';
import { fresh } from '../support/fresh.js';
import { forSeeds, integer, pick } from '../support/random.js';
import { readFixture } from '../support/recorded_cases.js';

const { cases } = readFixture('utils/pad_sequences.json');

// JSON does not distinguish Python's 3.0 from 3.
const optionsOf = ({ name, kwargs }) =>
  name === 'maxlen_float' ? { ...kwargs, maxlen: 3.5 } : kwargs;

const attempt = (call) => {
  try {
    return { result: call() };
  } catch (error) {
    return { error };
  }
};
const padAll = () =>
  cases.map((each) => attempt(() => mf.padSequences(each.sequences, optionsOf(each))));

// The padding of this process before ready(), and two tensors for later.
const early = padAll();
const used = mf.padSequences([[4, 7, 2], [5]], { padding: 'post' });
const disposed = mf.padSequences([[1]]);

let late;
before(async () => {
  await mf.ready();
  late = padAll();
});

for (const [i, { name, expect }] of cases.entries()) {
  for (const time of ['before', 'after']) {
    test(`pad_sequences ${time} ready(): ${name}`, () => {
      const { result, error } = time === 'before' ? early[i] : late[i];
      if (expect.error) {
        assert.ok(error instanceof mf.MaskflowError, String(error));
        return;
      }
      assert.deepEqual(result.shape, expect.shape);
      assert.equal(result.dtype, expect.dtype);
      assert.deepEqual(result.array(), expect.values);
    });
  }
}

test('equals the naive copy of each item', () => {
  forSeeds(200, (random) => {
    const sequences = Array.from({ length: integer(random, 1, 6) }, () =>
      Array.from({ length: integer(random, 0, 5) }, () => [
        integer(random, 1, 99),
        integer(random, 1, 99),
      ]),
    );
    const maxlen = integer(random, 1, 7);
    const padding = pick(random, ['pre', 'post']);
    const truncating = pick(random, ['pre', 'post']);
    const value = [-1, -2];
    const expected = sequences.map((row) => {
      const kept = truncating === 'pre' ? row.slice(-maxlen) : row.slice(0, maxlen);
      const filler = Array.from({ length: maxlen - kept.length }, () => value);
      return padding === 'pre' ? [...filler, ...kept] : [...kept, ...filler];
    });
    const empty = sequences.every((row) => row.length === 0);
    const options = { maxlen, padding, truncating };
    for (const dtype of ['int32', 'float32', 'int64', 'object']) {
      const padded = mf.padSequences(sequences, { ...options, dtype, value: empty ? 0 : value });
      if (empty) assert.deepEqual(padded.shape, [sequences.length, maxlen]);
      else assert.deepEqual(padded.array(), expected);
    }
  });
});

suite('wrong arguments', () => {
  const refused = {
    'a side that does not exist': [{ padding: 'both' }, 'ValueError', /'padding' is 'both'/],
    'a cut that does not exist': [{ truncating: 'no' }, 'ValueError', /'pre' or 'post'/],
    'a side that is not text': [{ padding: 5 }, 'ConfigError', /'padding' must be a string/],
    'a negative length': [{ maxlen: -1 }, 'ValueError', /maxlen is -1 .* at least 0/],
    'no steps, cut in front': [{ maxlen: 0 }, 'ValueError', /use truncating 'post'/],
    'a length beyond int32': [{ maxlen: 2 ** 31 }, 'ShapeError', /2147483648 is too large/],
    'a padding of another size': [{ value: [1, 2] }, 'ShapeError', /2 numbers/],
  };
  for (const [title, [options, name, message]] of Object.entries(refused)) {
    for (const dtype of ['int32', 'int64'])
      test(`${title}, ${dtype}`, () => {
        const { tensors } = mf.memory();
        assert.throws(() => mf.padSequences([[1, 2]], { ...options, dtype }), { name, message });
        assert.equal(mf.memory().tensors, tensors);
      });
  }

  test('no sequences to measure', () => {
    assert.throws(() => mf.padSequences([]), /there are no sequences to measure; set maxlen/);
    assert.deepEqual(mf.padSequences([], { maxlen: 2 }).shape, [0, 2]);
    assert.deepEqual(mf.padSequences([[1]], { maxlen: 0, truncating: 'post' }).shape, [1, 0]);
  });
});

suite('a tensor that was padded before ready()', () => {
  test('is read without the core', () => {
    const [facts, text, mask] = fresh(`const x = mf.padSequences([[1, 2], [3]], { dtype: 'bool' });
      say([x.shape, x.dtype, x.rank, x.size, x.isSymbolic, x.isDisposed, [...x.data()], x.array()]);
      say(String(x)); say(x.mask);`);
    assert.deepEqual(facts, [
      [2, 2],
      'bool',
      2,
      4,
      false,
      false,
      [1, 1, 0, 1],
      [
        [true, true],
        [false, true],
      ],
    ]);
    assert.match(text, /shape \(2, 2\), bool/);
    assert.equal(mask, null);
  });

  test('says that computing needs ready()', () => {
    const messages = fresh(`const x = mf.padSequences([[1]]);
      for (const call of [() => mf.ops.add(x, 1), () => x.withMask([true]), () => mf.memory()])
        try { call(); } catch ({ name, message }) { say(name + ': ' + message); }`);
    assert.equal(messages.length, 3);
    for (const message of messages) assert.match(message, /^StateError: .*call `await ready\(\)`/);
  });

  test('is an input of layers and ops after it, with the same numbers', () => {
    const { tensors } = mf.memory();
    const sum = mf.ops.add(used, 1);
    assert.equal(mf.memory().tensors, tensors + 2);
    assert.deepEqual(sum.array(), [
      [5, 8, 3],
      [6, 1, 1],
    ]);
    assert.deepEqual(used.array(), [
      [4, 7, 2],
      [5, 0, 0],
    ]);
    const masked = used.withMask([
      [true, true, true],
      [true, false, false],
    ]);
    assert.deepEqual(masked.mask.array()[1], [true, false, false]);
    for (const each of [sum, used, masked]) each.dispose();
    assert.equal(used.isDisposed, true);
    assert.throws(() => used.array(), { code: 'ERR_DISPOSED' });
  });

  test('is disposed of without the core', () => {
    disposed.dispose();
    disposed.dispose();
    assert.equal(disposed.isDisposed, true);
    assert.throws(() => disposed.data(), { code: 'ERR_DISPOSED' });
    assert.equal(String(disposed), 'Tensor(disposed)');
  });

  test('is freed by tidy, survives restart(), and equals a later one', () => {
    const [isDisposed, array, equal] = fresh(`import { deepEqual } from 'node:assert/strict';
      let inner;
      mf.tidy(() => { inner = mf.padSequences([[1]]); });
      say(inner.isDisposed);
      const [x, y] = [mf.padSequences([[1, 2]]), mf.padSequences([[1, 2]])];
      await mf.ready();
      mf.ops.add(x, 1);
      await mf.restart();
      say(mf.ops.add(y, 1).array());
      deepEqual(mf.padSequences([[3]]), mf.padSequences([[3]]));
      try { deepEqual(y, mf.padSequences([[1, 2]])); say(true); } catch { say(false); }`);
    assert.equal(isDisposed, true);
    assert.deepEqual(array, [[2, 3]]);
    assert.equal(equal, true);
  });

  test('has few elements; after ready() it may have more, as the message says', () => {
    const [message, size] = fresh(`const rows = [[1]];
      const options = { maxlen: 2 ** 26 + 1, dtype: 'bool' };
      try { mf.padSequences(rows, options); } catch ({ name, message }) { say(name + ': ' + message); }
      await mf.ready();
      say(mf.padSequences(rows, options).size);`);
    assert.match(message, /^ShapeError: .* more than 67108864; .* call `await ready\(\)` first$/);
    assert.equal(size, 2 ** 26 + 1);
    const [tooDeep] = fresh(`try { mf.padSequences([[[[[[[[[[1]]]]]]]]]]); }
      catch ({ name, message }) { say(name + ': ' + message); }`);
    assert.equal(tooDeep, 'ShapeError: a tensor has at most 8 dimensions');
  });
});
