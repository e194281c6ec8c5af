// SPDX-License-Identifier: MIT
// First forms that programs of people who know Keras have: accepted as in Keras where they are
// clear, else an error with the line to write, which runs here.
import assert from 'node:assert/strict';
import { before, suite, test } from 'node:test';
import * as mf from '../../dist/train.js';
import { messageOf } from '../support/message_of.js';

before(() => mf.ready({ seed: 3 }));
const { callbacks, constraints, initializers, Input, layers, losses, metrics } = mf;
const { Metric, Model, ops, optimizers, random, regularizers, schedules, Sequential } = mf;
const { tensor, valueAndGradients, Variable } = mf;

/** Runs the call that an error names, after `write` or the last semicolon. */
const remedy = (message, names) => {
  const [, code] = /(?:write |tensors with )(.*)$/.exec(message);
  return new Function(...Object.keys(names), `return (${code})`)(...Object.values(names));
};

const linear = (settings = {}) =>
  new Sequential([Input({ shape: [2] }), layers.dense({ units: 1, ...settings })]);

/** Fits a model of one layer with these settings, and returns its history. */
async function fitted(settings, compiled = {}) {
  const model = linear({ kernelInitializer: 'ones', ...settings });
  model.compile({ optimizer: 'sgd', loss: 'mse', ...compiled });
  return (await model.fit([[1, 2]], [[1]], { verbose: 0 })).history;
}

suite('weights', () => {
  test('trainableWeights are what gradients and optimizers accept', () => {
    const model = linear();
    const { gradients } = valueAndGradients(
      () => model.apply([[1, 2]]).sum(),
      model.trainableWeights,
    );
    optimizers.sgd(1).apply(gradients, model.trainableWeights);
    assert.equal(model.trainableWeights[0], model.trainableVariables[0]);
    const [info] = model.weights;
    for (const key of ['name', 'path', 'shape', 'dtype', 'trainable']) {
      assert.deepEqual(model.trainableWeights[0][key], info[key], key);
    }
    const [layer] = model.layers;
    layer.trainable = false;
    assert.deepEqual([layer.trainableWeights.length, layer.nonTrainableWeights.length], [0, 2]);
    assert.equal(layer.nonTrainableWeights[0].trainable, false);
  });

  test('a variable has a dtype, and is not frozen alone', () => {
    const steps = new Variable(tensor([1], { dtype: 'int32' }), { trainable: false });
    assert.deepEqual([steps.dtype, steps.trainable], ['int32', false]);
    const weight = linear().trainableVariables[0];
    assert.deepEqual([weight.dtype, weight.trainable], ['float32', true]);
    assert.match(
      messageOf(() => {
        weight.trainable = false;
      }),
      /set trainable of the layer, or create the variable with \{ trainable: false \}/,
    );
  });

  test('mean and variance of Normalization are numbers after adapt', () => {
    const layer = layers.normalization();
    layer.adapt([
      [1, 2],
      [3, 6],
    ]);
    assert.deepEqual(
      [layer.mean.array(), layer.variance.array()],
      [
        [2, 4],
        [1, 4],
      ],
    );
    assert.equal(layers.normalization().mean, null);
    assert.deepEqual(layers.normalization({ mean: [1], variance: [2] }).mean, [1]);
  });
});

