// SPDX-License-Identifier: MIT
// Objects, iterators and numbers of unusual forms are refused by an error that names the remedy.
import assert from 'node:assert/strict';
import { before, describe, test } from 'node:test';
import * as text from '../../dist/text.js';
import * as mf from '../../dist/train.js';
import { scratch } from '../support/command.js';

before(() => mf.ready({ onMaskDropped: 'silent' }));

const model = () => {
  const made = new mf.Sequential([mf.Input({ shape: [2] }), mf.layers.dense({ units: 1 })]);
  made.compile({ optimizer: 'sgd', loss: 'mse' });
  return made;
};
const isTyped = (pattern) => (error) =>
  error instanceof mf.MaskflowError && pattern.test(error.message);

describe('valueAndGradients', () => {
  for (const of of [null, undefined, 3, 'a', {}, () => 1]) {
    test(`refuses ${String(of)} in place of variables`, () =>
      assert.throws(
        () => mf.valueAndGradients(() => mf.ops.sum([1]), of),
        isTyped(
          /second argument of valueAndGradients\(f, model.trainableVariables\) is .* but must be a list/,
        ),
      ));
  }
});

describe('batches', () => {
  for (const result of [null, undefined, 3, 'x', true]) {
    const next = () => result;
    const kinds = {
      'an iterable': { [Symbol.iterator]: () => ({ next }) },
      'an async iterable': { [Symbol.asyncIterator]: () => ({ next }) },
      'an async iterable that waits': {
        [Symbol.asyncIterator]: () => ({ next: async () => result }),
      },
    };
    for (const [kind, batches] of Object.entries(kinds)) {
      test(`refuse ${kind} whose next() returns ${String(result)}`, async () => {
        const wrong = isTyped(/result of next\(\) of the batches is .* an object with done/);
        await assert.rejects(model().fit(batches, { epochs: 1, stepsPerEpoch: 1 }), wrong);
        const options = { validationData: batches, validationSteps: 1 };
        await assert.rejects(model().fit([[1, 2]], [[1]], options), wrong);
      });
    }
  }
});

describe('callbacks', () => {
  const { path } = scratch();

  test('modelCheckpoint refuses forms of numbers that it cannot write', () => {
    for (const form of ['.200f', '.101e', '999999999d', '0999d', 'x', '.3', '.2d', '+d', '%']) {
      assert.throws(
        () => mf.callbacks.modelCheckpoint(`x{loss:${form}}.keras`),
        isTyped(/form of a number .* must be one such as 02d/),
        form,
      );
    }
  });

  test('modelCheckpoint writes numbers as Python does', async () => {
    const saved = [];
    class Recording extends mf.Sequential {
      async save(name) {
        saved.push(name);
        return new Uint8Array();
      }
    }
    const recorder = new Recording([
      mf.Input({ shape: [2] }),
      mf.layers.dense({ units: 1, kernelInitializer: 'zeros' }),
    ]);
    recorder.compile({ optimizer: mf.optimizers.sgd({ learningRate: 0 }), loss: 'mse' });
    const name = 'at {epoch:03d} {epoch} {loss:.2f} {loss:.1e} {loss:8.3f}.keras';
    const options = { callbacks: [mf.callbacks.modelCheckpoint(name)] };
    await recorder.fit([[1, 2]], [[0.5]], options);
    assert.deepEqual(saved, ['at 001 1 0.25 2.5e-01    0.250.keras']);
  });

  test('a path writes zeros after the sign of a number, as Python does', async () => {
    const saved = [];
    class Recording extends mf.Sequential {
      save(path) {
        saved.push(path);
      }
    }
    const layer = mf.layers.dense({ units: 1, kernelInitializer: 'ones' });
    const model = new Recording([mf.Input({ shape: [2] }), layer]);
    model.compile({ optimizer: 'sgd', loss: 'cosineSimilarity' });
    const callbacks = [mf.callbacks.modelCheckpoint('{loss:08.3f} {loss:8.3f}.keras')];
    await model.fit([[1, 2]], [[1]], { callbacks });
    assert.deepEqual(saved, ['-001.000   -1.000.keras']);
  });

  test('csvLogger names a path that cannot be written', async () => {
    for (const where of [path('nowhere/x.csv'), path('')]) {
      await assert.rejects(
        model().fit([[1, 2]], [[1]], { callbacks: [mf.callbacks.csvLogger(where)] }),
        isTyped(/csvLogger cannot write '.*'.*give a path in an existing folder/),
      );
    }
  });
});

