// SPDX-License-Identifier: MIT
// User code that disposes of, changes or calls the object that runs it: correct results or typed
// errors, and the next call works.
import assert from 'node:assert/strict';
import { before, test } from 'node:test';
import * as mf from '../../dist/index.js';
import { live } from '../support/watch.js';

before(() => mf.ready({ onMaskDropped: 'silent' }));

const { Layer, Model, Sequential, Input, layers, ops, tensor } = mf;

/** A layer that runs an action inside each of its methods. */
class Acting extends Layer {
  acts = {};
  call(x, { mask }) {
    this.acts.call?.(x, mask);
    return ops.multiply(x, 2);
  }
  build(shape) {
    this.acts.build?.(shape);
    this.scale = this.addWeight({ name: 'scale', shape: [1] });
  }
  computeMask(_, mask) {
    this.acts.computeMask?.(mask);
    return mask;
  }
  computeOutputShape(shape) {
    this.acts.computeOutputShape?.(shape);
    return shape;
  }
  getConfig() {
    this.acts.getConfig?.();
    return super.getConfig();
  }
}

/** A cell that computes h' = h + x and runs an action. */
class ActingCell extends Layer {
  stateSize = 3;
  call(x, { states: [h] }) {
    this.act?.(h);
    const nextState = ops.add(h, x);
    return [nextState, [nextState]];
  }
}

const x = () => ops.ones([2, 4, 3]);
const expectedSums = () => Array.from({ length: 24 }, () => 2);

function createStream() {
  const cell = new ActingCell();
  const model = new Sequential([Input({ shape: [null, 3] }), layers.rnn({ cell })]);
  return { cell, model, stream: model.stream() };
}

test('a stream that its cell disposes of finishes its step, and is then disposed of', () => {
  const { cell, model, stream } = createStream();
  cell.act = () => stream.dispose();
  assert.deepEqual(stream.step([[1, 2, 3]]).array(), [[1, 2, 3]]);
  assert.throws(() => stream.step([[1, 2, 3]]), mf.StateError);
  stream.dispose();
  cell.act = undefined;
  assert.deepEqual(model.predict([[[1, 2, 3]]]).array(), [[1, 2, 3]]);
});

test('a stream refuses use inside its own step, and then goes on', () => {
  const { cell, stream } = createStream();
  const uses = [
    () => stream.step([[1, 1, 1]]),
    () => stream.step(new Float32Array(3)),
    () => stream.reset(),
    () => stream.clone(),
    () => stream.state,
    () => {
      stream.state = [];
    },
  ];
  for (const use of uses) {
    cell.act = () => assert.throws(use, mf.StateError);
    stream.step([[0, 0, 0]]);
    cell.act = use;
    assert.throws(() => stream.step([[0, 0, 0]]), mf.StateError);
  }
  cell.act = undefined;
  assert.deepEqual(stream.step([[1, 2, 3]]).array(), [[1, 2, 3]]);
});

test('a cell refuses to be run inside its own step', () => {
  const { cell, model, stream } = createStream();
  cell.act = () => model.predict(x());
  assert.throws(() => model.predict(x()), {
    name: 'StateError',
    message: /is called by code that one of its steps runs/,
  });
  assert.throws(() => stream.step([[1, 1, 1]]), mf.StateError);
  cell.act = undefined;
  assert.deepEqual(model.predict(x()).array(), [
    [4, 4, 4],
    [4, 4, 4],
  ]);
});

test('a layer or model that is disposed of inside its call finishes the call', () => {
  for (const target of ['layer', 'model']) {
    const layer = new Acting();
    const model = new Sequential([layer, layers.dense({ units: 3 })]);
    const input = x();
    const expected = model.predict(input).array();
    layer.acts.call = () => (target === 'layer' ? layer : model).dispose();
    assert.deepEqual(model.predict(input).array(), expected);
    if (target === 'model') assert.throws(() => model.predict(input), mf.StateError);
    else assert.throws(() => layer.apply(input), mf.StateError);
    model.dispose();
  }
});

