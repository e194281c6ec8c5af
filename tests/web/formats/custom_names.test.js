// SPDX-License-Identifier: MIT
// User-defined classes and functions with names of Keras, and replacements of Keras's own.
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import * as mf from '../../../dist/index.js';
import { editedFile, fixture, layersOf } from '../../support/archives.js';
import { legacyH5, withNames, valuesOf } from '../../support/legacy_files.js';
import { assertSame, floats, shake } from '../../support/legacy_models.js';

await mf.ready({ onMaskDropped: 'silent' });
const { layers, ops } = mf;

class Doubling extends mf.Layer {
  constructor({ name, units }) {
    super({ name });
    this.units = units;
  }
  call(x) {
    return ops.multiply(x, 2);
  }
}

const assertRefused = (loading, ...messages) =>
  assert.rejects(loading, (error) => {
    assert.equal(error.name, 'ConfigError', error.stack);
    for (const message of messages) assert.match(error.message, message);
    return true;
  });

/** A Sequential as Keras 3.15.1 writes it: Input (4), then one layer. */
const around = (entry) => ({
  module: 'keras',
  class_name: 'Sequential',
  config: {
    name: 'sequential',
    layers: [
      {
        module: 'keras.layers',
        class_name: 'InputLayer',
        config: { batch_shape: [null, 4], dtype: 'float32', name: 'input_layer' },
        registered_name: null,
      },
      { config: { name: 'own', units: 3 }, ...entry },
    ],
  },
  registered_name: null,
});
const only = (entry, customObjects) =>
  mf.loadModel(around(entry), { weights: null, ...(customObjects && { customObjects }) });
const isDoubling = (model) =>
  assert.deepEqual(model.predict([[1, 2, 3, 4]]).array(), [[2, 4, 6, 8]]);

