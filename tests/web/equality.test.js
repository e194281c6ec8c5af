// SPDX-License-Identifier: MIT
// Tensors are values, and other objects are themselves, for libraries that compare, print and copy.
import assert from 'node:assert/strict';
import loose from 'node:assert';
import { before, describe, test } from 'node:test';
import util from 'node:util';
import {
  Input,
  layers,
  losses,
  Metric,
  metrics,
  Model,
  optimizers,
  ready,
  Sequential,
  tensor,
  ValueError,
} from '../../dist/train.js';
import { Hashing, TextVectorization } from '../../dist/text.js';

before(() => ready());

const isSet = (value) => typeof value === 'object' && value !== null;

/** The algorithm of most libraries: prototypes, tags and own enumerable properties. */
function byProperties(keysOf, isSame, comparesClasses) {
  const equal = (a, b) => {
    if (isSame(a, b)) return true;
    if (!isSet(a) || !isSet(b)) return false;
    const tag = (x) => Object.prototype.toString.call(x);
    if (tag(a) !== tag(b) || (comparesClasses && a.constructor !== b.constructor)) return false;
    // lodash calls tags that it does not know different.
    if (!/\[object (Object|Array|Float32Array|Int32Array|Uint8Array)\]/.test(tag(a))) return false;
    const keys = keysOf(a);
    if (keys.length !== keysOf(b).length) return false;
    return keys.every((key) => Object.hasOwn(b, key) && equal(a[key], b[key]));
  };
  return equal;
}
const isSameValue = (a, b) => a === b || (Number.isNaN(a) && Number.isNaN(b));
const symbolsOf = (x) =>
  Object.getOwnPropertySymbols(x).filter((key) =>
    Object.prototype.propertyIsEnumerable.call(x, key),
  );
const withSymbols = (x) => [...Object.keys(x), ...symbolsOf(x)];
/** Chai also reads what the prototype shows. */
function inheritedToo(x) {
  const keys = symbolsOf(x);
  for (const key in x) keys.push(key);
  return keys;
}
/** fast-deep-equal and its kin trust `valueOf`, else `toString`, of a class. */
function byValueOf(a, b) {
  if (a === b) return true;
  if (!isSet(a) || !isSet(b) || a.constructor !== b.constructor) return false;
  if (a.valueOf !== Object.prototype.valueOf) return a.valueOf() === b.valueOf();
  if (a.toString !== Object.prototype.toString) return a.toString() === b.toString();
  return Object.keys(a).every((key) => byValueOf(a[key], b[key]));
}
const passes = (check) => (a, b) => {
  try {
    check(a, b);
    return true;
  } catch (error) {
    assert.equal(error.name, 'AssertionError');
    return false;
  }
};

/** Libraries that compare values, by algorithm. */
const byValue = {
  'assert.deepStrictEqual': passes(assert.deepStrictEqual),
  'assert.deepEqual': passes(loose.deepEqual),
  'util.isDeepStrictEqual': util.isDeepStrictEqual,
  'Jest, Vitest': byProperties(withSymbols, Object.is, false),
  'lodash, dequal': byProperties(Object.keys, isSameValue, true),
  chai: byProperties(inheritedToo, isSameValue, false),
};
const all = { ...byValue, 'fast-deep-equal': byValueOf };

function dense(value) {
  const layer = layers.dense({ units: 1, name: 'dense' });
  layer.build([null, 2]);
  layer.setWeights([[[value], [value]], [0]]);
  return layer;
}
function meanOf(value) {
  const metric = new Metric('mean_squared_error', { name: 'same' });
  metric.updateState([0], [value]);
  return metric;
}
const model = (units) => new Sequential([layers.dense({ units, name: 'a' })], { name: 'model' });

