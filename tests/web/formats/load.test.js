// SPDX-License-Identifier: MIT
// How loadModel treats unknown classes and settings, which mask rule the model keeps, and its cost.
import assert from 'node:assert/strict';
import { before, beforeEach, describe, test } from 'node:test';
import * as mf from '../../../dist/index.js';
import { needsBuild } from '../../support/built.js';
import { editedFile, fixture, layersOf } from '../../support/archives.js';
import { fresh } from '../../support/fresh.js';
import { collectGarbage } from '../../support/garbage.js';
import { live } from '../../support/watch.js';
import { cpuTime } from '../../support/cpu_time.js';

before(() => mf.ready({ onMaskDropped: 'silent' }));
beforeEach(() => mf.ready({ maskPropagation: 'keras-3.15' }));

const ids = [[1, 2, 3, 0, 0, 0]];
const fails = (source, options, kind, ...messages) =>
  assert.rejects(mf.loadModel(source, options), (error) => {
    assert.equal(error.name, kind, error.stack);
    for (const message of messages) assert.match(error.message, message);
    return true;
  });

/** A model with two layers of unknown classes. */
const foreign = () =>
  editedFile('func_bilstm_gap', (config) => {
    const [bilstm] = layersOf(config, 'Bidirectional');
    const [dense] = layersOf(config, 'Dense');
    bilstm.class_name = 'MyBidirectional';
    Object.assign(dense, { class_name: 'MyDense', registered_name: 'Mine>MyDense', module: null });
    layersOf(config, 'GlobalAveragePooling1D')[0].config.surprise = 1;
  });

class MyDense extends mf.Layer {
  constructor({ units, activation, ...config }) {
    super(config);
    this.inner = mf.layers.dense({ units, activation });
  }
  call(inputs) {
    return this.inner.apply(inputs);
  }
}

test("a runtime where access to Node's modules throws, such as Next's edge, loads from bytes", () => {
  const [shape] = fresh(`
    const { fixture } = await import('${new URL('../../support/archives.js', import.meta.url)}');
    const bytes = fixture('func_bilstm_gap.keras');
    process.getBuiltinModule = () => {
      throw new Error('A Node.js API is used which is not supported here');
    };
    await mf.ready();
    const model = await mf.loadModel(bytes);
    say(model.predict([[1, 2, 3, 0, 0, 0]]).shape);
    process.exit();`);
  assert.deepEqual(shape.slice(0, 1), [1]);
});

