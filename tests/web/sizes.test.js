// SPDX-License-Identifier: MIT
// Objects that are too large or nested too deeply throw a typed error before memory is allocated or
// the stack overflows, and the next call works. wasm sizes have 32 bits; without the checks,
// products of them would wrap or end the instance.
import assert from 'node:assert/strict';
import { afterEach, suite, test } from 'node:test';
import * as mf from '../../dist/index.js';

const { Input, layers, ops, Sequential } = mf;
await mf.ready({ seed: 1 });
const huge = 2 ** 31 - 1;

/** Asserts that the call throws this error, frees all memory, and does not end the instance. */
function assertRefused(error, message, call) {
  const memoryUse = () => [mf.memory().tensors, mf.memory().bytes];
  const memoryBefore = memoryUse();
  assert.throws(call, (thrown) => {
    assert.ok(thrown instanceof error, `${thrown.name}: ${thrown.message}`);
    assert.match(thrown.message, message);
    return true;
  });
  assert.deepEqual(memoryUse(), memoryBefore);
  assert.deepEqual([...ops.add([1, 2], 1).data()], [2, 3]);
}

suite('sizes that wrap at 32 bits are refused', () => {
  test('in tensors', () => {
    const message = /\(1073741824,\).* 4294967296 bytes.* 1073741824 bytes.*maxBytes/;
    assertRefused(mf.StateError, message, () => ops.zeros([2 ** 30]));
    assertRefused(mf.ShapeError, /1099511627776 is too large/, () => ops.zeros([2 ** 40]));
    assertRefused(mf.StateError, /\(1, 2147483647\)/, () =>
      mf.padSequences([[1]], { maxlen: huge }),
    );
  });

  test('in values from files, and in shapes found by a trial run', () => {
    const tensorOf = (name) => ({
      class_name: '__keras_tensor__',
      config: { keras_history: [name, 0, 0] },
    });
    const entry = (class_name, name, config, ...calls) => ({
      module: class_name === 'InputLayer' ? 'keras.layers' : 'keras.src.ops.numpy',
      class_name,
      name,
      config: { name, ...config },
      inbound_nodes: calls,
    });
    const model = (steps, stop, makers = 1) => ({
      name: 'model',
      layers: [
        entry('InputLayer', 'x', { batch_shape: [null, steps], dtype: 'float32' }),
        entry('Negative', 'y', {}, { args: [tensorOf('x')], kwargs: {} }),
        ...Array.from({ length: makers }, (_, i) =>
          entry('Arange', `maker${i}`, {}, { args: [], kwargs: { start: 0, stop } }),
        ),
      ],
      input_layers: [['x', 0, 0]],
      output_layers: [['y', 0, 0]],
    });
    assertRefused(mf.StateError, /Arange.* 1073741824 bytes.* 256 MiB/, () =>
      mf.Model.fromConfig(model(4, 2 ** 28)),
    );
    assertRefused(mf.StateError, /Arange.* 67108864 bytes.* 256 MiB/, () =>
      mf.Model.fromConfig(model(4, 2 ** 24, 5)),
    );
    assertRefused(
      mf.StateError,
      /out of memory: .* leave dimensions as large as these unknown/,
      () => mf.Model.fromConfig(model(2 ** 24, 4)),
    );
    mf.Model.fromConfig(model(2 ** 20, 2 ** 20)).dispose();
  });

  test('in results', () => {
    const [column, row] = [ops.zeros([32768, 1]), ops.zeros([1, 32768])];
    for (const op of [ops.add, ops.matmul, ops.outer]) {
      assertRefused(mf.StateError, /\(32768, 32768\)/, () => op(column, row));
    }
    column.dispose();
    row.dispose();
  });

  test('in layers', () => {
    const call = (layer, ...shape) => {
      const x = ops.zeros(shape);
      try {
        return layer.apply(x);
      } finally {
        x.dispose();
        layer.dispose();
      }
    };
    const gru = () => layers.gru({ units: 1024, returnSequences: true, name: 'g' });
    assertRefused(mf.StateError, /^g: .*\(1024, 1024, 1024\)/, () => call(gru(), 1024, 1024, 1));
    const wide = () => layers.lstm({ units: 2 ** 30 });
    assertRefused(mf.ShapeError, /4294967296/, () => call(wide(), 1, 1, 1));
    const far = { filters: 1, kernelSize: 2, dilationRate: huge, padding: 'same' };
    assertRefused(mf.StateError, /bytes/, () => call(layers.conv1D(far), 1, 3, 1));
    const ones = () => layers.dense({ units: 2 ** 29 });
    assertRefused(mf.StateError, /\(2, 536870912\)/, () => call(ones(), 1, 2));
  });

  test('in attention scores', () => {
    const x = ops.zeros([1, 65536, 1]);
    const layer = layers.attention();
    assertRefused(mf.StateError, /17179869184 bytes/, () => layer.apply([x, x]));
    layer.dispose();
    x.dispose();
  });
});