describe('a typed array whose buffer was made shorter', {
  skip: !('resize' in ArrayBuffer.prototype),
}, () => {
  const shrunk = () => {
    const buffer = new ArrayBuffer(16, { maxByteLength: 64 });
    const array = new Float32Array(buffer, 4, 3);
    buffer.resize(8);
    return array;
  };
  const uses = {
    tensor: (array) => mf.tensor(array),
    'an op': (array) => mf.ops.add(array, 1),
    'a loss': (array) => mf.losses.meanSquaredError(array, array),
    'adapt()': (array) => mf.layers.normalization().adapt(array),
  };
  for (const [name, use] of Object.entries(uses)) {
    test(`is refused by ${name}`, () =>
      assert.throws(
        () => use(shrunk()),
        isTyped(/the buffer of the array was .*made shorter; copy the array first/),
      ));
  }
});

test('the functions of lookups that are not theirs to call are private', () => {
  for (const lookup of [new text.StringLookup(), new text.IntegerLookup()]) {
    assert.equal(lookup.hash, undefined);
    assert.equal(lookup.encodeRows, undefined);
  }
});

test('functions of TextVectorization must return texts', () => {
  const texts = (settings) =>
    new text.TextVectorization({ vocabulary: ['a'], ...settings }).apply(['a b']);
  assert.throws(
    () => texts({ standardize: () => null }),
    isTyped(/standardize is null but must be a string/),
  );
  assert.throws(
    () => texts({ split: () => 'a' }),
    isTyped(/split is 'a' but must be a list of strings/),
  );
  assert.throws(
    () => texts({ split: () => [1] }),
    isTyped(/split is a list but must be a list of strings/),
  );
});

test('a Proxy that refuses everything, in a property of a model, disturbs no other model', () => {
  class Own extends mf.Model {
    inner = mf.layers.dense({ units: 1 });
    call(x) {
      return this.inner.apply(x);
    }
  }
  const { proxy: revoked, revoke } = Proxy.revocable({}, {});
  revoke();
  const fail = () => {
    throw new RangeError('thrown by the user');
  };
  const hostile = new Proxy({}, { get: fail, has: fail, ownKeys: fail, getPrototypeOf: fail });
  const half = new Proxy({}, { get: fail, has: fail });
  const own = new Own();
  const layer = mf.layers.dense({ units: 1 });
  for (const value of [new Proxy(layer, {}), Object.create(mf.Layer.prototype)]) {
    own.output = [value];
    own.apply(mf.tensor([[1]])).dispose();
    own.resetState();
  }
  for (const value of [revoked, [hostile], { a: half }, new Map([['a', hostile]])]) {
    own.output = value;
    assert.deepEqual(own.layers, [own.inner]);
    const layer = mf.layers.lstm({ units: 3 });
    mf.tidy(() => new mf.Sequential([mf.Input({ shape: [3, 4] }), layer]).dispose());
    mf.tidy(() => own.apply(mf.tensor([[1]])));
  }
  own.dispose();
});

test('trainable and supportsMasking refuse values that contain themselves at once', () => {
  const list = [1, 2];
  list.push({ list, again: [list] });
  const layer = mf.layers.dense({ units: 1 });
  for (const name of ['trainable', 'supportsMasking']) {
    for (const value of [list, 'x', Symbol('s')]) {
      assert.throws(() => (layer[name] = value), mf.MaskflowError);
    }
  }
  assert.equal(layer.trainable, true);
  layer.dispose();
});