suite('tensors', () => {
  const x = () =>
    tensor([
      [1, 2],
      [3, 4],
    ]);

  test('a list of tensors names ops.stack', () => {
    const [a, b] = [tensor([1, 2]), tensor([3, 4])];
    for (const run of [() => ops.sum([a, b]), () => tensor([a, b])]) {
      assert.equal(remedy(messageOf(run), { ops, a, b }).sum().array(), 10);
    }
  });

  test('x[0] and methods of Python name what to write', () => {
    const run = { x: x() };
    for (const use of [() => ops.add(run.x[0], 1), () => linear().apply(run.x[0])]) {
      const [, code] = / x\[0\] of a tensor is (.*)$/.exec(messageOf(use));
      assert.deepEqual(new Function('x', `return ${code}`)(run.x).array(), [1, 2]);
    }
    assert.throws(() => run.x.expand_dims(0), /there is no expand_dims; write expandDims/);
    // Tools ask for members that an object may have.
    for (const name of ['then', 'length', 'toHTML', 'nodeType', 'asymmetricMatch', '$$typeof']) {
      assert.equal(run.x[name], undefined, name);
    }
  });

  test('sizes of reshape and axes of transpose may be arguments', () => {
    assert.deepEqual(x().reshape(4, 1).shape, [4, 1]);
    assert.deepEqual(x().reshape(1, -1).shape, [1, 4]);
    assert.deepEqual(x().transpose(1, 0).array(), [
      [1, 3],
      [2, 4],
    ]);
  });

  test('a size of -1 in slice means all that follow, as in TensorFlow.js', () => {
    const all = [
      [0, 1, 2, 3],
      [4, 5, 6, 7],
      [8, 9, 10, 11],
    ];
    const rows = all.slice(1).map((row) => row.slice(0, 2));
    for (const block of [
      tensor(all).slice([1, 0], [-1, 2]),
      ops.slice(all, [1, 0], [-1, 2]),
      ops.slice(all, { startIndices: [1, 0], shape: [-1, 2] }),
    ]) {
      assert.deepEqual(block.array(), rows);
    }
    assert.deepEqual(ops.slice(all, [0, 0], [-1, -1]).array(), all);
    assert.deepEqual(ops.slice(all, [3, 1], [-1, -1]).shape, [0, 3]);
    const whole = tensor(all);
    const sum = () => whole.slice([2, 1], [-1, -1]).sum();
    assert.deepEqual(valueAndGradients(sum, [whole]).gradients[0].array(), [
      [0, 0, 0, 0],
      [0, 0, 0, 0],
      [0, 1, 1, 1],
    ]);
  });

  test('slices that are not within their axis name the start and the shape', () => {
    for (const [start, size] of [
      [5, -1],
      [-1, -1],
      [1, -2],
      [2 ** 53, -1],
      [2 ** 53, 2 ** 53],
    ]) {
      assert.throws(() => ops.slice(x(), [0, start], [1, size]), {
        name: 'ShapeError',
        message: new RegExp(`the slice ${start} to .* is not within axis 1 of \\(2, 2\\)`),
      });
    }
  });

  test('slices of a graph infer their shape, and are saved with -1', async () => {
    const [batch, time] = [null, null];
    const input = Input({ batchShape: [batch, time, 4] });
    assert.deepEqual(input.slice([0, 1, 1], [-1, -1, -1]).shape, [null, null, 3]);
    assert.deepEqual(input.slice([0, 100, 4], [-1, -1, -1]).shape, [null, null, 0]);
    assert.throws(() => input.slice([0, 0, 5], [-1, -1, -1]), {
      name: 'ShapeError',
      message: /the slice 5 to .* is not within axis 2 of \(None, None, 4\)/,
    });
    const model = new Model({ inputs: input, outputs: input.slice([0, 1, 1], [-1, -1, 2]) });
    const values = ops.reshape(ops.arange(24), [2, 3, 4]);
    const expected = [
      [
        [5, 6],
        [9, 10],
      ],
      [
        [17, 18],
        [21, 22],
      ],
    ];
    assert.deepEqual(model.predict(values).array(), expected);
    const copy = await mf.loadModel(await model.save());
    assert.deepEqual(copy.predict(values).array(), expected);
  });

  test('more arguments than an op has are refused where they would change nothing', () => {
    const x = mf.tensor([
      [1, 2],
      [3, 4],
    ]);
    for (const call of [() => ops.reshape(x, 4, 1), () => ops.clip(x, 1, 2, 3)])
      assert.throws(call, { name: 'ValueError', message: /got 1 options by position but has 0/ });
    // Array.map passes the index and the array.
    assert.equal([x, x].map(ops.exp).length, 2);
  });

  test('settings that ops need may have names', () => {
    assert.deepEqual(ops.topK(x(), { k: 1 })[0].array(), [[2], [4]]);
    assert.deepEqual(ops.topK(x(), { k: 2, sorted: false })[0].shape, [2, 2]);
    assert.deepEqual(x().clip({ xMin: 2, xMax: 3 }).array(), [
      [2, 2],
      [3, 3],
    ]);
    assert.deepEqual(ops.oneHot([1], { numClasses: 2 }).array(), [[0, 1]]);
    assert.deepEqual(ops.slice(x(), { startIndices: [0, 1], shape: [2, 1] }).array(), [[2], [4]]);
  });

  test('options of random may have positions, as in Keras', () => {
    const seed = 1;
    const by = (f) => f().array();
    assert.deepEqual(
      by(() => random.normal([2], 5, 2, { seed })),
      by(() => random.normal([2], { mean: 5, stddev: 2, seed })),
    );
    assert.deepEqual(
      by(() => random.uniform([2], 3, 4, 'float32', seed)),
      by(() => random.uniform([2], { minval: 3, maxval: 4, seed })),
    );
    assert.deepEqual(random.truncatedNormal([2], 7, 0).array(), [7, 7]);
    assert.throws(() => random.normal([2], 0, 1, seed, 2), /random\.normal accepts only mean/);
    assert.throws(() => random.normal([2], 0, { mean: 1 }), /'mean' is given twice/);
  });

  test('a value that did not leave its function says how it does', () => {
    const model = linear();
    const differentiate = (after, options) => {
      let kept;
      const { aux } = valueAndGradients(
        () => {
          kept = after(model.apply([[1, 2]]));
          return options ? [kept.sum(), kept] : kept.sum();
        },
        model.trainableVariables,
        options,
      );
      return aux ?? kept;
    };
    const message = messageOf(() => differentiate((y) => y).array());
    assert.match(message, /disposed of.*keep\(x\) in tidy\(\), hasAux in valueAndGradients/);
    assert.equal(differentiate((y) => y, { hasAux: true }).array().length, 1);
    assert.equal(differentiate((y) => mf.keep(y)).array().length, 1);
  });
});

