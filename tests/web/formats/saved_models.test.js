// SPDX-License-Identifier: MIT
// SavedModel folders of Keras 2, written by tests/support/saved_models.js, have the results of the
// models that they were made from. Folders of TensorFlow 2.3 to 2.15 were compared by hand.
import assert from 'node:assert/strict';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { after, before, describe, test } from 'node:test';
import { gzipSync, zipSync } from 'fflate';
import * as mf from '../../../dist/index.js';
import * as train from '../../../dist/train.js';
import { asList, contentOf, savedModelFiles, table, tar } from '../../support/saved_models.js';
import { succeed } from '../../support/command.js';
import { assertSame, floats, ids, shake } from '../../support/legacy_models.js';

// The module that can train has to start first.
await train.ready({ onMaskDropped: 'silent' });
await mf.ready({ onMaskDropped: 'silent' });
const { layers } = mf;

/** A Sequential with a mask, layers in layers, and statistics that are not trained. */
const tagger = () =>
  shake(
    new mf.Sequential([
      mf.Input({ shape: [null], dtype: 'int32' }),
      layers.embedding({ inputDim: 9, outputDim: 4, maskZero: true }),
      layers.bidirectional({ layer: layers.lstm({ units: 3, returnSequences: true }) }),
      layers.dropout({ rate: 0.1 }),
      layers.timeDistributed({ layer: layers.dense({ units: 2, activation: 'relu' }) }),
      layers.gru({ units: 2, resetAfter: false }),
      layers.dense({ units: 1 }),
    ]),
  );

/** A graph with two branches, a model inside, and statistics that are not trained. */
function branches() {
  const inner = new mf.Sequential(
    [
      mf.Input({ shape: [4] }),
      layers.batchNormalization({ name: 'statistics' }),
      layers.dense({ units: 4, name: 'hidden' }),
      layers.batchNormalization({ name: 'more_statistics' }),
    ],
    { name: 'inner' },
  );
  const x = mf.Input({ shape: [4] });
  const left = inner.apply(x);
  const right = layers.dense({ units: 4, activation: 'elu' }).apply(x);
  return shake(new mf.Model({ inputs: x, outputs: layers.add().apply([left, right]) }));
}

const reference = tagger();
const content = await contentOf(reference);
const files = savedModelFiles(content);

const check = async (source, options) => {
  const model = await mf.loadModel(source, options);
  assertSame(model, reference, ids());
  return model;
};

