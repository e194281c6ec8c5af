// SPDX-License-Identifier: MIT
// Variables that a program creates itself; tests/web/guides compares a layer of them with Keras.
import assert from 'node:assert/strict';
import { beforeEach, test } from 'node:test';
import * as mf from '../../dist/train.js';
import { warnings } from '../support/train.js';

const { Input, Layer, layers, losses, Model, ops, optimizers, Sequential, tensor, Variable } = mf;
beforeEach(() => mf.ready());

class Scale extends Layer {
  factor = new Variable(2, { name: 'factor' });
  rest = { shift: [new Variable({ initializer: 'ones', shape: [2], name: 'shift' })] };
  count = new Variable(0, { name: 'count', trainable: false, dtype: 'int32' });
  call(x) {
    this.count.assignAdd(1);
    return ops.add(ops.multiply(x, this.factor), this.rest.shift[0]);
  }
}
mf.registerLayer(Scale, { package: 'variables' });

test('a Variable has a value, a shape and a name of its own', () => {
  const values = [
    [new Variable(2), [], 2],
    [new Variable([[1, 2]]), [1, 2], [[1, 2]]],
    [new Variable(tensor([1, 2], { dtype: 'int32' }), { trainable: false }), [2], [1, 2]],
    [new Variable('ones', { shape: [2] }), [2], [1, 1]],
    [new Variable({ class_name: 'Constant', config: { value: 3 } }, { shape: [1] }), [1], [3]],
    [new Variable((shape) => ops.full(shape, 4), { shape: [1] }), [1], [4]],
    [new Variable({ initializer: [5], name: 'five' }), [1], [5]],
    [new Variable(new Float32Array([6])), [1], [6]],
  ];
  for (const [variable, shape, value] of values) {
    assert.deepEqual(variable.shape, shape);
    assert.deepEqual(variable.value.array(), value);
  }
  assert.equal(values[6][0].name, 'five');
  assert.notEqual(values[0][0].name, values[1][0].name);
  assert.equal(values[0][0].value.dtype, 'float32');
  assert.equal(values[2][0].value.dtype, 'int32');
});

test('a Variable that no layer holds is assigned, differentiated and trained', () => {
  const variable = new Variable(3);
  variable.assign(4);
  variable.assignAdd(1);
  const { value, gradients } = mf.valueAndGradients(() => ops.square(variable), [variable]);
  assert.equal(value.item(), 25);
  assert.equal(gradients[0].item(), 10);
  optimizers.sgd(0.1).apply(gradients, [variable]);
  assert.equal(variable.value.item(), 4);
});

test('errors say what to write', () => {
  assert.throws(() => new Variable('zeros'), /new Variable\('zeros', \{ shape: \[2\] \}\)/);
  new Variable('zeros', { shape: [2] });
  assert.throws(() => new Variable(), { name: 'ValueError', message: /new Variable\(0\)$/ });
  new Variable(0);
  assert.throws(() => new Variable(1, { nmae: 'x' }), { name: 'ConfigError', message: /'name'/ });
  assert.throws(() => new Variable([1, 2], { shape: [3] }), /shape \[2\].*leave the option out/);
});

test('properties of layers are trained, counted, saved and loaded', async () => {
  const model = new Sequential([Input({ shape: [2] }), new Scale({ name: 'scale' })]);
  const [layer] = model.layers;
  const paths = () => model.weights.map(({ path }) => path);
  assert.deepEqual(
    paths(),
    ['scale/factor', 'scale/shift', 'scale/count']
      .map((p) => `sequential/${p}`)
      .map((p) => p.replace('sequential', model.name)),
  );
  assert.deepEqual(layer.trainableVariables, [layer.factor, layer.rest.shift[0]]);
  assert.deepEqual(model.nonTrainableVariables, [layer.count]);
  assert.equal(model.countParams(), 4);
  model.compile({ optimizer: 'sgd', loss: 'mse' });
  const before = layer.factor.value.item();
  await model.fit([[1, 2]], [[0, 0]], { epochs: 3 });
  assert.notEqual(layer.factor.value.item(), before);
  const count = layer.count.value.item();
  assert.ok(count >= 3);
  const copy = await mf.loadModel(await model.save());
  assert.equal(copy.layers[0].count.value.item(), count);
  assert.deepEqual(copy.predict([[1, 2]]).array(), model.predict([[1, 2]]).array());
  layer.trainable = false;
  assert.deepEqual(model.trainableVariables, []);
});

