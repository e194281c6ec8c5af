// SPDX-License-Identifier: MIT
// A call is a value: layer code may predict, evaluate, trace or stream another model meanwhile, and
// neither call changes the other.
import assert from 'node:assert/strict';
import { before, test } from 'node:test';
import * as mf from '../../dist/index.js';

const { layers } = mf;

/** A layer that runs `meanwhile` inside its call and returns its input. */
class Meanwhile extends mf.Layer {
  constructor(meanwhile, config = {}) {
    super(config);
    this.meanwhile = meanwhile;
    this.supportsMasking = true;
  }
  call(x, options) {
    // The layer's call also runs on zeros, when the model finds out its shapes.
    this.meanwhile?.(options);
    return mf.ops.add(x, 0);
  }
}

let inner;
/**
 * A model without regularizers: the penalties of layers that are called inside a call count for
 * that call.
 */
let unregularized;
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
  unregularized = new mf.Sequential([
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

/** Asserts that the model's results do not depend on `meanwhile`. */
function assertUndisturbed(meanwhile, ask) {
  const { model, layer } = outer();
  const expected = ask(model);
  layer.meanwhile = meanwhile;
  assert.deepEqual(ask(model), expected);
}

const meanwhiles = {
  predict: () => inner.predict(data).dispose(),
  evaluate: () => inner.evaluate(data, [[1], [0]], { loss: 'mse', metrics: ['mae'] }),
  trace: () => inner.traceMasks(data),
  profile: () => inner.profile(data, { repeats: 1 }),
  'a call that trains': () =>
    unregularized.apply(mf.tensor(data, { dtype: 'int32' }), { training: true }),
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
  test(`${name} inside a call: predict, loss and stream of the outer model do not change`, () => {
    const inTidy = () => mf.tidy(() => meanwhile());
    assertUndisturbed(inTidy, (model) => model.predict(data).array());
    assertUndisturbed(inTidy, (model) =>
      model.evaluate(data, [[1], [0]], { loss: 'binary_crossentropy' }),
    );
  });
}

test('a trace contains the layers of its own call only, including those that layer code calls directly', () => {
  const { model, layer } = outer();
  const names = (entries) => entries.map(({ path }) => path);
  const expected = names(model.traceMasks(data));
  layer.meanwhile = () => mf.tidy(() => inner.predict(data));
  assert.deepEqual(names(model.traceMasks(data)), expected);
  layer.meanwhile = () => mf.tidy(() => inner.apply(mf.tensor(data, { dtype: 'int32' })));
  const among = names(model.traceMasks(data)).filter((path) => path.includes('inner_dense'));
  assert.equal(among.length, 1);
  assert.match(among[0], /\/inner_dense$/);
  assert.ok(among[0].includes(layer.name), among[0]);
});

test('an error that layer code catches leaves trace and profile of the outer call correct', async () => {
  const { model, layer } = outer();
  const entries = () =>
    model
      .traceMasks(data)
      .filter(({ path }) => !path.split('/').includes(inner.name))
      .map(({ path, role, maskOut, shapeOut }) => ({ path, role, maskOut, shapeOut }));
  const expected = entries();
  layer.meanwhile = () => {
    const outOfRange = mf.tensor([[1, 99]], { dtype: 'int32' });
    assert.throws(() => inner.apply(outOfRange), mf.ValueError);
    outOfRange.dispose();
  };
  assert.deepEqual(entries(), expected);
  for (const row of (await model.profile(data, { repeats: 1 })).rows) {
    assert.ok(row.milliseconds >= 0 && row.milliseconds < 10_000, JSON.stringify(row));
    assert.ok(row.flops >= 0, JSON.stringify(row));
  }
});

test('the training mode of the outer call reaches the layers that code calls directly, but no prediction', () => {
  const modes = [];
  const probe = new Meanwhile(({ training } = {}) => modes.push(training));
  const probeModel = new mf.Sequential([mf.Input({ shape: [null] }), probe]);
  const { model, layer } = outer();
  modes.length = 0;
  layer.meanwhile = () =>
    mf.tidy(() => {
      probe.apply(mf.ops.ones([1, 2]));
      probeModel.predict([[1, 2]]);
    });
  mf.tidy(() => model.apply(mf.tensor(data, { dtype: 'int32' }), { training: true }));
  assert.deepEqual(
    modes.map((each) => each ?? false),
    [true, false],
  );
});

test('a layer that returns another number of tensors than before is named', () => {
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
    /fickle.* returned 2 tensors, but 1 when the model was built/,
  );
  parts = 1;
  assert.deepEqual(model.predict([[1, 2]]).array(), [[1, 2]]);
});

test('nearly correct settings are answered with a suggestion', () => {
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