test('a call survives the disposal of its model input; inputs and states disposed of before use are a StateError', () => {
  const layer = new Acting();
  const model = new Sequential([layers.masking(), layer, layers.lstm({ units: 2 })]);
  const input = x();
  layer.acts.call = (inputs, mask) => {
    input.dispose();
    mask?.dispose();
    inputs.mask?.dispose();
  };
  assert.equal(model.predict(input).shape.join(), '2,2');
  assert.throws(() => model.predict(input), mf.StateError);
  layer.acts.call = (inputs) => inputs.dispose();
  assert.throws(() => model.predict(x()), mf.StateError);
  const { cell, model: recurrent } = createStream();
  cell.act = (h) => h.dispose();
  assert.throws(() => recurrent.predict(x()), mf.StateError);
});

test('weights that are set inside the call apply from the next product on', () => {
  const layer = new Acting();
  const dense = layers.dense({ units: 3, useBias: false, kernelInitializer: 'zeros' });
  const model = new Sequential([layer, dense]);
  model.predict(x());
  layer.acts.call = () => dense.setWeights([ops.eye(3)]);
  assert.deepEqual([...model.predict(x()).data()], expectedSums());

  const cell = new ActingCell();
  const lstmCell = layers.lstmCell({ units: 3 });
  const rnn = layers.rnn({ cell: [lstmCell, cell] });
  rnn.apply(x());
  cell.act = () => lstmCell.setWeights(lstmCell.getWeights().map((w) => ops.multiply(w, 0)));
  assert.ok(rnn.apply(x()).data().every(Number.isFinite));
});

test('a Sequential refuses to be changed while it runs', () => {
  const layer = new Acting();
  const model = new Sequential([layer, layers.dense({ units: 3 })]);
  model.predict(x());
  for (const change of [() => model.pop(), () => model.add(layers.dense({ units: 3 }))]) {
    layer.acts.call = () => assert.throws(change, mf.StateError);
    model.predict(x());
  }
  layer.acts = {};
  assert.equal(model.layers.length, 2);
  model.pop();
  assert.deepEqual([...model.predict(x()).data()], expectedSums());
});

const places = ['call', 'build', 'computeMask', 'computeOutputShape', 'getConfig'];

function use(place, acts) {
  const layer = new Acting();
  layer.acts[place] = acts(layer);
  if (place === 'getConfig') return JSON.stringify(new Sequential([layer]));
  if (place === 'computeOutputShape') return layer.apply(Input({ shape: [3] }));
  return layer.apply(x().withMask(ops.ones([2, 4], { dtype: 'bool' })));
}

test("an error of a layer's code is rethrown as the same object, and the next call works", () => {
  for (const place of places) {
    const error = new Error(place);
    assert.throws(
      () =>
        use(place, () => () => {
          throw error;
        }),
      (thrown) => thrown === error,
    );
    use(place, () => () => {});
  }
});

test('any code of a layer may run another model', () => {
  const inner = new Sequential([layers.lstm({ units: 2 })]);
  const expected = inner.predict(x()).array();
  for (const place of places) {
    let runs = 0;
    use(place, () => () => {
      assert.deepEqual(inner.predict(x()).array(), expected);
      runs++;
    });
    assert.ok(runs > 0, place);
  }
});

test("endless recursion in a layer's code is a StateError", () => {
  const input = x().withMask(ops.ones([2, 4], { dtype: 'bool' }));
  const calls = {
    call: (layer) => () => layer.apply(input),
    build: (layer) => () => layer.apply(input),
    computeMask: (layer) => () => layer.apply(input),
    computeOutputShape: (layer) => () => layer.apply(Input({ shape: [3] })),
    getConfig: (layer) => () => mf.serializeLayer(layer),
  };
  for (const place of places) {
    assert.throws(() => use(place, calls[place]), { name: 'StateError' }, place);
    use(place, () => () => {});
  }
});

