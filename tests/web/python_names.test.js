// SPDX-License-Identifier: MIT
// Names as Python writes them, and other forms of Keras: a class that defines `compute_mask`,
// `optimizer.learning_rate = 0.1`. JavaScript ignores such names, so that a model would compute
// something else; here each is an error with the name to write.
import assert from 'node:assert/strict';
import { before, suite, test } from 'node:test';
import * as mf from '../../dist/train.js';
import { TextVectorization, Tokenizer } from '../../dist/text.js';

const { callbacks, layers, losses, metrics, Input, Layer, Metric, Model, ops, optimizers } = mf;
before(() => mf.ready({ seed: 1 }));

const toSnake = (name) => name.replace(/([a-z0-9])([A-Z])/g, '$1_$2').toLowerCase();
const refuses = (f, text) => assert.throws(f, { name: 'ValueError', message: text });

/** Returns the public members of an object whose names have several words. */
function membersOf(object) {
  const names = [];
  for (let owner = object; owner !== Object.prototype; owner = Object.getPrototypeOf(owner)) {
    if (owner === null) break;
    names.push(...Object.getOwnPropertyNames(owner));
  }
  // Configs have a class_name, for which functions look that accept them, too.
  return [...new Set(names)].filter((name) => /^[a-z]+[A-Z]/.test(name) && name !== 'className');
}

suite('members of objects', () => {
  const made = {
    layer: () => layers.lstm({ units: 1 }),
    model: () => new mf.Sequential([Input({ shape: [2] }), layers.dense({ units: 1 })]),
    metric: () => metrics.auc(),
    mean: () => metrics.mean(),
    optimizer: () => optimizers.adam(),
    vectorizer: () => new TextVectorization(),
    tokenizer: () => new Tokenizer(),
  };
  for (const [kind, make] of Object.entries(made)) {
    test(kind, () => {
      const object = make();
      const names = membersOf(object);
      assert.ok(names.length > 1, `${kind} has ${names}`);
      for (const name of names) {
        const python = toSnake(name);
        if (python.replace(/_([a-z0-9])/g, (_, c) => c.toUpperCase()) !== name) continue;
        const message = `there is no ${python}; write ${name}`;
        refuses(() => object[python], message);
        refuses(() => {
          object[python] = 1;
        }, message);
      }
    });
  }

  test('names of Keras 2 and TensorFlow.js', () => {
    refuses(() => metrics.mean().resetStates(), 'there is no resetStates; write resetState()');
    refuses(() => made.model().to_json(), 'there is no to_json; write JSON.stringify(model)');
    const text = 'there is no applyGradients; write apply(gradients, variables)';
    refuses(() => optimizers.sgd().applyGradients([]), text);
  });

  test('other names are read and written as usual', () => {
    const layer = layers.dense({ units: 1 });
    layer.my_note = 'mine';
    layer._name = 'private';
    assert.deepEqual(Object.keys(layer).sort(), ['_name', 'identity', 'my_note']);
    assert.equal(layer.my_note, 'mine');
    for (const name of ['then', '$$typeof', '__v_isRef', 'not_there', 'nodeType', '_built'])
      assert.equal(layer[name], undefined);
    assert.equal('get_weights' in layer, false);
    assert.equal(Object.hasOwn(layer, 'my_note'), true);
  });
});

