// SPDX-License-Identifier: MIT
// loadModel with `cache`: files of earlier versions leave the cache, but only when no load can need
// them.
import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { createServer } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, beforeEach, suite, test } from 'node:test';
import * as mf from '../../../dist/index.js';

const kHour = 3_600_000;
const folder = mkdtempSync(join(tmpdir(), 'maskflow-old-files-'));
/** Files of each version, and the one that the server has now. */
const versions = {};
const state = { version: 1, trouble: false, onAsk: () => {} };
let server;
let address;

/** A model of two layers with a shard each. Only the second shard differs between versions. */
async function filesOf(version) {
  const model = new mf.Sequential([
    mf.Input({ shape: [1] }),
    mf.layers.dense({ units: 1, useBias: false, name: 'a' }),
    mf.layers.dense({ units: 1, useBias: false, name: 'b' }),
  ]);
  model.setWeights([mf.tensor([[1]]), mf.tensor([[version]])]);
  const files = await model.saveTfjs();
  model.dispose();
  const json = JSON.parse(Buffer.from(files.get('model.json')));
  const weights = [...files].find(([name]) => name.endsWith('.bin'))[1];
  const [manifest] = json.weightsManifest;
  manifest.paths = ['shared.bin', `own-${version}.bin`];
  return {
    'model.json': JSON.stringify(json),
    'shared.bin': weights.slice(0, 4),
    [`own-${version}.bin`]: weights.slice(4),
  };
}

before(async () => {
  process.env.MASKFLOW_CACHE = folder;
  await mf.ready();
  for (const version of [1, 2, 3]) versions[version] = await filesOf(version);
  server = createServer(async (request, response) => {
    const name = request.url.slice(1);
    await state.onAsk(name);
    const body = versions[state.version][name];
    if (state.trouble) return response.writeHead(503).end();
    if (body === undefined) return response.writeHead(404).end();
    const etag = `"${createHash('sha256').update(body).digest('hex')}"`;
    const isSame = request.headers['if-none-match'] === etag;
    response.writeHead(isSame ? 304 : 200, { etag }).end(isSame ? undefined : body);
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

async function loaded(options) {
  const model = await mf.loadModel(address, { cache: true, ...options });
  const [[output]] = model.predict([[1]]).array();
  model.dispose();
  return output;
}
const names = async () =>
  (await mf.storedModels()).map((file) => file.address.split('/').at(-1)).sort();

suite('files of an earlier version', () => {
  beforeEach(async (context) => {
    await mf.clearStoredModels();
    Object.assign(state, { version: 1, trouble: false, onAsk: () => {} });
    context.mock.timers.enable({ apis: ['Date'], now: Date.UTC(2026, 0, 1) });
    assert.equal(await loaded(), 1);
  });

  test('are dropped a day after they were replaced, when the newest is complete', async ({
    mock,
  }) => {
    state.version = 2;
    assert.equal(await loaded(), 2);
    const both = ['model.json', 'own-1.bin', 'own-2.bin', 'shared.bin'];
    assert.deepEqual(await names(), both);
    mock.timers.tick(23 * kHour);
    assert.equal(await loaded(), 2);
    assert.deepEqual(await names(), both);
    mock.timers.tick(2 * kHour);
    // Neither an architecture alone nor a load without the server shows that all files are there.
    await mf.loadModel(address, { cache: true, weights: null });
    assert.deepEqual(await names(), both);
    state.trouble = true;
    assert.equal(await loaded(), 2);
    assert.deepEqual(await names(), both);
    state.trouble = false;
    assert.equal(await loaded(), 2);
    assert.deepEqual(await names(), ['model.json', 'own-2.bin', 'shared.bin']);
    state.trouble = true;
    assert.equal(await loaded(), 2);
  });

  test('of every version are dropped, if a model changes twice a day', async ({ mock }) => {
    for (const version of [2, 3, 1, 2, 3]) {
      state.version = version;
      mock.timers.tick(12 * kHour);
      assert.equal(await loaded(), version);
    }
    mock.timers.tick(25 * kHour);
    assert.equal(await loaded(), 3);
    assert.deepEqual(await names(), ['model.json', 'own-3.bin', 'shared.bin']);
  });

  test('stay while a load that began before reads them', async () => {
    let release;
    const isHeld = new Promise((resolve) => {
      release = resolve;
    });
    let asked;
    const isAsked = new Promise((resolve) => {
      asked = resolve;
    });
    state.onAsk = (name) => {
      if (name !== 'own-1.bin') return undefined;
      asked();
      return isHeld;
    };
    const half = loaded();
    await isAsked;
    state.version = 2;
    assert.equal(await loaded(), 2);
    state.trouble = true;
    release();
    assert.equal(await half, 1);
  });

  test('stay if another model of the cache has them, too', async ({ mock }) => {
    versions[2]['other.json'] = versions[1]['model.json'];
    versions[2]['own-1.bin'] = versions[1]['own-1.bin'];
    state.version = 2;
    const other = address.replace('model.json', 'other.json');
    await mf.loadModel(other, { cache: true });
    assert.equal(await loaded(), 2);
    mock.timers.tick(25 * kHour);
    assert.equal(await loaded(), 2);
    assert.ok((await names()).includes('own-1.bin'));
    state.trouble = true;
    const model = await mf.loadModel(other, { cache: true });
    assert.deepEqual(model.predict([[1]]).array(), [[1]]);
    delete versions[2]['other.json'];
    delete versions[2]['own-1.bin'];
  });
});
