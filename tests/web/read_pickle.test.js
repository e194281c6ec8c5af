// SPDX-License-Identifier: MIT
// readPickle, scalers and LabelEncoder: recorded files of Python, and files that are refused.
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { before, describe, test } from 'node:test';
import { gunzipSync } from 'node:zlib';
import * as mf from '../../dist/index.js';
import { LabelEncoder, readPickle, scalers, Tokenizer } from '../../dist/text.js';
import { scalerDifference } from '../support/scalers.js';
import { live } from '../support/watch.js';

const fixture = (name) =>
  readFileSync(new URL(`../fixtures/beside_models/${name}`, import.meta.url));
const files = JSON.parse(fixture('pickles.json'));
const bytesOf = (name, protocol = 0) => Buffer.from(files[name][protocol], 'base64');

/** Replaces tensors by their dtype and their numbers, and disposes of them. */
function plain(value) {
  if (value instanceof mf.Tensor) {
    const result = `${value.dtype} ${JSON.stringify(value.array())}`;
    value.dispose();
    return result;
  }
  if (Array.isArray(value)) return value.map(plain);
  if (value?.constructor !== Object) return value;
  return Object.fromEntries(Object.entries(value).map(([key, item]) => [key, plain(item)]));
}

before(() => mf.ready());

const arrays = {
  int64: 'int32 [[0,1,2],[3,4,5]]',
  fortran: 'float32 [[0,1,2],[3,4,5]]',
  'big endian': 'float32 [1.5,-2]',
  float16: 'float32 [0.5]',
  bool: 'bool [[true,false]]',
  texts: ['ab', 'é', ''],
  bytes: ['ab', 'c'],
  objects: ['a', null, 1],
  large: [2 ** 40, 1],
  larger: [2n ** 60n, 1],
  empty: 'float32 []',
  scalar: 'float32 3.5',
};
const scalarValues = [2.5, 3, true, 'x', 0.5];
const expected = {
  None: null,
  numbers: [
    ...[1, -7, 2.5, true, false, 300, 70000, 2 ** 40, 2n ** 70n, -(2n ** 70n)],
    Number.POSITIVE_INFINITY,
  ],
  texts: [
    ...['', 'é日本👍', "it's", 'a "b" \\ \n'],
    Uint8Array.of(0, 255),
    Uint8Array.from([97, 98]),
  ],
  containers: { list: [1, [2]], set: [5], ordered: { a: 1 }, counts: { z: 1 } },
  integers: { 1: 'the', 2: 'film' },
  'mixed keys': new Map([
    [1.5, 'x'],
    [[1, 2], 'y'],
  ]),
  arrays,
  scalars: scalarValues,
  unread: [
    { class: 'numpy.ndarray', fields: { dtype: 'M8', shape: [1] } },
    { class: 'builtins.complex', fields: {}, args: [3, 4] },
  ],
  'arrays, NumPy 2.2.4': arrays,
  'scalars, NumPy 2.2.4': scalarValues,
};

