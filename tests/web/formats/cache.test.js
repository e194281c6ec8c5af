// SPDX-License-Identifier: MIT
// loadModel with `cache` in Node: what the server is asked, what is read without a connection, and
// what happens to damaged and missing files. `hf://` is tested with the same server.
import assert from 'node:assert/strict';
import { once } from 'node:events';
import {
  existsSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  truncateSync,
  writeFileSync,
} from 'node:fs';
import { createServer } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, beforeEach, describe, test } from 'node:test';
import { unzipSync } from 'fflate';
import * as mf from '../../../dist/index.js';
import { openWorker } from '../../../dist/worker.js';
import { fixture } from '../../support/archives.js';
import { hubServer } from '../../support/hub_server.js';

const input = [[0.1, -0.2, 0.3]];
const mlp = fixture('mlp.keras');
const gru = fixture('conv1d_gru.keras');
const hasGru = ({ layers }) => layers.some(({ className }) => className === 'GRU');
const folder = mkdtempSync(join(tmpdir(), 'maskflow-cache-'));
let expected;

before(async () => {
  process.env.MASKFLOW_CACHE = folder;
  await mf.ready({ onMaskDropped: 'silent' });
  const model = await mf.loadModel(mlp);
  expected = model.predict(input).array();
});
after(() => rmSync(folder, { recursive: true }));

const filesOf = (cache = 'models') =>
  existsSync(join(folder, cache))
    ? readdirSync(join(folder, cache)).map((name) => join(folder, cache, name))
    : [];

async function assertLoads(source, options) {
  const model = await mf.loadModel(source, options);
  assert.deepEqual(model.predict(input).array(), expected);
  model.dispose();
}

