// SPDX-License-Identifier: MIT
// Models whose file has layers that read text, with the vocabulary in the config or in the
// archive's assets.
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import * as mf from '../../../dist/index.js';
import { TextVectorization } from '../../../dist/text.js';
import { fresh } from '../../support/fresh.js';
import { storedZip, treeH5, valuesOf } from '../../support/legacy_files.js';
import { shake } from '../../support/legacy_models.js';
import { keras, vectorization } from '../../support/text_layers.js';

await mf.ready({ onMaskDropped: 'silent' });
const { layers } = mf;

const words = ['', '[UNK]', 'the', 'cat', 'sat', 'mat'];
const lookup = (class_name, more) =>
  keras(class_name, {
    name: 'lookup',
    trainable: true,
    dtype: 'float32',
    invert: false,
    max_tokens: null,
    num_oov_indices: 1,
    oov_token: '[UNK]',
    mask_token: null,
    output_mode: 'int',
    sparse: false,
    pad_to_max_tokens: false,
    vocabulary_dtype: class_name === 'StringLookup' ? 'string' : 'int64',
    idf_weights: null,
    vocabulary: ['red', 'green'],
    vocabulary_size: 3,
    ...more,
  });
const input = (name, shape, dtype) =>
  keras('InputLayer', { batch_shape: [null, ...shape], dtype, sparse: false, ragged: false, name });
const sequential = (list, more = {}) => ({
  module: 'keras',
  class_name: 'Sequential',
  config: { name: 'texts', trainable: true, dtype: 'float32', layers: list, ...more },
  registered_name: null,
});

/** The part of a text model that follows its text layer: it starts with ids. */
const idModel = () =>
  shake(
    new mf.Sequential([
      mf.Input({ shape: [6], dtype: 'int32' }),
      layers.embedding({ inputDim: 20, outputDim: 3, maskZero: true, name: 'embedding' }),
      layers.lstm({ units: 2, name: 'lstm' }),
    ]),
  );
const entriesOf = (model) =>
  model.getConfig().layers.filter((layer) => layer.class_name !== 'InputLayer');
const weightsOf = (model, prefix = 'layers') => {
  const [table, kernel, recurrent, bias] = valuesOf(model);
  return treeH5({
    [`${prefix}/embedding/vars/0`]: table,
    [`${prefix}/lstm/cell/vars/0`]: kernel,
    [`${prefix}/lstm/cell/vars/1`]: recurrent,
    [`${prefix}/lstm/cell/vars/2`]: bias,
  });
};
const file = (config, weights, assets = {}) =>
  storedZip({
    'metadata.json': { keras_version: '3.15.1' },
    'config.json': config,
    'model.weights.h5': weights,
    ...Object.fromEntries(
      Object.entries(assets).map(([path, text]) => [path, new TextEncoder().encode(text)]),
    ),
  });
const vocabulary = { 'assets/layers/text_vectorization/vocabulary.txt': words.join('\n') };

const texts = [['The cat sat!'], ['A mat, the mat.']];
const ids = [
  [2, 3, 4, 0, 0, 0],
  [1, 5, 2, 5, 0, 0],
];
const near = (actual, expected) => {
  const [a, b] = [actual.data(), expected.data()];
  assert.deepEqual(actual.shape, expected.shape);
  for (const [i, value] of b.entries())
    assert.ok(Math.abs(a[i] - value) <= 1e-6, `${a[i]}, not ${value}`);
};
const idTensor = () => mf.tensor(ids, { dtype: 'int32' });

