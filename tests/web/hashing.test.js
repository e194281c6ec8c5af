// SPDX-License-Identifier: MIT
// Hashing and HashedCrossing on the values that Keras publishes in its documentation and tests,
// which it computes with TensorFlow, and in graphs.
import assert from 'node:assert/strict';
import { before, describe, test } from 'node:test';
import * as mf from '../../dist/index.js';
import { HashedCrossing, Hashing, StringLookup } from '../../dist/text.js';
import { leavesNothing } from '../support/watch.js';

before(() => mf.ready());

const letters = [['A'], ['B'], ['C'], ['D'], ['E']];
const names = ['omar', 'stringer', 'marlo', 'wire', 'skywalker'];
const column = (...bins) => bins.map((bin) => [bin]);
const hashed = (config, data) => mf.tidy(() => new Hashing(config).apply(data).array());

describe('Hashing', () => {
  test('returns the bins of FarmHash64 without a salt', () => {
    assert.deepEqual(hashed({ numBins: 3 }, letters), column(1, 0, 1, 1, 2));
    assert.deepEqual(hashed({ numBins: 2 }, names), [0, 0, 1, 0, 0]);
    assert.deepEqual(hashed({ numBins: 1 }, letters), column(0, 0, 0, 0, 0));
    assert.equal(hashed({ numBins: 2 }, 'marlo'), 1);
  });

  test('returns the bins of SipHash64 with a salt of one or two numbers', () => {
    assert.deepEqual(hashed({ numBins: 3, salt: [133, 137] }, letters), column(1, 2, 1, 0, 2));
    assert.deepEqual(hashed({ numBins: 3, salt: 133 }, letters), column(0, 0, 2, 1, 0));
    assert.deepEqual(hashed({ numBins: 2, salt: [133, 137] }, names), [0, 1, 0, 1, 0]);
    assert.deepEqual(hashed({ numBins: 2, salt: [211, 137] }, names), [1, 0, 1, 0, 1]);
    assert.deepEqual(hashed({ numBins: 3, salt: [133, 137] }, [0, 1, 2, 3, 4]), [1, 1, 2, 0, 1]);
  });

  test('keeps bin 0 for the mask value', () => {
    const data = [['A'], ['B'], [''], ['C'], ['D']];
    assert.deepEqual(hashed({ numBins: 3, maskValue: '' }, data), column(1, 1, 0, 2, 2));
    assert.deepEqual(hashed({ numBins: 3, maskValue: '' }, names), [1, 1, 2, 1, 1]);
    assert.deepEqual(hashed({ numBins: 3, maskValue: 'omar' }, names), [0, 1, 2, 1, 1]);
    assert.deepEqual(hashed({ numBins: 1, maskValue: 'omar' }, names), [0, 0, 0, 0, 0]);
    assert.deepEqual(hashed({ numBins: 3, maskValue: 0 }, [0, 0]), [0, 0]);
  });

  test('hashes numbers as their decimal text, without a fraction', () => {
    const bins = [1, 0, 1, 0, 2];
    assert.deepEqual(hashed({ numBins: 3 }, [0, 1, 2, 3, 4]), bins);
    assert.deepEqual(hashed({ numBins: 3 }, [0.9, 1.5, 2.99, 3, 4.1]), bins);
    assert.deepEqual(hashed({ numBins: 3 }, Int32Array.of(0, 1, 2, 3, 4)), bins);
    assert.deepEqual(hashed({ numBins: 3 }, ['0', '1', '2', '3', '4']), bins);
    const tensor = mf.tensor(
      [
        [0, 1],
        [2, 3],
      ],
      { dtype: 'int32' },
    );
    assert.deepEqual(hashed({ numBins: 3 }, tensor), [
      [1, 0],
      [1, 0],
    ]);
    assert.deepEqual(
      hashed({ numBins: 2 }, [
        [[1], [2]],
        [[2], [3]],
      ]),
      [
        [[1], [1]],
        [[1], [1]],
      ],
    );
    assert.deepEqual(hashed({ numBins: 1000 }, [-7]), hashed({ numBins: 1000 }, ['-7']));
    assert.deepEqual(hashed({ numBins: 1000 }, [-0]), hashed({ numBins: 1000 }, ['0']));
    assert.deepEqual(
      hashed({ numBins: 1e6 }, [1e18]),
      hashed({ numBins: 1e6 }, [`1${'0'.repeat(18)}`]),
    );
  });

  test('encodes bins as vectors', () => {
    const oneHot = [
      [0, 1, 0],
      [1, 0, 0],
      [0, 1, 0],
      [1, 0, 0],
      [0, 0, 1],
    ];
    const numbers = [0, 1, 2, 3, 4];
    const of = (outputMode, data) => hashed({ numBins: 3, outputMode }, data);
    assert.deepEqual(of('one_hot', numbers), oneHot);
    assert.deepEqual(of('one_hot', column(...numbers)), oneHot);
    assert.deepEqual(of('one_hot', [[[0]], [[1]]]), oneHot.slice(0, 2));
    assert.deepEqual(of('one_hot', [[0, 1]]), [oneHot.slice(0, 2)]);
    assert.deepEqual(of('one_hot', 'A'), [[0, 1, 0]]);
    assert.deepEqual(of('multi_hot', [numbers]), [[1, 1, 1]]);
    assert.deepEqual(of('multi_hot', [[1, 3]]), [[1, 0, 0]]);
    assert.deepEqual(of('count', [numbers]), [[2, 2, 1]]);
    assert.deepEqual(of('count', numbers), [2, 2, 1]);
    const layer = new Hashing({ numBins: 3, outputMode: 'count' });
    assert.equal(layer.apply([numbers]).dtype, 'float32');
    assert.equal(new Hashing({ numBins: 3 }).apply(numbers).dtype, 'int32');
  });

  test('throws typed errors that name the value and the remedy', () => {
    const refuses = (config, data, kind, text) =>
      assert.throws(
        () => new Hashing(config).apply(data),
        (error) => error.name === kind && text.test(error.message),
        `${JSON.stringify(config)} ${data}`,
      );
    for (const numBins of [0, -1, 1.5, null, '3', 2 ** 31, Number.NaN])
      refuses({ numBins }, ['a'], 'ConfigError', /numBins .*1 to 2147483647/);
    refuses({}, ['a'], 'ConfigError', /numBins/);
    refuses({ numBins: 2, outputMode: 'tf_idf' }, ['a'], 'ConfigError', /one of 'int'/);
    for (const salt of ['text', [1], [1, 2, 3], [1, 'a'], 1.5, {}])
      refuses({ numBins: 2, salt }, ['a'], 'ConfigError', /salt is .*whole number/);
    refuses({ numBins: 2, maskValue: true }, ['a'], 'ConfigError', /maskValue/);
    refuses({ numBins: 2, sparse: true, outputMode: 'count' }, ['a'], 'UnsupportedError', /sparse/);
    refuses({ numBins: 2, bins: 3 }, ['a'], 'ConfigError', /no setting 'bins'/);
    refuses({ numBins: 2, maskValue: 'a' }, [1], 'ValueError', /maskValue is .*'a'.*numbers/);
    refuses({ numBins: 2 }, ['a', 1], 'ValueError', /needs strings/);
    refuses({ numBins: 2 }, [Number.NaN], 'ValueError', /cannot hash NaN/);
    refuses({ numBins: 2 }, [Number.POSITIVE_INFINITY], 'ValueError', /cannot hash Infinity/);
    refuses({ numBins: 2 }, [['a', 'b', 'c'], ['d']], 'ShapeError', /row 1 has 1 values .* 3/);
    refuses({ numBins: 2 }, [['a'], 'b'], 'ShapeError', /equally deep/);
    refuses({ numBins: 2 }, null, 'ValueError', /needs strings/);
    const inside = [];
    inside.push(inside);
    assert.throws(() => new Hashing({ numBins: 2 }).apply(inside), /more than 64 deep/);
    refuses({ numBins: 2, outputMode: 'count' }, [[['a']]], 'ShapeError', /rank 2 at most/);
    refuses({ numBins: 2 ** 31 - 1, outputMode: 'count' }, ['a'], 'ShapeError', /fewer/);
  });

  test('is created again from its config, and leaves no memory behind', () => {
    const layer = new Hashing({ numBins: 9, salt: 7, maskValue: 'x', name: 'bins' });
    const config = layer.getConfig();
    assert.deepEqual(config, {
      num_bins: 9,
      mask_value: 'x',
      salt: [7, 7],
      output_mode: 'int',
      name: 'bins',
    });
    const again = Hashing.fromConfig({ ...config, dtype: 'int64', trainable: true, sparse: false });
    assert.deepEqual(again.getConfig(), config);
    leavesNothing(() => mf.tidy(() => void again.apply(names)));
    assert.match(new Hashing({ numBins: 1 }).name, /^hashing(_\d+)?$/);
  });
});

