// SPDX-License-Identifier: MIT
// checkPadding() finds whether padding changes the answer, where, and what to do.
import assert from 'node:assert/strict';
import { before, test } from 'node:test';
import * as mf from '../../dist/index.js';
import { openWorker } from '../../dist/worker.js';
import { live } from '../support/watch.js';

const { Input, Layer, layers, Model, ops, Sequential, tensor } = mf;

before(() => mf.ready({ onMaskDropped: 'error', seed: 3 }));

const words = (options = {}) =>
  layers.embedding({ inputDim: 9, outputDim: 4, maskZero: true, name: 'words', ...options });
const ids = [
  [3, 1, 4, 1],
  [5, 2, 0, 0],
];
function modelOf(build, length = null) {
  const input = Input({ shape: [length], dtype: 'int32' });
  return new Model({ inputs: input, outputs: build(words().apply(input), input) });
}
/** Builds a model whose layers drop masks, which is an error here. */
async function silently(build) {
  await mf.ready({ onMaskDropped: 'silent' });
  const model = build();
  await mf.ready({ onMaskDropped: 'error' });
  return model;
}
const right = { same: true, difference: 0, layer: null, remedy: null };

test('right models pass', async () => {
  const models = {
    gru: modelOf((x) => layers.gru({ units: 2 }).apply(x)),
    sequences: modelOf((x) => layers.lstm({ units: 2, returnSequences: true }).apply(x)),
    attention: modelOf((x) =>
      layers
        .globalAveragePooling1D()
        .apply(layers.multiHeadAttention({ numHeads: 2, keyDim: 2 }).apply({ query: x, value: x })),
    ),
    withMask: modelOf((x) => layers.gru({ units: 2 }).apply(ops.add(x, 1).withMask(x.mask))),
    nested: new Sequential([
      words(),
      new Sequential([layers.bidirectional({ layer: layers.gru({ units: 2 }) })]),
    ]),
  };
  for (const [name, model] of Object.entries(models)) {
    assert.deepEqual(await model.checkPadding(ids), right, name);
  }
});

test('wrong models are found, with the first layer and its remedy', async () => {
  const cases = [
    ['pool', /-1e9/, (x) => layers.globalMaxPooling1D({ name: 'pool' }).apply(x)],
    [
      'read',
      /^Add lost the mask\. Put it back: y\.withMask\(x\.mask\)/,
      (x) => layers.gru({ units: 2, name: 'read' }).apply(ops.add(x, 1)),
    ],
    [
      'attend',
      /Add lost the mask/,
      (x) => {
        const y = ops.add(x, 1);
        return layers
          .globalAveragePooling1D()
          .apply(
            layers
              .multiHeadAttention({ numHeads: 1, keyDim: 2, name: 'attend' })
              .apply({ query: y, value: y }),
          );
      },
    ],
    [
      'decoder',
      /initialState, mask: x\.mask/,
      (x) =>
        layers.gru({ units: 4, name: 'decoder' }).apply(x, {
          initialState: layers.globalAveragePooling1D().apply(x),
        }),
    ],
    ['Mean', /Use a layer that leaves masked steps out/, (x) => ops.mean(x, { axis: 1 })],
    ['Max', /-1e9/, (x) => ops.max(x, { axis: 1 })],
  ];
  for (const [layer, remedy, build] of cases) {
    const model = await silently(() => modelOf(build));
    const result = await model.checkPadding(ids);
    assert.deepEqual([result.same, result.layer], [false, layer]);
    assert.ok(result.difference > 0, layer);
    assert.match(result.remedy, remedy);
  }
});

test('padding of one row is compared with the row without it', async () => {
  const model = await silently(
    () => new Sequential([words({ outputDim: 32 }), layers.globalMaxPooling1D()]),
  );
  const result = await model.checkPadding([[5, 2, 0, 0]]);
  assert.equal(result.same, false);
});

test('float inputs with Masking, and inputs that carry a mask', async () => {
  const masking = new Sequential([layers.masking({ maskValue: -1 }), layers.gru({ units: 2 })]);
  assert.deepEqual(
    await masking.checkPadding([
      [
        [1, 2],
        [3, 4],
        [-1, -1],
      ],
    ]),
    right,
  );
  const input = Input({ shape: [null, 2] });
  const gru = new Model({ inputs: input, outputs: layers.gru({ units: 2 }).apply(input) });
  const x = tensor([
    [
      [1, 2],
      [3, 4],
      [7, 7],
    ],
  ]);
  assert.deepEqual(await gru.checkPadding(x.withMask([[true, true, false]])), right);
  const conv = await silently(
    () =>
      new Sequential([
        layers.masking(),
        layers.conv1D({ filters: 2, kernelSize: 2, name: 'conv' }),
        layers.gru({ units: 2, name: 'read' }),
      ]),
  );
  const found = await conv.checkPadding([
    [
      [1, 2],
      [3, 4],
      [5, 6],
    ],
  ]);
  assert.equal(found.same, false);
  assert.equal(found.layer, 'read');
  assert.match(found.remedy, /^conv lost the mask\. Set strides: 1/);
});

