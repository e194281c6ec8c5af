// SPDX-License-Identifier: MIT
// Graphs of custom layers: their call() runs on made-up sizes to find shapes and to build the
// layers inside.
import assert from 'node:assert/strict';
import { before, test } from 'node:test';
import * as mf from '../../dist/train.js';
import { close, collectWarnings } from '../support/watch.js';

before(() => mf.ready({ onMaskDropped: 'silent' }));

const { Layer, layers, Model, ops } = mf;

/** Token vectors plus those of positions, from a table with room for `length` positions. */
class Positions extends Layer {
  constructor({ length = 10, ...config } = {}) {
    super(config);
    this.length = length;
    this.tokens = layers.embedding({ inputDim: 20, outputDim: 4 });
    this.positions = layers.embedding({ inputDim: length, outputDim: 4 });
  }
  call(ids) {
    const positions = ops.arange(ids.shape[1], { dtype: 'int32' });
    return ops.add(this.tokens.apply(ids), this.positions.apply(positions));
  }
  getConfig() {
    return { ...super.getConfig(), length: this.length };
  }
}

/** Adds rows of a weight, which is the table of positions, with `ops.take`. */
class Table extends Layer {
  build() {
    this.table = this.addWeight({ shape: [10, 4] });
  }
  call(x) {
    return ops.add(x, ops.take(this.table, ops.arange(x.shape[1]), { axis: 0 }));
  }
}

const modelOf = (input, ...parts) =>
  new Model({ inputs: input, outputs: parts.reduce((y, layer) => layer.apply(y), input) });

test('a table of positions is shorter than the lengths that are tried', async () => {
  const model = modelOf(mf.Input({ shape: [null], dtype: 'int32' }), new Positions(), new Table());
  assert.deepEqual(model.outputs[0].shape, [null, null, 4]);
  const ids = [[1, 2, 3]];
  const expected = model.predict(ids).array();
  mf.registerLayer(Positions);
  mf.registerLayer(Table);
  const copy = await mf.loadModel(await model.save());
  close(copy.predict(ids).array(), expected);
  assert.throws(() => model.predict([Array(11).fill(1)]), /id 10 is out of range/);
});

test('ids are checked in runs on real sizes, also while a graph is made', () => {
  const input = mf.Input({ batchShape: [1, 12], dtype: 'int32' });
  assert.throws(() => new Positions().apply(input), /id 10 is out of range/);
  assert.throws(() => new Positions().apply([Array(12).fill(1)]), /id 10 is out of range/);
});

/** A layer whose code works on lengths of 8 alone. */
class Only8 extends Layer {
  call(x) {
    return ops.reshape(ops.slice(x, [0, 0], [x.shape[0], 8]), [-1, 8]);
  }
}

class OnlyLong extends Layer {
  call(x) {
    if (x.shape[1] > 10) throw new mf.ValueError('at most 10 steps');
    return x;
  }
}

test('errors of such runs name computeOutputShape, which is the remedy', () => {
  const input = mf.Input({ shape: [null] });
  assert.throws(
    () => new OnlyLong().apply(input),
    (error) => {
      assert.match(
        error.message,
        /^only_long.*: at most 10 steps; call\(\) ran on made-up lengths/,
      );
      assert.match(error.message, /write computeOutputShape\(inputShape\) in the class$/);
      return true;
    },
  );
  class Remedied extends OnlyLong {
    computeOutputShape(shape) {
      return shape;
    }
  }
  const model = modelOf(input, new Remedied());
  assert.deepEqual(model.predict([[1, 2, 3]]).array(), [[1, 2, 3]]);
  assert.deepEqual(modelOf(mf.Input({ shape: [null] }), new Only8()).outputs[0].shape, [null, 8]);
  assert.throws(
    () => new OnlyLong().apply([Array(12).fill(1)]),
    (error) => !error.message.includes('made-up'),
  );
});

/** A layer with a rule for the shape, and without build. */
class Block extends Layer {
  constructor({ units = 2, ...config } = {}) {
    super(config);
    this.units = units;
    this.first = layers.dense({ units: 3, activation: 'tanh' });
    this.second = layers.dense({ units });
  }
  call(x) {
    return this.second.apply(this.first.apply(x));
  }
  computeOutputShape(shape) {
    return [...shape.slice(0, -1), this.units];
  }
  getConfig() {
    return { ...super.getConfig(), units: this.units };
  }
}

