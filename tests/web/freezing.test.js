// SPDX-License-Identifier: MIT
// `trainable` means what it means in Keras, for every kind of layer, in files and through a life of
// training. tests/fixtures/freezing/record.py recorded what Keras does.
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { before, describe, test } from 'node:test';
import * as mf from '../../dist/train.js';
import { openWorker } from '../../dist/worker.js';
import { warnings } from '../support/train.js';

const { Input, Layer, layers, Model, ops, optimizers, Sequential } = mf;
const file = (name) => new URL(`../fixtures/freezing/${name}`, import.meta.url);
const recording = JSON.parse(readFileSync(file('recording.json'), 'utf8'));
const bytesOf = (name) => new Uint8Array(readFileSync(file(`${name}.keras`)));

/** The flag, and the numbers of weights that training changes and of the others. */
const counts = (layer) => {
  const { trainableWeights, nonTrainableWeights } = layer;
  assert.equal(layer.trainableVariables.length, trainableWeights.length);
  assert.equal(layer.nonTrainableVariables.length, nonTrainableWeights.length);
  return [layer.trainable, trainableWeights.length, nonTrainableWeights.length];
};

class Parts extends Layer {
  constructor(settings) {
    super(settings);
    this.first = layers.dense({ units: 3 });
    this.listed = [layers.dense({ units: 3 }), layers.batchNormalization()];
    this.named = { a: layers.dense({ units: 3 }), b: layers.dense({ units: 3 }) };
  }
  build() {
    this.shift = this.addWeight({ name: 'shift', shape: [3], trainable: false });
    this.scale = this.addWeight({ name: 'scale', shape: [3] });
  }
  call(x, { training }) {
    const [dense, norm] = this.listed;
    const y = norm.apply(dense.apply(this.first.apply(x)), { training });
    const sum = ops.add(this.named.a.apply(y), this.named.b.apply(y));
    return ops.add(ops.multiply(sum, this.scale), this.shift);
  }
}
mf.registerLayer(Parts, { package: 'Freezing' });

const norm = (momentum = 0.6) => layers.batchNormalization({ momentum });
const sequentialBase = () =>
  new Sequential(
    [Input({ shape: [3] }), layers.dense({ units: 3 }), norm(), layers.dense({ units: 2 })],
    { name: 'base' },
  );
function functionalBase() {
  const inputs = Input({ shape: [3] });
  const x = norm().apply(layers.dense({ units: 3 }).apply(inputs));
  return new Model({ inputs, outputs: layers.dense({ units: 2 }).apply(x), name: 'base' });
}

/** Makes a layer, and names the last layer inside where JavaScript has an object of it. */
const forms = {
  dense: () => [layers.dense({ units: 2 })],
  batch_normalization: () => [layers.batchNormalization()],
  lstm: () => [layers.lstm({ units: 2 })],
  bidirectional: () => [layers.bidirectional({ layer: layers.gru({ units: 2 }) })],
  time_distributed() {
    const layer = layers.dense({ units: 2 });
    return [layers.timeDistributed({ layer }), layer];
  },
  time_distributed_model() {
    const layer = sequentialBase();
    return [layers.timeDistributed({ layer }), layer.layers.at(-1)];
  },
  rnn() {
    const cell = layers.gruCell({ units: 2 });
    return [layers.rnn({ cell }), cell];
  },
  rnn_of_cells() {
    const cell = [layers.gruCell({ units: 2 }), layers.lstmCell({ units: 3 })];
    return [layers.rnn({ cell }), cell[1]];
  },
  custom() {
    const layer = new Parts();
    return [layer, layer.named.b];
  },
  sequential() {
    const layer = sequentialBase();
    return [layer, layer.layers.at(-1)];
  },
  functional() {
    const layer = functionalBase();
    return [layer, layer.layers.at(-1)];
  },
  nested() {
    const last = layers.dense({ units: 3 });
    return [new Sequential([Input({ shape: [3] }), sequentialBase(), last]), last];
  },
};

function stepsOf(layer, last) {
  const shape = layer instanceof Model ? [3] : [4, 3];
  const model = new Sequential([Input({ shape }), layer, layers.dense({ units: 1 })]);
  const sets = [
    () => {},
    () => Object.assign(layer, { trainable: false }),
    () => last && Object.assign(last, { trainable: true }),
    () => Object.assign(layer, { trainable: true }),
    () => Object.assign(model, { trainable: false }),
    () => Object.assign(layer, { trainable: true }),
    () => Object.assign(model, { trainable: true }),
  ];
  return sets.map((set) => {
    set();
    return [counts(model), counts(layer)];
  });
}

