// SPDX-License-Identifier: MIT
// layer.input and layer.output: models that begin or end at a layer of another model.
import assert from 'node:assert/strict';
import { before, describe, test } from 'node:test';
import * as mf from '../../dist/index.js';
import { fixture } from '../support/archives.js';

before(() => mf.ready({ seed: 1, onMaskDropped: 'silent' }));

const ids = [
  [1, 2, 3, 0],
  [4, 0, 0, 0],
];
const values = (tensor) => tensor.array();

function classifier() {
  const input = mf.Input({ shape: [null], name: 'ids' });
  const table = mf.layers.embedding({ inputDim: 6, outputDim: 4, maskZero: true, name: 'table' });
  const lstm = mf.layers.lstm({ units: 3, name: 'lstm' });
  const dense = mf.layers.dense({ units: 2, name: 'dense' });
  const model = new mf.Model({
    inputs: input,
    outputs: dense.apply(lstm.apply(table.apply(input))),
  });
  return { model, table, lstm, dense };
}

const ids6 = [[1, 2, 0, 0, 0, 0]];

describe('layer.input and layer.output', () => {
  test('a model that ends at an inner layer has the numbers of that layer', () => {
    const { model, lstm, dense } = classifier();
    const features = new mf.Model({ inputs: model.inputs, outputs: model.getLayer('lstm').output });
    assert.deepEqual(values(dense.apply(features.predict(ids))), values(model.predict(ids)));
    assert.deepEqual(lstm.output.shape, [null, 3]);
    assert.deepEqual(lstm.input.shape, [null, null, 4]);
    assert.deepEqual(
      features.layers.map(({ name }) => name),
      ['ids', 'table', 'lstm'],
    );
  });

  test('the output of a masking layer keeps its mask for further layers', () => {
    const { model } = classifier();
    const gru = mf.layers.gru({ units: 2 });
    const outputs = gru.apply(model.getLayer('table').output);
    const other = new mf.Model({ inputs: model.inputs, outputs });
    const short = new mf.Model({ inputs: model.inputs, outputs: model.getLayer('table').output });
    const masked = gru.apply(short.apply(ids));
    assert.deepEqual(values(other.predict(ids)), values(masked));
    assert.deepEqual(values(other.predict([[4]])), [values(masked)[1]]);
  });

  test('the ends of a Sequential that another model calls are those of its first call', () => {
    const inner = new mf.Sequential([mf.Input({ shape: [3] }), mf.layers.dense({ units: 2 })]);
    const dense = mf.layers.dense({ units: 3 });
    const input = mf.Input({ shape: [4] });
    const outer = new mf.Model({ inputs: input, outputs: inner.apply(dense.apply(input)) });
    const part = new mf.Model({ inputs: outer.inputs, outputs: inner.output });
    const mid = new mf.Model({ inputs: input, outputs: inner.input });
    const x = [[1, 2, 3, 4]];
    assert.deepEqual(values(part.predict(x)), values(outer.predict(x)));
    assert.deepEqual(values(mid.predict(x)), values(dense.apply(x)));
    // Its own graph stays that of `inputs` and `outputs`.
    const own = new mf.Model({ inputs: inner.inputs, outputs: inner.outputs });
    assert.deepEqual(values(own.predict([[1, 2, 3]])), values(inner.predict([[1, 2, 3]])));
  });

  test('a model that begins in the middle needs the values there', () => {
    const { model, table, lstm, dense } = classifier();
    const head = new mf.Model({ inputs: lstm.output, outputs: model.output });
    const x = lstm.apply(table.apply(ids));
    assert.deepEqual(values(head.predict(x)), values(dense.apply(x)));
  });

  test('a Sequential and a loaded model have them, too', async () => {
    const model = new mf.Sequential([
      mf.Input({ shape: [3] }),
      mf.layers.dense({ units: 4, name: 'first' }),
      mf.layers.dense({ units: 2, name: 'second' }),
    ]);
    const first = model.getLayer('first');
    const features = new mf.Model({ inputs: model.inputs, outputs: first.output });
    const x = [[1, 2, 3]];
    assert.deepEqual(values(features.predict(x)), values(first.apply(mf.tensor(x))));
    assert.deepEqual(model.output.shape, [null, 2]);
    model.add(mf.layers.dense({ units: 1 }));
    assert.deepEqual(model.output.shape, [null, 1]);
    assert.deepEqual(model.getLayer('second').output.shape, [null, 2]);

    const loaded = await mf.loadModel(fixture('func_bilstm_gap.keras'));
    for (const layer of loaded.layers) {
      const part = new mf.Model({ inputs: loaded.inputs, outputs: layer.output });
      assert.equal(part.layers.at(-1), layer);
    }
    const whole = new mf.Model({ inputs: loaded.inputs, outputs: loaded.layers.at(-1).output });
    const y = whole.predict(ids6);
    assert.deepEqual(values(y), values(loaded.predict(ids6)));
    const copy = await mf.loadModel(await whole.save());
    assert.deepEqual(values(copy.predict(ids6)), values(y));
  });

  test('a shared layer has those of its first call, as in Keras', () => {
    const [a, b] = [mf.Input({ shape: [2] }), mf.Input({ shape: [2] })];
    const dense = mf.layers.dense({ units: 3 });
    const [first, second] = [dense.apply(a), dense.apply(b)];
    const part = new mf.Model({ inputs: a, outputs: dense.output });
    assert.deepEqual(part.predict([[1, 2]]).shape, [1, 3]);
    assert.throws(() => new mf.Model({ inputs: b, outputs: dense.output }), mf.MaskflowError);
    assert.ok(first && second);
  });

  test('several inputs and outputs are lists', () => {
    const [a, b] = [mf.Input({ shape: [2] }), mf.Input({ shape: [2] })];
    const sum = mf.layers.add();
    const lstm = mf.layers.lstm({ units: 3, returnState: true });
    const y = lstm.apply(mf.Input({ shape: [4, 2] }));
    assert.ok(sum.apply([a, b]));
    assert.equal(sum.input.length, 2);
    assert.equal(lstm.output.length, y.length);
    const model = new mf.Model({ inputs: lstm.input, outputs: lstm.output });
    assert.equal(model.output.length, 3);
    assert.equal(model.stream !== undefined, true);
  });

  test('layers of a Sequential have them after its first call, beside custom layers, too', () => {
    class Half extends mf.Layer {
      call(x) {
        return mf.ops.multiply(x, 0.5);
      }
    }
    class Chain extends mf.Sequential {}
    for (const Class of [mf.Sequential, Chain]) {
      for (const start of [(m) => m.build([null, 3]), (m) => m.predict([[1, 2, 3]])]) {
        const [half, dense] = [new Half(), mf.layers.dense({ units: 2 })];
        const model = new Class([half, dense]);
        assert.throws(() => half.output, {
          name: 'StateError',
          message: /'half\w*' is in no graph/,
        });
        start(model);
        assert.deepEqual(half.output.shape, [null, 3]);
        const part = new mf.Model({ inputs: model.inputs, outputs: half.output });
        assert.deepEqual(part.predict([[2, 4, 6]]).array(), [[1, 2, 3]]);
        model.dispose();
      }
      const inner = mf.layers.dense({ units: 2 });
      const outer = new Class([new Half(), new Class([new Half(), inner])]);
      outer.predict([[1, 2, 3]]);
      assert.deepEqual(inner.input.shape, [null, 3]);
    }
  });

  test('a Sequential without an Input learns it from its first call, as in Keras', async () => {
    const table = mf.layers.embedding({ inputDim: 6, outputDim: 4, maskZero: true });
    const lstm = mf.layers.lstm({ units: 3, name: 'encoder' });
    const model = new mf.Sequential([table, lstm, mf.layers.dense({ units: 2 })]);
    const early = {
      name: 'StateError',
      message: /'sequential\w*' are not known yet.*call the model/,
    };
    assert.throws(() => model.inputs, early);
    assert.throws(() => lstm.output, { name: 'StateError', message: /'encoder' is in no graph/ });
    model.predict(ids);
    assert.deepEqual(model.inputs[0].shape, [null, 4]);
    assert.deepEqual(model.outputs[0].shape, [null, 2]);
    assert.match(model.summary({ print: null }), /encoder \(LSTM\) +\(None, 3\)/);
    const features = new mf.Model({
      inputs: model.inputs,
      outputs: model.getLayer('encoder').output,
    });
    const three = [...ids, [5, 5, 0, 0]];
    assert.deepEqual(values(features.predict(three)), values(lstm.apply(table.apply(three))));
    // The model itself takes other lengths.
    assert.deepEqual(model.predict([[1, 2]]).shape, [1, 2]);
    const copy = await mf.loadModel(await model.save());
    assert.deepEqual(copy.outputs[0].shape, [null, 2]);
    assert.deepEqual(values(copy.predict(three)), values(model.predict(three)));
    // As in Keras, an added layer is built at once.
    model.add(mf.layers.dense({ units: 5 }));
    assert.deepEqual(model.inputs[0].shape, [null, 4]);
    assert.equal(model.predict(ids).shape[1], 5);
    assert.deepEqual(model.outputs[0].shape, [null, 5]);
  });

  test('code of custom layers runs for the graph only if the graph is asked for', () => {
    let calls = 0;
    class Twice extends mf.Layer {
      call(x) {
        calls += 1;
        return mf.ops.multiply(x, 2);
      }
    }
    const twice = new Twice();
    twice.apply([[1, 2]]);
    const model = new mf.Sequential([twice, mf.layers.dense({ units: 1 })]);
    model.build([null, 2]);
    calls = 0;
    model.predict([[1, 2]]);
    assert.equal(calls, 1);
    assert.deepEqual(model.outputs[0].shape, [null, 1]);
    assert.ok(calls > 1);
  });

  test('a stream of a model that ends at an inner layer runs', () => {
    const input = mf.Input({ shape: [null, 2] });
    const lstm = mf.layers.lstm({ units: 3, returnSequences: true });
    const model = new mf.Model({
      inputs: input,
      outputs: mf.layers.dense({ units: 1 }).apply(lstm.apply(input)),
    });
    const part = new mf.Model({ inputs: lstm.input, outputs: lstm.output });
    const steps = [0.1, 0.2, 0.3].map((x) => [x, -x]);
    const stream = part.stream();
    const last = steps.map((step) => values(stream.step([step]))).at(-1);
    assert.deepEqual(last, [values(part.predict([steps]))[0].at(-1)]);
    assert.ok(model);
  });

  test('a layer in no graph is a StateError; freed graphs are forgotten', () => {
    const dense = mf.layers.dense({ units: 1, name: 'alone' });
    const missing = { name: 'StateError', message: /'alone' is in no graph.*Input\(\)/ };
    assert.throws(() => dense.output, missing);
    dense.apply([[1, 2]]);
    assert.throws(() => dense.input, missing);
    const symbol = dense.apply(mf.Input({ shape: [2] }));
    assert.deepEqual(dense.output.shape, [null, 1]);
    symbol.dispose();
  });

  test('thousands of symbolic calls keep no memory', () => {
    const dense = mf.layers.dense({ units: 1 });
    const run = () => {
      for (let i = 0; i < 2000; i++) {
        const x = mf.Input({ shape: [2] });
        dense.apply(x).dispose();
        x.dispose();
      }
      return mf.memory().heapBytes;
    };
    run();
    const before = run();
    run();
    assert.ok(run() - before < 200_000);
  });

  test('a custom layer may have properties of these names', () => {
    class Own extends mf.Layer {
      constructor() {
        super();
        this.output = mf.layers.dense({ units: 2 });
        this.input = 7;
      }
      call(x) {
        return this.output.apply(x);
      }
    }
    const layer = new Own();
    assert.deepEqual(layer.apply([[1, 2]]).shape, [1, 2]);
    assert.equal(layer.input, 7);
    assert.equal(layer.weights.length, 2);
  });
});
