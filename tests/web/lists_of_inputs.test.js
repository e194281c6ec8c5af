// SPDX-License-Identifier: MIT
// Lists of tensors or rows as inputs, and lists of one output.
import assert from 'node:assert/strict';
import { before, test } from 'node:test';
import * as mf from '../../dist/train.js';
import { close } from '../support/watch.js';

before(() => mf.ready({ onMaskDropped: 'silent' }));

const { Layer, layers, Model, ops, Sequential } = mf;
const a = [
  [1, 2, 3],
  [4, 5, 6],
];
const b = [
  [1, 2],
  [3, 4],
];
const y = [[1], [0]];
const pick = (shape) => mf.Input({ shape });

function twoInputs() {
  const inputs = [pick([3]), pick([2])];
  const outputs = layers.dense({ units: 1 }).apply(layers.concatenate().apply(inputs));
  return new Model({ inputs, outputs });
}

test('a list of n arrays is n inputs of predict, apply and evaluate, as of fit', async () => {
  const model = twoInputs();
  model.compile({ optimizer: 'sgd', loss: 'mse' });
  await model.fit([a, b], y, { epochs: 1, verbose: 0 });
  const tensors = [mf.tensor(a), mf.tensor(b)];
  const expected = model.predict(tensors).array();
  const forms = [
    [a, b],
    [tensors[0], b],
    [a, tensors[1]],
    [a.map((row) => Float32Array.from(row)), b],
  ];
  for (const form of forms.slice(0, 3)) {
    close(model.predict(form).array(), expected);
    close(model.predict(form, { batchSize: 1 }).array(), expected);
    close(model.predictOnBatch(form).array(), expected);
    close(model.apply(form).array(), expected);
    close(model.apply(form, { training: false }).array(), expected);
    assert.deepEqual(model.evaluate(form, y), model.evaluate(tensors, mf.tensor(y)));
    assert.equal(model.traceMasks(form).length, model.traceMasks(tensors).length);
    close(
      await model.testOnBatch(form, y).then(({ loss }) => loss),
      model.evaluate(tensors, mf.tensor(y)).loss,
      1e-5,
    );
  }
});

test('rows of equal shape are still two inputs', () => {
  const inputs = [pick([2]), pick([2])];
  const model = new Model({ inputs, outputs: layers.subtract().apply(inputs) });
  const rows = [
    [5, 6],
    [7, 8],
  ];
  assert.deepEqual(model.predict([rows, b]).array(), [
    [4, 4],
    [4, 4],
  ]);
});

test('a list of another length is refused with both numbers', () => {
  const model = twoInputs();
  for (const call of [
    () => model.predict([a, b, a]),
    () => model.apply([a, b, a]),
    () => model.evaluate([a, b, a], y, { loss: 'mse' }),
  ]) {
    assert.throws(
      call,
      (error) =>
        error instanceof mf.ShapeError &&
        /has 2 inputs: pass a list of 2 tensors or arrays.*has 3 items/.test(error.message),
    );
  }
});

test('targets of several outputs are a list of rows in evaluate', () => {
  const input = pick([3]);
  const outputs = [1, 2].map((units) => layers.dense({ units }).apply(input));
  const model = new Model({ inputs: input, outputs });
  const options = { loss: 'mse' };
  assert.deepEqual(
    model.evaluate(a, [y, b], options),
    model.evaluate(a, [mf.tensor(y), mf.tensor(b)], options),
  );
});

// Keras 3.15.1 returns the tensor from a call, predict and predict_on_batch, and a list from a
// symbolic call.
test('a model with a list of one output returns that tensor, and a list in a graph', async () => {
  const input = pick([3]);
  const dense = layers.dense({ units: 2 });
  const outputs = [dense.apply(input)];
  const model = new Model({ inputs: input, outputs });
  const expected = dense.apply(a).array();
  for (const result of [model.predict(a), model.apply(a), model.predictOnBatch(a)]) {
    close(result.array(), expected);
  }
  assert.equal(model.apply(pick([3])).length, 1);
  assert.equal(model.outputs.length, 1);
  close(Model.fromConfig(model.getConfig()).apply(a).shape, [2, 2]);
  const inside = new Sequential([pick([3]), model, layers.dense({ units: 1 })]);
  assert.deepEqual(inside.predict(a).shape, [2, 1]);
  const part = new Model({ inputs: model.inputs, outputs: [model.getLayer(dense.name).output] });
  close(part.predict(a).array(), expected);
  model.compile({ optimizer: 'sgd', loss: 'mse' });
  class Own extends Model {
    trainStep([rows, targets]) {
      const { value, gradients } = mf.valueAndGradients(() => {
        const outputs = this.apply(rows, { training: true });
        assert.ok(outputs instanceof mf.Tensor);
        return ops.mean(ops.square(ops.subtract(outputs, targets)));
      }, this.trainableVariables);
      this.optimizer.apply(gradients, this.trainableVariables);
      return { loss: value };
    }
  }
  const own = new Own({ inputs: input, outputs });
  own.compile({ optimizer: 'sgd' });
  await own.fit(a, b, { verbose: 0 });
});

test('a step of a stream and an evaluation of such a model have one output', () => {
  const input = mf.Input({ shape: [null, 3] });
  const outputs = [layers.gru({ units: 2, returnSequences: true }).apply(input)];
  const model = new Model({ inputs: input, outputs });
  const { shape } = model.stream().step(ops.ones([1, 3]));
  assert.deepEqual(shape, [1, 2]);
  const { loss } = model.evaluate([a], mf.tensor([b]), { loss: 'mse' });
  assert.ok(loss > 0);
});

class Seen extends Layer {
  call(inputs) {
    this.seen = Array.isArray(inputs) ? 'list' : 'tensor';
    return [inputs].flat()[0];
  }
}

// As in Keras: without an Input, the list reaches `call` until the model was called once.
test('a list of one tensor is that tensor for a Sequential that knows its input', () => {
  const x = mf.tensor(a);
  for (const begin of [[pick([3])], []]) {
    const seen = new Seen();
    const model = new Sequential([...begin, seen, layers.dense({ units: 1 })]);
    if (begin.length === 0) model.apply(x);
    for (const call of [() => model.apply([x]), () => model.predict([x])]) {
      seen.seen = '';
      assert.deepEqual(call().shape, [2, 1]);
      assert.equal(seen.seen, 'tensor');
    }
  }
  const seen = new Seen();
  new Sequential([seen, layers.dense({ units: 1 })]).apply([x]);
  assert.equal(seen.seen, 'list');
});
