// SPDX-License-Identifier: MIT
// Models saved for TensorFlow.js: the form of the files, and that they are equal. The expected
// names and call numbers are those that TensorFlow.js 4.22 accepts.
import assert from 'node:assert/strict';
import {
  existsSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, suite, test } from 'node:test';
import { fileURLToPath } from 'node:url';
import * as mf from '../../../dist/index.js';

const fixtures = (file) => fileURLToPath(new URL(`../../fixtures/models/${file}`, import.meta.url));
const read = (files) => JSON.parse(new TextDecoder().decode(files.get('model.json')));
const fileList = (files) => [...files].map(([name, data]) => ({ name, data }));

before(() => {
  console.warn = () => {};
  return mf.ready();
});

// The recorded models that TensorFlow.js supports completely and loads.
const loadable =
  `backwards_forward bn_masked concat_features concat_time func_bilstm_gap gap_masked_classifier
  gru_reset_before mlp multi_input nested_encoder_shared nested_functional per_step_norm_softmax
  regularized_constrained reshape_permute_repeat seq2seq_state seq_embed_lstm seq_masking_lstm_td
  seq_masking_value_simple_rnn sequential_in_sequential shared_siamese td_dense_masked`.split(
    /\s+/,
  );

/** Returns inputs without a masked step, because TensorFlow.js has its own mask rules. */
function unmaskedInputs(model) {
  const [shapes, dtypes] = [
    model.inputs.map(({ shape }) => shape),
    model.inputs.map(({ dtype }) => dtype),
  ];
  return shapes.map((shape, k) => {
    const full = shape.map((dim, i) => (i === 0 ? 3 : (dim ?? 5)));
    const size = full.reduce((a, b) => a * b, 1);
    const item =
      dtypes[k] === 'int32' ? (_, i) => 1 + ((7 * i) % 4) : (_, i) => Math.sin(1.7 * i) + 0.01;
    return mf.tensor(Float64Array.from({ length: size }, item), { shape: full, dtype: dtypes[k] });
  });
}

suite('models for TensorFlow.js', () => {
  for (const name of loadable) {
    test(name, async () => {
      const model = await mf.loadModel(fixtures(`${name}.keras`));
      const files = await model.saveTfjs();
      const { modelTopology, weightsManifest, format } = read(files);
      assert.equal(format, 'layers-model');
      const text = JSON.stringify(modelTopology);
      assert.doesNotMatch(
        text,
        /batch_shape|__keras_tensor__|DTypePolicy|"module"|NotEqual|regularizer/,
      );
      const names = weightsManifest[0].weights.map((weight) => weight.name);
      assert.equal(new Set(names).size, names.length);
      assert.equal(names.length, model.weights.length);

      const loaded = await mf.loadModel({ files: fileList(files) });
      const inputs = unmaskedInputs(model);
      const argument = inputs.length === 1 ? inputs[0] : inputs;
      const outputs = [model, loaded].map((each) =>
        [each.predict(argument)].flat().map((y) => y.data()),
      );
      assert.deepEqual(outputs[1], outputs[0]);
    });
  }

  test("weights have TensorFlow.js's names", async () => {
    const names = async (file) => {
      const files = await (await mf.loadModel(fixtures(file))).saveTfjs();
      return read(files).weightsManifest[0].weights.map((weight) => weight.name);
    };
    assert.deepEqual(await names('func_bilstm_gap.keras'), [
      'embedding/embeddings',
      ...['forward_lstm', 'backward_lstm'].flatMap((layer) =>
        ['kernel', 'recurrent_kernel', 'bias'].map((weight) => `bidirectional/${layer}/${weight}`),
      ),
      'dense/kernel',
      'dense/bias',
    ]);
    assert.deepEqual(await names('nested_functional.keras'), [
      'embedding/embeddings',
      'dense/kernel',
      'dense/bias',
      'lstm/kernel',
      'lstm/recurrent_kernel',
      'lstm/bias',
    ]);
  });

  test('shards have 4 MB and are written beside model.json', async () => {
    const model = new mf.Sequential([
      mf.Input({ shape: [1100] }),
      mf.layers.dense({ units: 1000 }),
    ]);
    const folder = mkdtempSync(join(tmpdir(), 'maskflow-tfjs-'));
    try {
      await model.saveTfjs(join(folder, 'model.json'));
      const names = readdirSync(folder).sort();
      assert.match(
        names.join(' '),
        /^group1-shard1of2-([0-9a-f]{16})\.bin group1-shard2of2-\1\.bin model\.json$/,
      );
      const sizes = names.slice(0, 2).map((name) => readFileSync(join(folder, name)).length);
      assert.deepEqual(sizes, [4194304, 4 * 1_101_000 - 4194304]);
      const loaded = await mf.loadModel(join(folder, 'model.json'));
      const x = mf.tensor([Array.from({ length: 1100 }, (_, i) => i / 1100)]);
      assert.deepEqual(loaded.predict(x).data(), model.predict(x).data());
    } finally {
      rmSync(folder, { recursive: true });
    }
  });

  test("hard_sigmoid is written as TensorFlow.js's own, or refused", async () => {
    const make = (recurrentActivation) =>
      new mf.Sequential([
        mf.Input({ shape: [4, 2] }),
        mf.layers.lstm({ units: 2, recurrentActivation }),
      ]);
    const model = make('hard_sigmoid_keras2');
    const files = await model.saveTfjs();
    const [, lstm] = read(files).modelTopology.model_config.config.layers;
    assert.equal(lstm.config.recurrent_activation, 'hard_sigmoid');
    const loaded = await mf.loadModel({ files: fileList(files) });
    const [x] = unmaskedInputs(model);
    assert.deepEqual(loaded.predict(x).data(), model.predict(x).data());
    await assert.rejects(make('hard_sigmoid').saveTfjs(), {
      name: 'UnsupportedError',
      message: /the activation hard_sigmoid of Keras 3/,
    });
  });

  test('everything that TensorFlow.js lacks is listed at once', async () => {
    const input = mf.Input({ shape: [4, 3] });
    const { attention, gru, conv1D } = mf.layers;
    const x = mf.ops.add(attention().apply([input, input]), 1);
    const y = conv1D({ filters: 2, kernelSize: 2, padding: 'causal' }).apply(x);
    const model = new mf.Model({ inputs: input, outputs: gru({ units: 2 }).apply(y) });
    await assert.rejects(model.saveTfjs(), {
      name: 'UnsupportedError',
      message:
        /the operation Add, Attention, causal padding, GRU with reset_after.*save the model as '\.keras'/,
    });
  });

  test('two weights of one name are refused', async () => {
    const inner = () =>
      new mf.Sequential([mf.Input({ shape: [2] }), mf.layers.dense({ units: 2, name: 'same' })]);
    const model = new mf.Sequential([mf.Input({ shape: [2] }), inner(), inner()]);
    await assert.rejects(model.saveTfjs(), { name: 'ValueError', message: /'same\/kernel'/ });
  });
});

