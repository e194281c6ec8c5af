// SPDX-License-Identifier: MIT
// A call is a value: code of a layer that predicts, evaluates, traces or streams another model meanwhile changes nothing in the call
// around it, and the other way round.
import assert from 'node:assert/strict';
import { before, test } from 'node:test';
import * as mf from '../../dist/index.js';

const { layers } = mf;

/** Runs `meanwhile` in its call and passes its input on. */
class Meanwhile extends mf.Layer {
  constructor(meanwhile, config = {}) {
    super(config);
    this.meanwhile = meanwhile;
    this.supportsMasking = true;
  }
  call(x, options) {
    // (Shapes are found by calls on zeros, too.)
    this.meanwhile?.(options);
    return mf.ops.add(x, 0);
  }
}

let inner;
/** Without a regularizer: what a call calls layer by layer belongs to it, with what its regularizers say. */
let plain;
const data = [
  [1, 2, 3, 0],
  [4, 5, 0, 0],
];

before(async () => {
  await mf.ready();
  inner = new mf.Sequential([
    mf.Input({ shape: [null], dtype: 'int32' }),
    layers.embedding({ inputDim: 10, outputDim: 3, maskZero: true, name: 'inner_embedding' }),
    layers.lstm({ units: 2, activityRegularizer: { class_name: 'L2', config: { l2: 7 } } }),
    layers.dropout({ rate: 0.5 }),
    layers.dense({ units: 1, name: 'inner_dense' }),
  ]);
  plain = new mf.Sequential([
    mf.Input({ shape: [null], dtype: 'int32' }),
    layers.embedding({ inputDim: 10, outputDim: 3, maskZero: true }),
    layers.lstm({ units: 2 }),
    layers.dropout({ rate: 0.5 }),
  ]);
});

function outer(meanwhile) {
  const layer = new Meanwhile(undefined);
  const model = new mf.Sequential([
    mf.Input({ shape: [null], dtype: 'int32' }),
    layers.embedding({ inputDim: 10, outputDim: 3, maskZero: true }),
    layer,
    layers.lstm({ units: 2, activityRegularizer: { class_name: 'L2', config: { l2: 0.1 } } }),
    layers.dense({ units: 1, activation: 'sigmoid' }),
  ]);
  model.predict(data);
  layer.meanwhile = meanwhile;
  return { model, layer };
}

/** What the model says with and without what happens meanwhile. */
function same(meanwhile, ask) {
  const { model, layer } = outer();
  const plain = ask(model);
  layer.meanwhile = meanwhile;
  assert.deepEqual(ask(model), plain);
}

const meanwhiles = {
  predict: () => inner.predict(data).dispose(),
  evaluate: () => inner.evaluate(data, [[1], [0]], { loss: 'mse', metrics: ['mae'] }),
  trace: () => inner.traceMasks(data),
  profile: () => inner.profile(data, { repeats: 1 }),
  'a call that trains': () => plain.apply(mf.tensor(data, { dtype: 'int32' }), { training: true }),
  'a stream': () => {
    const stream = new mf.Sequential([
      mf.Input({ shape: [null, 2] }),
      layers.gru({ units: 2 }),
    ]).stream();
    stream.step([[1, 2]]);
    stream.dispose();
  },
  'a call that fails': () => {
    assert.throws(() => inner.predict([[1, 99]]), mf.ValueError);
  },
};

for (const [name, meanwhile] of Object.entries(meanwhiles)) {
  test(`${name} inside a call: predict, loss and stream of the outer model stay`, () => {
    const inTidy = () => mf.tidy(() => meanwhile());
    same(inTidy, (model) => model.predict(data).array());
    same(inTidy, (model) => model.evaluate(data, [[1], [0]], { loss: 'binary_crossentropy' }));
  });
}