const different = {
  numbers: [() => tensor([1]), () => tensor([2])],
  'numbers that print alike': [() => tensor([1]), () => tensor([1.0000001])],
  'numbers in the middle of many': [
    () => tensor(new Float32Array(3000)),
    () => tensor(Float32Array.from({ length: 3000 }, (_, i) => (i === 1500 ? 1 : 0))),
  ],
  lengths: [() => tensor([1]), () => tensor([2, 3])],
  shapes: [() => tensor([[1, 2]]), () => tensor([1, 2])],
  ranks: [() => tensor(1), () => tensor([1])],
  dtypes: [() => tensor([1]), () => tensor([1], { dtype: 'int32' })],
  masks: [
    () => tensor([[1, 2]]).withMask([[true, false]]),
    () => tensor([[1, 2]]).withMask([[true, true]]),
  ],
  'a mask or none': [() => tensor([[1, 2]]).withMask([[true, true]]), () => tensor([[1, 2]])],
  'tensors in lists': [() => ({ a: [tensor([1])] }), () => ({ a: [tensor([2])] })],
  'symbolic tensors': [() => Input({ shape: [2] }), () => Input({ shape: [2] })],
  'a disposed tensor': [
    () => tensor([1]),
    () => {
      const x = tensor([1]);
      x.dispose();
      return x;
    },
  ],
  'a list': [() => tensor([1]), () => [1]],
  'an empty object': [() => tensor([1]), () => ({})],
  layers: [() => dense(1), () => dense(2)],
  'settings of layers': [
    () => layers.lstm({ units: 2, name: 'l' }),
    () => layers.lstm({ units: 3, name: 'l' }),
  ],
  models: [() => model(2), () => model(3)],
  variables: [() => dense(1).trainableVariables[0], () => dense(2).trainableVariables[0]],
  metrics: [() => meanOf(1), () => meanOf(2)],
  'settings of metrics': [() => metrics.auc(), () => metrics.auc({ numThresholds: 9 })],
  optimizers: [() => optimizers.adam(), () => optimizers.adam({ learningRate: 1 })],
  'text layers': [
    () => new TextVectorization({ vocabulary: ['a'], name: 't' }),
    () => new TextVectorization({ vocabulary: ['b'], name: 't' }),
  ],
  hashes: [
    () => new Hashing({ numBins: 2, name: 'h' }),
    () => new Hashing({ numBins: 3, name: 'h' }),
  ],
};
const equal = {
  tensors: () =>
    tensor([
      [1, 2.5],
      [3, -4],
    ]),
  integers: () => tensor([1, 2], { dtype: 'int32' }),
  booleans: () => tensor([true, false]),
  'an empty tensor': () => tensor(new Float32Array(0), { shape: [0, 3] }),
  'a masked tensor': () => tensor([[1, 2]]).withMask([[true, false]]),
  'tensors in lists': () => ({ a: [tensor([1])] }),
};

for (const [library, isEqual] of Object.entries(all)) {
  describe(library, () => {
    for (const [what, [left, right]] of Object.entries(different)) {
      test(`tells ${what} apart`, () => {
        assert.equal(isEqual(left(), right()), false);
        assert.equal(isEqual(right(), left()), false);
        const same = left();
        assert.equal(isEqual(same, same), true);
      });
    }
  });
}
for (const [library, isEqual] of Object.entries(byValue)) {
  for (const [what, make] of Object.entries(equal)) {
    test(`${library} finds ${what} of the same numbers equal`, () => {
      assert.equal(isEqual(make(), make()), true);
    });
  }
}

test('NaN equals NaN for strict comparison', () => {
  assert.deepStrictEqual(tensor([Number.NaN, 1]), tensor([Number.NaN, 1]));
});

test('comparing leaves no tensors behind, and reaches a tensor in a Proxy', async () => {
  const { memory } = await import('../../dist/train.js');
  const [a, b] = [tensor([[1]]).withMask([[true]]), tensor([[1]]).withMask([[true]])];
  const { tensors } = memory();
  assert.deepStrictEqual(a, b);
  assert.equal(memory().tensors, tensors);
  assert.equal(byValue.chai(new Proxy(a, {}), a), true);
  assert.equal(byValue.chai(new Proxy(a, {}), tensor([[1]])), false);
});

test('JSON of tensors is nested lists, with words for numbers that JSON lacks', () => {
  const cases = [
    [
      tensor([
        [1, 2],
        [3, 4],
      ]),
      '[[1,2],[3,4]]',
    ],
    [tensor([Number.NaN, Infinity, -Infinity, -0, 0.5]), '["NaN","Infinity","-Infinity",0,0.5]'],
    [tensor([1, -2], { dtype: 'int32' }), '[1,-2]'],
    [tensor([[true], [false]]), '[[true],[false]]'],
    [tensor(7), '7'],
    [tensor(new Float32Array(0), { shape: [2, 0] }), '[[],[]]'],
  ];
  for (const [x, text] of cases) assert.equal(JSON.stringify(x), text);
  assert.equal(JSON.stringify({ x: [tensor([1])] }), '{"x":[[1]]}');
  assert.equal(Object.is(tensor([-0]).toJSON()[0], -0), true);
});