describe('the setter reaches every layer and weight inside', () => {
  for (const [name, { names, steps, inside }] of Object.entries(recording.counts)) {
    test(name, () => {
      const [layer, last] = forms[name]();
      const ours = stepsOf(layer, last);
      // JavaScript has no object of the cell of an LSTM or of the copies in a Bidirectional.
      const expected = inside > 0 && !last ? steps.with(2, steps[1]) : steps;
      assert.deepEqual(ours, expected);
      assert.deepEqual(
        layer.weights.map((weight) => weight.name),
        names,
      );
    });
  }
  test('a shared layer is one layer', () => {
    const shared = layers.dense({ units: 3 });
    const inputs = Input({ shape: [3] });
    const one = new Model({ inputs, outputs: shared.apply(inputs) });
    const two = new Model({ inputs, outputs: norm().apply(shared.apply(inputs)) });
    one.trainable = false;
    assert.deepEqual(counts(two), [true, 2, 4]);
    two.trainable = true;
    assert.deepEqual(counts(one), [false, 0, 2]);
    one.trainable = true;
    assert.deepEqual(counts(one), [true, 2, 0]);
  });
  test('the order of the weights stays the same, and so do summary and getConfig', async () => {
    const model = new Sequential([Input({ shape: [3] }), new Parts({ name: 'parts' })]);
    const names = model.weights.map(({ name }) => name);
    const values = model.getWeights().map((tensor) => tensor.array());
    assert.match(model.summary(), /\(57 trainable\)/);
    model.layers[0].trainable = false;
    assert.deepEqual(
      model.weights.map(({ name }) => name),
      names,
    );
    assert.match(model.summary(), /\(0 trainable\)/);
    assert.equal(model.layers[0].getConfig().trainable, false);
    const weights = await model.saveWeights();
    model.layers[0].trainable = true;
    model.setWeights(model.getWeights().map((tensor) => ops.zeros(tensor.shape)));
    await model.loadWeights(weights);
    assert.deepEqual(
      model.getWeights().map((tensor) => tensor.array()),
      values,
    );
  });
});

const arrays = (model) => model.getWeights().map((tensor) => tensor.array());
let x;
let y;
before(async () => {
  await mf.ready();
  x = mf.tensor([[1, 2, 3], [0, 1, 0], [2, 0, 1], [1, 1, 1]]); // biome-ignore format: rows
  y = mf.tensor([[1], [0], [2], [1]]);
});

function near(model, expected, what) {
  const flat = (values) => values.flat(3);
  model.getWeights().forEach((tensor, i) => {
    const numbers = tensor.data();
    for (const [k, value] of flat([expected[i]]).entries()) {
      assert.ok(Math.abs(numbers[k] - value) < 2e-4, `${what} ${i}: ${numbers[k]}, not ${value}`);
    }
  });
}
const fill = (model) =>
  model.setWeights(
    model.weights.map(({ shape }, i) => {
      const count = shape.reduce((product, size) => product * size, 1);
      return Float32Array.from({ length: count }, (_, k) => Math.sin(k * 0.7 + i) * 0.5 + 0.6);
    }),
  );
const fitOptions = { batchSize: 2, shuffle: false };
const compile = (model, learningRate) =>
  model.compile({ optimizer: optimizers.sgd({ learningRate }), loss: 'mse' });

async function tune(model, expected) {
  const base = model.getLayer('base');
  assert.deepEqual(counts(model), expected.frozen);
  base.layers.at(-1).trainable = true;
  assert.deepEqual([counts(model), counts(base)], expected.last);
  base.trainable = true;
  assert.deepEqual(counts(model), expected.all);
  compile(model, 0.001);
  const { history } = await model.fit(x, y, { ...fitOptions, epochs: 2 });
  near(model, expected.tuned, 'tuned weight');
  for (const [i, loss] of expected.loss.entries())
    assert.ok(Math.abs(history.loss[i] - loss) < 1e-4);
}

