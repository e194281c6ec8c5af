// SPDX-License-Identifier: MIT
// Models of Keras 3.15.1 that pickle.dump wrote (tests/fixtures/beside_models/models), alone and
// beside other values.
import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import { before, describe, test } from 'node:test';
import { gzipSync, zlibSync } from 'fflate';
import * as mf from '../../../dist/index.js';
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

  test('works in a worker', async () => {
    const { openWorker } = await import('../../../dist/worker.js');
    const worker = await openWorker();
    const model = await worker.loadModel(bytesOf(4));
    const result = await model.predict(mf.tensor(ids, { dtype: 'int32' }));
    close(result.array(), expected, 1e-7);
    worker.close();
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
      /keras\.engine\.sequential\.Sequential of Keras 2\.3/,
    );
    const tar = new Uint8Array(512);
    tar.set(Buffer.from('ustar'), 257);
    const header = [0x80, 4, 0x42, 0, 2, 0, 0];
    await refuses(Uint8Array.from([...header, ...tar, 0x2e]), /SavedModel of TensorFlow.*name\.h5/);
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