describe('a user-defined class with the name of a built-in one', () => {
  // Module and name as Keras writes them for classes of __main__, of a package, for registered
  // ones, and for keras-hub.
  const strangers = [
    { module: null, class_name: 'Dense', registered_name: 'Dense' },
    { module: 'mypkg.layers', class_name: 'Dense', registered_name: 'Dense' },
    { module: 'mypkg.layers', class_name: 'Dense', registered_name: 'Custom>Dense' },
    { module: null, class_name: 'Dense', registered_name: 'Custom>Dense' },
    { module: 'keras_hub.layers', class_name: 'Dense', registered_name: 'keras_hub>Dense' },
    { module: 'kerastools', class_name: 'Dense', registered_name: null },
  ];
  for (const entry of strangers) {
    const { module, registered_name: registered } = entry;
    test(`${module}, ${registered}: is refused, or taken from customObjects`, async () => {
      await assertRefused(
        only(entry),
        /unknown layer class/,
        /Dense/,
        /registerLayer/,
        /customObjects/,
      );
      assert.throws(() => mf.deserializeLayer({ ...entry, config: { units: 3 } }), {
        name: 'ConfigError',
        message: /unknown layer class '.*Dense' \(module .*registerLayer/,
      });
      isDoubling(await only(entry, { Dense: Doubling }));
      if (registered) isDoubling(await only(entry, { [registered]: Doubling }));
    });
  }

  test('is listed with all others, also in a file', () =>
    assertRefused(
      mf.loadModel(
        editedFile('func_bilstm_gap', (config) => {
          Object.assign(layersOf(config, 'Dense')[0], { module: 'my', registered_name: 'Dense' });
          layersOf(config, 'GlobalAveragePooling1D')[0].registered_name = 'Mine>Pooling';
        }),
      ),
      /Dense \(dense\)/,
      /Mine>Pooling \(global_average_pooling1d\)/,
    ));

  test("classes of Keras under its other names stay Keras's", async () => {
    for (const module of [
      'keras',
      'keras.src.layers.core.dense',
      'tf_keras.layers',
      'keras_core.layers',
      'tensorflow.keras.layers',
      undefined,
    ]) {
      const model = await only({ module, class_name: 'Dense', registered_name: null });
      assert.deepEqual(model.outputs[0].shape, [null, 3]);
    }
  });

  test('is found in a file of Keras 2, and its config is not changed', async () => {
    const entry = (more) => ({
      class_name: 'Sequential',
      keras_version: '2.13.1',
      config: {
        name: 'sequential',
        layers: [
          {
            class_name: 'Attention',
            config: { name: 'own', batch_input_shape: [null, 4], input_dim: 7 },
            ...more,
          },
        ],
      },
    });
    for (const more of [
      { module: 'mypkg', registered_name: 'Attention' },
      { module: null, registered_name: 'Attention' },
    ]) {
      await assertRefused(
        mf.loadModel(entry(more), { weights: null }),
        /unknown layer class.*Attention \(own\)/,
      );
    }
    let receivedConfig;
    class Attention extends Doubling {
      constructor(config) {
        super(config);
        receivedConfig = config;
      }
    }
    const customObjects = { Attention };
    for (const more of [{}, { module: 'mypkg', registered_name: 'Attention' }]) {
      isDoubling(await mf.loadModel(entry(more), { weights: null, customObjects }));
      assert.equal(receivedConfig.input_dim, 7);
    }
  });
});

describe('a replacement of a built-in class', () => {
  const keras = { module: 'keras.layers', class_name: 'Dense', registered_name: null };

  test('customObjects replace by class and by layer, whatever the class', async () => {
    isDoubling(await only(keras, { Dense: Doubling }));
    isDoubling(await only(keras, { own: Doubling }));
    isDoubling(
      await only(
        { ...keras, class_name: 'Activation', config: { name: 'own', activation: 'relu' } },
        { own: Doubling },
      ),
    );
    isDoubling(await only(keras, { own: (x) => ops.multiply(x, 2) }));
    isDoubling(await only(keras, { own: new Doubling({}) }));
  });

  test("registerLayer replaces if the config does not say that it means Keras's class", () => {
    class GaussianDropout extends mf.Layer {
      call(x) {
        return ops.multiply(x, 5);
      }
    }
    mf.registerLayer(GaussianDropout, { package: 'Mine' });
    const apply = (entry) =>
      mf
        .deserializeLayer({ class_name: 'GaussianDropout', config: { rate: 0.5 }, ...entry })
        .apply([1])
        .array();
    assert.deepEqual(apply({}), [5]);
    assert.deepEqual(apply({ module: null, registered_name: null }), [5]);
    assert.deepEqual(
      apply({ module: 'keras.layers', registered_name: 'Mine>GaussianDropout' }),
      [5],
    );
    assert.deepEqual(apply({ module: 'mypkg', registered_name: 'GaussianDropout' }), [5]);
    // As in Keras, a registered class does not replace one that the file names as Keras's own.
    assert.deepEqual(apply({ module: 'keras.layers', registered_name: null }), [1]);
  });
});

describe('activation functions of the caller', () => {
  const mine = (x) => ops.add(ops.square(x), 1);
  const fn = (name) => ({
    module: 'builtins',
    class_name: 'function',
    config: name,
    registered_name: 'function',
  });

  for (const [how, activation] of [
    ['a name', 'mine'],
    ['a function', fn('mine')],
    ['a registered one', fn('Custom>mine')],
  ]) {
    test(`work in Dense and Activation as ${how}, in a graph with calls and outputs`, async () => {
      const a = mf.Input({ shape: [4], name: 'a' });
      const dense = layers.dense({ units: 4, name: 'd' });
      const firstCall = dense.apply(a);
      const secondCall = dense.apply(
        layers.activation({ activation: 'relu', name: 'act' }).apply(firstCall),
      );
      const reference = shake(new mf.Model({ inputs: a, outputs: [firstCall, secondCall] }));
      const json = reference.toJSON();
      const weights = await reference.saveWeights();
      for (const layer of json.config.layers) {
        if (layer.class_name !== 'InputLayer') layer.config.activation = activation;
      }
      await assertRefused(
        mf.loadModel(json, { weights }),
        /unknown activation '.*mine'/,
        /customObjects: \{ '.*mine'/,
      );
      const model = await mf.loadModel(json, { weights, customObjects: { mine } });
      const x = floats([3, 4]);
      const [kernel, bias] = reference.getWeights();
      const step = (input) => mine(ops.add(ops.matmul(input, kernel), bias));
      const [first, second] = model.predict(x);
      const near = (actual, expected) => {
        const values = actual.data();
        for (const [i, value] of expected.data().entries()) {
          assert.ok(Math.abs(values[i] - value) <= 1e-4 * Math.max(1, Math.abs(value)));
        }
      };
      near(first, step(x));
      near(second, step(mine(step(x))));
    });
  }

  test('work in a Sequential of Keras 2 with its weights, and pass the mask on', async () => {
    const reference = shake(
      new mf.Sequential([
        mf.Input({ shape: [3, 4] }),
        layers.masking(),
        layers.dense({ units: 2, name: 'd' }),
      ]),
    );
    const config = {
      class_name: 'Sequential',
      config: {
        name: 's',
        layers: [
          {
            class_name: 'Masking',
            config: { name: 'm', mask_value: 0, batch_input_shape: [null, 3, 4] },
          },
          { class_name: 'Dense', config: { name: 'd', units: 2, activation: 'mine' } },
        ],
      },
    };
    const file = legacyH5({
      config,
      version: '2.4.0',
      layers: [
        { name: 'm', weights: [] },
        { name: 'd', weights: withNames(valuesOf(reference), ['d/kernel:0', 'd/bias:0']) },
      ],
    });
    const model = await mf.loadModel(file, { customObjects: { mine } });
    const x = mf.tensor([
      [
        [1, 2, 3, 4],
        [0, 0, 0, 0],
        [1, 1, 1, 1],
      ],
    ]);
    assertSame(
      model,
      {
        apply: (input) => {
          const y = reference.apply(input);
          return mine(y).withMask(y.mask);
        },
      },
      x,
    );
  });

  test('in a recurrent layer compute too, and an unknown one is an error with the remedy', async () => {
    const edited = () =>
      editedFile('seq_embed_gru_stack', (config) => {
        layersOf(config, 'GRU')[0].config.activation = 'mine';
      });
    const tanh = (x) => mf.ops.tanh(x);
    const model = await mf.loadModel(edited(), { customObjects: { mine: tanh } });
    const [gru] = model.layers.filter(({ className }) => className === 'GRU');
    assert.equal(gru.activation, tanh);
    const expected = await mf.loadModel(fixture('seq_embed_gru_stack.keras'));
    const x = [[1, 2, 3, 0, 0]];
    const [own, named] = [model, expected].map((each) => each.predict(x).array().flat(3));
    own.forEach((value, i) => {
      assert.ok(Math.abs(value - named[i]) < 1e-5);
    });
    await assertRefused(
      mf.loadModel(edited()),
      /GRU '.*': .*unknown activation 'mine'.*customObjects: \{ 'mine': \(x\) => … \}/s,
    );
  });
});

test('an unknown initializer does not matter if weights are loaded', async () => {
  const customInitializer = {
    module: 'mypkg',
    class_name: 'Spread',
    config: { by: 3 },
    registered_name: 'mypkg>Spread',
  };
  const file = (initializer) =>
    editedFile('func_bilstm_gap', (config) => {
      layersOf(config, 'Dense')[0].config.kernel_initializer = initializer;
    });
  const expected = await mf.loadModel(fixture('func_bilstm_gap.keras'));
  const x = [[1, 2, 3, 0, 0, 0]];
  for (const initializer of [
    customInitializer,
    { module: 'builtins', class_name: 'function', config: 'mine', registered_name: 'function' },
  ]) {
    const model = await mf.loadModel(file(initializer));
    assert.deepEqual(model.predict(x).array(), expected.predict(x).array());
    // It is saved unchanged.
    const [dense] = layersOf(model.toJSON(), 'Dense');
    assert.deepEqual(dense.config.kernel_initializer, initializer);
  }
  const untrained = await mf.loadModel(file(customInitializer), { weights: null });
  assert.throws(() => untrained.predict(x), {
    name: 'ConfigError',
    message: /unknown initializer 'Spread'/,
  });
  assert.throws(() => layers.dense({ units: 2, kernelInitializer: 'glorrot' }), {
    name: 'ConfigError',
    message: /glorrot/,
  });
});

describe('a user-defined class with `layers` in its config', () => {
  const dense = mf.serializeLayer(layers.dense({ units: 3, name: 'inside' }));
  const stack = (list) => ({
    module: 'keras_hub.layers',
    class_name: 'Stack',
    registered_name: 'keras_hub>Stack',
    config: { name: 'own', layers: list },
  });
  class Stack extends mf.Layer {
    constructor({ layers: list, ...config }) {
      super(config);
      this.parts = list.map((part) =>
        typeof part === 'number' ? part : mf.deserializeLayer(part),
      );
    }
    call(x) {
      return this.parts
        .filter((part) => part instanceof mf.Layer)
        .reduce((y, part) => part.apply(y), x);
    }
    getConfig() {
      const list = this.parts.map((part) =>
        typeof part === 'number' ? part : mf.serializeLayer(part),
      );
      return { ...super.getConfig(), layers: list };
    }
  }

  test('if unknown, is listed together with the unknown classes inside', async () => {
    await assertRefused(only(stack([dense])), /keras_hub>Stack \(own\)/);
    const inside = { ...dense, module: 'mine', registered_name: 'mine>Other' };
    await assertRefused(
      only(stack([dense, inside])),
      /keras_hub>Stack \(own\)/,
      /mine>Other \(inside\)/,
    );
    await assertRefused(only(stack([2, 3])), /keras_hub>Stack \(own\)/);
  });

  test('if known, is created from its unchanged config, saved and loaded', async () => {
    for (const list of [[dense], [1, dense], [4]]) {
      const model = await only(stack(list), { Stack });
      const size = list.includes(dense) ? 3 : 4;
      assert.deepEqual(model.predict([[1, 2, 3, 4]]).shape, [1, size]);
    }
    mf.registerLayer(Stack, { package: 'keras_hub' });
    const model = await only(
      stack(
        [dense, dense].map((entry, i) => ({
          ...entry,
          config: { ...entry.config, name: `d${i}` },
        })),
      ),
    );
    const copy = await mf.loadModel(await model.save());
    assert.deepEqual(copy.predict([[1, 2, 3, 4]]).array(), model.predict([[1, 2, 3, 4]]).array());
  });
});
