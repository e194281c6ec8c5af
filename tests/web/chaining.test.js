// SPDX-License-Identifier: MIT
// Ops as methods of tensors: x.add(1).relu().
import assert from 'node:assert/strict';
import { before, test } from 'node:test';
import * as mf from '../../dist/index.js';
import { cases } from '../support/op_cases.js';
import { leavesNothing } from '../support/watch.js';

const { Input, Model, ops, Tensor, tensor } = mf;
/** What tensors have of themselves, before there are ops. */
const own = new Set(Object.getOwnPropertyNames(Tensor.prototype));

before(() => mf.ready());

const functionsAlone = new Set(
  'arange concatenate einsum eye full linspace ones stack zeros'.split(' '),
);
const asTensor = (given) =>
  given?.dtype ? tensor(given.values, { dtype: given.dtype }) : tensor(given);
const methodNames = Object.keys(ops).filter((name) => !functionsAlone.has(name));

test('every op that takes a tensor first is a method, and no other', () => {
  for (const name of Object.keys(ops)) {
    assert.equal(name in Tensor.prototype, !functionsAlone.has(name), name);
  }
});

test('no op has the name of something that tensors have', () => {
  assert.deepEqual(
    Object.keys(ops).filter((name) => own.has(name)),
    [],
  );
});

test('methods are not listed with what a tensor has', () => {
  const listed = [];
  for (const key in tensor([1])) listed.push(key);
  assert.deepEqual(listed, ['keeps']);
});

test('a method gives what the function gives, with all arguments', () => {
  let compared = 0;
  for (const name of methodNames) {
    const method = (x, ...rest) => x[name](...rest);
    for (const [inputs, run] of cases[name] ?? [[[[-1, 2, 3]], (op, x) => op(x)]]) {
      const tensors = inputs.map(asTensor);
      const results = (op) => [run(op, ...tensors)].flat().map(String);
      if (cases[name] || ops[name].length === 1) {
        assert.deepEqual(results(method), results(ops[name]), name);
        compared++;
      }
    }
  }
  assert.ok(compared > 100, `${compared}`);
});

test('chains on numbers and on symbols', () => {
  const run = (x) => x.add([1, -8, 1]).relu().sum({ axis: -1, keepdims: true }).reshape([-1]);
  assert.deepEqual(run(tensor([[1, 2, 3]])).array(), [6]);
  const input = Input({ shape: [3] });
  const model = new Model({ inputs: input, outputs: run(input) });
  assert.deepEqual(model.predict([[1, 2, 3]]).array(), [6]);
  const [first, second] = tensor([[1, 2]]).split(2, { axis: 1 });
  assert.deepEqual(first.greater(second).where(first, second).array(), [[2]]);
});

test('errors are those of the function', () => {
  const x = tensor([1, 2]);
  const same = (name, ...given) => {
    const errorOf = (f) => {
      try {
        f();
      } catch (error) {
        return `${error.name}: ${error.message}`;
      }
      return assert.fail(`${name} takes that`);
    };
    assert.equal(
      errorOf(() => x[name](...given)),
      errorOf(() => ops[name](x, ...given)),
    );
  };
  same('add');
  same('add', [1, 2, 3]);
  same('reshape', [3]);
  same('sum', 3);
  same('sum', { axes: 1 });
  const gone = tensor([1]);
  gone.dispose();
  assert.throws(() => gone.relu(), mf.StateError);
  assert.throws(() => Tensor.prototype.relu(), mf.ValueError);
  assert.throws(() => new Proxy(x, {}).relu(), /Proxy/);
});

test('tidy takes what a chain made on its way', () => {
  leavesNothing(() => {
    const x = tensor([-1, 2]);
    const kept = mf.tidy(() => x.multiply(3).add(1).relu());
    assert.deepEqual(kept.array(), [0, 7]);
    kept.dispose();
    x.dispose();
  });
});

test('a restart leaves the methods as they are', async () => {
  const { relu } = Tensor.prototype;
  await mf.restart();
  assert.equal(Tensor.prototype.relu, relu);
  assert.deepEqual(tensor([-1, 2]).relu().array(), [0, 2]);
});
