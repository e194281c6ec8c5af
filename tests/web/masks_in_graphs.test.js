// SPDX-License-Identifier: MIT
// A graph treats masks as eager calls do: withMask is a part of it, no layer ignores a mask, and
// warnings of dropped masks are true.
import assert from 'node:assert/strict';
import { before, test } from 'node:test';
import * as mf from '../../dist/train.js';
import { maskProgram } from '../fuzz/masks.js';
import { collectWarnings } from '../support/watch.js';

const { Input, Layer, layers, loadModel, Model, ops, Sequential, tensor } = mf;

before(() => mf.ready({ onMaskDropped: 'silent', seed: 5 }));

const close = (a, b, message) => {
  const gap = a.reduce((max, value, i) => Math.max(max, Math.abs(value - b[i])), 0);
  assert.ok(a.length === b.length && gap < 1e-5, `${message ?? 'differ'}: ${[a]} and ${[b]}`);
};

test('300 random programs over masks are equal eagerly and as graphs', async () => {
  const faults = [];
  for (let seed = 0; seed < 300; seed++) {
    faults.push(...(await maskProgram(seed, { files: seed % 6 === 0 })));
  }
  assert.deepEqual(faults.slice(0, 3), []);
});

const short = [[3, 1, 2, 0]];
const long = [[3, 1, 2, 0, 0, 0, 0]];
const words = () => layers.embedding({ inputDim: 5, outputDim: 4, maskZero: true });
const attention = () => layers.multiHeadAttention({ numHeads: 2, keyDim: 2 });

/** Makes a model of ids. */
function modelOf(build) {
  const input = Input({ shape: [null], dtype: 'int32' });
  return new Model({ inputs: input, outputs: build(words().apply(input), input) });
}

const ignoresPadding = (model) => close(model.predict(short).data(), model.predict(long).data());

test('withMask on a symbolic tensor reaches attention', () => {
  const model = modelOf((e) => {
    const x = ops.add(e, 1).withMask(e.mask);
    const y = attention().apply({ query: x, value: x });
    return layers.globalAveragePooling1D().apply(y);
  });
  ignoresPadding(model);
});

test('withMask counts in the loss of an output', () => {
  const model = modelOf((e) => ops.add(e, 1).withMask(e.mask));
  const y = ops.add(model.predict(short), tensor([1, 1, 1, 9]).reshape([1, 4, 1]));
  assert.ok(Math.abs(model.evaluate(short, y, { loss: 'mse' }).loss - 1) < 1e-5);
});

test('withMask(null) removes the mask in a graph', () => {
  const model = modelOf((e) => layers.globalAveragePooling1D().apply(e.withMask(null)));
  const [embedding] = model.layers.filter(({ className }) => className === 'Embedding');
  const plain = ops.mean(embedding.apply(short), { axis: 1 });
  close(model.predict(short).data(), plain.data());
});

test('constant masks and masks of other dtypes work in a graph', () => {
  const x = tensor([[[1], [2], [5]]]);
  const input = Input({ shape: [3, 1] });
  const mask = Input({ shape: [3] });
  const pool = (y) => layers.globalAveragePooling1D().apply(y);
  const constant = new Model({
    inputs: input,
    outputs: pool(input.withMask([[true, true, false]])),
  });
  assert.equal(constant.predict(x).item(), 1.5);
  const floats = new Model({ inputs: [input, mask], outputs: pool(input.withMask(mask)) });
  assert.equal(floats.predict([x, tensor([[0, 1, 1]])]).item(), 3.5);
  assert.equal(input.withMask(mask).mask.dtype, 'bool');
});

test('a constant tensor with a symbolic mask is a part of the graph', () => {
  const mask = Input({ shape: [3], dtype: 'bool' });
  const x = tensor([[[1], [2], [6]]]);
  const y = layers.globalAveragePooling1D().apply(x.withMask(mask));
  const z = layers.globalAveragePooling1D().apply(x, { mask });
  const model = new Model({ inputs: mask, outputs: [y, z] });
  for (const result of model.predict([[true, false, true]])) assert.equal(result.item(), 3.5);
});

