// SPDX-License-Identifier: MIT
// Models that pickle.dump wrote (tests/fixtures/beside_models/models): of Keras 3.15.1, and in the
// forms of older versions, alone and beside other values.
import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import { before, describe, test } from 'node:test';
import { gzipSync, zlibSync } from 'fflate';
import * as mf from '../../../dist/index.js';
import { array, legacyH5 } from '../../support/legacy_files.js';
import { close } from '../../support/watch.js';

const models = new URL('../../fixtures/beside_models/models/', import.meta.url);
const bytesOf = (protocol) =>
  new Uint8Array(readFileSync(new URL(`protocol${protocol}.pkl`, models)));
const cases = new URL('../../fixtures/torch/cases/', import.meta.url);

const ids = [
  [1, 2, 3, 0],
  [4, 5, 0, 0],
];
const expected = [-0.0007835226133465767, -0.0011161798611283302];

/** Asserts that a source is the recorded model. */
async function check(source) {
  const model = await mf.loadModel(source);
  const result = model.predict(mf.tensor(ids, { dtype: 'int32' }));
  close(result.array(), expected, 1e-7);
  model.dispose();
}

/** Wraps the content of a pickle: the opcodes before and after it. */
const wrapped = (before, content, after) =>
  Uint8Array.from([...before, ...content.subarray(2, -1), ...after, 0x2e]);

before(() => mf.ready());

describe('gzip', () => {
  test('a compressed pickle is the model inside', () => check(gzipSync(bytesOf(4))));
  test('a compressed .keras file is that model', () => {
    const pickle = Buffer.from(bytesOf(4));
    const end = pickle.lastIndexOf('PK\x05\x06', undefined, 'latin1') + 22;
    return check(gzipSync(pickle.subarray(pickle.indexOf('PK\x03\x04'), end)));
  });
});

describe('a model in a pickle', () => {
  for (const protocol of [2, 4]) {
    test(`of protocol ${protocol} is the model that Keras saved`, () => check(bytesOf(protocol)));
  }

  test('is found in a dictionary, and in a file that joblib compressed', async () => {
    // {1: model}: an empty dictionary, a key, the model, the item.
    const dictionary = wrapped([0x80, 4, 0x7d, 0x4b, 1], bytesOf(4), [0x73]);
    await check(dictionary);
    await check(zlibSync(dictionary));
  });

  test('loads its weights into a model that has them already', async () => {
    const model = await mf.loadModel(bytesOf(4));
    await model.loadWeights(bytesOf(2));
    close(model.predict(mf.tensor(ids, { dtype: 'int32' })).array(), expected, 1e-7);
  });

  test('of Keras 2.10 to 2.15 is the argument of a function', async () => {
    const pickle = Buffer.from(bytesOf(4));
    const end = pickle.lastIndexOf('PK\x05\x06', undefined, 'latin1') + 22;
    const archive = pickle.subarray(pickle.indexOf('PK\x03\x04'), end);
    const name = 'keras.src.saving.pickle_utils\ndeserialize_model_from_bytecode\n';
    const size = Buffer.alloc(4);
    size.writeUInt32LE(archive.length);
    const parts = [Buffer.from(`\x80\x04c${name}B`, 'latin1'), size, archive];
    await check(Buffer.concat([...parts, Buffer.from('\x85R.', 'latin1')]));
  });

  test('works in a worker', async () => {
    const { openWorker } = await import('../../../dist/worker.js');
    const worker = await openWorker();
    const model = await worker.loadModel(bytesOf(4));
    const result = await model.predict(mf.tensor(ids, { dtype: 'int32' }));
    close(result.array(), expected, 1e-7);
    worker.close();
  });
});

/** Asserts that a file of record_models.py is the model that was pickled. */
async function checkRecorded(bytes, recorded) {
  const file = new URL(`${recorded}.json`, models);
  const { ids: rows, outputs } = JSON.parse(readFileSync(file));
  const model = await mf.loadModel(bytes);
  close(model.predict(mf.tensor(rows, { dtype: 'int32' })).array(), outputs, 1e-6);
  model.dispose();
}
const named = (name) => new Uint8Array(readFileSync(new URL(name, models)));