describe('a SavedModel', () => {
  test('is opened from its files, in any order and with any folder', async () => {
    await check({ files: asList(files) });
    await check(asList(files, 'lstm_model/').reverse());
    const picked = Object.entries(files).map(([path, data]) =>
      Object.defineProperty(new File([data], path.split('/').at(-1)), 'webkitRelativePath', {
        value: `lstm_model/${path}`,
      }),
    );
    await check({ files: picked });
  });

  test('may have several shards, the bytes of another CPU, and other blocks', async () => {
    await check(asList(savedModelFiles({ ...content, shards: 3 })));
    await check(asList(savedModelFiles({ ...content, bigEndian: true })));
    const tableOptions = { blockEntries: 100, restartEvery: 16 };
    await check(asList(savedModelFiles({ ...content, tableOptions })));
  });

  test('of TensorFlow 2.0 to 2.4 has its layers in saved_model.pb', async () => {
    const { ...older } = savedModelFiles({ ...content, inGraph: true, version: '2.3.0-tf' });
    assert.equal(older['keras_metadata.pb'], undefined);
    await check(asList(older));
  });

  test('may be in a zip or tar archive', async () => {
    await check(zipSync(files));
    await check(zipSync(Object.fromEntries(asList(files, 'a/b/').map((f) => [f.name, f.data]))));
    await check(tar(files));
    await check(gzipSync(tar(files)));
  });

  test('with a model inside pairs weights that are trained and those that are not', async () => {
    const graph = branches();
    const saved = savedModelFiles({ ...(await contentOf(graph)), kind: '_tf_keras_network' });
    const loaded = await mf.loadModel(asList(saved));
    assertSame(loaded, graph, floats([3, 4]));
  });

  test('gives its weights to a model that exists', async () => {
    const model = tagger();
    const { 'keras_metadata.pb': _, ...parts } = files;
    await model.loadWeights(asList(files));
    assertSame(model, reference, ids());
    await assert.rejects(model.loadWeights(asList(parts)), /without the layers of Keras/);
  });

  test('opens without its weights', async () => {
    const model = await mf.loadModel(asList({ 'keras_metadata.pb': files['keras_metadata.pb'] }), {
      weights: null,
    });
    assert.deepEqual(
      model.layers.map(({ name }) => name),
      reference.layers.map(({ name }) => name),
    );
  });

  test('loads in a worker', async () => {
    const { openWorker } = await import('../../../dist/worker.js');
    const worker = await openWorker();
    const model = await worker.loadModel({ files: asList(files) });
    const result = await model.predict(ids());
    assert.deepEqual(result.array(), reference.predict(ids()).array());
    worker.close();
  });

  test('saves as .keras', async () => {
    const model = await mf.loadModel(asList(files));
    await check(await model.save());
  });

  test('keeps its compile config', async () => {
    const trainingConfig = {
      loss: 'mse',
      metrics: ['mae'],
      optimizer_config: { class_name: 'Adam', config: { name: 'Adam', learning_rate: 0.01 } },
    };
    const model = await train.loadModel(asList(savedModelFiles({ ...content, trainingConfig })));
    const history = await model.fit(ids(), [[1], [0], [1]], { epochs: 1, verbose: 0 });
    assert.ok(history.history.loss[0] > 0);
    assert.equal(model.optimizer.learningRate, Math.fround(0.01));
  });
});

describe('a folder', () => {
  let folder;
  let server;
  let base;
  const requested = [];
  before(async () => {
    folder = mkdtempSync(join(tmpdir(), 'maskflow-'));
    for (const [path, data] of Object.entries(files)) {
      mkdirSync(join(folder, dirname(path)), { recursive: true });
      writeFileSync(join(folder, path), data);
    }
    server = createServer(({ url }, response) => {
      requested.push(url);
      const path = url.split('?')[0].slice('/model/'.length);
      if (Object.hasOwn(files, path)) response.end(files[path]);
      else response.writeHead(404).end('<!doctype html>');
    });
    await new Promise((resolve) => server.listen(0, '127.0.0.1', resolve));
    base = `http://127.0.0.1:${server.address().port}/model/`;
  });
  after(() => {
    rmSync(folder, { recursive: true });
    server.close();
  });

  test('is opened by its path and by those of its files', async () => {
    await check(folder);
    await check(`${folder}/`);
    await check(join(folder, 'saved_model.pb'));
    await check(join(folder, 'keras_metadata.pb'));
  });

  test('is described, converted and run by the command', () => {
    assert.match(succeed(['info', folder]).out, /Keras 2\.15\.0[\s\S]*\(Bidirectional\)/);
    const file = join(folder, 'converted.keras');
    succeed(['convert', folder, file]);
    assert.match(succeed(['info', file]).out, /\(Bidirectional\)/);
  });

  test('is opened by its address and by those of its files', async () => {
    await check(base);
    await check(new URL(`${base}?key=1`));
    assert.ok(requested.includes('/model/variables/variables.index?key=1'));
    await check(`${base}saved_model.pb`);
    await check(`${base}keras_metadata.pb`, { cache: false });
    await assert.rejects(mf.loadModel(`${base}none/`), /the server answered 404/);
  });

  test('without the variables names the file that is missing', async () => {
    rmSync(join(folder, 'variables/variables.data-00000-of-00001'));
    await assert.rejects(mf.loadModel(folder), /variables\.data-00000-of-00001/);
    const { 'variables/variables.index': _, ...rest } = files;
    await assert.rejects(mf.loadModel(asList(rest)), {
      name: 'FormatError',
      message: /variables\/variables\.index.*not among the 3 files/,
    });
  });
});