test('console.warn may throw, and may call a model', async () => {
  await mf.ready({ onMaskDropped: 'warn' });
  const warn = console.warn;
  const model = new Sequential([layers.masking(), layers.flatten()]);
  const inner = new Sequential([layers.dense({ units: 1 })]);
  try {
    const error = new Error('no warnings here');
    console.warn = () => {
      throw error;
    };
    assert.throws(
      () => model.predict(x()),
      (thrown) => thrown === error,
    );
    console.warn = () => inner.predict(x()).dispose();
    assert.deepEqual(model.predict(x()).shape, [2, 12]);
  } finally {
    console.warn = warn;
    await mf.ready({ onMaskDropped: 'silent' });
  }
});

test('a failed build frees its weights', () => {
  class Failing extends Layer {
    build() {
      this.addWeight({ name: 'w', shape: [2] });
      if (!this.fine) throw new Error('not yet');
    }
    call(input) {
      return input;
    }
  }
  const layer = new Failing();
  assert.throws(() => layer.apply(x()), /not yet/);
  assert.throws(() => layer.apply(x()), /not yet/);
  layer.fine = true;
  layer.apply(x());
  assert.equal(layer.weights.length, 1);
});

test('computations beside a call do not disturb it', async () => {
  const side = new Sequential([
    layers.dense({ units: 1, activityRegularizer: { class_name: 'L2', config: { l2: 1 } } }),
    layers.dropout({ rate: 0.9 }),
  ]);
  side.predict(x());
  const modes = [];
  class Busy extends Layer {
    call(input, { training }) {
      const values = side.predict(x()).data();
      modes.push([training, values.every((v) => v === values[0])]);
      side.evaluate(x(), ops.zeros([2, 4, 1]), { loss: 'mse', metrics: ['mae'] });
      side.traceMasks(x());
      return input;
    }
  }
  const build = (middle) =>
    new Sequential([
      layers.masking(),
      layers.dense({
        units: 3,
        kernelInitializer: 'ones',
        activityRegularizer: { class_name: 'L2', config: { l2: 0.1 } },
      }),
      middle,
      layers.dense({
        units: 1,
        kernelInitializer: 'ones',
        activityRegularizer: { class_name: 'L2', config: { l2: 0.1 } },
      }),
    ]);
  const plainModel = build(layers.activation({ activation: 'linear' }));
  const busyModel = build(new Busy());
  const y = ops.zeros([2, 4, 1]);
  const options = { loss: 'mse', metrics: ['mae'] };
  const expected = plainModel.evaluate(x(), y, options);
  assert.ok(expected.loss > 0);
  assert.deepEqual(busyModel.evaluate(x(), y, options), expected);
  const paths = (model) => model.traceMasks(x()).map(({ layer }) => layer).length;
  assert.equal(paths(busyModel), paths(plainModel));
  busyModel.apply(x(), { training: true });
  assert.deepEqual(modes.at(-1), [true, true], 'a predict inside training does not train');
  const profile = await busyModel.profile(x(), { repeats: 1 });
  assert.equal(profile.rows?.length ?? profile.layers?.length ?? 4, 4);
});

test('a layer that calls itself with a dictionary keeps the keys of the outer call', () => {
  class Keyed extends Layer {
    call(inputs) {
      if (inputs.b) this.apply({ c: inputs.a });
      return inputs.a ?? inputs.c;
    }
    computeMask(inputs, mask) {
      this.seen = Object.keys(inputs);
      return mask === null ? null : Object.values(mask)[0];
    }
  }
  const layer = new Keyed();
  layer.apply({ a: x(), b: x() });
  assert.deepEqual(layer.seen, ['a', 'b']);
});

test('a model frees the weights of its layers, except those that other models use', () => {
  const start = live();
  const sharedLayer = layers.dense({ units: 3 });
  const ownLayer = layers.lstm({ units: 8, returnSequences: true });
  const input = Input({ shape: [4, 3] });
  const model = new Model({ inputs: input, outputs: sharedLayer.apply(ownLayer.apply(input)) });
  const otherModel = new Sequential([layers.dense({ units: 8 }), sharedLayer]);
  const expected = otherModel.predict(x()).array();
  model.predict(x()).dispose();
  model.dispose();
  model.dispose();
  assert.deepEqual(otherModel.predict(x()).array(), expected);
  assert.throws(() => ownLayer.apply(x()), mf.StateError);
  assert.equal(sharedLayer.weights.length, 2);
  // Only a symbolic tensor of the graph is left; the layer has no weights any more.
  assert.throws(() => new Model({ inputs: input, outputs: ownLayer.apply(input) }), mf.StateError);
  otherModel.dispose();
  assert.throws(() => sharedLayer.weights, mf.StateError);
  assert.ok(live().bytes <= start.bytes + 100_000);
});