suite('the limit on memory', () => {
  afterEach(() => mf.ready({ maxBytes: 2 ** 30 }));

  test('counts all tensors', async () => {
    const thousand = ops.zeros([1000]);
    await mf.ready({ maxBytes: 8000 });
    assertRefused(mf.StateError, /\(1001,\).* 4004 bytes.* 8000 bytes/, () => ops.ones([1001]));
    const fits = ops.ones([900]);
    fits.dispose();
    thousand.dispose();
    ops.ones([1001]).dispose();
  });

  test('counts the buffers of a layer', async () => {
    const x = ops.zeros([1, 1000, 8]);
    const layer = layers.attention();
    layer.apply([x, x]).dispose();
    await mf.ready({ maxBytes: 1e6 });
    assertRefused(mf.StateError, /attention/, () => layer.apply([x, x]));
    await mf.ready({ maxBytes: 2 ** 30 });
    layer.apply([x, x]).dispose();
    layer.dispose();
    x.dispose();
  });

  test('leaves a layer unchanged whose build exceeds it', async () => {
    const layer = layers.dense({ units: 1000, useBias: true });
    await mf.ready({ maxBytes: 20000 });
    assert.throws(() => layer.build([null, 10]), mf.StateError);
    assert.equal(layer.weights.length, 0);
    await mf.ready({ maxBytes: 2 ** 30 });
    layer.build([null, 10]);
    assert.equal(layer.weights.length, 2);
    layer.dispose();
  });

  test('must be a number of bytes', async () => {
    for (const maxBytes of [0, -1, Number.NaN, '1e9', null]) {
      await assert.rejects(mf.ready({ maxBytes }), mf.MaskflowError);
    }
  });
});

suite('nesting', () => {
  const nestedModel = (levels) => {
    let model = new Sequential([Input({ shape: [1] }), layers.dense({ units: 1 })]);
    for (let level = 0; level < levels; level += 1) model = new Sequential([model]);
    return model;
  };

  test('of models may have 62 levels', () => {
    const model = nestedModel(61);
    assert.equal(model.predict([[1]]).shape.length, 2);
    assert.equal(model.weights.length, 2);
    assert.equal(typeof JSON.stringify(model.getConfig()), 'string');
  });

  test('is refused beyond the limit', () => {
    assert.throws(() => nestedModel(2000), /nested too deeply/);
    assert.throws(() => {
      let layer = layers.dense({ units: 1 });
      for (let i = 0; i < 100; i += 1) layer = layers.timeDistributed({ layer });
    }, mf.ConfigError);
    assert.deepEqual([...ops.add([1, 2], 1).data()], [2, 3]);
  });

  test('of models that are added inside each other is limited', () => {
    const outer = new Sequential();
    let model = outer;
    for (let i = 0; i < 3000; i += 1) {
      const inner = new Sequential();
      model.add(inner);
      model = inner;
    }
    model.add(layers.dense({ units: 1 }));
    assert.throws(() => outer.predict([[1]]), mf.ConfigError);
    outer.dispose();
    assert.deepEqual([...ops.add([1, 2], 1).data()], [2, 3]);
  });

  test('of models in a circle is refused', () => {
    const [a, b, c] = [new Sequential(), new Sequential(), new Sequential()];
    a.add(b);
    b.add(c);
    assert.throws(() => c.add(a), mf.ConfigError);
  });
});