describe('TextVectorization as the first layer of a Sequential', () => {
  const core = idModel();
  const expected = core.predict(idTensor());
  const heads = {
    'after an Input': [[input('text', [1], 'string'), vectorization()], {}],
    'that was built': [[vectorization()], { build_input_shape: [null, 1] }],
    'inside a model of its own': [
      [input('text', [1], 'string'), sequential([vectorization()])],
      {},
    ],
  };
  for (const [how, [head, more]] of Object.entries(heads)) {
    test(`${how}: maps texts to numbers`, async () => {
      const model = await mf.loadModel(
        file(sequential([...head, ...entriesOf(core)], more), weightsOf(core), vocabulary),
      );
      near(model.predict(texts), expected);
      near(model.predict(texts.flat()), expected);
      near(model.apply(texts), core.apply(idTensor()));
      near(model.predict(idTensor()), expected);
      near(model.predict(texts, { batchSize: 1 }), expected);
      near(await model.predictAsync(texts), expected);
      near(await model.predictAsync(texts, { batchSize: 1 }), expected);
      assert.equal(model.evaluate(texts, expected.array(), { loss: 'mse' }).loss, 0);
      assert.deepEqual(model.textLayers[0].getVocabulary(), words);
      const saved = await mf.loadModel(await model.save());
      near(saved.predict(texts), expected);
      assert.deepEqual(saved.textLayers[0].getVocabulary(), words);
      await assert.rejects(model.saveTfjs(), { name: 'UnsupportedError', message: /saveWeights/ });
      assert.deepEqual(model.toJSON().config, model.getConfig());
      assert.match(JSON.stringify(model.getConfig()), /"vocabulary":\["the","cat","sat","mat"\]/);
      assert.ok((await model.saveWeights()).length > 0);
      assert.equal(model.traceMasks(texts).length, 2);
      assert.equal((await model.profile(texts, { repeats: 2 })).rows.length, 2);
    });
  }

  test("reads the vocabulary from the config, or uses the caller's own layer", async () => {
    const withSettings = (more) =>
      sequential([input('text', [1], 'string'), vectorization(more), ...entriesOf(core)]);
    near(
      (
        await mf.loadModel(file(withSettings({ vocabulary: words.slice(2) }), weightsOf(core)))
      ).predict(texts),
      expected,
    );
    const customLayer = new TextVectorization({
      vocabulary: words.slice(2),
      outputSequenceLength: 6,
    });
    const python = {
      module: 'builtins',
      class_name: 'function',
      config: 'clean',
      registered_name: 'function',
    };
    const source = file(withSettings({ standardize: python }), weightsOf(core), vocabulary);
    await assert.rejects(mf.loadModel(source), {
      name: 'UnsupportedError',
      message: /Python function/,
    });
    const model = await mf.loadModel(source, {
      customObjects: { text_vectorization: customLayer },
    });
    near(model.predict(texts), expected);
  });

  test('reads the vocabulary as Keras 2 stores it', async () => {
    const config = sequential([input('text', [1], 'string'), vectorization(), ...entriesOf(core)]);
    const assets = {
      'assets/_layer_checkpoint_dependencies/text_vectorization/_lookup_layer/vocabulary.txt': `${words.join('\n')}\n`,
    };
    near((await mf.loadModel(file(config, weightsOf(core), assets))).predict(texts), expected);
  });

  test('is refused with weights of tokens that are not a list of numbers', async () => {
    const assets = { 'assets/layers/text_vectorization/vocabulary.txt': words.slice(2).join('\n') };
    for (const idf_weights of [7, true, 'text', { 0: 1 }, ['1', '2']]) {
      const layer = vectorization({
        output_mode: 'tf_idf',
        output_sequence_length: null,
        idf_weights,
      });
      const config = sequential([input('text', [1], 'string'), layer, ...entriesOf(core)]);
      await assert.rejects(mf.loadModel(file(config, weightsOf(core), assets)), {
        name: 'ValueError',
        message: /idfWeights/,
      });
    }
  });

  test('is refused without any vocabulary', () =>
    assert.rejects(
      mf.loadModel(
        file(
          sequential([input('text', [1], 'string'), vectorization(), ...entriesOf(core)]),
          weightsOf(core),
        ),
      ),
      { name: 'FormatError', message: /TextVectorization 'text_vectorization' has no vocabulary/ },
    ));

  test('can return counts instead of ids', async () => {
    const head = [
      input('text', [1], 'string'),
      vectorization({
        output_mode: 'count',
        output_sequence_length: null,
        vocabulary: words.slice(2),
      }),
    ];
    const dense = layers.dense({
      units: 1,
      name: 'dense',
      useBias: false,
      kernelInitializer: 'ones',
    });
    const config = sequential([...head, mf.serializeLayer(dense)]);
    const model = await mf.loadModel(config, { weights: null });
    assert.deepEqual(model.predict(texts).array(), [[3], [4]]);
  });
});