test('a mask that does not fit is an error in a graph, too', () => {
  const x = Input({ shape: [4, 2] });
  assert.throws(() => x.withMask([[true, false, true]]), mf.ShapeError);
  assert.throws(() => x.withMask(Input({ shape: [3], dtype: 'bool' })), mf.ShapeError);
});

test('graphs with withMask are saved and loaded, and TensorFlow.js refuses them by name', async () => {
  const model = modelOf((e) => {
    const x = ops.add(e, 1).withMask(e.mask);
    const y = attention().apply({ query: x, value: x });
    return layers.globalAveragePooling1D().apply(y.withMask(null).withMask(e.mask));
  });
  const first = await loadModel(await model.save());
  const second = await loadModel(await first.save());
  for (const copy of [first, second, Model.fromConfig(model.getConfig())]) {
    copy.setWeights(model.getWeights());
    close(copy.predict(long).data(), model.predict(long).data());
    ignoresPadding(copy);
  }
  assert.equal(first.layers.length, second.layers.length);
  await assert.rejects(model.saveTfjs(), (error) => {
    assert.ok(error instanceof mf.UnsupportedError);
    assert.match(error.message, /withMask/);
    return true;
  });
});

test('graphs with withMask are traced, streamed and summarized', () => {
  const model = modelOf((e) => {
    const x = ops.add(e, 1).withMask(e.mask);
    return layers.gru({ units: 2, returnSequences: true }).apply(x);
  });
  const trace = model.traceMasks(short);
  assert.deepEqual(
    trace.filter(({ isLayer }) => !isLayer).map(({ className, role }) => `${className} ${role}`),
    ['Add drops'],
  );
  const attaches = trace.find(({ layer }) => layer.startsWith('with_mask'));
  assert.deepEqual([attaches.role, attaches.maskIn], ['makes', null]);
  assert.match(attaches.reason, /is withMask: it attaches a mask/);
  assert.match(model.summary({ print: null }), /with_mask/);
  const whole = model.predict([[3, 0, 2]]).data();
  const stream = model.stream();
  const steps = [3, 0, 2].flatMap((id) => [...stream.step([[id]]).data()]);
  close(whole, steps);
});

test('a stream of a model with a nested model that receives a mask uses it', () => {
  const inner = new Sequential([
    Input({ shape: [null, 4] }),
    layers.gru({ units: 2, returnSequences: true }),
  ]);
  const model = modelOf((e) => inner.apply(ops.add(e, 1), { mask: e.mask }));
  const stream = model.stream();
  const steps = [3, 0, 2].flatMap((id) => [...stream.step([[id]]).data()]);
  close(model.predict([[3, 0, 2]]).data(), steps);
});

test('a constant mask cannot be streamed; the error says what to do', () => {
  const input = Input({ shape: [3, 2] });
  const x = input.withMask([[true, false, true]]);
  const model = new Model({
    inputs: input,
    outputs: layers.gru({ units: 2, returnSequences: true }).apply(x),
  });
  assert.throws(() => model.stream(), /attaches a constant mask; make the mask an input/);
});

test('a model with withMask is trained on its kept steps', async () => {
  const model = modelOf((e) => {
    const x = ops.multiply(e, 2).withMask(e.mask);
    return layers.dense({ units: 1 }).apply(layers.globalAveragePooling1D().apply(x));
  });
  const copy = await loadModel(await model.save());
  for (const [each, ids] of [
    [model, short],
    [copy, long],
  ]) {
    each.compile({ optimizer: 'sgd', loss: 'mse' });
    await each.fit(ids, [[1]], { epochs: 3, verbose: 0 });
  }
  const [a, b] = [model, copy].map((each) => each.getWeights().map((w) => [...w.data()]));
  for (const [i, weight] of a.entries()) close(weight, b[i]);
});

// --- layers that a mask may not reach silently

const x3 = () => ops.sin(ops.reshape(ops.arange(24, { dtype: 'float32' }), [2, 3, 4]));
const heads = {
  MultiHeadAttention: attention,
  GroupQueryAttention: () =>
    layers.groupQueryAttention({ headDim: 2, numQueryHeads: 2, numKeyValueHeads: 1 }),
};

