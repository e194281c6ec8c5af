// SPDX-License-Identifier: MIT
// Recurrent cells that users write in JavaScript, inside RNN.
import assert from 'node:assert/strict';
import { before, test } from 'node:test';
import * as mf from '../../dist/index.js';
import { close, leavesNothing, letters, rows } from '../support/watch.js';

before(() => mf.ready({ onMaskDropped: 'warn', maskPropagation: 'keras-3.15' }));

const { Layer, layers, ops } = mf;
const mask = rows('TTFT FTTF');
const x = () => ops.sin(ops.reshape(ops.arange(24, { dtype: 'float32' }), [2, 4, 3]));

/** The cell of Keras's guide to custom cells: h' = x K + h R, and the output is the state. */
class MinimalCell extends Layer {
  constructor(config) {
    super(config);
    this.units = config.units;
    this.stateSize = config.units;
  }
  build([, features]) {
    this.kernel = this.addWeight({ name: 'kernel', shape: [features, this.units] });
    this.recurrent = this.addWeight({ name: 'recurrent_kernel', shape: [this.units, this.units] });
  }
  call(inputs, { states: [h] }) {
    const output = ops.add(
      ops.matmul(inputs, this.kernel.value),
      ops.matmul(h, this.recurrent.value),
    );
    return [output, [output]];
  }
  getConfig() {
    return { ...super.getConfig(), units: this.units };
  }
}

/** A cell with two states of different sizes and an output of a third size. */
class CountingCell extends Layer {
  stateSize = [1, 3];
  outputSize = 4;
  call(inputs, { states: [count, sum] }) {
    const nextStates = [ops.add(count, 1), ops.add(sum, inputs)];
    return [ops.concatenate(nextStates, { axis: -1 }), nextStates];
  }
}

const native = (units, options) =>
  layers.simpleRNN({ units, activation: 'linear', useBias: false, ...options });

test("the guide's cell equals SimpleRNN without activation and bias, with and without a mask", () => {
  for (const options of [
    {},
    { returnSequences: true },
    { returnSequences: true, returnState: true, goBackwards: true },
    { returnSequences: true, zeroOutputForMask: true },
  ]) {
    const custom = layers.rnn({ cell: new MinimalCell({ units: 5 }), ...options });
    const reference = native(5, options);
    custom.apply(x());
    reference.apply(x());
    custom.setWeights(reference.getWeights());
    for (const input of [x(), x().withMask(mask)]) {
      const actual = [custom.apply(input)].flat();
      const expected = [reference.apply(input)].flat();
      assert.equal(actual.length, expected.length);
      actual.forEach((tensor, i) => {
        close(tensor.array(), expected[i].array());
        assert.deepEqual(letters(tensor.mask), letters(expected[i].mask));
      });
    }
  }
});

test('several states and an output of another size count kept steps only', () => {
  const layer = layers.rnn({ cell: new CountingCell(), returnState: true });
  const [output, count, sum] = layer.apply(ops.ones([2, 4, 3]).withMask(mask));
  assert.deepEqual(output.array(), [
    [3, 3, 3, 3],
    [2, 2, 2, 2],
  ]);
  assert.deepEqual(count.array(), [[3], [2]]);
  assert.deepEqual(sum.shape, [2, 3]);
});

test('custom cells work in models, beside built-in cells, in Bidirectional, and survive serialization', () => {
  mf.registerLayer(MinimalCell);
  const cell = [new MinimalCell({ units: 4 }), layers.gruCell({ units: 2 })];
  const input = mf.Input({ shape: [null, 3] });
  const stacked = new mf.Model({ inputs: input, outputs: layers.rnn({ cell }).apply(input) });
  assert.deepEqual(stacked.predict(x()).shape, [2, 2]);
  const bidirectional = layers.bidirectional({
    layer: layers.rnn({ cell: new MinimalCell({ units: 4 }) }),
  });
  assert.deepEqual(bidirectional.apply(x().withMask(mask)).shape, [2, 8]);
  const model = new mf.Sequential([layers.rnn({ cell: new MinimalCell({ units: 4 }) })]);
  const output = model.predict(x());
  const copy = mf.Sequential.fromConfig(model.getConfig());
  copy.predict(x());
  copy.setWeights(model.getWeights());
  close(copy.predict(x()).array(), output.array());
});

test('wrong sizes and results throw errors that say what is needed; the next call works', () => {
  const refuse = (make, type, message) =>
    assert.throws(make, (error) => error instanceof type && message.test(error.message));
  class Sized extends CountingCell {
    stateSize = 0;
  }
  refuse(() => layers.rnn({ cell: new Sized() }), mf.ConfigError, /stateSize.*not 0/);
  class Forgetful extends CountingCell {
    call(inputs) {
      return [inputs];
    }
  }
  refuse(
    () => layers.rnn({ cell: new Forgetful() }).apply(x()),
    mf.ValueError,
    /returned 1 tensors/,
  );
  class Narrow extends CountingCell {
    outputSize = 7;
  }
  refuse(() => layers.rnn({ cell: new Narrow() }).apply(x()), mf.ShapeError, /\(2, 4\).*\(2, 7\)/);
  refuse(
    () => layers.rnn({ cell: new (class NoCell extends Layer {})() }),
    mf.ConfigError,
    /stateSize/,
  );
  assert.deepEqual(layers.rnn({ cell: new CountingCell() }).apply(x()).shape, [2, 4]);
});