suite('batches of predict', () => {
  let x;
  let y;
  before(() => {
    x = tensor([[1, 2]]);
    y = tensor([[3]]);
  });

  test('drop targets and weights, as in Keras', async () => {
    const model = linear();
    const expected = model.predict(x).array();
    for (const batch of [[x, y], [x, y, tensor([1])], [x], { xs: x, ys: y }, x]) {
      assert.deepEqual((await model.predict([batch].values())).array(), expected);
      assert.deepEqual(
        (await model.predict(() => [batch].values(), { steps: 1 })).array(),
        expected,
      );
      for await (const each of mf.predictBatches(model, [batch])) {
        assert.deepEqual(each.array(), expected);
      }
    }
    const series = Array.from({ length: 6 }, (_, i) => [i, i]);
    const windows = mf.timeseriesWindows(series, [0, 1, 2, 3, 4, 5], { sequenceLength: 2 });
    const reader = new Sequential([Input({ shape: [2, 2] }), layers.gru({ units: 1 })]);
    assert.deepEqual((await reader.predict(windows)).shape, [5, 1]);
  });

  test('keep all inputs of a model with several', async () => {
    const inputs = [Input({ shape: [2] }), Input({ shape: [2] })];
    const model = new Model({ inputs, outputs: layers.subtract().apply(inputs) });
    const z = tensor([[5, 5]]);
    for (const batch of [
      [x, z],
      [[x, z], y],
      [[x, z], y, tensor([1])],
    ]) {
      assert.deepEqual((await model.predict([batch].values())).array(), [[-4, -3]]);
    }
  });

  test('of a custom model follow the shapes that it was built for', async () => {
    class One extends Model {
      dense = layers.dense({ units: 1, kernelInitializer: 'ones' });
      call(inputs) {
        return this.dense.apply(inputs);
      }
    }
    class Two extends Model {
      call([a, b]) {
        return ops.add(a, b);
      }
    }
    const [one, two] = [new One(), new Two()];
    one.predict(x);
    assert.deepEqual((await one.predict([[x, y]].values())).array(), [[3]]);
    for (let i = 0; i < 2; i++) {
      assert.deepEqual((await two.predict([[x, x]].values())).array(), [[2, 4]]);
    }
  });
});

suite('what Keras has as classes', () => {
  test('may be uncalled', async () => {
    const same = async (uncalled, called, key = 'kernelRegularizer') =>
      assert.deepEqual(await fitted({ [key]: uncalled }), await fitted({ [key]: called }));
    await same(regularizers.l2, regularizers.l2());
    await same(constraints.nonNeg, constraints.nonNeg(), 'kernelConstraint');
    await same(initializers.zeros, initializers.zeros(), 'kernelInitializer');
    const compiled = (settings) => fitted({}, settings);
    assert.deepEqual(
      await compiled({ optimizer: optimizers.sgd }),
      await compiled({ optimizer: optimizers.sgd() }),
    );
    const history = await compiled({ metrics: [metrics.meanAbsoluteError, Ones] });
    assert.deepEqual(history.mean_absolute_error, [2]);
    assert.deepEqual(history.ones, [1]);
    assert.deepEqual(
      await compiled({ loss: losses.meanAbsoluteError }),
      await compiled({ loss: 'mae' }),
    );
    assert.equal(
      layers.dense({ units: 1, kernelRegularizer: regularizers.l2 }).getConfig().kernel_regularizer
        .class_name,
      'L2',
    );
  });

  class Ones extends Metric {
    updateState() {}
    result() {
      return 1;
    }
  }

  test('classes of the user in settings are an error that names a function', async () => {
    class Large {
      call(w) {
        return w.square().sum();
      }
    }
    for (const value of [Large, new Large()]) {
      for (const key of ['kernelRegularizer', 'kernelInitializer', 'kernelConstraint']) {
        assert.throws(() => layers.dense({ units: 1, [key]: value }), {
          message: `'${key}' cannot be of a class; give a function: (x) => …`,
        });
      }
    }
    const large = new Large();
    const { loss } = await fitted({ kernelRegularizer: (w) => large.call(w) });
    assert.deepEqual(loss, [6]);
  });
});

