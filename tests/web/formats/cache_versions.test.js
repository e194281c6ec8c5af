// SPDX-License-Identifier: MIT
// loadModel with `cache`: the files of a model are of one version, whatever the server does.
import assert from 'node:assert/strict';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { createServer } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, beforeEach, describe, test } from 'node:test';
import * as mf from '../../../dist/index.js';

const folder = mkdtempSync(join(tmpdir(), 'maskflow-versions-'));
const files = {};
const outputs = {};
/** Settings of the server: the version of each file, and files that it does not send. */
const state = { version: {}, trouble: new Set(), marks: true, asked: [], onAsk: () => {} };
let server;
let address;

/**
 * A model of one Dense layer, whose weights, and units from version 3 on, are those of a version.
 * The shard has one name in all versions, as that of other writers than saveTfjs().
 */
async function filesOf(version) {
  const units = version >= 3 ? 2 : 1;
  const model = new mf.Sequential([mf.Input({ shape: [2] }), mf.layers.dense({ units })]);
  const kernel = mf.tensor(new Float32Array(2 * units).fill(version), { shape: [2, units] });
  model.setWeights([kernel, mf.tensor(new Float32Array(units))]);
  outputs[version] = model.predict([[1, 1]]).array();
  const saved = await model.saveTfjs();
  const mark = /(group1-shard1of1)-[0-9a-f]{16}/g;
  return Object.fromEntries(
    [...saved].map(([name, bytes]) => [
      name.replace(mark, '$1'),
      Buffer.from(Buffer.from(bytes).toString('latin1').replace(mark, '$1'), 'latin1'),
    ]),
  );
}

before(async () => {
  process.env.MASKFLOW_CACHE = folder;
  await mf.ready();
  for (const version of [1, 2, 3]) files[version] = await filesOf(version);
  // The weights of version 2 belong to the architecture of version 1.
  files[2]['model.json'] = files[1]['model.json'];
  server = createServer((request, response) => {
    const name = request.url.slice(1);
    state.asked.push(name);
    state.onAsk(name);
    if (state.trouble.has(name)) return response.writeHead(503).end();
    const body = files[state.version[name]][name];
    const etag = `"${name}-${body.length}-${body.toString('latin1').length}-${state.version[name]}"`;
    const headers = state.marks ? { etag } : {};
    if (state.marks && request.headers['if-none-match'] === etag) {
      return response.writeHead(304, headers).end();
    }
    return response.writeHead(200, headers).end(body);
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  address = `http://127.0.0.1:${server.address().port}/model.json`;
});
after(() => {
  server.closeAllConnections();
  server.close();
  rmSync(folder, { recursive: true });
});

const kWeights = 'group1-shard1of1.bin';
function serve(version, ...trouble) {
  state.version = { 'model.json': version, [kWeights]: version };
  state.trouble = new Set(trouble);
}
async function loaded() {
  const model = await mf.loadModel(address, { cache: true });
  const output = model.predict([[1, 1]]).array();
  model.dispose();
  return output;
}
const refuses = () =>
  assert.rejects(loaded(), {
    name: 'FormatError',
    message: /of another version than .*load the model again/,
  });

for (const marks of [true, false]) {
  describe(`files of one model, from a server ${marks ? 'with' : 'without'} ETags`, () => {
    beforeEach(async () => {
      await mf.clearStoredModels();
      Object.assign(state, { marks, onAsk: () => {} });
      serve(1);
      assert.deepEqual(await loaded(), outputs[1]);
    });

    test('come from the cache if the server has trouble with all of them', async () => {
      serve(3, 'model.json', kWeights);
      assert.deepEqual(await loaded(), outputs[1]);
    });

    test('are refused if the architecture is new and the weights do not come', async () => {
      serve(3, kWeights);
      await refuses();
      // The cache now has one file of each version.
      serve(3, 'model.json', kWeights);
      await refuses();
      serve(3);
      assert.deepEqual(await loaded(), outputs[3]);
      serve(3, 'model.json', kWeights);
      assert.deepEqual(await loaded(), outputs[3]);
    });

    test('come from the cache if the server fails with the first one only', async () => {
      serve(3, 'model.json');
      assert.deepEqual(await loaded(), outputs[1]);
      serve(2, 'model.json');
      assert.deepEqual(await loaded(), outputs[1]);
    });

    test('come from the cache if only weights that did not change are missing', async () => {
      serve(1, kWeights);
      assert.deepEqual(await loaded(), outputs[1]);
    });

    test('are new if only the weights are', async () => {
      serve(2);
      assert.deepEqual(await loaded(), outputs[2]);
      serve(2, 'model.json', kWeights);
      assert.deepEqual(await loaded(), outputs[2]);
    });

    test('are refused if the server changes between two of them', async () => {
      for (const isCached of [true, false]) {
        if (!isCached) await mf.clearStoredModels();
        serve(1);
        // The weights of version 2 fit, so that only the check can find them.
        state.onAsk = (name) => {
          if (name !== kWeights) return;
          state.version = { 'model.json': 3, [kWeights]: 2 };
        };
        await refuses();
      }
      state.onAsk = () => {};
      serve(3);
      assert.deepEqual(await loaded(), outputs[3]);
    });
  });
}
