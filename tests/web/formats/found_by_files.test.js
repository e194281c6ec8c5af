// SPDX-License-Identifier: MIT
// Names of options in edited files, old dtypes, and the remedies of errors, as public files need
// them.
import assert from 'node:assert/strict';
import { before, describe, test } from 'node:test';
import { unzipSync } from 'fflate';
import * as mf from '../../../dist/index.js';

const { layers, loadModel, ready } = mf;
before(() => ready({ onMaskDropped: 'silent' }));

const text = (value) => new TextEncoder().encode(JSON.stringify(value));
const layer = (class_name, config, more = {}) => ({ class_name, config, ...more });
const lstm = layer('LSTM', { name: 'lstm', units: 4 });
const dense = layer('Dense', { name: 'dense', units: 2 });
const shapes = {
  'lstm/lstm_cell/kernel': [3, 16],
  'lstm/lstm_cell/recurrent_kernel': [4, 16],
  'lstm/lstm_cell/bias': [16],
  'dense/kernel': [4, 2],
  'dense/bias': [2],
};
const count = (shape) => shape.reduce((a, b) => a * b, 1);

/** A TF.js model with small weights. */
function tfjs(entries, weights = shapes, version = '2.15.0') {
  const all = Object.entries(weights).map(([name, shape]) => ({ name, shape, dtype: 'float32' }));
  const size = all.reduce((sum, { shape }) => sum + count(shape), 0);
  const data = Float32Array.from({ length: size }, (_, i) => Math.sin(i) / 4);
  const config = { class_name: 'Sequential', config: { name: 'edited', layers: entries } };
  const model = {
    format: 'layers-model',
    modelTopology: { keras_version: version, backend: 'tensorflow', model_config: config },
    weightsManifest: [{ paths: ['w.bin'], weights: all }],
  };
  return {
    files: [
      { name: 'model.json', data: text(model) },
      { name: 'w.bin', data: new Uint8Array(data.buffer) },
    ],
  };
}

describe("TensorFlow.js's names of the input shape", () => {
  const heads = {
    'InputLayer with batchInputShape': [
      layer('InputLayer', { name: 'i', batchInputShape: [null, 7, 3], dtype: 'float32' }),
      lstm,
    ],
    'InputLayer with inputShape': [layer('InputLayer', { name: 'i', inputShape: [7, 3] }), lstm],
    'InputLayer with inputShape and batchSize': [
      layer('InputLayer', { name: 'i', inputShape: [7, 3], batchSize: null }),
      lstm,
    ],
    'first layer with batchInputShape': [
      layer('LSTM', { ...lstm.config, batchInputShape: [null, 7, 3] }),
    ],
  };
  for (const [what, head] of Object.entries(heads)) {
    test(what, async () => {
      const model = await loadModel(tfjs([...head, dense]));
      assert.deepEqual(model.inputs[0].shape, [null, 7, 3]);
      assert.deepEqual(model.predict(mf.ops.ones([2, 7, 3])).shape, [2, 2]);
    });
  }
});

test('an Embedding with the dtype of its ids is saved as a float layer', async () => {
  const embedding = { name: 'e', input_dim: 5, output_dim: 3, batch_input_shape: [null, 4] };
  const head = layer('Embedding', { ...embedding, dtype: 'int32' });
  const model = await loadModel(tfjs([head, lstm, dense], { 'e/embeddings': [5, 3], ...shapes }));
  const config = JSON.parse(new TextDecoder().decode(unzipSync(await model.save())['config.json']));
  const saved = config.config.layers.find(({ class_name: name }) => name === 'Embedding');
  assert.doesNotMatch(JSON.stringify(saved.config.dtype ?? 'float32'), /int32/);
  assert.equal(model.predict([[1, 2, 3, 4]]).dtype, 'float32');
});

