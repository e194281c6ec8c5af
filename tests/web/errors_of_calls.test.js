// SPDX-License-Identifier: MIT
// Bad input throws a typed error that names both numbers and the remedy; all memory is freed and
// the next call works.
import assert from 'node:assert/strict';
import { before, test } from 'node:test';
import * as mf from '../../dist/index.js';
import { runModule } from '../support/programs.js';

before(() => mf.ready());

const { layers, tensor } = mf;
const zeros = (...shape) => tensor(new Float32Array(shape.reduce((a, b) => a * b, 1)), { shape });
const lstm = () => layers.lstm({ units: 4 });

const table = [
  ['a rank too low', mf.ShapeError, () => lstm().apply(zeros(3, 5)), /lstm.*rank 3.*\(3, 5\)/],
  [
    'a rank too high',
    mf.ShapeError,
    () => lstm().apply(zeros(1, 2, 3, 4)),
    /rank 3.*\(1, 2, 3, 4\)/,
  ],
  ['a sequence without steps', mf.ValueError, () => lstm().apply(zeros(2, 0, 3)), /no steps/],
  [
    'another number of features',
    mf.ShapeError,
    () => {
      const layer = lstm();
      layer.apply(zeros(1, 2, 3)).dispose();
      layer.apply(zeros(1, 2, 5));
    },
    /3 features.*has 5/,
  ],
  [
    'a mask of another shape',
    mf.ShapeError,
    () => lstm().apply(zeros(2, 5, 3), { mask: [[true, false]] }),
    /\(1, 2\).*\(2, 5/,
  ],
  [
    'a mask with features',
    mf.ShapeError,
    () => lstm().apply(zeros(2, 5, 3), { mask: zeros(2, 5, 3) }),
    /\(2, 5, 3\)/,
  ],
  ['ragged rows', mf.ShapeError, () => tensor([[1, 2], [3]]), /1 items.*2.*padSequences/],
  ['text as an element', mf.ValueError, () => tensor([['a']]), /string 'a'/],
  ['a fraction as int32', mf.ValueError, () => tensor([1.5], { dtype: 'int32' }), /1\.5.*int32/],
  [
    'an unknown dtype',
    mf.ValueError,
    () => tensor([1], { dtype: 'float64' }),
    /float64.*'float32'/,
  ],
  [
    'a shape that does not fit',
    mf.ShapeError,
    () => tensor(new Float32Array(5), { shape: [2, 3] }),
    /6 elements but 5/,
  ],
  [
    'an id below the table',
    mf.ValueError,
    () =>
      layers.embedding({ inputDim: 10, outputDim: 2 }).apply(tensor([[-11]], { dtype: 'int32' })),
    /-11.*10/,
  ],
  [
    'an id above the table',
    mf.ValueError,
    () =>
      layers.embedding({ inputDim: 10, outputDim: 2 }).apply(tensor([[10]], { dtype: 'int32' })),
    /id 10.*input_dim is 10/,
  ],
  ['no units', mf.ConfigError, () => layers.lstm({ units: 0 }), /units.*0.*at least 1/],
  [
    'units that are not a number',
    mf.ConfigError,
    () => layers.dense({ units: Number.NaN }),
    /units.*NaN/,
  ],
  ['a rate that is NaN', mf.ConfigError, () => layers.dropout({ rate: Number.NaN }), /rate.*NaN/],
  ['a missing setting', mf.ConfigError, () => layers.dense({}), /units.*must be given/],
  ['an unknown key', mf.ConfigError, () => layers.lstm({ units: 2, unitz: 3 }), /unitz.*units/],
  [
    'an unknown activation',
    mf.ConfigError,
    () => layers.dense({ units: 2, activation: 'rellu' }),
    /rellu.*relu/,
  ],
  [
    'an unknown class',
    mf.ConfigError,
    () => mf.deserializeLayer({ class_name: 'Lstmm', config: {} }),
    /Lstmm.*LSTM.*registerLayer/,
  ],
  [
    'too few states',
    mf.ValueError,
    () => lstm().apply(zeros(1, 2, 3), { initialState: [zeros(1, 4)] }),
    /1 tensors.*2 states/,
  ],
  [
    'a state of another shape',
    mf.ShapeError,
    () => layers.gru({ units: 4 }).apply(zeros(1, 2, 3), { initialState: zeros(1, 5) }),
    /\(1, 5\).*\(1, 4\)/,
  ],
  [
    'too few weights',
    mf.ValueError,
    () => {
      const layer = lstm();
      layer.build([null, null, 3]);
      layer.setWeights([zeros(3, 16)]);
    },
    /3 weights.*given 1/,
  ],
  [
    'a weight of another shape',
    mf.ShapeError,
    () => {
      const layer = layers.dense({ units: 2 });
      layer.build([null, 3]);
      layer.setWeights([zeros(2, 3), zeros(2)]);
    },
    /kernel.*\(3, 2\).*\(2, 3\)/,
  ],
  [
    'shapes that do not broadcast',
    mf.ShapeError,
    () => mf.ops.add(zeros(2, 3), zeros(2, 4)),
    /\(2, 3\).*\(2, 4\)/,
  ],
  [
    'a model without inputs',
    mf.ConfigError,
    () => new mf.Model({ outputs: mf.Input({ shape: [2] }) }),
    /both inputs and outputs/,
  ],
  [
    'a batch size below zero',
    mf.ValueError,
    () => new mf.Sequential([layers.dense({ units: 1 })]).predict(zeros(2, 3), { batchSize: -1 }),
    /-1/,
  ],
  ['data of a symbolic tensor', mf.StateError, () => mf.Input({ shape: [2] }).data(), /symbolic/],
  [
    'a tensor after dispose',
    mf.StateError,
    () => {
      const x = zeros(2);
      x.dispose();
      x.data();
    },
    /disposed/,
  ],
  [
    'a layer after dispose',
    mf.StateError,
    () => {
      const layer = layers.dense({ units: 1 });
      layer.dispose();
      layer.apply(zeros(1, 2));
    },
    /disposed/,
  ],
  [
    'another variant later',
    mf.StateError,
    () => mf.ready({ variant: mf.runtimeInfo().variant === 'simd' ? 'relaxed' : 'simd' }),
    /relaxed.*simd|simd.*relaxed/,
  ],
  [
    'an unknown mask rule',
    mf.ConfigError,
    () => mf.ready({ maskPropagation: 'keras-2' }),
    /keras-2.*keras-3\.15/,
  ],
];

for (const [title, Class, run, message] of table) {
  test(`${title} is a ${Class.name}`, async () => {
    await assert.rejects(
      async () => run(),
      (error) => {
        assert.ok(error instanceof Class, `${error.name}: ${error.message}`);
        assert.match(error.message, message);
        return true;
      },
    );
    mf.tidy(() => {
      assert.deepEqual(lstm().apply(zeros(2, 3, 4)).shape, [2, 4]);
    });
  });
}

test('use before ready() is a StateError that names the remedy', () => {
  const code = `const m = await import('${new URL('../../dist/index.js', import.meta.url)}');
    try { m.tensor([1]); } catch (e) { console.log(e.name + ': ' + e.message); }`;
  const output = runModule(code);
  assert.match(output, /StateError: .*await ready\(\)/);
});

test('an error of user code is rethrown as the same object, and the next call works', () => {
  const userError = new TypeError('mine');
  let isBroken = true;
  class Fragile extends mf.Layer {
    call(x) {
      if (isBroken) throw userError;
      return mf.ops.add(x, 1);
    }
  }
  const layer = new Fragile();
  const model = new mf.Sequential([layers.dense({ units: 2 }), layer]);
  const x = zeros(2, 3);
  assert.throws(
    () => model.predict(x),
    (error) => error === userError,
  );
  isBroken = false;
  assert.deepEqual(model.predict(x).shape, [2, 2]);
});