test('layers that other models or layers use survive the disposal of one of them', () => {
  const inner = new Sequential([layers.dense({ units: 3 })]);
  const outer = new Sequential([inner, layers.dense({ units: 2 })]);
  const expected = outer.predict(x()).array();
  inner.dispose();
  assert.deepEqual(outer.predict(x()).array(), expected);

  class Holding extends Layer {
    constructor(dense) {
      super();
      this.dense = dense;
    }
    call(input) {
      return this.dense.apply(input);
    }
  }
  const dense = layers.dense({ units: 3 });
  const holding = new Holding(dense);
  const model = new Sequential([dense]);
  const numbers = model.predict(x()).array();
  model.dispose();
  assert.deepEqual(holding.apply(x()).array(), numbers);

  class Whole extends Model {
    constructor() {
      super();
      this.lstm = layers.lstm({ units: 4 });
    }
    call(input) {
      return this.lstm.apply(input);
    }
  }
  const composite = new Whole();
  const { lstm } = composite;
  composite.predict(x());
  composite.dispose();
  assert.throws(() => lstm.apply(x()), mf.StateError);
});

test('models that are built and disposed of in turn leave memory use flat', () => {
  class Own extends Layer {
    build() {
      this.scale = this.addWeight({ name: 'scale', shape: [3] });
    }
    call(input) {
      return ops.multiply(input, this.scale.value);
    }
  }
  const build = (i) =>
    mf.tidy(() => {
      const parts = () => [
        layers.bidirectional({ layer: layers.gru({ units: 16, returnSequences: true }) }),
        layers.dense({ units: 3 }),
        new Own(),
      ];
      if (i % 3 === 0) return new Sequential([Input({ shape: [4, 3] }), ...parts()]);
      if (i % 3 === 1) return Model.fromConfig(config);
      const input = Input({ shape: [4, 3] });
      return new Model({
        inputs: input,
        outputs: parts().reduce((y, layer) => layer.apply(y), input),
      });
    });
  mf.registerLayer(Own, { package: 'lifetimes' });
  const config = JSON.stringify(new Sequential([Input({ shape: [4, 3] }), new Own()]));
  const input = x();
  const useModel = (i) => {
    const model = build(i);
    model.predict(input).dispose();
    model.dispose();
  };
  for (let i = 0; i < 6; i++) useModel(i);
  const start = { ...live(), heapBytes: mf.memory().heapBytes };
  for (let i = 0; i < 300; i++) useModel(i);
  assert.deepEqual({ ...live(), heapBytes: mf.memory().heapBytes }, start);
});

test('dispose twice, inside tidy and by using, is allowed', () => {
  const start = live();
  const result = mf.tidy(() => {
    const scalar = tensor([1]);
    scalar.dispose();
    scalar.dispose();
    const model = new Sequential([layers.dense({ units: 1 })]);
    const stream = new Sequential([Input({ shape: [null, 1] }), layers.gru({ units: 1 })]);
    const running = stream.stream();
    running.dispose();
    running.dispose();
    stream.dispose();
    stream.dispose();
    model[Symbol.dispose]();
    model[Symbol.dispose]();
    return scalar;
  });
  result.dispose();
  assert.deepEqual(live(), start);
});

test('a result that call() has disposed of is a StateError', () => {
  class Gone extends Layer {
    call(input) {
      const result = ops.add(input, 1);
      result.dispose();
      return result;
    }
  }
  assert.throws(() => new Gone().apply(x()), { name: 'StateError' });
});