describe('unknown classes and ops', () => {
  test('are listed at once, with the remedy', () =>
    fails(
      foreign(),
      {},
      'ConfigError',
      /has [23] unknown or unsupported parts/,
      /unknown layer classes: .*MyBidirectional \(bidirectional\)/,
      /Mine>MyDense \(dense\)/,
      /registerLayer\(/,
      /customObjects/,
      /GlobalAveragePooling1D 'global_average_pooling1d'.*surprise/,
    ));

  test('include ops', () =>
    fails(
      editedFile('func_bilstm_gap', (config) => {
        const op = layersOf(config, 'NotEqual')[0];
        op.class_name = 'Wobble';
        layersOf(config, 'Dense')[0].class_name = 'Mine';
      }),
      {},
      'ConfigError',
      /has 2 unknown or unsupported parts/,
      /unknown layer classes: Mine \(dense\)/,
      /'not_equal' is the operation Wobble: there is no op 'Wobble'/,
    ));

  test('in maskflow/recurrent are reported with the entry that has them', {
    skip: needsBuild,
  }, () => {
    const [message] = fresh(`
      const recurrent = await import('${new URL('../../../dist/recurrent.js', import.meta.url)}');
      const { fixture } = await import('${new URL('../../support/archives.js', import.meta.url)}');
      await recurrent.loadModel(fixture('transformer_encoder_masked.keras')).catch((error) => say(error.message));
    `);
    assert.match(
      message,
      /unknown layer classes: .*MultiHeadAttention.*LayerNormalization.*'maskflow'/,
    );
  });

  test('leave no memory allocated', async () => {
    await collectGarbage();
    const start = live();
    await assert.rejects(mf.loadModel(foreign()));
    assert.deepEqual(live(), start);
  });

  test('include Lambda, which contains Python code; a function, a layer or a class replaces it', async () => {
    const withLambda = () =>
      editedFile('mlp', (config) => {
        const at = config.config.layers.findIndex(({ class_name }) => class_name === 'Dense');
        config.config.layers.splice(at, 0, {
          module: 'keras.layers',
          class_name: 'Lambda',
          config: { name: 'twice', trainable: true, function: ['4wEAAAA=', null, null] },
          registered_name: null,
        });
      });
    await fails(
      withLambda(),
      {},
      'ConfigError',
      /'twice' is a Lambda, Python code.*customObjects: \{ 'twice'/,
    );
    const reference = await mf.loadModel(fixture('mlp.keras'));
    const expected = reference.predict([[0.2, -0.4, 0.6]]).array();
    const double = (x) => mf.ops.multiply(x, 2);
    const replacements = [double, mf.layers.rescaling({ scale: 2 })];
    for (const replacement of replacements) {
      for (const name of ['twice', 'Lambda']) {
        const model = await mf.loadModel(withLambda(), { customObjects: { [name]: replacement } });
        assert.deepEqual(model.predict([[0.1, -0.2, 0.3]]).array(), expected);
      }
    }
  });

  test('the mask rule of a Lambda is read from the file, or a missing one is an error', async () => {
    const withMask = (mask) =>
      editedFile('mlp', (config) => {
        const at = config.config.layers.findIndex(({ class_name }) => class_name === 'Dense');
        config.config.layers.splice(at, 0, {
          module: 'keras.layers',
          class_name: 'Lambda',
          config: { name: 'same', trainable: true, function: ['4wEAAAA=', null, null], mask },
          registered_name: null,
        });
      });
    const same = (x) => mf.ops.multiply(x, 1);
    const code = { class_name: '__lambda__', config: { code: '4wIAAAA=' } };
    const named = {
      module: 'builtins',
      class_name: 'function',
      config: 'keep',
      registered_name: 'function',
    };
    for (const mask of [code, named]) {
      await fails(
        withMask(mask),
        { customObjects: { same } },
        'ConfigError',
        /Lambda 'same' computes its own mask.*layers\.lambda\(\{ function, mask \}\)/,
      );
    }
    const x = [[0.1, -0.2, 0.3]];
    const maskBehind = async (source, customObjects) => {
      const model = await mf.loadModel(source, { customObjects });
      return model.getLayer('same').applyWithMask(mf.tensor(x)).mask?.array() ?? null;
    };
    const keep = () => mf.tensor([true]);
    assert.deepEqual(await maskBehind(withMask(named), { same, keep }), [true]);
    const constant = { class_name: '__tensor__', config: { value: [true], dtype: 'bool' } };
    assert.deepEqual(await maskBehind(withMask(constant), { same }), [true]);
    assert.equal(await maskBehind(withMask(null), { same }), null);
    const withFunctions = mf.layers.lambda({ function: same, mask: keep });
    assert.equal(
      (await mf.loadModel(withMask(code), { customObjects: { same: withFunctions } })).built,
      true,
    );
  });
});

describe('custom classes', () => {
  const withMine = (more = {}) =>
    editedFile('mlp', (config) => {
      const dense = layersOf(config, 'Dense').at(-1);
      const { name, units, activation } = dense.config;
      Object.assign(dense, {
        class_name: 'MyDense',
        config: { name, units, activation },
        module: null,
        ...more,
      });
    });

  // In Python the inner layer is also an attribute, so its path differs; here its weights are those
  // of the outer layer.
  for (const [how, customObjects, more] of [
    ['by class name', { MyDense }, {}],
    ['by registered name', { 'Mine>MyDense': MyDense }, { registered_name: 'Mine>MyDense' }],
    ['by the bare name of a registered one', { MyDense }, { registered_name: 'Mine>MyDense' }],
  ]) {
    test(how, async () => {
      const model = await mf.loadModel(withMine(more), { customObjects });
      const reference = await mf.loadModel(fixture('mlp.keras'));
      assert.ok(model.layers.at(-1) instanceof MyDense);
      assert.deepEqual(model.predict([[1, 2, 3]]).array(), reference.predict([[1, 2, 3]]).array());
    });
  }

  test('in customObjects apply to one call only', async () => {
    await mf.loadModel(withMine(), { customObjects: { MyDense } });
    await fails(withMine(), {}, 'ConfigError', /unknown layer classes?.*MyDense/);
  });

  test('that are registered need no customObjects', () => {
    const [message] = fresh(`
      await mf.ready();
      class Doubled extends mf.Layer { call(x) { return mf.ops.multiply(x, 2); } }
      mf.registerLayer(Doubled, { package: 'Mine' });
      const { editedFile } = await import('${new URL('../../support/archives.js', import.meta.url)}');
      const source = editedFile('mlp', (config) => {
        config.config.layers.push({ class_name: 'Doubled', registered_name: 'Mine>Doubled', module: null, config: { name: 'doubled' } });
      });
      const model = await mf.loadModel(source);
      say(model.layers.at(-1) instanceof Doubled);
    `);
    assert.equal(message, true);
  });

  test('must be layers, classes or functions', () =>
    fails(
      withMine(),
      { customObjects: { MyDense: 7 } },
      'ConfigError',
      /customObjects\.MyDense is number/,
    ));
});

describe('the mask rule', () => {
  const maskOf = (model) => model.apply(mf.tensor(ids, { dtype: 'int32' })).mask;
  const sequences = (rule) =>
    editedFile(
      'seq_embed_lstm',
      (config) => {
        layersOf(config, 'LSTM')[0].config.return_sequences = true;
      },
      {
        files: rule
          ? { 'metadata.json': new TextEncoder().encode(JSON.stringify({ keras_version: rule })) }
          : {},
      },
    );

  // The model ends with this layer, because a Dense layer after it would hide the result by passing
  // the mask on.
  test('is that of the version that wrote the file', async () => {
    assert.ok(maskOf(await mf.loadModel(sequences())));
    assert.ok(maskOf(await mf.loadModel(sequences('3.15.9'))));
    assert.equal(maskOf(await mf.loadModel(sequences('3.16.0'))), null);
    assert.equal(maskOf(await mf.loadModel(sequences('4.0.0'))), null);
  });

  test('can be chosen in the call', async () => {
    assert.equal(maskOf(await mf.loadModel(sequences(), { maskPropagation: 'keras-3.16' })), null);
    assert.ok(maskOf(await mf.loadModel(sequences('3.16.0'), { maskPropagation: 'keras-3.15' })));
    assert.equal(mf.runtimeInfo().maskPropagation, 'keras-3.15', 'other models do not change');
  });

  test('stays, whatever is chosen for other models later', async () => {
    const withRule = await mf.loadModel(sequences(), { maskPropagation: 'keras-3.15' });
    const withoutRule = await mf.loadModel(sequences());
    await mf.ready({ maskPropagation: 'keras-3.16' });
    assert.ok(maskOf(withRule));
    assert.equal(maskOf(withoutRule), null, 'a file of 3.15 sets no rule');
  });
});

test('the hardSigmoid option decides what hard_sigmoid means', async () => {
  const source = () =>
    editedFile('mlp', (config) => {
      layersOf(config, 'Dense').at(-1).config.activation = 'hard_sigmoid';
    });
  const x = [[0.3, -0.1, 0.2]];
  const logits = await mf.loadModel(
    editedFile('mlp', (config) => {
      layersOf(config, 'Dense').at(-1).config.activation = 'linear';
    }),
  );
  const of = async (options) => (await mf.loadModel(source(), options)).predict(x).array().flat();
  const expected = (slope) =>
    logits
      .predict(x)
      .array()
      .flat()
      .map((v) => Math.min(1, Math.max(0, slope * v + 0.5)));
  const near = (a, b) => {
    for (const [i, v] of a.entries()) assert.ok(Math.abs(v - b[i]) < 1e-6, `${a} ${b}`);
  };
  near(await of({}), expected(1 / 6));
  near(await of({ hardSigmoid: 'keras3' }), expected(1 / 6));
  near(await of({ hardSigmoid: 'keras2' }), expected(0.2));
});

describe('cost', () => {
  test("no initializer runs if weights follow: memory holds only the file's values", async () => {
    await collectGarbage();
    const start = live();
    const model = await mf.loadModel(fixture('separable_conv.keras'));
    const weights = model.weights;
    const bytes = weights.reduce((sum, { shape }) => sum + 4 * shape.reduce((a, b) => a * b, 1), 0);
    await collectGarbage();
    const after = live();
    assert.equal(after.tensors - start.tensors, weights.length);
    assert.equal(after.bytes - start.bytes, bytes);
    model.dispose();
    assert.deepEqual(live(), start);
    // A loaded model allocates no weights: a model of 1 GB uses no memory before its first call.
    const huge = mf.Model.fromConfig({
      layers: [
        { class_name: 'InputLayer', config: { batch_shape: [null, 16000] } },
        { class_name: 'Dense', config: { units: 16000 } },
      ],
    });
    assert.equal(huge.countParams(), 16000 * 16001);
    assert.deepEqual(live(), start);
    huge.dispose();
  });

  test('a config designed to take long ends quickly', async () => {
    const layer = (i) => ({
      class_name: 'Activation',
      config: { name: `a${i}`, activation: 'relu' },
    });
    const sequential = (config) => editedFile('mlp', () => ({ class_name: 'Sequential', config }));
    const keys = Object.fromEntries(Array.from({ length: 50_000 }, (_, i) => [`k${i}`, 1]));
    const deep = (depth) =>
      depth === 0 ? layer(0) : { class_name: 'Sequential', config: { layers: [deep(depth - 1)] } };
    const cases = [
      [
        sequential({ layers: Array.from({ length: 20_000 }, (_, i) => layer(i)) }),
        /20000 layers; at most 5000/,
      ],
      [sequential({ ...keys, layers: [] }), /50001 keys in one object; at most 2000/],
      [
        editedFile('mlp', () => deep(100)),
        /\d+ levels, more than the \d+ that limits\.depth allows/,
      ],
    ];
    for (const [source, message] of cases) {
      const start = cpuTime();
      await fails(source, {}, 'FormatError', message);
      assert.ok(cpuTime() - start < 2000);
    }
  });

  test('a config that requests too much ends quickly', async () => {
    for (const units of [1e6, 2 ** 31, 1e15, -1, 0.5]) {
      const source = editedFile('mlp', (config) => {
        layersOf(config, 'Dense')[0].config.units = units;
      });
      const start = cpuTime();
      await assert.rejects(mf.loadModel(source), (error) => error instanceof mf.MaskflowError);
      assert.ok(cpuTime() - start < 2000);
    }
  });
});