suite('members of classes', () => {
  const call = (x) => x;
  /** Returns a class with one more member. */
  const withMember = (Base, name, value = () => 1) => {
    class Mine extends Base {}
    Object.defineProperty(Mine.prototype, name, { value, configurable: true });
    return Mine;
  };
  const wrong = [
    [Layer, 'compute_mask', 'computeMask'],
    [Layer, 'compute_output_shape', 'computeOutputShape'],
    [Layer, 'get_config', 'getConfig'],
    [Layer, 'save_own_variables', 'saveOwnVariables'],
    [Model, 'train_step', 'trainStep'],
    [Model, 'compute_loss', 'computeLoss'],
    [mf.Sequential, 'test_step', 'testStep'],
    [Metric, 'update_state', 'updateState'],
    [Metric, 'reset_state', 'resetState'],
  ];
  for (const [Base, name, member] of wrong) {
    test(`${Base.name}: ${name}`, () => {
      const text = `Mine defines ${name}, which nothing calls; name it ${member}`;
      refuses(() => new (withMember(Base, name))(), text);
      const Both = withMember(withMember(Base, name), member);
      // Each class is judged by itself: the one below lacks the other name.
      refuses(() => new Both(), text);
    });
  }

  test('a class is judged the same, whichever of its subclasses comes first', () => {
    const make = () => {
      class Helps extends Layer {
        own_name() {}
      }
      const Both = class extends Helps {
        ownName() {}
      };
      return [class extends Helps {}, Both];
    };
    const text = / defines own_name, which nothing calls; name it ownName$/;
    for (const isFirst of [false, true]) {
      const [Plain, Both] = make();
      if (isFirst) new Plain();
      assert.throws(() => new Both(), text);
    }
  });

  test('a class may define both names', () => {
    class Both extends Layer {
      call(x) {
        return x;
      }
      getConfig() {
        return this.get_config();
      }
      get_config() {
        return { ...super.getConfig(), mine: 1 };
      }
    }
    assert.equal(new Both().getConfig().mine, 1);
  });

  test('supports_masking in a constructor, learning_rate of an optimizer', () => {
    class Mine extends Layer {
      constructor() {
        super();
        this.supports_masking = true;
      }
    }
    refuses(() => new Mine(), 'there is no supports_masking; write supportsMasking');
    const adam = optimizers.adam({ learningRate: 0.5 });
    refuses(() => {
      adam.learning_rate = 0.1;
    }, 'there is no learning_rate; write learningRate');
    assert.equal(adam.learningRate, 0.5);
  });

  test('names without another spelling are the class’s own', () => {
    class Mine extends Layer {
      static scale_of = 2;
      inner_call(x) {
        return call(x);
      }
      call(x) {
        return this.inner_call(x);
      }
    }
    assert.deepEqual(new Mine().apply([[1]]).array(), [[1]]);
  });
});

suite('functions', () => {
  const lines = {
    'ops.reduceSum': [() => ops.reduceSum, 'there is no ops.reduceSum(); write ops.sum(…)'],
    'ops.expand_dims': [
      () => ops.expand_dims,
      'there is no ops.expand_dims(); write ops.expandDims(…)',
    ],
    'ops.argMax': [() => ops.argMax, 'there is no ops.argMax(); write x.argmax(-1)'],
    'losses.mean_squared_error': [
      () => losses.mean_squared_error,
      'there is no losses.mean_squared_error; write losses.meanSquaredError(…)',
    ],
    'callbacks.LambdaCallback': [
      () => callbacks.LambdaCallback,
      'there is no callbacks.LambdaCallback; write callbacks.lambdaCallback(…)',
    ],
    'x.numpy()': [() => mf.tensor([1]).numpy(), 'there is no numpy(); write x.array()'],
  };
  for (const [name, [f, message]] of Object.entries(lines)) test(name, () => refuses(f, message));

  test('callbacks.lambdaCallback and optimizers.schedules have their names of Keras', () => {
    const onEpochEnd = () => {};
    assert.equal(callbacks.lambdaCallback({ onEpochEnd }).onEpochEnd, onEpochEnd);
    assert.equal(optimizers.schedules, mf.schedules);
  });
});

suite('options by position', () => {
  let model;
  before(() => {
    model = new mf.Sequential([Input({ shape: [2] }), layers.dense({ units: 1 })]);
    model.compile({ optimizer: 'sgd', loss: 'mse' });
  });
  const x = [[1, 2]];
  const y = [[1]];
  const options = (names) => `the options are 32 but must be an object { ${names} }, or left out`;
  const settings = (name, first) =>
    `the settings of ${name} are 32 but must be an object { ${first}: … }, or left out`;
  const lines = {
    'fit(x, y, 32)': [() => model.fit(x, y, 32), options('batchSize: …')],
    'evaluate(x, y, 32)': [() => model.evaluate(x, y, 32), options('batchSize: …')],
    'predict(x, 32)': [() => model.predict(x, 32), options('batchSize: …')],
    'apply(x, 32)': [
      () => model.apply(x, 32),
      'the second argument of Sequential.apply() is 32 but must be options such as { mask }; write several inputs as apply([a, b])',
    ],
    'new Tokenizer(32)': [() => new Tokenizer(32), settings('Tokenizer', 'numWords')],
    'new TextVectorization(32)': [
      () => new TextVectorization(32),
      settings('TextVectorization', 'maxTokens'),
    ],
    'fit({ x, y })': [() => model.fit({ x, y }), 'x is { x, y }; write fit(x, y)'],
    'compile({ optimizer: f })': [
      () => model.compile({ optimizer: () => 1, loss: 'mse' }),
      /^the optimizer is a function but must be .* an optimizer such as optimizers\.adam\(\)/,
    ],
    'add(layers.dense)': [
      () => model.add(layers.dense),
      /such as layers\.dense\(\{ units: 1 \}\)$/,
    ],
    'valueAndGradients(f)': [
      () => mf.valueAndGradients(() => ops.ones([])),
      /valueAndGradients\(f, model\.trainableVariables\) is undefined but must be a list/,
    ],
  };
  for (const [name, [f, message]] of Object.entries(lines)) {
    test(name, async () => {
      await assert.rejects(async () => f(), { message });
    });
  }
});