describe('a life with a frozen base', () => {
  for (const [name, makeBase] of Object.entries({
    sequential: sequentialBase,
    functional: functionalBase,
  })) {
    const expected = recording.lives[name];
    test(`${name}: train the head, save, load, unfreeze, tune`, async () => {
      const base = makeBase();
      const model = new Sequential([Input({ shape: [3] }), base, layers.dense({ units: 1 })]);
      fill(model);
      base.trainable = false;
      compile(model, 0.002);
      await model.fit(x, y, { ...fitOptions, epochs: 3 });
      near(model, expected.head, 'weight after the head was trained');
      await tune(await mf.loadModel(await model.save()), expected);
    });
    test(`${name}: a file of Keras`, async () => {
      const model = await mf.loadModel(bytesOf(name));
      near(model, expected.head, 'weight of the file');
      await tune(model, expected);
    });
    test(`${name}: files of TensorFlow.js keep weights apart in a base that is partly frozen`, async () => {
      const model = await mf.loadModel(bytesOf(name));
      const inner = model.getLayer('base');
      inner.layers.at(-1).trainable = true;
      const files = [...(await model.saveTfjs())].map(([path, bytes]) => new File([bytes], path));
      const again = await mf.loadModel(files);
      assert.deepEqual(arrays(again), arrays(model));
      assert.deepEqual(counts(again), counts(model));
    });
  }
  test('in a worker, the head trains and the statistics of the base stay', async () => {
    const bytes = bytesOf('sequential');
    const worker = await openWorker({ train: true });
    try {
      const remote = await worker.loadModel(bytes);
      const local = await mf.loadModel(bytes);
      const options = { optimizer: { class_name: 'SGD', config: { learning_rate: 0.002 } } };
      await remote.compile({ ...options, loss: 'mse' });
      local.compile({ ...options, loss: 'mse' });
      await remote.fit(x.array(), y.array(), fitOptions);
      await local.fit(x, y, fitOptions);
      const expected = arrays(local);
      assert.deepEqual(
        (await remote.getWeights()).map((weight) => weight.array()),
        expected,
      );
      assert.deepEqual(expected.slice(0, 8), arrays(await mf.loadModel(bytes)).slice(0, 8));
      assert.equal(remote.weights.filter(({ trainable }) => trainable).length, 2);
    } finally {
      worker.close();
    }
  });
});

describe('`trainable: false` given to a constructor', () => {
  // Keras trains the layers inside; see docs/from-keras.md.
  const inside = () => layers.dense({ units: 3 });
  const frozen = { trainable: false };
  const made = {
    'a wrapper': () => layers.timeDistributed({ layer: inside(), ...frozen }),
    'a wrapper of a layer that is partly frozen': () => {
      const layer = sequentialBase();
      layer.layers[0].trainable = false;
      return layers.timeDistributed({ layer, ...frozen });
    },
    Bidirectional: () => layers.bidirectional({ layer: layers.gru({ units: 2 }), ...frozen }),
    RNN: () => layers.rnn({ cell: [layers.gruCell({ units: 2 })], ...frozen }),
    'a custom layer': () => new Parts(frozen),
    Sequential: () => new Sequential([inside()], frozen),
    Model() {
      const inputs = Input({ shape: [4, 3] });
      return new Model({ inputs, outputs: inside().apply(inputs), ...frozen });
    },
  };
  for (const [name, make] of Object.entries(made)) {
    test(`${name} freezes everything inside, until the setter trains it again`, async () => {
      const layer = make();
      const model = new Sequential([Input({ shape: [4, 3] }), layer, layers.dense({ units: 1 })]);
      assert.equal(model.trainableWeights.length, 2);
      assert.equal(counts(layer)[1], 0);
      const again = await mf.loadModel(await model.save());
      assert.equal(again.trainableWeights.length, 2);
      assert.equal(mf.cloneModel(model).trainableWeights.length, 2);
      layer.trainable = true;
      const parameters = layer.trainableWeights.length;
      assert.ok(parameters > 0);
      assert.equal(model.trainableWeights.length, 2 + parameters);
    });
  }
  test('MultiHeadAttention, in its constructor and from a file', async () => {
    const attention = layers.multiHeadAttention({ numHeads: 2, keyDim: 2, ...frozen });
    const inputs = Input({ shape: [4, 3] });
    const y = attention.apply({ query: inputs, value: inputs });
    const model = new Model({ inputs, outputs: layers.dense({ units: 1 }).apply(y) });
    assert.deepEqual(counts(model), [true, 2, 8]);
    assert.deepEqual(counts(await mf.loadModel(await model.save())), [true, 2, 8]);
    attention.trainable = true;
    assert.deepEqual(counts(model), [true, 10, 0]);
  });
  test('a layer inside can be trained again', () => {
    const layer = new Parts(frozen);
    const model = new Sequential([Input({ shape: [3] }), layer]);
    layer.first.trainable = true;
    assert.deepEqual(counts(model), [true, 2, 12]);
    assert.deepEqual(counts(layer), [false, 0, 14]);
  });
});