describe('HashedCrossing', () => {
  const features = [
    ['A', 'B', 'A', 'B', 'A'],
    [101, 101, 101, 102, 102],
  ];
  const crossed = (config, data) => mf.tidy(() => new HashedCrossing(config).apply(data).array());

  test('returns the bins of TensorFlow', () => {
    assert.deepEqual(crossed({ numBins: 5 }, features), [1, 4, 1, 1, 3]);
    assert.equal(crossed({ numBins: 10 }, ['A', 101]), 1);
    const columns = features.map((feature) => column(...feature));
    assert.deepEqual(crossed({ numBins: 5 }, columns), column(1, 4, 1, 1, 3));
    const tensor = mf.tensor(features[1], { dtype: 'int32' });
    assert.deepEqual(crossed({ numBins: 5 }, [features[0], tensor]), [1, 4, 1, 1, 3]);
  });

  test('encodes bins as vectors', () => {
    const expected = [
      [0, 1, 0, 0, 0],
      [0, 0, 0, 0, 1],
      [0, 1, 0, 0, 0],
      [0, 1, 0, 0, 0],
      [0, 0, 0, 1, 0],
    ];
    assert.deepEqual(crossed({ numBins: 5, outputMode: 'one_hot' }, features), expected);
    const columns = features.map((feature) => column(...feature));
    assert.deepEqual(crossed({ num_bins: 5, output_mode: 'one_hot' }, columns), expected);
  });

  test('depends on the order of features and on their number', () => {
    const [a, b] = features;
    const bins = (data) => crossed({ numBins: 1e6 }, data);
    assert.notDeepEqual(bins([a, b]), bins([b, a]));
    assert.notDeepEqual(bins([a, b]), bins([a, b, b]));
    assert.deepEqual(bins([[-1], [2]]), bins([mf.tensor([-1], { dtype: 'int32' }), [2]]));
  });

  test('throws typed errors that name the value and the remedy', () => {
    const refuses = (config, data, kind, text) =>
      assert.throws(
        () => new HashedCrossing(config).apply(data),
        (error) => error.name === kind && text.test(error.message),
        `${JSON.stringify(config)} ${data}`,
      );
    refuses({ numBins: 0 }, features, 'ConfigError', /numBins/);
    refuses({ numBins: 3, outputMode: 'count' }, features, 'ConfigError', /'int', 'one_hot'/);
    refuses({ numBins: 3 }, 'ab', 'ValueError', /list of two or more/);
    refuses({ numBins: 3 }, [['a']], 'ValueError', /list of two or more/);
    refuses({ numBins: 3 }, [[1.5], [1]], 'ValueError', /not 1.5/);
    refuses({ numBins: 3 }, [mf.tensor([1]), [1]], 'ValueError', /not float32/);
    refuses({ numBins: 3 }, [['a', 'b'], ['c']], 'ShapeError', /\[2\], another \[1\]/);
    refuses({ numBins: 3 }, [[['a', 'b']], [['c', 'd']]], 'ShapeError', /\[1,2\]/);
    refuses(
      { numBins: 3 },
      [
        [['a'], []],
        [['c'], []],
      ],
      'ShapeError',
      /row 1/,
    );
  });
});