for (const [name, make] of Object.entries(heads)) {
  test(`${name} refuses the argument mask; each remedy in the message works`, () => {
    const layer = make();
    const keep = (steps) => [0, 1].map(() => Array.from({ length: steps }, (_, t) => t < 3));
    const call = (x) => layer.apply({ query: x, value: x }, { mask: keep(3) });
    for (const x of [x3(), Input({ shape: [3, 4] })]) {
      assert.throws(
        () => call(x),
        (error) => {
          assert.ok(error instanceof mf.ValueError);
          assert.match(error.message, new RegExp(`a call of ${name} has no argument 'mask'`));
          for (const word of ['withMask', 'queryMask', 'valueMask', 'attentionMask']) {
            assert.ok(error.message.includes(word), word);
          }
          return true;
        },
      );
    }
    const data = x3();
    const padded = ops.concatenate([data, ops.ones([2, 2, 4])], { axis: 1 });
    const remedies = {
      withMask: (x, mask) => {
        const masked = x.withMask(mask);
        return layer.apply({ query: masked, value: masked });
      },
      masks: (x, mask) => layer.apply({ query: x, value: x }, { queryMask: mask, valueMask: mask }),
      attentionMask: (x, mask) => {
        const both = mask.map((row) => row.map(() => row));
        return layer.apply({ query: x, value: x }, { attentionMask: both });
      },
    };
    const expected = layer.apply({ query: data, value: data });
    for (const [remedy, run] of Object.entries(remedies)) {
      const y = run(padded, keep(5));
      close(y.slice([0, 0, 0], [2, 3, 4]).data(), expected.data(), remedy);
    }
  });
}

test('Multiply and Maximum use explicit masks as attached ones', () => {
  const [a, b] = [x3(), ops.multiply(x3(), -2)];
  const masks = [
    [
      [true, false, true],
      [false, false, true],
    ],
    [
      [true, true, false],
      [true, false, true],
    ],
  ];
  for (const make of [layers.multiply, layers.maximum, layers.minimum, layers.add]) {
    const attached = make().apply([a.withMask(masks[0]), b.withMask(masks[1])]);
    const explicit = make().apply([a, b], { mask: masks });
    close(explicit.data(), attached.data());
    assert.deepEqual(explicit.mask.array(), attached.mask.array());
  }
});

test('merges broadcast [1, time, features] in a graph, with masks, as Keras does', () => {
  const table = ops.sin(ops.reshape(ops.arange(12, { dtype: 'float32' }), [1, 3, 4]));
  const row = [[true, false, true]];
  const kept = [
    [true, true, false],
    [false, false, true],
  ];
  for (const make of [layers.add, layers.average, layers.multiply, layers.maximum]) {
    const x = Input({ shape: [3, 4] });
    const mask = Input({ shape: [3], dtype: 'bool' });
    const outputs = make().apply([x.withMask(mask), table.withMask(row)]);
    const model = new Model({ inputs: [x, mask], outputs });
    const y = model.apply([x3(), tensor(kept)]);
    const repeated = ops.repeat(table, 2, { axis: 0 }).withMask([row[0], row[0]]);
    const expected = make().apply([x3().withMask(kept), repeated]);
    close(y.data(), expected.data());
    assert.deepEqual(y.mask.array(), expected.mask.array());
  }
});

// --- warnings

const warnings = async (run) => {
  await mf.ready({ onMaskDropped: 'warn' });
  try {
    return collectWarnings(run).warnings;
  } finally {
    await mf.ready({ onMaskDropped: 'silent' });
  }
};

const masked = () =>
  x3().withMask([
    [true, true, false],
    [true, false, false],
  ]);