describe('the cache', () => {
  const state = {};
  let server;
  let address;
  before(async () => {
    server = createServer((request, response) => {
      state.asked.push(request.headers);
      if (state.status) return response.writeHead(state.status).end('trouble');
      const { etag, modified, body } = state;
      const headers = { ...(etag && { etag }), ...(modified && { 'last-modified': modified }) };
      const isSame =
        (etag && request.headers['if-none-match'] === etag) ||
        (!etag && modified && request.headers['if-modified-since'] === modified);
      if (isSame && !state.ignoresConditions) return response.writeHead(304, headers).end();
      state.sent++;
      return response.writeHead(200, { ...headers, 'content-length': body.length }).end(body);
    });
    server.listen(0, '127.0.0.1');
    await once(server, 'listening');
    address = `http://127.0.0.1:${server.address().port}/mlp.keras`;
  });
  after(() => server.close());
  beforeEach(async () => {
    await mf.clearStoredModels();
    Object.assign(state, {
      ...{ asked: [], sent: 0, body: mlp, etag: '"a"', modified: '' },
      ...{ status: 0, ignoresConditions: false },
    });
  });

  test('an unchanged file is sent once; the server is asked each time', async () => {
    await assertLoads(address, { cache: true });
    await assertLoads(address, { cache: true });
    await assertLoads(new URL(`${address}#part`), { cache: 'models' });
    assert.equal(state.sent, 1);
    assert.deepEqual(
      state.asked.map((headers) => headers['if-none-match']),
      [undefined, '"a"', '"a"'],
    );
  });

  test('Last-Modified is used without an ETag', async () => {
    Object.assign(state, { etag: '', modified: 'Mon, 23 Nov 2026 10:00:00 GMT' });
    await assertLoads(address, { cache: true });
    await assertLoads(address, { cache: true });
    assert.equal(state.sent, 1);
  });

  test('a server that ignores conditions is believed by its ETag', async () => {
    state.ignoresConditions = true;
    await assertLoads(address, { cache: true });
    const [file] = filesOf();
    const stored = readFileSync(file);
    await assertLoads(address, { cache: true });
    assert.deepEqual(readFileSync(file), stored, 'the file is not written again');
    state.etag = 'W/"a"';
    await assertLoads(address, { cache: true });
    assert.deepEqual(readFileSync(file), stored, 'a weak ETag is the same');
  });

  test('a changed file replaces the cached one', async () => {
    await assertLoads(address, { cache: true });
    Object.assign(state, { body: gru, etag: '"b"' });
    const model = await mf.loadModel(address, { cache: true });
    assert.ok(hasGru(model));
    assert.equal(filesOf().length, 1);
    state.status = 503;
    const again = await mf.loadModel(address, { cache: true });
    assert.ok(hasGru(again));
  });

  test('a server in trouble leaves the cached file; a missing file is an error', async () => {
    await assertLoads(address, { cache: true });
    for (const status of [500, 503, 429, 408]) {
      state.status = status;
      await assertLoads(address, { cache: true });
    }
    for (const status of [404, 403, 410]) {
      state.status = status;
      await assert.rejects(mf.loadModel(address, { cache: true }), {
        name: 'FormatError',
        message: new RegExp(`answered ${status}`),
      });
    }
  });

  test('damaged files are fetched again: cut at any place, changed, or empty', async () => {
    await assertLoads(address, { cache: true });
    const [file] = filesOf();
    const whole = readFileSync(file);
    const head = whole.indexOf(10);
    const sizes = [0, 1, head - 3, head, head + 1, head + 100, whole.length >> 1, whole.length - 1];
    let sent = 1;
    for (const size of sizes) {
      truncateSync(file, size);
      await assertLoads(address, { cache: true });
      assert.equal(state.sent, ++sent, `cut at ${size}`);
      assert.deepEqual(readFileSync(file).subarray(head + 10), whole.subarray(head + 10));
    }
    const changed = Buffer.from(whole);
    changed[head + 500] ^= 1;
    writeFileSync(file, changed);
    await assertLoads(address, { cache: true });
    assert.equal(state.sent, ++sent, 'one bit');
    writeFileSync(file, Buffer.concat([whole, Buffer.from('more')]));
    await assertLoads(address, { cache: true });
    assert.equal(state.sent, ++sent, 'longer');
  });

  test('what is not a model, or is cut, is not kept', async () => {
    state.body = Buffer.from('<!doctype html>log in');
    await assert.rejects(mf.loadModel(address, { cache: true }), /web page/);
    assert.deepEqual(filesOf(), []);
  });

  test('each name is a cache of its own; other names are refused', async () => {
    await assertLoads(address, { cache: 'tests' });
    assert.equal(filesOf('tests').length, 1);
    assert.equal(filesOf().length, 0);
    await assertLoads(address, { cache: false });
    assert.equal(filesOf().length, 0);
    for (const cache of ['', '..', '../x', 'a/b', '.hidden', 'x'.repeat(65), 'a b', 7, null]) {
      await assert.rejects(
        mf.loadModel(address, { cache }),
        { name: 'ConfigError' },
        String(cache),
      );
    }
  });

  test('files are listed and removed', async () => {
    await assertLoads(address, { cache: true });
    await assertLoads(address, { cache: 'tests' });
    const models = await mf.storedModels();
    assert.deepEqual(
      models.map(({ address: from, cache, bytes }) => ({ from, cache, bytes })),
      ['models', 'tests'].map((cache) => ({ from: address, cache, bytes: mlp.length })),
    );
    assert.ok(models.every(({ saved }) => Math.abs(Date.now() - saved.getTime()) < 60_000));
    assert.equal(await mf.clearStoredModels({ address: `${address}x` }), 0);
    assert.equal(await mf.clearStoredModels({ address, cache: 'tests' }), 1);
    assert.equal((await mf.storedModels()).length, 1);
    writeFileSync(`${filesOf()[0]}.123-abc.part`, 'left by a killed process');
    writeFileSync(join(folder, 'models', 'notes.txt'), 'of the user');
    assert.equal(await mf.clearStoredModels(), 1);
    assert.deepEqual(filesOf(), [join(folder, 'models', 'notes.txt')]);
    rmSync(join(folder, 'models'), { recursive: true });
    await assert.rejects(mf.clearStoredModels({ adress: 'x' }), /did you mean 'address'/);
  });

  test('loads at the same time leave one whole file', async () => {
    await Promise.all(Array.from({ length: 6 }, () => assertLoads(address, { cache: true })));
    assert.equal(filesOf().length, 1);
    await assertLoads(address, { cache: true });
    assert.equal(state.asked.at(-1)['if-none-match'], '"a"');
  });

  test('a folder that cannot be written is a warning, and the model is loaded', async (t) => {
    const warnings = [];
    t.mock.method(console, 'warn', (text) => warnings.push(text));
    const file = join(folder, 'not-a-folder');
    writeFileSync(file, '');
    process.env.MASKFLOW_CACHE = file;
    try {
      await assertLoads(address, { cache: true });
    } finally {
      process.env.MASKFLOW_CACHE = folder;
      rmSync(file);
    }
    assert.match(warnings.join('\n'), /cannot be stored: .*loaded without the cache/);
  });

  test('progress, limits and signals count for cached files', async () => {
    await assertLoads(address, { cache: true });
    const states = [];
    await assertLoads(address, { cache: true, onProgress: (state) => states.push(state) });
    assert.deepEqual(states, [{ loaded: mlp.length, total: mlp.length, file: address }]);
    await assert.rejects(
      mf.loadModel(address, { cache: true, limits: { bytes: 100 } }),
      /limits\.bytes/,
    );
    const signal = AbortSignal.abort(new Error('stop'));
    await assert.rejects(mf.loadModel(address, { cache: true, signal }), /stop/);
  });

  test('a Request is a source, cached without its headers; POST is not cached', async () => {
    const headers = { authorization: 'Bearer 1' };
    await assertLoads(new Request(address, { headers }), { cache: true });
    await assertLoads(new Request(address, { headers }), { cache: true });
    assert.equal(state.asked[1].authorization, 'Bearer 1');
    assert.equal(filesOf().length, 1);
    await mf.clearStoredModels();
    await assertLoads(new Request(address, { method: 'POST', body: 'x' }), { cache: true });
    assert.equal(filesOf().length, 0);
  });

  test('weights and loadWeights are cached, and a worker uses the same cache', async () => {
    const model = await mf.loadModel(address, { weights: address, cache: true });
    await model.loadWeights(address, { cache: true });
    assert.equal(state.sent, 1);
    const worker = await openWorker();
    try {
      const remote = await worker.loadModel(address, { cache: true });
      assert.deepEqual((await remote.predict(input)).array(), expected);
      assert.equal(state.sent, 1);
    } finally {
      worker.close();
    }
  });
});