/** A cell that is made of a layer, without build. */
class DenseCell extends Layer {
  constructor(config) {
    super(config);
    this.stateSize = 2;
    this.dense = layers.dense({ units: 2, activation: 'tanh' });
  }
  call(x, { states: [h] }) {
    const next = this.dense.apply(ops.concatenate([x, h], { axis: -1 }));
    return [next, [next]];
  }
}

test('layers inside are built when the graph is made, so that files have their weights', async () => {
  mf.registerLayer(Block);
  mf.registerLayer(DenseCell);
  const cases = [
    [[3], () => new Block()],
    [[null, 3], () => layers.timeDistributed({ layer: new Block() })],
    [[null, 3], () => layers.rnn({ cell: new DenseCell() })],
    [[null, 3], () => layers.rnn({ cell: [layers.gruCell({ units: 3 }), new DenseCell()] })],
    [[null, 3], () => layers.bidirectional({ layer: layers.rnn({ cell: new DenseCell() }) })],
  ];
  for (const [shape, make] of cases) {
    const model = modelOf(mf.Input({ shape }), make());
    assert.ok(model.countParams() > 0, `${shape}`);
    const copy = await mf.loadModel(await model.save());
    const x = ops.sin(ops.reshape(ops.arange(24, { dtype: 'float32' }), [2, 4, 3]));
    const input = shape.length === 1 ? ops.reshape(x, [8, 3]) : x;
    close(copy.predict(input).array(), model.predict(input).array());
  }
});

test('a layer that cannot be tried warns once, and build is the remedy', () => {
  class Long extends Block {
    call(x) {
      if (x.shape[0] > 10) throw new Error('at most 10 rows');
      return super.call(x);
    }
  }
  const layer = new Long();
  const { warnings } = collectWarnings(() => {
    layer.apply(mf.Input({ shape: [3] }));
    layer.apply(mf.Input({ shape: [3] }));
  });
  assert.equal(warnings.length, 1);
  assert.match(
    warnings[0],
    /'long' has layers without weights.*at most 10 rows; build them in build\(/,
  );
  class Built extends Long {
    build(shape) {
      this.first.build(shape);
      this.second.build([...shape.slice(0, -1), 3]);
    }
  }
  const remedied = collectWarnings(() => modelOf(mf.Input({ shape: [3] }), new Built()));
  assert.deepEqual(remedied.warnings, []);
  assert.equal(remedied.result.weights.length, 4);
});

// Keras 3.15.1 calls them variable, variable_1, … over all layers, and returns the weight.
test('a weight needs no name and no shape, and may be the result of call', async () => {
  class Own extends Layer {
    build([, features]) {
      this.kernel = this.addWeight({ shape: [features, 2] });
      this.scale = this.addWeight();
      this.named = this.addWeight({ name: 'named', shape: [1] });
    }
    call(x) {
      return ops.multiply(ops.matmul(x, this.kernel), this.scale);
    }
  }
  mf.registerLayer(Own);
  const model = modelOf(mf.Input({ shape: [3] }), new Own(), new Own());
  const names = model.weights.map(({ name }) => name);
  const numbers = names
    .filter((name) => name !== 'named')
    .map((name) => Number(/^variable(?:_(\d+))?$/.exec(name)[1] ?? 0));
  const [first] = numbers;
  assert.deepEqual(numbers, [first, first + 1, first + 2, first + 3]);
  assert.deepEqual(model.weights[1].shape, []);
  const copy = await mf.loadModel(await model.save());
  close(copy.predict([[1, 2, 3]]).array(), model.predict([[1, 2, 3]]).array());

  class Constant extends Layer {
    build() {
      this.rows = this.addWeight({ shape: [2, 3], initializer: 'ones' });
    }
    call() {
      return this.rows;
    }
  }
  const constant = new Constant();
  assert.deepEqual(constant.apply([[0]]).array(), [
    [1, 1, 1],
    [1, 1, 1],
  ]);
  assert.deepEqual(constant.apply(mf.Input({ shape: [1] })).shape, [2, 3]);
  const { gradients } = mf.valueAndGradients(
    () => ops.sum(constant.apply([[0]])),
    constant.trainableVariables,
  );
  assert.deepEqual(gradients[0].array(), [
    [1, 1, 1],
    [1, 1, 1],
  ]);
  class Both extends Constant {
    call(x) {
      return [x, this.rows];
    }
  }
  assert.deepEqual(new Both().apply([[5]])[1].shape, [2, 3]);
});