/** A cell that is made of a layer, as in Keras's guides to custom cells. */
class DenseCell extends Layer {
  constructor({ units, ...config }) {
    super(config);
    this.units = units;
    this.stateSize = units;
    this.dense = layers.dense({ units, activation: 'tanh' });
  }
  build([rows, features]) {
    this.dense.build([rows, features + this.units]);
  }
  call(inputs, { states: [h] }) {
    const output = this.dense.apply(ops.concatenate([inputs, h], { axis: -1 }));
    return [output, [output]];
  }
  getConfig() {
    return { ...super.getConfig(), units: this.units };
  }
}

test('layers that a cell creates while its copy is created leave the heap whole', () => {
  mf.registerLayer(DenseCell);
  const original = layers.rnn({ cell: new DenseCell({ units: 2 }) });
  const expected = original.apply(x()).array();
  const config = original.getConfig();
  // A broken heap shows when it is used: each round allocates texts and tensors of many sizes.
  for (let round = 0; round < 50; round++) {
    const copy = original.constructor.fromConfig({ ...config, name: 'n'.repeat(1 + 7 * round) });
    copy.build([2, 4, 3]);
    copy.setWeights(original.getWeights());
    close(copy.apply(x()).array(), expected);
    const both = layers.bidirectional({ layer: copy });
    assert.deepEqual(both.apply(x().withMask(mask)).shape, [2, 4]);
    assert.equal(both.weights.length, 4);
    for (const layer of [both, copy]) layer.dispose();
  }
});

test('ops that a constructor calls are exact, however many layers are being created around it', () => {
  const depths = [];
  class Nested extends Layer {
    constructor({ depth = 0, ...config } = {}) {
      super(config);
      const values = ops.concatenate([[depth], [depth + 1]], { axis: 0 });
      assert.deepEqual(values.array(), [depth, depth + 1]);
      const inner = { class_name: 'Nested', config: { depth: depth + 1 } };
      this.inner = depth < 12 && layers.timeDistributed({ layer: inner });
      depths.push(depth);
    }
  }
  mf.registerLayer(Nested);
  for (let round = 0; round < 20; round++) new Nested().dispose();
  assert.deepEqual(depths.slice(-13), [12, 11, 10, 9, 8, 7, 6, 5, 4, 3, 2, 1, 0]);
});

test('a step that runs its own stack of cells again is refused, and the next call works', () => {
  for (const outer of ['apply', 'predict', 'traceMasks']) {
    for (const nested of ['apply', 'predict', 'traceMasks']) {
      const errors = [];
      let isNested = true;
      class Again extends Layer {
        stateSize = 3;
        call(inputs, { states }) {
          if (!isNested) {
            isNested = true;
            try {
              model[nested](x());
            } catch (error) {
              errors.push(error);
            }
          }
          return [inputs, [states[0]]];
        }
      }
      const cell = [new Again(), new Again()];
      const model = new mf.Sequential([layers.rnn({ cell, returnSequences: true })]);
      const expected = model.predict(x()).array();
      isNested = false;
      const result = model[outer](x());
      if (result instanceof mf.Tensor) close(result.array(), expected, 0);
      assert.deepEqual(
        errors.map(({ name }) => name),
        ['StateError'],
        `${outer}, ${nested}`,
      );
      assert.match(
        errors[0].message,
        /is called by code that one of its steps runs; use another cell/,
      );
      close(model.predict(x()).array(), expected, 0);
    }
  }
});

test('a step that runs a cell of its own stack in another layer is refused, too', () => {
  const makers = [layers.gruCell, layers.lstmCell, layers.simpleRNNCell];
  for (const training of [false, true]) {
    for (const makeCell of makers) {
      // A nested run would replace the factors of the dropout, which have a row for each lane.
      const shared = makeCell({ units: 3, recurrentDropout: 0.5 });
      const other = layers.rnn({ cell: shared });
      const one = ops.ones([1, 2, 3]);
      other.apply(one);
      const errors = [];
      class Asks extends Layer {
        stateSize = 3;
        call(inputs, { states }) {
          try {
            other.apply(one, { training });
          } catch (error) {
            errors.push(error);
          }
          return [inputs, [states[0]]];
        }
      }
      const stack = layers.rnn({ cell: [new Asks(), shared] });
      stack.apply(ops.ones([20, 4, 3]), { training });
      assert.equal(errors.length, 4);
      for (const { name, message } of errors) {
        assert.equal(name, 'StateError');
        assert.match(message, new RegExp(`^.*cell '${shared.name}' is called by code that one of`));
      }
      assert.deepEqual(other.apply(one).shape, [1, 3]);
    }
  }
});

test('a stack may hold a cell twice', () => {
  const cell = layers.gruCell({ units: 3 });
  const twice = layers.rnn({ cell: [cell, cell], returnSequences: true });
  const once = layers.rnn({ cell, returnSequences: true });
  const inputs = x();
  close(twice.apply(inputs).array(), once.apply(once.apply(inputs)).array(), 1e-6);
});

test('frees all its memory', () => {
  const layer = layers.rnn({ cell: new CountingCell(), returnSequences: true });
  leavesNothing(() => mf.tidy(() => void layer.apply(x().withMask(mask))));
});