describe('without a connection', () => {
  test('a model that was loaded before is loaded again', async () => {
    const model = await mf.loadModel(mlp);
    const files = Object.fromEntries(
      [...(await model.saveTfjs())].map(([name, data]) => [name, Buffer.from(data)]),
    );
    const hub = await hubServer({ 'me/mlp': { ...files, 'other/mlp.keras': mlp } });
    try {
      const sources = ['hf://me/mlp', 'hf://me/mlp/other/mlp.keras', 'hf://me/mlp/model.json'];
      const options = { cache: true, hub: hub.url };
      await assert.rejects(mf.loadModel(sources[1], { ...options, hub: 'http://127.0.0.1:9' }));
      for (const source of sources) await assertLoads(source, options);
      await hub.stop();
      for (const source of sources) await assertLoads(source, options);
      await assert.rejects(mf.loadModel('hf://me/mlp/new.keras', options), {
        name: 'FormatError',
        message: /cannot be fetched/,
      });
      await hub.start();
      for (const source of sources) await assertLoads(source, options);
    } finally {
      hub.close();
    }
  });
});

describe('the hub', () => {
  let hub;
  let load;
  const unpacked = (archive) =>
    Object.fromEntries(
      Object.entries(unzipSync(new Uint8Array(archive))).map(([name, data]) => [
        name,
        Buffer.from(data),
      ]),
    );
  before(async () => {
    hub = await hubServer({
      'me/one': { 'README.md': Buffer.from('# one'), 'mlp.keras': mlp },
      'me/keras': { 'README.md': Buffer.from('# keras'), ...unpacked(mlp) },
      'me/two': { 'a.keras': mlp, 'b.keras': gru },
      'me/none': { 'model.safetensors': Buffer.from('x') },
      'me/folder': { 'deep er/mlp.keras': mlp },
    });
    load = (source, options) => mf.loadModel(source, { hub: hub.url, ...options });
  });
  after(() => hub.close());
  beforeEach(async () => {
    hub.requests.length = 0;
    hub.state.lie = (headers) => headers;
    await mf.clearStoredModels();
  });

  test('a file, the only file of a repository, and files of Keras one by one', async () => {
    const sources = ['hf://me/one/mlp.keras', 'hf://me/one', 'hf://me/keras', 'hf://me/keras/'];
    for (const source of sources) {
      const model = await load(source);
      assert.deepEqual(model.predict(input).array(), expected, source);
    }
    const model = await load('hf://me/folder@main/deep er/mlp.keras');
    assert.deepEqual(model.predict(input).array(), expected);
    await assert.rejects(load('hf://me/one@v2/mlp.keras'), /answered 40/);
  });

  test('files of one model are of one commit, although the repository changes', async (t) => {
    const modelOf = (value) => {
      const model = new mf.Sequential([mf.Input({ shape: [2] }), mf.layers.dense({ units: 1 })]);
      model.setWeights([new Float32Array(2).fill(value), new Float32Array(1)]);
      return model;
    };
    const kerasFiles = async (value) => unpacked(await modelOf(value).save());
    const tfjsFiles = async (value) =>
      Object.fromEntries(
        [...(await modelOf(value).saveTfjs())].map(([name, bytes]) => [name, Buffer.from(bytes)]),
      );
    const repositories = {};
    const changing = await hubServer(repositories);
    t.after(() => changing.close());
    for (const [make, source, first] of [
      [kerasFiles, 'hf://me/changing', 'config.json'],
      [tfjsFiles, 'hf://me/changing/model.json', 'model.json'],
      [tfjsFiles, 'hf://me/changing', 'model.json'],
    ]) {
      const newer = await make(2);
      repositories['me/changing'] = await make(1);
      const requests = [];
      changing.state.onAsk = (path) => {
        requests.push(path);
        // The repository changes after the first file.
        if (path.endsWith(first) === false && requests.some((each) => each.endsWith(first)))
          repositories['me/changing'] = newer;
      };
      const model = await mf.loadModel(source, { hub: changing.url });
      assert.deepEqual(model.predict([[1, 1]]).array(), [[2]], source);
      const files = requests.filter((path) => path.includes('/resolve/'));
      assert.ok(files.length > 1);
      const versions = files.map((path) => path.split('/')[4]);
      assert.equal(new Set(versions).size, 1);
      assert.match(versions[0], /^[0-9a-f]{40}$/);
    }
  });

  test('HF_ENDPOINT is the address of the hub; the option wins', async () => {
    process.env.HF_ENDPOINT = `${hub.url}/`;
    try {
      const model = await mf.loadModel('hf://me/one');
      assert.deepEqual(model.predict(input).array(), expected);
      await assert.rejects(mf.loadModel('hf://me/one', { hub: 'http://127.0.0.1:9' }), /fetched/);
    } finally {
      delete process.env.HF_ENDPOINT;
    }
  });

  test('a large file is transferred once, whatever address it is redirected to', async () => {
    await load('hf://me/one/mlp.keras', { cache: true });
    await load('hf://me/one/mlp.keras', { cache: true });
    const transfers = hub.requests.filter((line) => line.includes('/transfer/'));
    assert.deepEqual(
      transfers.map((line) => line.slice(0, 3)),
      ['200', '304'],
    );
  });

  test('errors name the repository and the remedy', async () => {
    const cases = [
      ['hf://me/two', /several: a\.keras, b\.keras; name the file: hf:\/\/me\/two\/a\.keras/],
      ['hf://me/none', /has no model file/],
      ['hf://me/gone', /answered 401.*repository me\/gone.*Authorization/],
      ['hf://me/one/x.keras', /answered 404.*the file exist/],
      ['hf://me', /write hf:\/\/owner\/repo\/file\.keras/],
      ['hf://', /write hf:\/\/owner\/repo/],
      ['hf://me/../x', /write hf:\/\/owner\/repo/],
      ['hf://me/one/../two/a.keras', /write hf:\/\/owner\/repo/],
      ['hf://me/one@/a.keras', /write hf:\/\/owner\/repo/],
      ['hf://me/one@%/a.keras', /write hf:\/\/owner\/repo/],
    ];
    for (const [source, message] of cases) {
      await assert.rejects(load(source), (error) => {
        assert.match(error.name, /^(Config|Format)Error$/, error.stack);
        assert.match(error.message, message);
        return true;
      });
    }
    for (const address of ['ftp://x', 'x', '', 7, 'https://x?y']) {
      await assert.rejects(mf.loadModel('hf://me/one', { hub: address }), { name: 'ConfigError' });
    }
  });

  test('a hub that lies about the size is refused, and nothing is kept', async () => {
    hub.state.lie = (headers) => ({ ...headers, 'x-linked-size': String(mlp.length + 1) });
    await assert.rejects(load('hf://me/one', { cache: true }), {
      name: 'FormatError',
      message: /bytes, but the hub announced/,
    });
    assert.deepEqual(
      (await mf.storedModels()).filter(({ address }) => address.endsWith('.keras')),
      [],
    );
  });

  test('names of files from the hub cannot leave the repository', async () => {
    const config = Buffer.from(JSON.stringify({ class_name: 'Sequential', config: {} }));
    const evil = await hubServer({
      'me/evil': { 'config.json': config, 'model.weights.h5': Buffer.from('x'), '../../x': mlp },
    });
    try {
      await assert.rejects(mf.loadModel('hf://me/evil', { hub: evil.url }), {
        name: 'FormatError',
      });
      assert.ok(evil.requests.every((line) => /\/(api\/models\/)?me\/evil\//.test(line)));
    } finally {
      evil.close();
    }
  });
});

describe('other sources', () => {
  test('a stream, a Response of a stream, and a handle of a file', async () => {
    await assertLoads(new Blob([mlp]).stream());
    await assertLoads(new Response(new Blob([mlp]).stream()));
    const handle = {
      kind: 'file',
      name: 'm.keras',
      getFile: async () => new File([mlp], 'm.keras'),
    };
    await assertLoads(handle);
    const stream = new Blob([mlp]).stream();
    stream.getReader();
    await assert.rejects(mf.loadModel(stream), /already being read/);
    const gone = {
      ...handle,
      getFile: async () => {
        throw new DOMException('The file was removed', 'NotFoundError');
      },
    };
    await assert.rejects(mf.loadModel(gone), {
      name: 'FormatError',
      message: /m\.keras cannot be/,
    });
    const failing = new ReadableStream({ start: (control) => control.error(new Error('cut')) });
    await assert.rejects(mf.loadModel(failing), { name: 'FormatError', message: /broke after 0/ });
  });

  test('a worker accepts them, too', async () => {
    const worker = await openWorker();
    try {
      for (const source of [
        new Blob([mlp]).stream(),
        { name: 'm.keras', getFile: async () => new File([mlp], 'm.keras') },
      ]) {
        const model = await worker.loadModel(source);
        assert.deepEqual((await model.predict(input)).array(), expected);
      }
    } finally {
      worker.close();
    }
  });

  test('places of browsers are refused in Node, with the remedy', async () => {
    const model = await mf.loadModel(mlp);
    for (const address of ['opfs://x', 'indexeddb://x']) {
      const refusal = { name: 'UnsupportedError', message: /In Node, use a path/ };
      await assert.rejects(mf.loadModel(address), refusal);
      await assert.rejects(model.save(address), refusal);
      await assert.rejects(model.saveTfjs(address), { name: 'ValueError' });
    }
    await assert.rejects(model.save('opfs://a/b'), { name: 'ConfigError' });
  });
});