suite('names of shards', () => {
  const folder = mkdtempSync(join(tmpdir(), 'maskflow-tfjs-'));
  after(() => rmSync(folder, { recursive: true }));
  const model = (value) => {
    const dense = new mf.Sequential([mf.Input({ shape: [1] }), mf.layers.dense({ units: 1 })]);
    dense.setWeights([mf.tensor([[value]]), mf.tensor([0])]);
    return dense;
  };
  const shards = () => readdirSync(folder).filter((name) => name.endsWith('.bin'));
  const result = async (path) => (await mf.loadModel(path)).predict([[1]]).array()[0][0];

  test('depend on the content and on the name of model.json', async () => {
    const name = async (value) => [...(await model(value).saveTfjs()).keys()][1];
    const first = model(1);
    const [, again] = [...(await first.saveTfjs()).keys()];
    assert.equal([...(await first.saveTfjs()).keys()][1], again);
    assert.notEqual(await name(1), await name(2));
  });

  test('need no second serialization of the model', async (context) => {
    const first = model(1);
    const stringify = JSON.stringify;
    const texts = [];
    context.mock.method(JSON, 'stringify', (...args) => {
      texts.push(stringify(...args));
      return texts.at(-1);
    });
    await first.saveTfjs();
    context.mock.restoreAll();
    assert.equal(texts.filter((text) => text.includes('model_config')).length, 1);
    assert.equal(texts.filter((text) => text.includes('/kernel')).length, 1);
  });

  test('let a folder have several models, and those of a replaced one are removed', async () => {
    const [a, b] = ['a.json', 'b.json'].map((name) => join(folder, name));
    const one = model(1);
    await one.saveTfjs(a);
    await one.saveTfjs(b);
    assert.equal(shards().length, 2);
    await model(2).saveTfjs(a);
    assert.equal(shards().length, 2);
    assert.deepEqual([await result(a), await result(b)], [2, 1]);
  });

  test('of other programs stay, as do files that a hostile model.json names', async () => {
    const path = join(folder, 'c.json');
    const paths = ['../x.bin', 'mine.bin', 'group1-shard1of1.bin'];
    for (const generatedBy of ['TensorFlow.js tfjs-layers v4.22.0', 'maskflow']) {
      for (const name of paths.slice(1)) writeFileSync(join(folder, name), 'mine');
      writeFileSync(path, JSON.stringify({ generatedBy, weightsManifest: [{ paths }] }));
      await model(3).saveTfjs(path);
      const isOurs = generatedBy === 'maskflow';
      assert.ok(existsSync(join(folder, 'mine.bin')));
      assert.equal(existsSync(join(folder, paths[2])), !isOurs);
    }
  });

  test('of a killed process are removed after a day', async () => {
    const path = join(folder, 'd.json');
    await model(1).saveTfjs(path);
    const [, ours] = [...(await model(1).saveTfjs(path)).keys()];
    const left = ours.replace(/.{8}\.bin$/, '00000000.bin');
    const other = ours.replace(/-.{16}\.bin$/, '-0000000000000000.bin');
    for (const name of [left, other]) writeFileSync(join(folder, name), '');
    await model(2).saveTfjs(path);
    assert.ok(shards().includes(left));
    for (const name of [left, other]) utimesSync(join(folder, name), 0, 0);
    await model(2).saveTfjs(path);
    assert.ok(!shards().includes(left) && shards().includes(other));
  });

  test('a model that is replaced while it is read is read again', async () => {
    const path = join(folder, 'e.json');
    await model(1).saveTfjs(path);
    let saves = 0;
    const onProgress = async ({ file }) => {
      if (file === path && saves++ < 3) await model(1 + saves).saveTfjs(path);
    };
    const loaded = await mf.loadModel(path, { onProgress });
    assert.equal(loaded.predict([[1]]).array()[0][0], 4);
    // A program that always replaces it does not keep the reader for ever.
    saves = -1000;
    await assert.rejects(mf.loadModel(path, { onProgress }), {
      name: 'FormatError',
      message: /e\.json.*no such file.*group1-shard1of1-/,
    });
  });
});