describe('a SavedModel is refused', () => {
  const refuses = (source, message, name = 'FormatError') =>
    assert.rejects(mf.loadModel(source), { name, message });

  test('without the metadata of Keras 2', async () => {
    const exported = { ...savedModelFiles(content), 'keras_metadata.pb': undefined };
    delete exported['keras_metadata.pb'];
    await refuses(asList(exported), /keras_metadata\.pb: .*tf_keras.*model\.save\("name\.keras"\)/);
    await refuses(exported['saved_model.pb'], /pass the whole folder.*tf_keras/);
    await refuses(zipSync(exported), /tf_keras/);
  });

  test('if a class of Python has its layers', async () => {
    const config = { class_name: 'MyModel', config: { name: 'm' } };
    await refuses(
      asList(savedModelFiles({ ...content, config })),
      /class MyModel.*save_weights\("name\.weights\.h5"\).*model\.loadWeights/,
    );
  });

  test('if a vocabulary is in its graph', async () => {
    const vectorizer = {
      class_name: 'TextVectorization',
      config: { name: 'words', dtype: 'string', vocabulary: null, batch_input_shape: [null] },
    };
    const config = {
      ...content.config,
      config: { name: 's', layers: [vectorizer, ...content.config.config.layers.slice(1)] },
    };
    await refuses(
      asList(savedModelFiles({ ...content, config })),
      /'words' \(TextVectorization\): its vocabulary is in the graph.*tf_keras/,
      'UnsupportedError',
    );
  });

  test('if its table is compressed, overlaps or lacks a variable', async () => {
    const index = (bytes) => asList({ ...files, 'variables/variables.index': bytes });
    await refuses(
      index(table([['', [8, 1]]], { compression: 1 })),
      /compressed/,
      'UnsupportedError',
    );
    await refuses(index(table([['', [8, 1]]])), /has no _CHECKPOINTABLE_OBJECT_GRAPH/);
    await refuses(index(table([['a', [8, 1]]])), /has no header/);
    await refuses(index(new Uint8Array(10)), /10 bytes and no end mark/);
  });

  test('if a limit is exceeded', async () => {
    for (const limits of [{ nodes: 40 }, { entries: 10 }, { text: 300 }, { bytes: 2000 }]) {
      const [name] = Object.keys(limits);
      await assert.rejects(mf.loadModel(asList(files), { limits }), {
        name: 'FormatError',
        message: new RegExp(`limits\\.${name}`),
      });
    }
    await assert.rejects(mf.loadModel(asList(files), { signal: AbortSignal.abort() }), {
      name: 'AbortError',
    });
  });

  test('if any of its files is cut short', async () => {
    for (const [path, bytes] of Object.entries(files)) {
      if (path === 'saved_model.pb') continue;
      const step = Math.ceil(bytes.length / 40);
      for (let length = 0; length < bytes.length; length += step) {
        const cut = { ...files, [path]: bytes.slice(0, length) };
        const { 'saved_model.pb': _, ...parts } = cut;
        await assert.rejects(mf.loadModel(asList(parts)), (error) => {
          assert.ok(['FormatError', 'UnsupportedError'].includes(error.name), `${error.stack}`);
          return true;
        });
      }
    }
  });

  test('if bytes of its weights changed', async () => {
    for (const path of Object.keys(files).filter((name) => name.startsWith('variables'))) {
      for (let at = 3; at < files[path].length; at += Math.ceil(files[path].length / 60)) {
        const bytes = files[path].slice();
        bytes[at] ^= 16;
        const outcome = await mf.loadModel(asList({ ...files, [path]: bytes })).then(
          (model) => assertSame(model, reference, ids()),
          ({ name }) => name,
        );
        assert.ok([undefined, 'FormatError', 'UnsupportedError'].includes(outcome), outcome);
      }
    }
  });
});