describe('readPickle', () => {
  for (const [name, value] of Object.entries(expected)) {
    test(`reads ${name} in every protocol`, async () => {
      const start = live();
      assert.equal(files[name].length, 6);
      for (let protocol = 0; protocol < 6; protocol++) {
        const read = plain(await readPickle(bytesOf(name, protocol)));
        assert.deepEqual(read, value, `protocol ${protocol}`);
      }
      assert.deepEqual(live(), start);
    });
  }

  test('keeps values that contain themselves', async () => {
    const list = await readPickle(bytesOf('loop'));
    assert.deepEqual([list.length, list[0], list[1] === list], [2, 1, true]);
  });

  test('runs nothing: a call is an object with its arguments', async () => {
    const value = await readPickle(bytesOf('call'));
    assert.deepEqual(value, {
      class: 'posix.system',
      fields: {},
      args: ['echo this must not run'],
    });
  });

  for (const name of ['joblib', 'zlib', 'joblib gzip']) {
    test(`reads a file of ${name}`, async () => {
      const { x, objects, scaler, labels } = await readPickle(bytesOf(name));
      assert.deepEqual(plain([x, objects]), ['float32 [[0,1],[2,3],[4,5]]', ['a', null]]);
      assert.deepEqual(labels.classes, ['bad', 'good']);
      assert.deepEqual(scaler.inverseTransform(scaler.transform([[2, 3]])), [[2, 3]]);
    });
  }

  test('decompresses gzip, and names other ways of compression', async () => {
    assert.deepEqual(await readPickle(bytesOf('gzip')), { a: 1 });
    for (const name of ['bz2', 'xz']) {
      await assert.rejects(readPickle(bytesOf(name)), {
        name: 'FormatError',
        message: new RegExp(`compressed with ${name}: save it again with joblib.dump`),
      });
    }
  });

  test('returns the attributes of a scaler that has not been fitted', async () => {
    const { class: name, fields } = await readPickle(bytesOf('unfitted'));
    assert.equal(name, 'sklearn.preprocessing._data.StandardScaler');
    assert.deepEqual([fields.with_mean, fields.with_std], [true, true]);
  });

  test('needs the engine for arrays only', async () => {
    const program = `
      import { readFileSync } from 'node:fs';
      import { readPickle } from '${new URL('../../dist/text.js', import.meta.url)}';
      const files = JSON.parse(readFileSync('${new URL('../fixtures/beside_models/pickles.json', import.meta.url).pathname}'));
      const read = (name) => readPickle(Buffer.from(files[name][2], 'base64'));
      const { ordered } = await read('containers');
      const error = await read('arrays').catch((problem) => problem);
      console.log(ordered.a, error.name, error.message);`;
    const { execFileSync } = await import('node:child_process');
    const said = String(execFileSync(process.execPath, ['--input-type=module', '-e', program]));
    assert.match(said, /^1 StateError .*ready\(\)/);
  });

  const refused = {
    'a zip archive': ['PK\x03\x04', /zip archive.*readTorch of maskflow\/torch/],
    HDF5: ['\x89HDF\r\n\x1a\n', /HDF5 file.*loadModel/],
    JSON: ['{"a": 1}', /JSON.*Tokenizer\.fromJSON\(text\)/],
    'a text': ['hello world', /is not a pickle, or it is damaged/],
    nothing: ['', /is empty \(0 bytes\)/],
    'a cut pickle': ['\x80\x04\x95', /needs 8 bytes more, but has 0/],
    'a web page': ['<!doctype html>', /is a web page/],
    'a persistent id': ['\x80\x02K\x01Q.', /refers to data outside of it.*readTorch/],
    'a long integer': [`L${'9'.repeat(2000)}L\n.`, /an integer is '9999/],
    'an unknown opcode': ['\x80\x02\x97.', /opcode 0x97 at 2/],
  };
  for (const [name, [text, message]] of Object.entries(refused)) {
    test(`refuses ${name}`, async () => {
      const bytes = Buffer.from(text, 'latin1');
      await assert.rejects(readPickle(bytes), { name: 'FormatError', message });
    });
  }

  test('stops at its limits, and at a signal', async () => {
    const nodes = readPickle(bytesOf('containers'), { limits: { nodes: 5 } });
    await assert.rejects(nodes, /more than the 5 that limits.nodes allows/);
    const deep = Buffer.from(`\x80\x02${']'.repeat(300)}${'a'.repeat(299)}.`, 'latin1');
    await assert.rejects(readPickle(deep), /limits\.depth/);
    const signal = AbortSignal.abort(new Error('stop'));
    await assert.rejects(readPickle(bytesOf('None'), { signal }), /stop/);
  });
});

describe('scalers', () => {
  test('and label encoders do what sklearn does in recorded cases', async () => {
    const lines = String(gunzipSync(fixture('sklearn.jsonl.gz')))
      .trim()
      .split('\n');
    assert.equal(lines.length, 40);
    for (const line of lines) {
      const difference = await scalerDifference({ ...mf, readPickle }, JSON.parse(line));
      assert.equal(difference, null);
    }
  });

  test('scale rows, steps of rows and tensors by the numbers of their columns', () => {
    const scaler = scalers.standard({ mean: [1, 10], scale: [2, 5] });
    assert.deepEqual(scaler.transform([[3, 0]]), [[1, -2]]);
    assert.deepEqual(
      scaler.transform([
        [
          [3, 0],
          [1, 10],
        ],
      ]),
      [
        [
          [1, -2],
          [0, 0],
        ],
      ],
    );
    assert.deepEqual(scaler.transform([new Float32Array([3, 0])]), [[1, -2]]);
    assert.deepEqual(scaler.inverseTransform([[1, -2]]), [[3, 0]]);
    const x = mf
      .tensor([
        [
          [3, 0],
          [1, 10],
        ],
      ])
      .withMask([[true, false]]);
    const y = scaler.transform(x);
    assert.deepEqual(
      [y.array(), y.mask.array()],
      [
        [
          [
            [1, -2],
            [0, 0],
          ],
        ],
        [[true, false]],
      ],
    );
    const { minMax, robust, maxAbs } = scalers;
    const mean = mf.tensor([1, 10]);
    assert.deepEqual(scalers.standard({ mean }).transform([[3, 0]]), [[2, -10]]);
    assert.deepEqual(minMax({ min: [0.5], scale: [0.25] }).transform([[4], [1]]), [[1.5], [0.75]]);
    const clip = [0, 1];
    assert.deepEqual(minMax({ min: [0.5], scale: [0.25], clip }).transform([[4]]), [[1]]);
    assert.deepEqual(robust({ center: [1], scale: [4] }).transform([[3]]), [[0.5]]);
    assert.deepEqual(maxAbs({ scale: [4] }).inverseTransform([[0.5]]), [[2]]);
    assert.deepEqual(scalers.standard({}).transform([[7]]), [[7]]);
  });

  test('compute rows in 64 bits and tensors of floats in 32', () => {
    const scaler = scalers.standard({ mean: [0.1], scale: [0.3] });
    assert.deepEqual(scaler.transform([[0.7]]), [[(0.7 - 0.1) / 0.3]]);
    const [value] = scaler.transform(mf.tensor([[0.7]])).data();
    assert.equal(value, Math.fround(Math.fround(Math.fround(0.7) - 0.1) / 0.3));
  });

  const standard = () => scalers.standard({ mean: [1, 10], scale: [2, 5] });
  const refused = [
    [() => standard().transform([[1, 2, 3]]), 'ShapeError', /has 2 columns.* x has 3.*\[1,3\]/],
    [() => standard().transform([1, 2]), 'ShapeError', /shape \[2\]; write one row as \[\[…\]\]/],
    [() => standard().transform('a'), 'ShapeError', /needs a tensor or rows/],
    [() => standard().transform([['a', 'b']]), 'ValueError', /give numbers/],
    [() => scalers.standard({ mean: [1], scale: [1, 2] }), 'ConfigError', /1 and of 2 columns/],
    [
      () => scalers.standard({ scale: [1, 0] }),
      'ConfigError',
      /scale of column 2 is 0; write 1 for a column whose values are all equal/,
    ],
    [() => scalers.standard({ mean: ['a'] }), 'ConfigError', /mean is a list but must be/],
    [() => scalers.standard({ means: [1] }), 'ConfigError', /unknown option 'means'.*'mean'/],
    [() => scalers.minMax({ min: [0], scale: [1], clip: [1, 0] }), 'ConfigError', /clip must be/],
  ];
  for (const [act, name, message] of refused) {
    test(`refuse ${String(act).slice(6, 70)}`, () => assert.throws(act, { name, message }));
  }
});

describe('LabelEncoder', () => {
  test('maps labels to positions and back', () => {
    const encoder = new LabelEncoder({ classes: ['bad', 'good'] });
    assert.deepEqual(encoder.transform(['good', 'bad']), [1, 0]);
    assert.deepEqual(encoder.inverseTransform(mf.tensor([1, 0], { dtype: 'int32' })), [
      'good',
      'bad',
    ]);
    assert.deepEqual(new LabelEncoder({ classes: [10, 20] }).transform([20]), [1]);
  });

  const encoder = () => new LabelEncoder({ classes: ['bad', 'good'] });
  const refused = [
    [() => encoder().transform(['goood']), 'ValueError', /'goood' is unknown.*'good'.*bad, good/],
    [() => encoder().transform('good'), 'ValueError', /labels is 'good' but must be a list/],
    [() => encoder().inverseTransform([2]), 'ValueError', /2 is not the position .*from 0 to 1/],
    [() => encoder().inverseTransform([[0]]), 'ValueError', /not the position of a class/],
    [() => new LabelEncoder({ classes: ['a', 'a'] }), 'ConfigError', /'a' occurs twice/],
    [() => new LabelEncoder({ classes: [{}] }), 'ConfigError', /a class is an object/],
    [() => new LabelEncoder({ classes: ['a', undefined] }), 'ConfigError', /a class is undefined/],
  ];
  for (const [act, name, message] of refused) {
    test(`refuses ${String(act).slice(6, 60)}`, () => assert.throws(act, { name, message }));
  }
});

test('a Tokenizer of a pickle is a Tokenizer', async () => {
  const tokenizers = String(gunzipSync(fixture('tokenizers.jsonl.gz')))
    .trim()
    .split('\n');
  for (const line of tokenizers.slice(0, 10)) {
    const { pickle, json } = JSON.parse(line);
    const read = await readPickle(Buffer.from(pickle, 'base64'));
    assert.ok(read instanceof Tokenizer);
    assert.deepEqual(read.wordIndex, Tokenizer.fromJSON(json).wordIndex);
  }
});
