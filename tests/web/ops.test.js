// SPDX-License-Identifier: MIT
// Every op equals plain JavaScript: eagerly, in a model of known shape, in a model of unknown
// shape.
import assert from 'node:assert/strict';
import { before, test } from 'node:test';
import * as mf from '../../dist/train.js';
import { nameDifference } from '../support/name_lists.js';
import { nameOf, recordedCalls } from '../support/op_calls.js';
import { cases } from '../support/op_cases.js';
import {
  binary,
  comparisons,
  questions,
  smooth,
  smoothWithOptions,
} from '../support/op_functions.js';
import { makers } from '../support/op_makers.js';
import { close, leavesNothing, letters, rows } from '../support/watch.js';

before(() => mf.ready());

const { Input, Model, tensor } = mf;
const ops = { ...mf.ops };
const tolerance = 2e-6;

/** Functions of functions; control_flow.test.js and function_ops.test.js test them. */
const controlFlow =
  'associativeScan cond foriLoop map scan shape switch vectorizedMap whileLoop'.split(' ');
/** Ops whose results have shapes that depend on numbers; eager_ops.test.js tests them. */
const eager = 'argpartition bincount histogram nonzero rearrange unique'.split(' ');
/** Further names of ops. */
const otherNames = 'bitwiseNot leftShift rightShift'.split(' ');

const tables = [cases, makers, smooth, questions, binary, comparisons];

test('every op has a case, and every case has an op', () => {
  const recorded = [...recordedCalls('calls'), ...recordedCalls('edges')].map(({ op }) =>
    nameOf(op),
  );
  const others = [...controlFlow, ...eager, ...otherNames];
  const testedNames = [...others, ...recorded, ...tables.flatMap(Object.keys)];
  const place = 'tests/support/op_cases.js (or op_functions.js, or tests/fixtures/ops)';
  assert.equal(nameDifference(place, testedNames, Object.keys(ops)), null);
});

const withDtype = (expected) =>
  expected?.dtype ? expected : { values: expected, dtype: 'float32' };
const asTensor = (input) => {
  const { values, dtype } = withDtype(input);
  return tensor(values, { dtype });
};

function check(result, expected, several, title) {
  const results = several ? result : [result];
  const expectedList = several ? expected : [expected];
  assert.equal(results.length, expectedList.length, title);
  results.forEach((y, i) => {
    const { values, dtype } = withDtype(expectedList[i]);
    assert.equal(y.dtype, dtype, `${title}: dtype`);
    assert.deepEqual(y.shape, tensor(values, { dtype }).shape, `${title}: shape`);
    close([y.array()].flat(9).map(Number), [values].flat(9).map(Number), tolerance, title);
  });
}

/** Makes the same call in a graph; `open` leaves all dimensions unknown. */
function inModel(inputs, run, open) {
  const data = inputs.map(asTensor);
  const symbols = data.map(({ shape, dtype }) =>
    Input({ batchShape: open ? shape.map(() => null) : shape, dtype }),
  );
  const outputs = run(...symbols);
  const model = new Model({ inputs: symbols, outputs });
  for (const [i, y] of [model.apply(data)].flat().entries()) {
    const symbol = [outputs].flat()[i];
    assert.equal(symbol.dtype, y.dtype, 'the symbolic tensor has the dtype of the result');
    symbol.shape.forEach((dim, axis) => {
      if (dim !== null)
        assert.equal(dim, y.shape[axis], 'the symbolic tensor has the shape of the result');
    });
    assert.equal(symbol.rank, y.rank);
    if (!open) assert.ok(!symbol.shape.includes(null), `${symbol} knows its shape`);
  }
  return model.apply(data);
}

for (const [name, list] of Object.entries(cases)) {
  test(name, () => {
    for (const [i, [inputs, run, expected, several]] of list.entries()) {
      const call = (...tensors) => run(ops[name], ...tensors);
      check(call(...inputs.map(asTensor)), expected, several, `${name} ${i}`);
      check(inModel(inputs, call, false), expected, several, `${name} ${i} in a model`);
    }
  });
}

for (const [name, list] of Object.entries(makers)) {
  test(name, () => {
    for (const [i, [call, expected]] of list.entries()) {
      check(call(ops[name]), expected, false, `${name} ${i}`);
    }
    const [call, expected] = list[0];
    const { values } = withDtype(expected);
    const sum = inModel([values], (x) => ops.add(x, ops.cast(call(ops[name]), 'float32')), false);
    close(
      [sum.array()].flat(9),
      [values].flat(9).map((v) => 2 * v),
      tolerance,
      `${name} in a model`,
    );
  });
}

// The count is odd and larger than a vector, so that the body and the tail of every kernel run.
const points = [
  -30, -6.25, -3.5, -3, -2.5, -1.5, -1, -0.75, -0.5, -0.3, -1e-4, 0, 1e-4, 0.25, 0.5, 0.51, 1, 1.5,
  2, 2.5, 2.9, 3.25, 20,
].map(Math.fround);
const nonFinite = [Number.NaN, Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY];

// The series for erf is inaccurate beyond 6, so its points are smaller.
const pointsFor = (name) =>
  ['erf', 'gelu'].includes(name) ? points.filter((x) => Math.abs(x) < 5) : points;

function checkEverywhere(name, inputs, call, expected) {
  check(call(...inputs.map(asTensor)), expected, false, name);
  for (const open of [false, true]) {
    const title = `${name} in a model of ${open ? 'unknown' : 'known'} shape`;
    check(inModel(inputs, call, open), expected, false, title);
  }
}