test('JSON of other objects is their configuration, value or result', () => {
  const json = (x) => JSON.parse(JSON.stringify(x));
  assert.equal(json(dense(1)).config.units, 1);
  assert.deepEqual(json(model(2)), model(2).toJSON());
  assert.equal(json(optimizers.adam({ learningRate: 0.5 })).config.learning_rate, 0.5);
  assert.deepEqual(json(dense(3).trainableVariables[0]), [[3], [3]]);
  assert.deepEqual(json(meanOf(2)), { name: 'same', result: 4 });
  assert.deepEqual(json(metrics.auc({ numThresholds: 9 })).num_thresholds, 9);
  assert.deepEqual(json(metrics.sum()), { name: 'sum', result: 0 });
  assert.deepEqual(json(new Hashing({ numBins: 2, name: 'h' })).config.num_bins, 2);
  assert.deepEqual(json(new TextVectorization({ vocabulary: ['a'] })).config.vocabulary, ['a']);
});

test('objects cannot be cloned', () => {
  const objects = [
    tensor([1]),
    Input({ shape: [1] }),
    dense(1),
    model(1),
    optimizers.adam(),
    metrics.mean(),
    meanOf(1),
    dense(1).trainableVariables[0],
    { list: [tensor([1])] },
  ];
  for (const object of objects) {
    assert.throws(() => structuredClone(object), { name: 'DataCloneError' });
  }
  assert.throws(
    () => structuredClone(tensor([1])),
    /copy data\(\), getConfig\(\) or getWeights\(\)/,
  );
});

test('operators on tensors throw an error that names the methods', () => {
  const x = tensor([3]);
  const symbolic = Input({ shape: [1] });
  for (const f of [
    () => x > 1,
    () => x + 1,
    () => 2 * x,
    () => -x,
    () => Number(x),
    () => Math.max(x, 1),
    // biome-ignore lint/suspicious/noDoubleEquals: what a newcomer writes
    () => x == 3,
    // biome-ignore lint/style/useTemplate: the operator is the subject
    () => 'text ' + x,
    () => symbolic + 1,
  ]) {
    assert.throws(
      f,
      (error) => error instanceof ValueError && /x\.add\(1\), x\.greater\(1\)/.test(error),
    );
  }
  // The remedies.
  assert.equal(x.item() > 1, true);
  assert.deepEqual(x.greater(1).array(), [true]);
  assert.deepEqual(x.add(1).array(), [4]);
  assert.equal(`${x}`, String(x));
  assert.match([x].join(), /^\[3\]/);
});

test('operators on other objects throw an error that names their methods', () => {
  const variable = dense(1).trainableVariables[0];
  for (const f of [
    () => dense(1) + 1,
    () => model(1) > 1,
    () => metrics.mean() > 1,
    () => variable * 2,
  ]) {
    assert.throws(
      f,
      (error) => error instanceof ValueError && /apply\(\), result\(\) or value/.test(error),
    );
  }
  assert.deepEqual(variable.value.multiply(2).array(), [[2], [2]]);
  assert.equal(metrics.mean().result() > 1, false);
  assert.match(`${dense(1)}`, /<Dense name=dense/);
});

test('printing shows no identity', () => {
  assert.equal(util.inspect(metrics.mean()).includes('identity'), false);
  assert.match(util.inspect(metrics.mean()), /\{ name: 'mean' \}$/);
  assert.equal(util.inspect({ x: tensor([3]) }).includes('contents'), false);
  assert.equal(util.inspect(dense(1)), '<Dense name=dense, built=true>');
});

test('classes of tensors, layers and models have their names', () => {
  assert.equal(tensor([1]).constructor.name, 'Tensor');
  assert.equal(dense(1).constructor.name, 'Dense');
  assert.equal(layers.lstm({ units: 1 }).constructor.name, 'LSTM');
  assert.equal(model(1).constructor.name, 'Sequential');
  const input = Input({ shape: [2] });
  const functional = new Model({ inputs: input, outputs: layers.dense({ units: 1 }).apply(input) });
  assert.equal(functional.constructor.name, 'Model');
  assert.equal(losses.meanSquaredError([1], [2]).constructor.name, 'Tensor');
});