describe('text layers in a graph', () => {
  const symbol = (name, call = 0) => ({
    class_name: '__keras_tensor__',
    config: { shape: [null], dtype: 'int32', keras_history: [name, call, 0] },
  });
  const node = (entry, ...calls) => ({
    ...entry,
    name: entry.config.name,
    inbound_nodes: calls.map((args) => ({ args, kwargs: {} })),
  });
  const graph = (inputLayers) => ({
    module: 'keras',
    class_name: 'Functional',
    config: {
      name: 'two',
      trainable: true,
      layers: [
        node(input('title', [1], 'string')),
        node(input('colour', [1], 'string')),
        node(input('number', [2], 'float32')),
        node(
          vectorization({
            vocabulary: words.slice(2),
            name: 'tv',
            output_mode: 'multi_hot',
            output_sequence_length: null,
          }),
          [symbol('title')],
        ),
        node(
          lookup('StringLookup', { output_mode: 'one_hot' }),
          [symbol('colour')],
          [symbol('title')],
        ),
        node(keras('Concatenate', { name: 'all', axis: -1 }), [
          [symbol('tv'), symbol('lookup'), symbol('lookup', 1), symbol('number')],
        ]),
      ],
      input_layers: inputLayers,
      output_layers: ['all', 0, 0],
    },
    registered_name: null,
  });
  const list = ['title', 'colour', 'number'].map((name) => [name, 0, 0]);
  const inputs = [
    [['cat'], ['red']],
    [['green'], ['blue']],
    mf.tensor([
      [1, 2],
      [3, 4],
    ]),
  ];
  const expected = [
    [0, 0, 1, 0, 0, 0, 0, 1, 1, 0, 0, 1, 2],
    [1, 0, 0, 0, 0, 1, 0, 0, 0, 1, 0, 3, 4],
  ];

  test('accept several inputs as a list, and a layer may be called twice', async () => {
    const model = await mf.loadModel(graph(list), { weights: null });
    assert.deepEqual(model.predict(inputs).array(), expected);
    const [title, colour, number] = inputs;
    assert.deepEqual(model.predict({ number, title, colour }).array(), expected);
    assert.throws(() => model.predict({ number, title }), {
      name: 'ValueError',
      message: /'colour' is missing/,
    });
    assert.throws(() => model.predict([title, colour]), {
      name: 'ValueError',
      message: /3 inputs/,
    });
  });

  test('accept a dictionary of inputs', async () => {
    const [a, b, c] = list;
    const model = await mf.loadModel(graph({ a, b, c }), { weights: null });
    const [title, colour, number] = inputs;
    assert.deepEqual(model.predict({ a: title, b: colour, c: number }).array(), expected);
  });

  test('whose strings go to another layer are refused with the reason', () => {
    const config = graph(list);
    config.config.layers[5].inbound_nodes[0].args[0][0] = symbol('title');
    return assert.rejects(mf.loadModel(config, { weights: null }), {
      name: 'UnsupportedError',
      message: /'all'.*strings/,
    });
  });
});

test('IntegerLookup may be anywhere in a graph', async () => {
  const entry = lookup('IntegerLookup', { vocabulary: [7, 9], oov_token: -1, name: 'numbers' });
  const config = sequential([
    input('x', [3], 'int64'),
    entry,
    keras('Embedding', { name: 'e', input_dim: 3, output_dim: 1, embeddings_initializer: 'ones' }),
  ]);
  const model = await mf.loadModel(config, { weights: null });
  assert.deepEqual(model.predict(mf.tensor([[9, 7, 1]], { dtype: 'int32' })).shape, [1, 3, 1]);
  const alone = await mf.loadModel(sequential([input('x', [3], 'int64'), entry]), {
    weights: null,
  });
  assert.deepEqual(alone.predict(mf.tensor([[9, 7, 1]], { dtype: 'int32' })).array(), [[2, 1, 0]]);
});

test('without maskflow/text the error names the import', () => {
  const [message] = fresh(`
    await mf.loadModel(${JSON.stringify(sequential([input('text', [1], 'string'), vectorization()]))}, { weights: null })
      .catch((error) => say(error.name + ' ' + error.message));
  `);
  assert.match(message, /UnsupportedError .*import 'maskflow\/text'/);
});

test('impossible sizes and entries are typed errors', async () => {
  const config = (more, shape = [1]) =>
    sequential([input('text', shape, 'string'), vectorization({ vocabulary: ['a'], ...more })]);
  const withNull = config({});
  withNull.config.layers.unshift(null);
  const withHole = config({});
  delete withHole.config.layers[0];
  for (const invalid of [
    config({ output_sequence_length: 1e9 }),
    config({ ngrams: 1e9 }),
    config({ ngrams: [1, 1e9] }),
    config({}, [1e9]),
    withNull,
    withHole,
    sequential([{ class_name: 'TextVectorization' }]),
    {
      ...config({}),
      config: {
        layers: [config({}).config.layers[1]],
        input_layers: { a: 3 },
        output_layers: null,
      },
    },
  ]) {
    await assert.rejects(mf.loadModel(invalid, { weights: null }), mf.MaskflowError);
  }
});