for (const [name, f] of Object.entries(smooth)) {
  test(name, () => {
    const xs = pointsFor(name);
    checkEverywhere(name, [[xs]], ops[name], [xs.map(f)]);
    // Threshold is skipped: it returns 0 for NaN, because NaN is not above a threshold.
    if (name === 'threshold') return;
    assert.ok(Number.isNaN(ops[name](Number.NaN).item()), 'NaN stays NaN');
  });
}

for (const [name, options, f] of smoothWithOptions) {
  test(`${name} ${JSON.stringify(options)}`, () => {
    const xs = pointsFor(name);
    checkEverywhere(name, [[xs]], (x) => ops[name](x, options), [xs.map(f)]);
  });
}

for (const [name, f] of Object.entries(questions)) {
  test(name, () => {
    const xs = [...points, ...nonFinite];
    checkEverywhere(name, [[xs]], ops[name], { values: [xs.map(f)], dtype: 'bool' });
  });
}

const leftOperands = [7, -7, 0, 2.5, -2.5, 1, 0, 9, -1].map(Math.fround);
const rightOperands = [2, 2, 3, -1.5, -1.5, 1, -2, 0.5, 4].map(Math.fround);

for (const [name, f] of Object.entries(binary)) {
  test(name, () => {
    // The exponents are integers, because negative numbers have no fractional powers.
    const b = name === 'power' ? rightOperands.map(Math.trunc) : rightOperands;
    const values = leftOperands.map((x, i) => f(x, b[i]));
    checkEverywhere(name, [[leftOperands], [b]], ops[name], [values]);
    const outer = leftOperands.map((x) => b.map((y) => f(x, y)));
    checkEverywhere(`${name}, broadcast`, [leftOperands.map((x) => [x]), [b]], ops[name], outer);
    close(ops[name]([2, 3], 4).array(), [f(2, 4), f(3, 4)], tolerance, 'a number as operand');
    close(ops[name](4, [2, 3]).array(), [f(4, 2), f(4, 3)], tolerance, 'a number first');
  });
}

test('integers stay integers, except in divisions', () => {
  const [a, b] = [tensor([7, -7], { dtype: 'int32' }), tensor([2, 2], { dtype: 'int32' })];
  for (const name of ['add', 'subtract', 'multiply', 'floorDivide', 'mod', 'maximum', 'minimum']) {
    const y = ops[name](a, b);
    assert.deepEqual(
      [y.dtype, y.array()],
      ['int32', [binary[name](7, 2), binary[name](-7, 2)]],
      name,
    );
  }
  for (const name of ['divide', 'trueDivide']) {
    assert.deepEqual([ops[name](a, b).dtype, ops[name](a, b).array()], ['float32', [3.5, -3.5]]);
  }
  assert.equal(ops.add(a, 1).dtype, 'int32');
  assert.equal(ops.add(a, 0.5).dtype, 'float32');
});

for (const [name, f] of Object.entries(comparisons)) {
  test(name, () => {
    const a = [...leftOperands, Number.NaN, 0, 1];
    const b = [...rightOperands, Number.NaN, -0, Number.POSITIVE_INFINITY];
    const values = [a.map((x, i) => f(x, b[i]))];
    checkEverywhere(name, [[a], [b]], ops[name], { values, dtype: 'bool' });
    const outer = a.map((x) => b.map((y) => f(x, y)));
    checkEverywhere(`${name}, broadcast`, [a.map((x) => [x]), [b]], ops[name], {
      values: outer,
      dtype: 'bool',
    });
  });
}

test('ops accept tensors, arrays, typed arrays, numbers and variables', () => {
  const weights = new (class Holder extends mf.Layer {
    w = this.addWeight({ name: 'w', shape: [2], initializer: 'ones' });
  })();
  for (const operand of [tensor([1, 1]), [1, 1], Float32Array.of(1, 1), 1, weights.w]) {
    assert.deepEqual(ops.add(operand, [2, 3]).array(), [3, 4]);
  }
  for (const operand of [null, undefined]) {
    assert.throws(() => ops.add(operand, 1), mf.ValueError);
  }
});

test('ops split and join masks like any tensor', () => {
  const mask = tensor(rows('TTF TFF'));
  assert.deepEqual(letters(ops.flip(mask, { axis: 1 })), ['FTT', 'FFT']);
  assert.deepEqual(letters(ops.logicalAnd(mask, rows('TFF TTT'))), ['TFF', 'TFF']);
  assert.deepEqual(ops.sum(ops.cast(mask, 'int32'), { axis: 1 }).array(), [2, 1]);
});

test('ops free everything except their result', () => {
  const [x, y] = [
    tensor([
      [1, 2],
      [3, 4],
    ]),
    tensor([[1, 2]]),
  ];
  leavesNothing(() => {
    ops.add(x, 1).dispose();
    ops.matmul(y, x).dispose();
    for (const part of ops.split(x, 2)) part.dispose();
  });
});

test('wrong arguments throw an error that names the op and the value', () => {
  const x = tensor([
    [1, 2],
    [3, 4],
  ]);
  assert.throws(() => ops.sum(x, { axis: 2 }), /2/);
  assert.throws(() => ops.reshape(x, [3]), mf.ShapeError);
  assert.throws(() => ops.split(x, 3, { axis: 1 }), mf.MaskflowError);
  assert.throws(() => ops.matmul(x, [[1, 2, 3]]), mf.ShapeError);
  assert.throws(() => ops.concatenate([x, [[1]]], { axis: 0 }), mf.ShapeError);
  assert.throws(() => ops.cast(x, 'float64'), mf.MaskflowError);
  assert.throws(() => ops.sum(x, { axes: 1 }), /axes/);
});
