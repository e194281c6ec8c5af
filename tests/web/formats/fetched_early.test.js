// SPDX-License-Identifier: MIT
// Pages fetch a model before its readers have arrived. A wrong option must not leave a request
// whose answer nothing reads.
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { afterEach, before, beforeEach, describe, test } from 'node:test';
import * as mf from '../../../dist/index.js';

const file = readFileSync(new URL('../../fixtures/models/mlp.keras', import.meta.url));
const address = 'https://example.org/mlp.keras';
const { fetch } = globalThis;
const requests = [];

before(() => mf.ready());
beforeEach(() => {
  requests.length = 0;
  globalThis.document = {};
  globalThis.fetch = async (source, options = {}) => {
    requests.push({ source, signal: options.signal });
    return new Response(file);
  };
});
afterEach(() => {
  globalThis.fetch = fetch;
  delete globalThis.document;
});

describe('loadModel on a page', () => {
  test('asks a server once, and the request is not aborted', async () => {
    (await mf.loadModel(address)).dispose();
    assert.equal(requests.length, 1);
    assert.equal(requests[0].signal.aborted, false);
  });

  test('checks the names of options before it asks', async () => {
    for (const options of [{ weight: null }, null, 7]) {
      await assert.rejects(mf.loadModel(address, options), mf.MaskflowError);
    }
    assert.equal(requests.length, 0);
  });

  test('aborts the request if the value of an option is wrong', async () => {
    for (const options of [{ limits: 7 }, { limits: { bytes: -1 } }, { onProgress: 1 }]) {
      requests.length = 0;
      await assert.rejects(mf.loadModel(address, options), mf.MaskflowError);
      assert.equal(requests.length, 1);
      assert.equal(requests[0].signal.aborted, true);
    }
  });
});