test('a Sequential without input shape loads by the remedy of its error', async () => {
  const source = tfjs([lstm, dense]);
  const { message } = await loadModel(source).catch((error) => error);
  assert.match(message, /no weights yet.*weights: null.*model\.build\(.*loadWeights/);
  const model = await loadModel(source, { weights: null });
  model.build([null, null, 3]);
  await model.loadWeights(source);
  const expected = await loadModel(
    tfjs([layer('InputLayer', { name: 'i', batch_input_shape: [null, null, 3] }), lstm, dense]),
  );
  const x = mf.ops.ones([2, 5, 3]);
  assert.deepEqual(model.predict(x).data(), expected.predict(x).data());
});

test('errors about a file name the version of Keras that wrote it', async () => {
  const wrong = tfjs([layer('LSTM', { ...lstm.config, nonsense: 1 }), dense], shapes, '2.7.0');
  await assert.rejects(loadModel(wrong), {
    name: 'ConfigError',
    message: /nonsense[\s\S]*\(the file is of Keras 2\.7\.0\)$/,
  });
  const other = tfjs([lstm, dense], shapes, 'tfjs-layers 4.22.0');
  await assert.rejects(loadModel(other), /\(the file is of tfjs-layers 4\.22\.0\)$/);
});

describe('layers for images', () => {
  const inner = (class_name) => ({
    layer: layer(class_name, { name: 'inner', filters: 2, kernel_size: 3 }),
  });
  test('are named as such, once for all', async () => {
    const entries = [
      layer('TimeDistributed', {
        name: 'td',
        ...inner('Conv2D'),
        batch_input_shape: [null, 4, 8, 8, 1],
      }),
      layer('ConvLSTM2D', { name: 'cl', filters: 2, kernel_size: 3 }),
      layer('MaxPooling2D', { name: 'pool' }),
      dense,
    ];
    const { message, name } = await loadModel(tfjs(entries)).catch((error) => error);
    assert.equal(name, 'ConfigError');
    assert.match(
      message,
      /Conv2D 'inner', ConvLSTM2D 'cl', MaxPooling2D 'pool': image layers of Keras, which this package does not have/,
    );
    assert.doesNotMatch(message, /extends Layer/);
  });

  test('one alone is an image layer', async () => {
    const entries = [layer('Conv2D', { name: 'c', batch_input_shape: [null, 8, 8, 1] }), dense];
    await assert.rejects(
      loadModel(tfjs(entries)),
      /Conv2D 'c': an image layer of Keras, which this package does not have/,
    );
  });

  test('a user-defined class of that name is an unknown class', async () => {
    const entry = layer('my>Conv2D', { name: 'c', batch_input_shape: [null, 8] });
    await assert.rejects(loadModel(tfjs([entry, dense])), /unknown layer class/);
  });
});

describe('a Lambda with Python code', () => {
  const tensor = (name, shape) => ({
    class_name: '__keras_tensor__',
    config: { shape, dtype: 'float32', keras_history: [name, 0, 0] },
  });
  const node = (class_name, config, ...args) => ({
    module: 'keras.layers',
    class_name,
    config,
    registered_name: null,
    name: config.name,
    inbound_nodes: args.length > 0 ? [{ args, kwargs: {} }] : [],
  });
  const code = {
    class_name: '__lambda__',
    config: { code: 'eA==', defaults: null, closure: null },
  };
  const graph = {
    module: 'keras',
    class_name: 'Functional',
    registered_name: null,
    config: {
      name: 'm',
      layers: [
        node('InputLayer', { batch_shape: [null, 7, 3], dtype: 'float32', name: 'i' }),
        node('Lambda', { name: 'first', function: code }, tensor('i', [null, 7, 3])),
        node('Dense', { name: 'd', units: 2 }, tensor('first', [null, 3])),
      ],
      input_layers: ['i', 0, 0],
      output_layers: ['d', 0, 0],
    },
  };

  test('is an error with its name, the shapes before and after, and the remedy', async () => {
    const source = text(graph);
    await assert.rejects(loadModel(source, { weights: null }), {
      name: 'ConfigError',
      message:
        /'first' is a Lambda, .*receives \[null, 7, 3\] float32 and must return \[null, 3\] float32.*customObjects: \{ 'first': \(inputs\) => … \}/,
    });
    const customObjects = { first: (x) => mf.ops.max(x, { axis: 1 }) };
    const model = await loadModel(source, { weights: null, customObjects });
    assert.deepEqual(model.predict(mf.ops.ones([2, 7, 3])).shape, [2, 2]);
  });
});

describe('saveTfjs', () => {
  const saved = async (model) => {
    const warnings = [];
    const { warn } = console;
    console.warn = (message) => warnings.push(message);
    try {
      await model.saveTfjs();
    } finally {
      console.warn = warn;
    }
    return warnings;
  };
  const make = (maskZero) => {
    const ids = mf.Input({ shape: [null], dtype: 'int32' });
    const x = layers.embedding({ inputDim: 9, outputDim: 4, maskZero }).apply(ids);
    const sum = layers.add({ name: 'sum' }).apply([x, layers.dense({ units: 4 }).apply(x)]);
    const outputs = layers.globalAveragePooling1D({ name: 'mean' }).apply(sum);
    return new mf.Model({ inputs: ids, outputs });
  };

  test('warns where masks of TensorFlow.js differ', async () => {
    const warnings = await saved(make(true));
    assert.equal(warnings.length, 2);
    assert.match(warnings[0], /ignores masks in mean/);
    assert.match(warnings[1], /refuse masked inputs in sum/);
  });

  test('is silent without masks', async () => assert.deepEqual(await saved(make(false)), []));
});

test('tensors in the place of options are named, whatever a bundler renames', () => {
  const x = mf.tensor([[[1, 2]]]);
  for (const layer of [
    layers.attention(),
    layers.additiveAttention(),
    layers.multiHeadAttention({ numHeads: 1, keyDim: 2 }),
  ]) {
    assert.throws(() => layer.apply(x, x), {
      name: 'ValueError',
      message: new RegExp(
        `of ${layer.className}\\.apply\\(\\) is a tensor but must be options such as { mask }; write several inputs as apply`,
      ),
    });
  }
  assert.throws(
    () => layers.dense({ units: 1 }).apply(x, layers.dense({ units: 1 })),
    /is a layer but must be options/,
  );
});