test('a trace has the layers of its own call alone; those that code calls itself are among them', () => {
  const { model, layer } = outer();
  const names = (entries) => entries.map(({ path }) => path);
  const plain = names(model.traceMasks(data));
  layer.meanwhile = () => mf.tidy(() => inner.predict(data));
  assert.deepEqual(names(model.traceMasks(data)), plain);
  layer.meanwhile = () => mf.tidy(() => inner.apply(mf.tensor(data, { dtype: 'int32' })));
  const among = names(model.traceMasks(data)).filter((path) => path.includes('inner_dense'));
  assert.equal(among.length, 1);
  assert.match(among[0], /\/inner_dense$/);
  assert.ok(among[0].includes(layer.name), among[0]);
});

test('an error that code of a layer catches leaves trace and profile of the call around it right', async () => {
  const { model, layer } = outer();
  const entries = () =>
    model
      .traceMasks(data)
      .filter(({ path }) => !path.split('/').includes(inner.name))
      .map(({ path, role, maskOut, shapeOut }) => ({ path, role, maskOut, shapeOut }));
  const untroubled = entries();
  layer.meanwhile = () => {
    const strange = mf.tensor([[1, 99]], { dtype: 'int32' });
    assert.throws(() => inner.apply(strange), mf.ValueError);
    strange.dispose();
  };
  assert.deepEqual(entries(), untroubled);
  for (const row of (await model.profile(data, { repeats: 1 })).rows) {
    assert.ok(row.milliseconds >= 0 && row.milliseconds < 10_000, JSON.stringify(row));
    assert.ok(row.flops >= 0, JSON.stringify(row));
  }
});

test('what the outer call was told about training reaches the layers that code calls, and no prediction', () => {
  const told = [];
  const probe = new Meanwhile(({ training } = {}) => told.push(training));
  const probed = new mf.Sequential([mf.Input({ shape: [null] }), probe]);
  const { model, layer } = outer();
  told.length = 0;
  layer.meanwhile = () =>
    mf.tidy(() => {
      probe.apply(mf.ops.ones([1, 2]));
      probed.predict([[1, 2]]);
    });
  mf.tidy(() => model.apply(mf.tensor(data, { dtype: 'int32' }), { training: true }));
  assert.deepEqual(
    told.map((each) => each ?? false),
    [true, false],
  );
});

test('a layer whose call gives another number of tensors than when the model was made is named', () => {
  let parts = 1;
  class Fickle extends mf.Layer {
    call(x) {
      return parts === 1 ? mf.ops.add(x, 0) : [mf.ops.add(x, 0), mf.ops.add(x, 1)];
    }
  }
  const input = mf.Input({ shape: [2] });
  const model = new mf.Model({
    inputs: input,
    outputs: new Fickle({ name: 'fickle' }).apply(input),
  });
  parts = 2;
  assert.throws(
    () => model.predict([[1, 2]]),
    /fickle.* gave 2 tensors but 1 when the model was made/,
  );
  parts = 1;
  assert.deepEqual(model.predict([[1, 2]]).array(), [[1, 2]]);
});

test('settings that are nearly right are told what was meant', () => {
  const fails = (make, message) =>
    assert.throws(make, (error) => {
      assert.equal(error.name, 'ConfigError');
      assert.match(error.message, message);
      return true;
    });
  fails(() => layers.lstm({ unit: 3 }), /'units' must be given; there is 'unit' instead/);
  fails(() => layers.lstm({ units: 3, returnSequence: true }), /did you mean 'return_sequences'\?/);
  fails(
    () => layers.bidirectional({ layer: layers.lstm({ units: 2 }), mergeMode: 'cocat' }),
    /'merge_mode' is 'cocat' \(did you mean 'concat'\?\); it must be one of 'concat', 'sum', 'ave', 'mul'/,
  );
  fails(
    () => layers.conv1D({ filters: 1, kernelSize: 1, padding: 'casual' }),
    /did you mean 'causal'\?/,
  );
  fails(
    () => layers.attention({ scoreMode: 'entirely else' }),
    /it must be one of 'dot', 'concat'/,
  );
});