suite('weights in fewer bits', () => {
  const small = async (weights, values) => {
    const layer = mf.layers.dense({ units: 3 });
    const model = new mf.Sequential([mf.Input({ shape: [4] }), layer]);
    model.setWeights([mf.tensor(values, { shape: [4, 3] }), mf.tensor([0.1, 0.2, 0.3])]);
    return model.saveTfjs(undefined, { weights });
  };
  const halves = [1, -2, 0, 65504, 2 ** -24, 2 ** -14, 1 / 3, 1 + 2 ** -11, 1 + 3 * 2 ** -11, -0.1];
  const patterns = [0x3c00, 0xc000, 0, 0x7bff, 1, 0x0400, 0x3555, 0x3c00, 0x3c02, 0xae66];

  test('float16 rounds to the nearest number, and to the even one', async () => {
    const files = await small('float16', [...halves, 2 ** -25, 0.999999]);
    const [[, shard]] = [...files].filter(([name]) => name.endsWith('.bin'));
    assert.equal(shard.length, 2 * 12 + 4 * 3);
    assert.deepEqual([...new Uint16Array(shard.slice(0, 24).buffer)], [...patterns, 0, 0x3c00]);
  });

  test('uint8 keeps 0, and is at most half a step away', async () => {
    const values = [0, -1, 2, 0.5, 0, 0.013, 1.99, -0.99, 0, 1, 1.5, -0.25];
    const model = await mf.loadModel({ files: fileList(await small('uint8', values)) });
    const [kernel, bias] = model.getWeights();
    for (const [i, value] of kernel.data().entries()) {
      if (values[i] === 0) assert.equal(value, 0);
      assert.ok(Math.abs(value - values[i]) <= 3 / 255 + 1e-6, `${value}, not ${values[i]}`);
    }
    assert.deepEqual([...bias.data()], [...Float32Array.of(0.1, 0.2, 0.3)]);
  });

  test('a number that the type cannot hold is an error', async () => {
    const values = Array(12).fill(0);
    await assert.rejects(small('float16', [...values.slice(1), 70000]), {
      kind: 'value',
      message: /kernel' has the number 70000, which float16 cannot hold; leave the option weights/,
    });
    await assert.rejects(small('uint8', [...values.slice(1), Number.NaN]), { kind: 'value' });
    await assert.rejects(
      small('int8', values),
      /weights is 'int8' but must be 'float32', 'float16'/,
    );
  });

  for (const [weights, share, limit] of [
    ['float16', 0.55, 2e-3],
    ['uint8', 0.32, 3e-2],
  ]) {
    for (const name of ['seq_embed_lstm', 'func_bilstm_gap', 'td_dense_masked']) {
      test(`${name} in ${weights} has nearly the same results`, async () => {
        const model = await mf.loadModel(fixtures(`${name}.keras`));
        const sizeOf = (files) =>
          [...files.values()].slice(1).reduce((n, { length }) => n + length, 0);
        const files = await model.saveTfjs(undefined, { weights });
        assert.ok(sizeOf(files) / sizeOf(await model.saveTfjs()) < Math.max(share, 0.75));
        const copy = await mf.loadModel({ files: fileList(files) });
        const x = unmaskedInputs(model);
        const [a, b] = [model.predict(x).data(), copy.predict(x).data()];
        for (const [i, value] of a.entries()) assert.ok(Math.abs(value - b[i]) < limit, `${i}`);
      });
    }
  }
});