suite('forms of Keras by position', () => {
  test('padSequences(rows, maxlen) and toCategorical(y, numClasses)', () => {
    assert.deepEqual(mf.padSequences([[1, 2, 3]], 2).array(), [[2, 3]]);
    assert.deepEqual(mf.toCategorical([1], 3).array(), [[0, 1, 0]]);
  });

  test('updateState(yTrue, yPred, sampleWeight)', () => {
    const results = [[1, 0], { sampleWeight: [1, 0] }, mf.tensor([1, 0])].map((weights) => {
      const metric = metrics.meanSquaredError();
      metric.updateState([[1], [5]], [[3], [5]], weights);
      return metric.result();
    });
    assert.deepEqual(results, [4, 4, 4]);
  });
});

suite('settings of a custom layer without getConfig', () => {
  const silent = async (f) => {
    const texts = [];
    const { warn } = console;
    console.warn = (text) => texts.push(text);
    try {
      return [await f(), texts];
    } finally {
      console.warn = warn;
    }
  };
  class Scale extends Layer {
    constructor({ factor = 1, list = [1, { a: 2 }], text = 'x, y', ...rest } = {}) {
      super(rest);
      this.factor = factor;
      this.list = list;
      this.text = text;
    }
    call(x) {
      return ops.multiply(x, this.factor);
    }
  }
  class Twice extends Scale {
    constructor({ more, ...rest }) {
      super(rest);
      this.more = more;
    }
  }

  test('are in its config, in a file and in a clone', async () => {
    mf.registerLayer(Scale);
    mf.registerLayer(Twice);
    const own = [
      new Scale({ factor: 5, list: [3] }),
      new Twice({ factor: 2, more: null, list: [] }),
    ];
    const model = new mf.Sequential([Input({ shape: [1] }), ...own]);
    const { factor, list, text } = own[0].getConfig();
    assert.deepEqual([factor, list, text], [5, [3], 'x, y']);
    assert.equal(own[1].getConfig().more, null);
    assert.equal(model.predict([[1]]).item(), 10);
    const [copies, texts] = await silent(async () => [
      await mf.loadModel(await model.save()),
      mf.cloneModel(model),
    ]);
    for (const copy of copies) assert.equal(copy.predict([[1]]).item(), 10);
    assert.deepEqual(texts, []);
  });

  test('that are no plain data, or kept elsewhere, are a warning', async () => {
    class Around extends Layer {
      constructor({ inner, ...rest }) {
        super(rest);
        this.inner = inner;
      }
      call(x) {
        return this.inner.apply(x);
      }
    }
    class Renamed extends Layer {
      constructor({ units, ...rest }) {
        super(rest);
        this.dense = layers.dense({ units });
      }
      call(x) {
        return this.dense.apply(x);
      }
    }
    const made = [new Around({ inner: layers.dense({ units: 1 }) }), new Renamed({ units: 2 })];
    const [, texts] = await silent(() =>
      made.map((layer) => [layer.getConfig(), layer.getConfig()]),
    );
    assert.deepEqual(
      texts.map((text) =>
        /(\w+) has no getConfig\(\).* may lack its setting '(\w+)'/.exec(text).slice(1),
      ),
      [
        ['Around', 'inner'],
        ['Renamed', 'units'],
      ],
    );
  });
});