test('padding in front is extended in front', async () => {
  const model = modelOf((x) => layers.gru({ units: 2, returnSequences: true }).apply(x));
  assert.deepEqual(
    await model.checkPadding([
      [0, 0, 3, 1],
      [0, 2, 5, 1],
    ]),
    right,
  );
});

test('several inputs, dictionaries, and inputs without time', async () => {
  const [a, b, c] = [
    Input({ shape: [null], dtype: 'int32', name: 'a' }),
    Input({ shape: [null], dtype: 'int32', name: 'b' }),
    Input({ shape: [3], name: 'c' }),
  ];
  const read = (x) => layers.gru({ units: 3 }).apply(words({ name: undefined }).apply(x));
  const outputs = layers.add().apply([read(a), read(b), c]);
  const model = new Model({ inputs: { a, b, c }, outputs });
  const data = { a: [[1, 2, 3, 0]], b: [[4, 5, 0]], c: [[1, 2, 3]] };
  assert.deepEqual(await model.checkPadding(data), right);
  const flat = new Model({ inputs: c, outputs: layers.dense({ units: 1 }).apply(c) });
  await assert.rejects(flat.checkPadding([[1, 2, 3]]), (error) => {
    assert.ok(error instanceof mf.ValueError);
    assert.match(error.message, /needs an input with a time axis.*\[1,3\] \(float32\)/);
    return true;
  });
});

test('the remedy of a model without masks is to make one', async () => {
  const input = Input({ shape: [null], dtype: 'int32' });
  const x = words({ maskZero: false }).apply(input);
  const model = new Model({
    inputs: input,
    outputs: layers.gru({ units: 2, name: 'read' }).apply(x),
  });
  const result = await model.checkPadding([[3, 1, 4]]);
  assert.deepEqual([result.same, result.layer], [false, 'read']);
  assert.match(result.remedy, /No mask is made.*maskZero: true/);
  const floats = new Sequential([layers.gru({ units: 2 })]);
  assert.match(
    (await floats.checkPadding([[[1], [2]]])).remedy,
    /Put a Masking layer first.*withMask/,
  );
});

test('a custom layer that ignores its mask is named, not an operation inside it', async () => {
  class Mean extends Layer {
    supportsMasking = true;
    call(x) {
      return ops.mean(x, { axis: 1 });
    }
  }
  const model = modelOf((x) => new Mean({ name: 'mine' }).apply(x));
  const result = await model.checkPadding(ids);
  assert.deepEqual([result.same, result.layer], [false, 'mine']);
});

test('models with a fixed number of steps or with states are checked as copies', async () => {
  const fixed = modelOf((x) => layers.gru({ units: 2 }).apply(x), 4);
  assert.deepEqual(await fixed.checkPadding(ids), right);
  const flat = await silently(() =>
    modelOf((x) => layers.dense({ units: 1 }).apply(layers.flatten().apply(x)), 4),
  );
  await assert.rejects(flat.checkPadding(ids), mf.UnsupportedError);
  const input = Input({ batchShape: [2, 4], dtype: 'int32' });
  const stateful = new Model({
    inputs: input,
    outputs: layers.gru({ units: 2, stateful: true }).apply(words().apply(input)),
  });
  stateful.predict(ids);
  const copy = Model.fromConfig(stateful.getConfig());
  copy.setWeights(stateful.getWeights());
  copy.predict(ids);
  assert.deepEqual(await stateful.checkPadding(ids), right);
  assert.deepEqual(stateful.predict(ids).array(), copy.predict(ids).array());
});

test('options are checked, memory is freed, and no warning is printed', async () => {
  const model = modelOf((x) => layers.gru({ units: 2 }).apply(x));
  await assert.rejects(model.checkPadding(ids, { steps: 0 }), mf.ValueError);
  await assert.rejects(model.checkPadding(ids, { step: 3 }), mf.ConfigError);
  const data = tensor(ids);
  await model.checkPadding(data);
  const start = live();
  await model.checkPadding(data, { steps: 2 });
  assert.deepEqual(live(), start);
});

test('models of workers are checked, too', async () => {
  const worker = await openWorker();
  try {
    const model = await worker.loadModel(
      await modelOf((x) => layers.gru({ units: 2 }).apply(x)).save(),
    );
    assert.deepEqual(await model.checkPadding(tensor(ids)), right);
  } finally {
    worker.close();
  }
});
