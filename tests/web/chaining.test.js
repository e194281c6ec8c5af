// SPDX-License-Identifier: MIT
// Ops are methods of tensors: x.add(1).relu().
import assert from 'node:assert/strict';
import { before, test } from 'node:test';
import * as mf from '../../dist/index.js';
import { ops as commonOps } from '../../dist/recurrent.js';
import { cases } from '../support/op_cases.js';
import { leavesNothing } from '../support/watch.js';

const { Input, Model, ops, Tensor, tensor } = mf;
/** Members of Tensor that are not ops. */
const ownMembers = new Set(Object.getOwnPropertyNames(Tensor.prototype));

before(() => mf.ready());

const functionsAlone = new Set(
  'arange concatenate einsum eye full linspace ones stack zeros'.split(' '),
);
const asTensor = (input) =>
  input?.dtype ? tensor(input.values, { dtype: input.dtype }) : tensor(input);
const methodNames = Object.keys(commonOps).filter((name) => !functionsAlone.has(name));

test('every common op whose first argument is a tensor is a method, and no other op is', () => {
  for (const name of Object.keys(ops)) {
    if (ownMembers.has(name)) continue;
    const isMethod = name in commonOps && !functionsAlone.has(name);
    assert.equal(name in Tensor.prototype, isMethod, name);
  }
});

test('no common op has the name of another member of Tensor', () => {
  assert.deepEqual(
    Object.keys(commonOps).filter((name) => ownMembers.has(name)),
    [],
  );
});

test('methods are not enumerable', () => {
  const keys = [];
  for (const key in tensor([1])) keys.push(key);
  assert.deepEqual(keys, ['notCloned', 'contents']);
});

test('a method returns the result of the function, with all arguments', () => {
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

test('chains work on tensors and symbolic tensors', () => {
  const run = (x) => x.add([1, -8, 1]).relu().sum({ axis: -1, keepdims: true }).reshape([-1]);
  assert.deepEqual(run(tensor([[1, 2, 3]])).array(), [6]);
  const input = Input({ shape: [3] });
  const model = new Model({ inputs: input, outputs: run(input) });
  assert.deepEqual(model.predict([[1, 2, 3]]).array(), [6]);
  const [first, second] = tensor([[1, 2]]).split(2, { axis: 1 });
  assert.deepEqual(first.greater(second).where(first, second).array(), [[2]]);
});

test('methods throw the errors of the functions', () => {
  const x = tensor([1, 2]);
  const same = (name, ...args) => {
    const errorOf = (f) => {
      try {
        f();
      } catch (error) {
        return `${error.name}: ${error.message}`;
      }
      return assert.fail(`${name} takes that`);
    };
    assert.equal(
      errorOf(() => x[name](...args)),
      errorOf(() => ops[name](x, ...args)),
    );
  };
  same('add');
  same('add', [1, 2, 3]);
  same('reshape', [3]);
  same('sum', 3);
  same('sum', { axes: 1 });
  const disposedTensor = tensor([1]);
  disposedTensor.dispose();
  assert.throws(() => disposedTensor.relu(), mf.StateError);
  assert.throws(() => Tensor.prototype.relu(), mf.ValueError);
  assert.throws(() => new Proxy(x, {}).relu(), /Proxy/);
});

test('tidy frees the intermediate results of a chain', () => {
  leavesNothing(() => {
    const x = tensor([-1, 2]);
    const result = mf.tidy(() => x.multiply(3).add(1).relu());
    assert.deepEqual(result.array(), [0, 7]);
    result.dispose();
    x.dispose();
  });
});

test('a restart keeps the methods', async () => {
  const { relu } = Tensor.prototype;
  await mf.restart();
  assert.equal(Tensor.prototype.relu, relu);
  assert.deepEqual(tensor([-1, 2]).relu().array(), [0, 2]);
});