suite('ready({ seed })', () => {
  const rows = Array.from({ length: 64 }, (_, i) => i);
  const lossOf = async () => {
    await mf.ready({ seed: 7 });
    const dense = layers.dense({ units: 1, kernelInitializer: 'ones' });
    const model = new mf.Sequential([Input({ shape: [1] }), dense]);
    model.compile({ optimizer: 'sgd', loss: 'mse' });
    const x = mf.tensor(rows.map((i) => [i / 64]));
    const y = mf.tensor(rows.map((i) => [i % 3]));
    return (await model.fit(x, y, { batchSize: 8, verbose: 0 })).history.loss;
  };

  test('determines the order of fit', async () => {
    const losses = [await lossOf(), await lossOf(), await lossOf()];
    assert.deepEqual(losses[1], losses[0]);
    assert.deepEqual(losses[2], losses[0]);
  });

  test('determines random, splitDataset and windows', async () => {
    const draws = async () => {
      await mf.ready({ seed: 7 });
      const [[left]] = mf.splitDataset([mf.tensor(rows)], { leftSize: 0.5, shuffle: true });
      return [mf.random.uniform([3]).array(), mf.random.normal([2]).array(), left.array()];
    };
    assert.deepEqual(await draws(), await draws());
    const [first] = await draws();
    assert.notDeepEqual(mf.random.uniform([3]).array(), first);
  });
});

suite('settings that were ignored', () => {
  const input = () => Input({ shape: [1] });
  const lines = {
    'random.uniform min': [
      () => mf.random.uniform([2], { min: 5 }),
      /unknown option 'min'.*minval/,
    ],
    'random.normal std': [() => mf.random.normal([2], { std: 5 }), /unknown option 'std'.*stddev/],
    'random.gamma x': [() => mf.random.gamma([2], 1, { x: 1 }), /unknown option 'x'/],
    'new Model input': [
      () => new Model({ input: input(), output: input() }),
      /unknown option 'input' \(did you mean 'inputs'\?\)/,
    ],
  };
  for (const [name, [f, message]] of Object.entries(lines)) {
    test(name, () => assert.throws(f, { name: 'ConfigError', message }));
  }
});

test('default names of metrics are those of Keras 3.15.1', () => {
  const settings = { numClasses: 2, targetClassIds: [0] };
  const named = {
    f1_score: metrics.f1Score(),
    fbeta_score: metrics.fBetaScore(),
    r2_score: metrics.r2Score(),
    logcosh: metrics.logCoshError(),
    io_u: metrics.iou(settings),
    mean_io_u: metrics.meanIoU({ numClasses: 2 }),
    auc: metrics.auc(),
    kl_divergence: metrics.klDivergence(),
    lambda: new Metric((a, b) => ops.subtract(a, b)),
  };
  for (const [name, metric] of Object.entries(named)) assert.equal(metric.name, name);
});

test('a class with getConfig is asked alone, without a warning', () => {
  class Around extends Layer {
    constructor({ inner, factor = 1, ...rest }) {
      super(rest);
      this.inner = inner;
      this.factor = factor;
    }
    call(x) {
      return this.inner.apply(x);
    }
    getConfig() {
      return { ...super.getConfig(), inner: mf.serializeLayer(this.inner) };
    }
  }
  const texts = [];
  const { warn } = console;
  console.warn = (text) => texts.push(text);
  try {
    const config = new Around({ inner: layers.dense({ units: 1 }) }).getConfig();
    assert.deepEqual(Object.keys(config), ['name', 'trainable', 'dtype', 'inner']);
  } finally {
    console.warn = warn;
  }
  assert.deepEqual(texts, []);
});

test('the error for a label below 0 says how to leave rows out, and that works', async () => {
  const model = new mf.Sequential([
    Input({ shape: [2] }),
    layers.dense({ units: 3, activation: 'softmax' }),
  ]);
  model.compile({ optimizer: 'sgd', loss: 'sparse_categorical_crossentropy' });
  const x = mf.tensor([
    [1, 2],
    [3, 4],
  ]);
  await assert.rejects(model.fit(x, [1, -1], { verbose: 0 }), {
    name: 'ValueError',
    message: /-1 .*mask/,
  });
  const { history } = await model.fit(x, [1, 0], { verbose: 0, sampleWeight: [1, 0] });
  assert.ok(Number.isFinite(history.loss[0]));
});