describe('a model of older versions in a pickle', () => {
  for (const protocol of [2, 4]) {
    test(`of Keras 2.2, protocol ${protocol}, is its config and its arrays`, () =>
      checkRecorded(named(`keras22_protocol${protocol}.pkl`), 'keras22'));
  }
  for (const protocol of [2, 5]) {
    test(`of TensorFlow 2.8, protocol ${protocol}, is its SavedModel`, () =>
      checkRecorded(named(`tensorflow28_protocol${protocol}.pkl`), 'tensorflow28'));
  }

  test('is found in an object in a dictionary, and in compressed files', async () => {
    await checkRecorded(named('wrapped.pkl'), 'keras22');
    await checkRecorded(zlibSync(named('wrapped.pkl')), 'keras22');
    await checkRecorded(gzipSync(named('tensorflow28_protocol5.pkl')), 'tensorflow28');
  });

  test('gives its weights to a model that exists', async () => {
    const model = await mf.loadModel(named('keras22_protocol4.pkl'));
    const values = model.getWeights().map((weight) => weight.array());
    model.setWeights(model.weights.map(({ shape }) => mf.ops.zeros(shape)));
    await model.loadWeights(named('keras22_protocol2.pkl'));
    assert.deepEqual(
      model.getWeights().map((weight) => weight.array()),
      values,
    );
  });

  test('may be an HDF5 file in a dictionary', async () => {
    const layer = {
      class_name: 'Dense',
      config: { name: 'd', units: 1, batch_input_shape: [null, 2] },
    };
    const file = legacyH5({
      config: { class_name: 'Sequential', config: { name: 's', layers: [layer] } },
      version: '2.1.6',
      layers: [
        { name: 'd', weights: [array('d/kernel:0', [2, 1], [2, 3]), array('d/bias:0', [1], [1])] },
      ],
    });
    const size = Buffer.alloc(4);
    size.writeUInt32LE(file.length);
    // {1: bytes}
    const pickle = Buffer.concat([Buffer.from([0x80, 3, 0x7d, 0x4b, 1, 0x42]), size, file]);
    const model = await mf.loadModel(Buffer.concat([pickle, Buffer.from('s.')]));
    assert.deepEqual(model.predict(mf.tensor([[10, 100]])).array(), [[321]]);
  });

  test('is refused if it is cut short or changed', async () => {
    for (const name of ['keras22_protocol4.pkl', 'tensorflow28_protocol5.pkl']) {
      const bytes = named(name);
      for (let at = 1; at < bytes.length; at += 97) {
        const changed = bytes.slice();
        changed[at] ^= 8;
        for (const damaged of [bytes.slice(0, at), changed]) {
          const outcome = await mf.loadModel(damaged).then(
            (model) => model.dispose(),
            (error) => error,
          );
          assert.ok(
            outcome === undefined || ['format', 'unsupported', 'config'].includes(outcome.kind),
            `${name} at ${at}: ${outcome?.stack}`,
          );
        }
      }
    }
  });

  test('names the part that its state lacks', async () => {
    const text = Buffer.from(named('keras22_protocol4.pkl')).toString('latin1');
    const other = text.replace('lstm_1/kernel:0', 'lstm_1/kernel:9');
    assert.notEqual(other, text);
    await assert.rejects(mf.loadModel(Buffer.from(other, 'latin1')), {
      name: 'FormatError',
      message: /Keras 2\.2 that lacks 'lstm_1\/kernel:9'/,
    });
  });
});

describe('a pickle without one model', () => {
  const refuses = (bytes, message) =>
    assert.rejects(mf.loadModel(bytes), { name: 'FormatError', message });

  test('is refused with what it has', async () => {
    const one = bytesOf(4).subarray(2, -1);
    const two = Uint8Array.from([0x80, 4, ...one, ...one, 0x86, 0x2e]);
    await refuses(two, /a pickle with 2 models: .*save each with model\.save\("name\.keras"\)/);
    const { scalars } = JSON.parse(readFileSync(new URL('../pickles.json', models)));
    await refuses(Buffer.from(scalars[4], 'base64'), /plain data.*readPickle of maskflow\/text/);
    const keras2 = '\x80\x02ckeras.engine.sequential\nSequential\n)\x81}b.';
    await refuses(
      Buffer.from(keras2, 'latin1'),
      /keras\.engine\.sequential\.Sequential whose state is not the one that Keras writes/,
    );
    const tar = new Uint8Array(512);
    tar.set(Buffer.from('ustar'), 257);
    const header = [0x80, 4, 0x42, 0, 2, 0, 0];
    await refuses(
      Uint8Array.from([...header, ...tar, 0x2e]),
      /archive of tar without a SavedModel of Keras 2/,
    );
  });

  test('of PyTorch names readTorch', async () => {
    const old = readdirSync(cases).find((name) =>
      readdirSync(new URL(name, cases)).includes('old.pth'),
    );
    await refuses(
      new Uint8Array(readFileSync(new URL(`${old}/old.pth`, cases))),
      /file of PyTorch: read it with readTorch/,
    );
  });
});