suite('settings', () => {
  test('a tensor in place of settings names apply', () => {
    const x = tensor([[[1, 2]]]);
    const names = { layers, x, a: x, b: x };
    assert.deepEqual(
      remedy(
        messageOf(() => layers.flatten(x)),
        names,
      ).array(),
      [[1, 2]],
    );
    assert.deepEqual(
      remedy(
        messageOf(() => layers.add([x, x])),
        names,
      ).array(),
      [[[2, 4]]],
    );
    assert.match(
      messageOf(() => layers.lstm(x)),
      /write layers\.lstm\(\{ … \}\)\.apply\(x\)$/,
    );
  });

  test('an uncalled layer, a layer as an activation, a class as a loss', async () => {
    for (const [layer, call] of [
      [layers.lstm, /write layers\.lstm\(\{ … \}\)$/],
      [mf.LSTM, /write new LSTM\(\{ … \}\)$/],
    ])
      assert.throws(() => layers.bidirectional(layer), { name: 'ValueError', message: call });
    const relu = layers.reLU();
    assert.throws(() => layers.dense({ units: 1, activation: relu }), {
      name: 'ValueError',
      message: /'activation' is .* must be a name or a function: \(x\) => layer\.apply\(x\)/,
    });
    const dense = layers.dense({ units: 1, activation: (x) => relu.apply(x), useBias: false });
    dense.build([null, 1]);
    dense.setWeights([mf.tensor([[1]])]);
    assert.deepEqual(dense.apply([[-2], [2]]).array(), [[0], [2]]);

    class MyLoss {
      call() {}
    }
    const model = new mf.Sequential([mf.Input({ shape: [1] }), layers.dense({ units: 1 })]);
    const fit = async () => {
      model.compile({ optimizer: 'sgd', loss: MyLoss });
      await model.fit([[1]], [[1]], { verbose: 0 });
    };
    await assert.rejects(fit, {
      name: 'ValueError',
      message: 'the loss MyLoss is a class; pass a function: (yTrue, yPred) => …',
    });
  });

  test('names of Keras 1 and 2 are accepted or answered', async () => {
    assert.deepEqual(
      new Sequential([layers.dense({ units: 1, inputDim: 3 })]).weights.map(({ shape }) => shape),
      [[3, 1], [1]],
    );
    const answers = {
      dense: [
        { units: 1, init: 'zeros', bias: false },
        /Dense .* write kernelInitializer in place of init, useBias in place of bias$/,
      ],
      dropout: [{ p: 0.5 }, /Dropout .* write rate in place of p$/],
      conv1D: [{ nbFilter: 2, filterLength: 3 }, /write filters .* kernelSize in place of filterL/],
    };
    for (const [name, [settings, message]] of Object.entries(answers)) {
      assert.match(
        messageOf(() => layers[name](settings)),
        message,
      );
    }
    assert.ok(layers.dense({ units: 1, kernelInitializer: 'zeros', useBias: false }));
    assert.match(
      messageOf(() => layers.dense({ units: 1, dropoutW: 2 })),
      /no setting 'dropout_w'/,
    );
    assert.match(
      messageOf(() => optimizers.adam({ lr: 1 })),
      /has no setting 'lr'; write learningRate$/,
    );
    const texts = [];
    const { warn } = console;
    console.warn = (text) => texts.push(text);
    try {
      optimizers.adam({ decay: 0.1 });
    } finally {
      console.warn = warn;
    }
    assert.match(texts.join(), /ignores decay.*schedules\.inverseTimeDecay/);
    assert.ok(optimizers.adam({ learningRate: schedules.inverseTimeDecay(0.01, 10, 0.5) }));
  });

  test('methods of Keras 2 and names that are nearly right are answered', () => {
    const model = linear();
    assert.match(
      messageOf(() => model.fit_generator()),
      /no fit_generator; write fit\(batches\)/,
    );
    assert.match(
      messageOf(() => model.predictClasses()),
      /write predict\(x\)\.argmax\(-1\)/,
    );
    assert.match(
      messageOf(() => layers.Dense1D),
      /no layers\.Dense1D \(did you mean 'dense'\?\)/,
    );
    assert.match(
      messageOf(() => layers.dens),
      /did you mean 'dense'/,
    );
    assert.match(
      messageOf(() => callbacks.earlyStoping),
      /did you mean 'earlyStopping'/,
    );
    assert.match(
      messageOf(() => callbacks.lambda(() => {})),
      /must be an object \{ onEpochEnd: … \}/,
    );
    const asked = 'then length name size default map forEach keys values toJSON inspect nodeType';
    const tools = `${asked} tagName asymmetricMatch $$typeof __esModule prototype displayName`;
    for (const place of [layers, optimizers, metrics, losses, initializers, callbacks]) {
      for (const name of tools.split(' ')) assert.doesNotThrow(() => place[name], name);
    }
    for (const name of tools.split(' ')) assert.doesNotThrow(() => ops[name], name);
  });
});