test('a layer that drops masks warns once, not for each call', async () => {
  for (const make of [
    () => layers.conv1D({ filters: 2, kernelSize: 2 }),
    () => layers.flatten(),
    () => layers.globalMaxPooling1D(),
  ]) {
    const found = await warnings(() => {
      const model = new Sequential([words(), make()]);
      for (let i = 0; i < 30; i++) model.predict(short);
    });
    assert.equal(found.length, 1);
    assert.match(found[0], /does not support masking.*model\.checkPadding\(x\)/);
  }
});

test('models and layers whose inner layers use the mask do not warn', async () => {
  class Encoder extends Layer {
    gru = layers.gru({ units: 2 });
    call(x) {
      return this.gru.apply(x);
    }
  }
  class Pool extends Layer {
    call(x, { mask }) {
      const keep = ops.expandDims(ops.cast(mask, 'float32'), -1);
      return ops.divide(ops.sum(ops.multiply(x, keep), { axis: 1 }), ops.sum(keep, { axis: 1 }));
    }
  }
  const input = Input({ shape: [null, 4] });
  const functional = new Model({ inputs: input, outputs: layers.gru({ units: 2 }).apply(input) });
  const nested = new Sequential([
    words(),
    new Sequential([layers.lstm({ units: 3, returnSequences: true }), layers.lstm({ units: 2 })]),
  ]);
  const attend = heads.GroupQueryAttention();
  const runs = {
    functional: () => functional.predict(masked()),
    explicit: () => functional.apply(x3(), { mask: masked().mask }),
    nested: () => nested.predict(short),
    symbolic: () => modelOf((e) => functional.apply(e)),
    'a custom layer with a GRU': () => new Encoder().apply(masked()),
    'a custom pooling': () => new Pool().apply(masked()),
    'a graph of it': () => modelOf((e) => new Encoder().apply(e)).predict(short),
    GroupQueryAttention: () => attend.apply({ query: masked(), value: masked() }),
  };
  for (const [name, run] of Object.entries(runs)) {
    assert.deepEqual(await warnings(run), [], name);
    await mf.ready({ onMaskDropped: 'error' });
    try {
      run();
    } finally {
      await mf.ready({ onMaskDropped: 'silent' });
    }
  }
});

test('a dropped mask is an error if that is asked for, until it is removed first', async () => {
  await mf.ready({ onMaskDropped: 'error' });
  try {
    const flatten = layers.flatten();
    assert.throws(() => flatten.apply(masked()), /remove the mask first with withMask\(null\)/);
    assert.throws(() => flatten.apply(masked()), mf.ValueError);
    assert.deepEqual(flatten.apply(masked().withMask(null)).shape, [2, 12]);
    const input = Input({ shape: [3, 4] });
    flatten.apply(input.withMask([[true, true, false]]).withMask(null));
  } finally {
    await mf.ready({ onMaskDropped: 'silent' });
  }
});

// --- NaN

test('Masking refuses NaN; the code in the message masks missing readings', async () => {
  const message = /mask_value' is NaN.*(x\.withMask\(ops\.logicalNot\(.*\)\)\))$/;
  let code;
  assert.throws(
    () => layers.masking({ maskValue: Number.NaN }),
    (error) => {
      assert.ok(error instanceof mf.ConfigError);
      code = message.exec(error.message)[1];
      return true;
    },
  );
  assert.throws(() => layers.masking({ maskValue: [0, Number.NaN] }), mf.ConfigError);
  const restore = new Function('ops', 'x', `return ${code}`);
  const gru = layers.gru({ units: 2 });
  const missing = [[[1], [Number.NaN], [3], [Number.NaN]]];
  const expected = gru.apply([[[1], [3]]]).data();
  close(gru.apply(restore(ops, tensor(missing))).data(), expected);
  const input = Input({ shape: [null, 1] });
  const model = new Model({ inputs: input, outputs: gru.apply(restore(ops, input)) });
  close(model.predict(missing).data(), expected);
  // A file of Keras may contain such a layer, which masks nothing.
  const config = { ...layers.masking().getConfig(), mask_value: Number.NaN };
  const loaded = mf.deserializeLayer({ class_name: 'Masking', config });
  assert.deepEqual(loaded.apply([[[1], [2]]]).mask.array(), [[true, true]]);
});
