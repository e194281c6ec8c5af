// SPDX-License-Identifier: MIT
// Arguments of a wrong kind throw a typed error that names the value and what is needed.
import assert from 'node:assert/strict';
import { createRequire } from 'node:module';
import { before, describe, test } from 'node:test';
import * as mf from '../../dist/index.js';
import * as text from '../../dist/text.js';
import { leavesNothing } from '../support/watch.js';

const { Input, Layer, layers, Model, ops, Sequential, tensor } = mf;
const otherCopy = createRequire(import.meta.url)('../../dist/index.cjs');

before(() => Promise.all([mf.ready(), otherCopy.ready()]));

const model = () => new Sequential([Input({ shape: [2] }), layers.dense({ units: 1 })]);
const cyclic = [];
cyclic.push(cyclic);
let nested = [1];
for (let i = 0; i < 60; i++) nested = [nested, nested];
const detached = Float32Array.of(1, 2);
structuredClone(detached.buffer, { transfer: [detached.buffer] });

const table = {
  'no settings': [() => layers.lstm(), /'units' must be given/],
  'a number for settings': [
    () => layers.lstm(32),
    /settings of a layer are 32 but must be an object/,
  ],
  'null for settings': [() => new Model(null), /settings of a model are null/],
  'no operands': [
    () => ops.einsum('ij,jk->ik', tensor([1])),
    /the equation 'ij,jk->ik' does not fit 1 tensors/,
  ],
  'a function in place of options': [
    () => ops.sum([[1]], () => 0),
    /options are a function but must be an object/,
  ],
  'null for options': [
    () => layers.dense({ units: 1 }).apply([[1]], null),
    /apply\(\) is null but must be options/,
  ],
  'a name that is not a string': [
    () => model().save(3),
    /name of a file is 3 but must be a string/,
  ],
  'ready(null)': [() => mf.ready(null), /options are null/],
  'a list that contains itself': [() => tensor(cyclic), /contain themselves/],
  'a configuration of 2^60 items': [
    () =>
      layers.dense({
        units: 1,
        kernelInitializer: { class_name: 'Constant', config: { value: nested } },
      }),
    /more than 1000000 values/,
  ],
  'a value that is not a layer': [
    () => mf.serializeLayer(Number.NaN),
    /a layer is NaN but must be/,
  ],
  'an unknown reduction': [() => mf.losses.huber([[1]], [[1]], { reduction: 3 }), /reduction is 3/],
  'a value that is not a metric': [() => new mf.Metric(5), /metric is 5 but must be a string/],
  'a shape with a BigInt': [
    () => layers.dense({ units: 1 }).computeOutputShape([null, 5n]),
    /dimension 1.*a bigint/,
  ],
  'a detached array': [() => tensor(detached), /another thread/],
  'a large bigint': [() => ops.exp(2n ** 60n), /a tensor is 1152921504606846976, beyond ±\(2\^53/],
  'a large bigint in a list': [() => ops.exp([[2n ** 60n]]), /at \[0, 0\] of a tensor is 11529/],
  'a Date for a tensor': [() => ops.exp(new Date()), /cannot be an object of class Date/],
  'a Map for inputs': [() => model().predict(new Map([['a', [1]]])), /an object of class Map/],
  'an object of a class for inputs': [
    () =>
      model().predict(
        new (class Batch {
          x = [[1, 2]];
        })(),
      ),
    /an object of class Batch/,
  ],
  'an object with a value that is not a weight': [
    () =>
      ops.exp(
        new (class Signal {
          get value() {
            return [1];
          }
        })(),
      ),
    /an object of class Signal/,
  ],
  'a Promise for inputs': [
    () => model().predict(Promise.resolve([[1, 2]])),
    /a Promise \(await it first\)/,
  ],
  'a Promise in a list': [
    () => tensor([[1, Promise.resolve(2)]]),
    /\[0, 1\].*a Promise \(await it first\)/,
  ],
  'a Promise for a model': [
    () => new Sequential([Promise.resolve(model())]),
    /a Promise \(await it first\)/,
  ],
  'a Promise for a layer': [
    () => layers.timeDistributed({ layer: Promise.resolve() }),
    /a Promise \(await it first\)/,
  ],
  'a Promise for a source': [() => mf.loadModel(Promise.resolve()), /a Promise \(await it first\)/],
  'a Promise for a model to verify': [
    () => mf.verify(Promise.resolve(), {}),
    /a Promise \(await it first\)/,
  ],
  'a Promise for weights': [
    () => model().setWeights(Promise.resolve([])),
    /a Promise \(await it first\)/,
  ],
  'a Promise for a mask': [
    () => tensor([[1]]).withMask(Promise.resolve([[true]])),
    /a Promise \(await it first\)/,
  ],
  'a Proxy around a tensor': [
    () => ops.exp(new Proxy(tensor([1]), {})),
    /Proxy around a tensor.*markRaw/,
  ],
  'a Proxy around a layer': [
    () => new Proxy(model(), {}).predict([[1, 2]]),
    /Proxy around a layer.*markRaw/,
  ],
  'a value that is not a layer class': [
    () => mf.registerLayer(class Foo {}),
    /a class that extends Layer/,
  ],
  'new Tensor': [() => new mf.Tensor(1024), /tensor\(values\)/],
  'new Variable': [() => new mf.Variable(), /new Variable\(0\)/],
  'read() without a function': [
    () => tensor([1]).read(3),
    /argument of read\(\) is 3 but must be a function/,
  ],
  'tidy() without a function': [() => mf.tidy(), /argument of tidy\(\) is undefined/],
  'a print option that is not a function': [() => model().summary({ print: 3 }), /print is 3/],
  'a value that is not a vocabulary': [
    () => new text.StringLookup({ vocabulary: 'ab' }),
    /vocabulary.*is 'ab' but must be a list/,
  ],
  'tokens that contain themselves': [
    () => new text.StringLookup({ vocabulary: ['a'] }).apply(cyclic),
    /nested more than 64 deep/,
  ],
};

describe('throws a typed error that names the value:', () => {
  for (const [title, [run, message]] of Object.entries(table)) {
    test(title, async () => {
      await assert.rejects(
        async () => run(),
        (error) => {
          assert.ok(error instanceof mf.MaskflowError, error.stack);
          assert.match(error.message, message);
          return true;
        },
      );
    });
  }
});

describe('tensors and layers of another copy of the package', () => {
  test('tensors are copied, with their masks', () => {
    const x = otherCopy.tensor([[[1], [2]]]).withMask([[true, false]]);
    leavesNothing(() =>
      mf.tidy(() => {
        assert.deepEqual(ops.add(x, 1).array(), [[[2], [3]]]);
        assert.deepEqual(
          tensor([[[1], [2]]])
            .withMask(x.mask)
            .mask.array(),
          [[true, false]],
        );
        const mean = layers.globalAveragePooling1D();
        assert.deepEqual(mean.apply(x).array(), [[1]]);
        assert.deepEqual(mean.apply(x, { mask: x.mask }).array(), [[1]]);
        const sum = layers.add();
        assert.deepEqual(sum.apply([x, tensor([[[1], [2]]])]).array(), [[[2], [4]]]);
        const dense = model();
        dense.setWeights([otherCopy.tensor([[1], [1]]), otherCopy.tensor([0])]);
        assert.deepEqual(dense.predict(otherCopy.tensor([[1, 2]])).array(), [[3]]);
        for (const layer of dense.layers) layer.dispose();
        dense.dispose();
      }),
    );
    assert.deepEqual(x.shape, [1, 2, 1]);
  });

  test('tensors without data are refused', () => {
    const disposed = otherCopy.tensor([1]);
    disposed.dispose();
    assert.throws(() => ops.exp(disposed), /disposed of cannot come from another copy/);
    assert.throws(
      () => ops.exp(otherCopy.Input({ shape: [1] })),
      /symbolic tensor cannot come from/,
    );
    assert.throws(() => ops.exp(disposed), mf.StateError);
  });

  test('layers and models are refused', () => {
    const layer = otherCopy.layers.dense({ units: 1 });
    const message = /a layer of another copy of maskflow \(\d.*load the package once/;
    assert.throws(() => new Sequential([layer]), message);
    assert.throws(() => layers.bidirectional({ layer }), message);
    assert.throws(() => mf.serializeLayer(layer), message);
    assert.throws(() => mf.registerLayer(otherCopy.Dense), message);
    assert.throws(() => ops.exp(layer), message);
  });

  test('errors are recognized by instanceof', () => {
    assert.throws(() => otherCopy.ops.reshape([1], [3]));
    try {
      otherCopy.ops.reshape([1], [3]);
    } catch (error) {
      assert.ok(error instanceof mf.MaskflowError && error instanceof mf.ShapeError);
      assert.ok(!(error instanceof mf.StateError));
      assert.equal(error.name, 'ShapeError');
    }
    class Mine extends mf.ShapeError {}
    assert.ok(!(new mf.ShapeError('x') instanceof Mine) && new Mine('x') instanceof mf.ShapeError);
    assert.ok(
      !(new TypeError('x') instanceof mf.MaskflowError) && !(null instanceof mf.ShapeError),
    );
  });
});

test('the names of error classes do not depend on a bundler', () => {
  const names = [
    'MaskflowError',
    'ShapeError',
    'ValueError',
    'ConfigError',
    'FormatError',
    'StateError',
    'UnsupportedError',
  ];
  const { ...exports } = mf;
  for (const name of names) assert.equal(exports[name].name, name);
  for (const name of names.slice(1))
    assert.match(new exports[name]('text').stack, new RegExp(`^${name}: text`));
});

test('verify() compares 130,000 outputs', async () => {
  const wide = new Sequential([
    Input({ shape: [1] }),
    layers.dense({ units: 1 }),
    layers.repeatVector({ n: 130_000 }),
    layers.flatten(),
  ]);
  const { outputs } = await wide.quantize('int8', { samples: [[1]] });
  assert.equal(outputs[0].sameArgmax, 1);
  wide.dispose();
});

test('names of members of Object.prototype are accepted like others', () => {
  for (const name of ['__proto__', 'constructor', 'toString', 'hasOwnProperty']) {
    const a = Input({ shape: [2], name });
    const keyed = new Model({ inputs: { [name]: a }, outputs: { [name]: ops.add(a, 1) } });
    const prediction = keyed.predict(Object.fromEntries([[name, [[1, 2]]]]));
    assert.deepEqual(Object.keys(prediction), [name]);
    assert.deepEqual(Object.values(prediction)[0].array(), [[2, 3]]);
    assert.throws(() => keyed.predict([[1, 2]], Object.fromEntries([[name, 1]])), mf.MaskflowError);
    assert.throws(
      () =>
        layers.dense(
          Object.fromEntries([
            ['units', 1],
            [name, {}],
          ]),
        ),
      /Dense/,
    );
    assert.throws(() => ops.sum([1], Object.fromEntries([[name, 1]])), mf.MaskflowError);
    assert.throws(() => new mf.Metric(name), mf.MaskflowError);
    assert.throws(
      () => mf.losses.huber([[1]], [[1]], Object.fromEntries([[name, 1]])),
      mf.MaskflowError,
    );
    assert.throws(() => mf.deserializeLayer({ class_name: name, config: {} }), mf.ConfigError);
    assert.throws(() => new text.StringLookup(Object.fromEntries([[name, 1]])), /no setting/);
    assert.throws(() => layers.dense({ units: 1, activation: name }), mf.ConfigError);
    assert.throws(() => mf.padSequences([[1]], { dtype: name }), mf.ValueError);
    const { result } = mf.tidy(() => ({
      result: model().evaluate([[1, 2]], [[1]], { metrics: [new mf.Metric('mse', { name })] }),
    }));
    assert.deepEqual(Object.keys(result), [name]);
    assert.equal(new Sequential([layers.dense({ units: 1, name })]).getLayer(name).name, name);
    class Own extends Layer {
      call(inputs) {
        return inputs;
      }
    }
    mf.registerLayer(Own, { name });
    assert.ok(mf.deserializeLayer({ class_name: name, config: {} }) instanceof Own);
  }
});