test('layers inside of layers and custom models have variables', () => {
  class Outer extends Model {
    inner = new Scale();
    own = new Variable([10, 20]);
    call(x) {
      return this.inner.apply(x).add(this.own);
    }
  }
  const model = new Outer();
  assert.deepEqual(model.apply([[1, 2]]).array(), [[13, 25]]);
  assert.equal(model.weights.length, 4);
  assert.deepEqual(model.trainableVariables[0], model.own);
  const late = new Outer();
  assert.equal(late.weights.length, 4); // before the first call
  assert.equal(new Scale().getWeights().length, 3);
});

test('addWeight and trainableVariables return the same object', () => {
  class Own extends Layer {
    build() {
      this.w = this.addWeight({ name: 'w', shape: [1] });
    }
    call(x) {
      return ops.multiply(x, this.w);
    }
  }
  const layer = new Own();
  layer.apply([[1]]);
  assert.equal(layer.trainableVariables[0], layer.w);
});

test('a Variable in two layers belongs to the first one, with a warning', async () => {
  const shared = new Variable(2, { name: 'shared' });
  class Times extends Layer {
    factor = shared;
    call(x) {
      return ops.multiply(x, this.factor);
    }
  }
  const [first, second] = [new Times(), new Times()];
  const messages = await warnings(() => {
    first.apply([1]);
    assert.deepEqual(second.apply([3]).array(), [6]);
    second.apply([3]);
  });
  assert.equal(first.weights.length, 1);
  assert.equal(second.weights.length, 0);
  assert.equal(messages.length, 1);
  assert.match(messages[0], /the Variable 'shared' belongs to the layer/);
});

test('a Variable that build creates has its value in a graph, too', () => {
  class Built extends Layer {
    build() {
      this.table = new Variable([[1, 2]], { name: 'table' });
    }
    call(x) {
      return ops.matmul(x, this.table);
    }
  }
  const inputs = Input({ shape: [1] });
  const model = new Model({ inputs, outputs: new Built().apply(inputs) });
  assert.deepEqual(model.predict([[3]]).array(), [[3, 6]]);
});

test('losses with settings are those of compile and of files', async () => {
  const loss = losses.huber({ delta: 0.5 });
  const expected = losses.huber([[2]], [[0]], { delta: 0.5 }).item();
  assert.equal(loss([[2]], [[0]]).item(), expected);
  assert.equal(
    losses
      .huber()([[2]], [[0]])
      .item(),
    losses.huber([[2]], [[0]]).item(),
  );
  const none = losses.meanSquaredError({ reduction: 'none' });
  assert.deepEqual(none([[1], [2]], [[0], [0]]).array(), [1, 4]);
  const model = new Sequential([
    Input({ shape: [1] }),
    layers.dense({ units: 1, kernelInitializer: 'zeros' }),
  ]);
  model.compile({ optimizer: 'sgd', loss: losses.huber({ delta: 0.5, name: 'mine' }) });
  assert.equal((await model.testOnBatch([[1]], [[2]])).loss, expected);
  assert.equal(model.evaluate([[1]], [[2]], { loss }).loss, expected);
  const copy = await mf.loadModel(await model.save());
  assert.equal((await copy.testOnBatch([[1]], [[2]])).loss, expected);
  assert.throws(() => model.compile({ loss: losses.huber({ delat: 1 }) }), /delat/);
  assert.throws(() => losses.huber([[1]]), { name: 'ValueError', message: /a tensor is needed/ });
});

test('fit without targets accepts options at once', async () => {
  class Pull extends Layer {
    call(x) {
      this.addLoss(ops.mean(ops.square(x)));
      return x;
    }
  }
  const model = new Sequential([Input({ shape: [1] }), layers.dense({ units: 1 }), new Pull()]);
  model.compile({ optimizer: 'sgd' });
  const { history } = await model.fit([[1], [2]], { epochs: 3, batchSize: 1 });
  assert.equal(history.loss.length, 3);
});