describe('a change of `trainable` after compile()', () => {
  const make = () => {
    const model = new Sequential([Input({ shape: [3] }), norm(), layers.dense({ units: 1 })]);
    fill(model);
    compile(model, 0.01);
    return model;
  };
  const fit = (model, options) =>
    warnings(() => model.fit(x, y, { ...fitOptions, epochs: 4, ...options }));
  test('counts at the next compile(): freezing in the middle of fit() changes no number', async () => {
    const [changed, unchanged] = [make(), make()];
    await fit(unchanged);
    const onEpochEnd = (epoch) => {
      if (epoch === 1) changed.layers[0].trainable = false;
    };
    await fit(changed, { callbacks: [Object.assign(new mf.Callback(), { onEpochEnd })] });
    assert.deepEqual(arrays(changed), arrays(unchanged));
    assert.equal(changed.layers[0].trainable, false);
    const [message] = await fit(changed);
    assert.match(
      message,
      /has 2 trainable weights, but was compiled with 4; call compile\(\) again/,
    );
    const before = arrays(changed);
    compile(changed, 0.01);
    assert.deepEqual(await fit(changed), []);
    assert.deepEqual(arrays(changed).slice(0, 4), before.slice(0, 4));
    assert.notDeepEqual(arrays(changed)[4], before[4]);
  });
  test('the same for a frozen layer that is trained again, and in steps of a class', async () => {
    class Own extends Sequential {
      trainStep([inputs, targets]) {
        const flags = this.layers.map(({ trainable }) => trainable);
        seen.push(String(flags));
        return super.trainStep([inputs, targets]);
      }
    }
    const seen = [];
    const model = new Own([Input({ shape: [3] }), norm(), layers.dense({ units: 1 })]);
    fill(model);
    model.layers[0].trainable = false;
    compile(model, 0.01);
    await fit(model, { epochs: 1 });
    const before = arrays(model);
    model.layers[0].trainable = true;
    await fit(model, { epochs: 1 });
    assert.deepEqual(arrays(model).slice(0, 4), before.slice(0, 4));
    assert.deepEqual([...new Set(seen)], ['false,true']);
    assert.equal(model.layers[0].trainable, true);
  });
  test('a step that throws leaves the flags as they were set', async () => {
    const model = make();
    await fit(model, { epochs: 1 });
    model.layers[0].trainable = false;
    const wrong = mf.tensor([[1, 2]]);
    await assert.rejects(model.trainOnBatch(wrong, mf.tensor([[1]])), mf.ShapeError);
    assert.equal(model.layers[0].trainable, false);
  });
  const changed = async () => {
    const model = new Sequential([
      Input({ shape: [3] }),
      layers.dense({ units: 3 }),
      layers.dense({ units: 2 }),
    ]);
    model.compile({ optimizer: 'adam', loss: 'mse' });
    await model.fit(x, [[1, 1], [0, 0], [2, 2], [1, 1]]); // biome-ignore format: rows
    model.layers[0].trainable = false;
    return model.save();
  };
  for (const [name, open] of Object.entries({
    'a file that the package saved': changed,
    "Keras's file": async () => bytesOf('changed'),
  })) {
    test(`${name} opens with a warning, without the state of the optimizer`, async () => {
      const bytes = await open();
      let model;
      const told = await warnings(async () => {
        model = await mf.loadModel(bytes);
      });
      assert.equal(told.length, 1);
      assert.match(told[0], /'adam' has 6 variables here, but 10 in the file/);
      assert.deepEqual(counts(model), [true, 2, 2]);
      assert.equal(model.optimizer.variables.length, recording.changed.variables);
      assert.equal(model.optimizer.iterations, 0);
      // The remedy of the warning.
      model.compile({ optimizer: 'adam', loss: 'mse' });
      await model.fit(x, mf.ops.concatenate([y, y], { axis: 1 }));
      const saved = await model.save();
      let again;
      assert.deepEqual(
        await warnings(async () => {
          again = await mf.loadModel(saved);
        }),
        [],
      );
      assert.equal(again.optimizer.iterations, 1);
    });
  }
});

describe('TimeDistributed in training', () => {
  const half = () => layers.batchNormalization({ momentum: 0.5 });
  class Inner extends Layer {
    norm = half();
    call(inputs, { training }) {
      return this.norm.apply(inputs, { training });
    }
  }
  const made = {
    bare: half,
    sequential: () => new Sequential([Input({ shape: [1] }), half()]),
    functional() {
      const inputs = Input({ shape: [1] });
      return new Model({ inputs, outputs: half().apply(inputs) });
    },
    'nested twice': () =>
      new Sequential([Input({ shape: [1] }), new Sequential([Input({ shape: [1] }), half()])]),
    'a custom layer in a model': () => new Sequential([Input({ shape: [1] }), new Inner()]),
  };
  for (const [name, make] of Object.entries(made)) {
    test(`${name}: statistics are those of each step`, () => {
      const inner = make();
      const layer = layers.timeDistributed({ layer: inner });
      layer.apply(mf.tensor([[[10], [0]], [[0], [2]]]), { training: true }); // biome-ignore format: rows
      const [mean, variance] = recording.steps[name] ?? recording.steps.bare;
      const [, , ours, ourVariance] = inner.getWeights().map((tensor) => tensor.array());
      assert.deepEqual([ours, ourVariance], [mean, variance]);
    });
  }
});