const keras = (class_name, config, more = {}) => ({
  module: 'keras.layers',
  class_name,
  config,
  registered_name: null,
  ...more,
});
const dtype = { module: 'keras', class_name: 'DTypePolicy', config: { name: 'int64' } };
const hashing = (more = {}) =>
  keras('Hashing', {
    name: 'bins',
    trainable: true,
    dtype,
    num_bins: 4,
    salt: null,
    mask_value: null,
    output_mode: 'int',
    sparse: false,
    ...more,
  });
const input = (name, type, shape = [null, 2]) =>
  keras('InputLayer', { batch_shape: shape, dtype: type, sparse: false, ragged: false, name });
const embedding = keras('Embedding', { name: 'vectors', input_dim: 4, output_dim: 3 });
const sequential = (...layers) =>
  keras('Sequential', { name: 'model', layers }, { module: 'keras' });

describe('models that hash', () => {
  const rows = (model, ids) => mf.tidy(() => model.getLayer('vectors').apply(ids).array());

  test('read strings, and are saved with their settings', async () => {
    const model = await mf.loadModel(
      sequential(input('words', 'string'), hashing({ salt: [133, 137] }), embedding),
      { weights: null },
    );
    const texts = [
      ['omar', 'wire'],
      ['marlo', 'x'],
    ];
    const bins = new Hashing({ numBins: 4, salt: [133, 137] }).apply(texts);
    const expected = rows(model, bins);
    assert.deepEqual(model.predict(texts).array(), expected);
    const saved = await mf.loadModel(await model.save());
    assert.deepEqual(saved.predict(texts).array(), expected);
    assert.equal(saved.textLayers[0].className, 'Hashing');
  });

  test('read numbers inside the graph, and are saved with their settings', async () => {
    const model = await mf.loadModel(sequential(input('ids', 'int64'), hashing(), embedding), {
      weights: null,
    });
    const ids = mf.tensor(
      [
        [7, 8],
        [9, -1],
      ],
      { dtype: 'int32' },
    );
    const expected = rows(model, new Hashing({ numBins: 4 }).apply(ids));
    assert.deepEqual(model.predict(ids).array(), expected);
    const saved = await mf.loadModel(await model.save());
    assert.deepEqual(saved.predict(ids).array(), expected);
    assert.equal(saved.getConfig().layers[1].config.num_bins, 4);
  });

  const symbol = (name) => ({
    class_name: '__keras_tensor__',
    config: { shape: [null, 1], dtype: 'int64', keras_history: [name, 0, 0] },
  });
  const node = (entry, ...args) => ({
    ...entry,
    name: entry.config.name,
    inbound_nodes: args.length > 0 ? [{ args, kwargs: {} }] : [],
  });
  const graph = (first, second) =>
    keras(
      'Functional',
      {
        name: 'model',
        layers: [
          node(input('a', first, [null, 1])),
          node(input('b', second, [null, 1])),
          node(
            keras('HashedCrossing', {
              name: 'both',
              num_bins: 4,
              output_mode: 'int',
              dtype: 'int64',
            }),
            [symbol('a'), symbol('b')],
          ),
          node(embedding, symbol('both')),
        ],
        input_layers: [
          ['a', 0, 0],
          ['b', 0, 0],
        ],
        output_layers: ['vectors', 0, 0],
      },
      { module: 'keras' },
    );

  test('cross numbers inside the graph', async () => {
    const model = await mf.loadModel(graph('int64', 'int64'), { weights: null });
    const [a, b] = [[1], [2]].map((data) => mf.tensor([data], { dtype: 'int32' }));
    const expected = rows(model, new HashedCrossing({ numBins: 4 }).apply([a, b]));
    assert.deepEqual(model.predict([a, b]).array(), expected);
    const saved = await mf.loadModel(await model.save());
    assert.deepEqual(saved.predict([a, b]).array(), expected);
  });

  test('are refused if they cross strings inside the graph', async () => {
    await assert.rejects(mf.loadModel(graph('string', 'int64'), { weights: null }), {
      name: 'UnsupportedError',
      message: /'both' reads the strings of 'a', which only .*Hashing can/,
    });
  });

  test('are refused if their vectors would exhaust the memory', async () => {
    const bins = hashing({ num_bins: 1e9, output_mode: 'one_hot' });
    await assert.rejects(
      mf.loadModel(sequential(input('words', 'string'), bins), { weights: null }),
      {
        name: 'FormatError',
        message: /'bins' has num_bins 1000000000, but the limit is 50000000/,
      },
    );
  });

  test('may be replaced by a layer of the user', async () => {
    const bins = new Hashing({ numBins: 4, salt: 5 });
    const config = sequential(input('words', 'string'), hashing(), embedding);
    const model = await mf.loadModel(config, { weights: null, customObjects: { bins } });
    assert.equal(model.textLayers[0], bins);
    const lookup = new StringLookup({ vocabulary: ['a', 'b', 'c'] });
    const other = await mf.loadModel(config, { weights: null, customObjects: { bins: lookup } });
    assert.deepEqual(other.predict([['a', 'z']]).array(), rows(other, mf.tensor([[1, 0]])));
  });

  test('keep the vocabulary of an IntegerLookup inside the graph', async () => {
    const settings = {
      vocabulary: [5, 7],
      num_oov_indices: 1,
      output_mode: 'int',
      mask_token: null,
    };
    const lookup = keras('IntegerLookup', { name: 'look', ...settings });
    const config = sequential(input('ids', 'int64'), lookup, embedding);
    const model = await mf.loadModel(config, { weights: null });
    const ids = mf.tensor([[5, 9]], { dtype: 'int32' });
    const expected = rows(model, mf.tensor([[1, 0]], { dtype: 'int32' }));
    assert.deepEqual(model.predict(ids).array(), expected);
    const saved = await mf.loadModel(await model.save());
    assert.deepEqual(saved.predict(ids).array(), expected);
  });
});
