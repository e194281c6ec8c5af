// SPDX-License-Identifier: MIT
// Models that each browser keeps: the cache of loadModel, opfs:// and indexeddb://, on pages and in
// workers, without a connection, without room, and after damage.
import assert from 'node:assert/strict';
import {
  copyFileSync,
  mkdtempSync,
  realpathSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, beforeEach, suite, test } from 'node:test';
import { at } from '../../scripts/lib/files.mjs';
import { serve } from '../../scripts/lib/serve.mjs';
import { fixture, fixturePath } from '../support/archives.js';
import { hubServer } from '../support/hub_server.js';
import { absence, closeBrowsers, engines, openDriver } from './support/drivers.js';

const page = `<!doctype html><meta charset="utf-8"><title>storage</title><link rel="icon" href="data:,">
<script type="module">
  import * as mf from './dist/index.js';
  import * as threads from './dist/worker.js';
  const input = [[0.1, -0.2, 0.3]];
  /** Returns the first number of the prediction, or the name and message of the error. */
  async function load(source, options) {
    try {
      const model = await mf.loadModel(source, options);
      return model.predict(input).data()[0];
    } catch (error) {
      return error.name + ': ' + error.message;
    }
  }
  const attempt = (promise) => promise.then(() => 'done', (error) => error.name + ': ' + error.message);
  await mf.ready();
  Object.assign(window, { mf, threads, input, load, attempt });
</script>`;

after(closeBrowsers);

// Firefox passes these tests, but then its process does not close, and the program waits for ever.
for (const engine of engines.filter((name) => name !== 'Firefox')) {
  const reason = await absence(engine);
  suite(`models kept in ${engine}`, { skip: reason }, () => {
    const [file, url] = [fixture('mlp.keras'), fixturePath('mlp.keras')];
    let folder;
    let server;
    let hub;
    let driver;
    let tab;
    let expected;
    const startServer = (port) => serve(folder, { port, headers: { etag: '"1"' } });
    before(async () => {
      folder = realpathSync(mkdtempSync(join(tmpdir(), 'maskflow-storage-')));
      writeFileSync(join(folder, 'index.html'), page);
      copyFileSync(url, join(folder, 'mlp.keras'));
      symlinkSync(at('dist'), join(folder, 'dist'), 'dir');
      server = await startServer();
      hub = await hubServer({ 'me/one': { 'mlp.keras': Buffer.from(file) } });
      driver = await openDriver(engine, server.url);
      tab = driver.page;
      await tab.goto(server.url);
      await driver.waitFor(() => 'load' in window);
      expected = await tab.evaluate(() => load('mlp.keras'));
      assert.equal(typeof expected, 'number', expected);
    });
    after(async () => {
      await driver?.close();
      await server?.close();
      hub?.close();
      if (folder) rmSync(folder, { recursive: true, force: true });
    });
    const hasPlace = (place) =>
      tab.evaluate((to) => to !== 'opfs' || !!navigator.storage?.getDirectory, place);
    /** WebKitGTK has no such file system, as older versions of Safari. */
    async function refusesOpfs() {
      const [loaded, saved] = await tab.evaluate(async () => {
        const model = await mf.loadModel('mlp.keras');
        return [await load('opfs://x'), await attempt(model.save('opfs://x'))];
      });
      const refusal = "UnsupportedError: this engine does not have opfs://; use 'indexeddb://name'";
      assert.deepEqual([loaded, saved], [refusal, refusal]);
    }

    beforeEach(() => tab.evaluate(() => mf.clearStoredModels()));

    test('the cache serves a page and a worker, and works without the server', async () => {
      const results = await tab.evaluate(async () => {
        const first = await load('mlp.keras', { cache: true });
        const [kept] = await mf.storedModels();
        const again = await load('mlp.keras', { cache: true });
        const worker = await threads.openWorker();
        const remote = await worker.loadModel('mlp.keras', { cache: true });
        return { first, kept, again, remote: (await remote.predict(input)).data()[0] };
      });
      const { kept, ...numbers } = results;
      assert.deepEqual(numbers, { first: expected, again: expected, remote: expected });
      assert.equal(kept.address, `${server.url}mlp.keras`);
      assert.deepEqual([kept.cache, kept.bytes], ['models', file.length]);
      await server.close();
      try {
        assert.equal(await tab.evaluate(() => load('mlp.keras', { cache: true })), expected);
        const absent = await tab.evaluate(() => load('mlp.keras', { cache: 'other' }));
        assert.match(absent, /^FormatError: .*cannot be fetched/);
      } finally {
        server = await startServer(Number(new URL(server.url).port));
      }
    });

    test('a cached file that was cut or changed is fetched again', async () => {
      const results = await tab.evaluate(async () => {
        const address = new URL('mlp.keras', location.href).href;
        const all = [];
        for (const damage of [(b) => b.slice(0, b.byteLength / 2), (b) => b.slice(0, 0)]) {
          await load(address, { cache: true });
          const cache = await caches.open('maskflow-models');
          const kept = await cache.match(address);
          const { headers } = kept;
          await cache.put(address, new Response(damage(await kept.arrayBuffer()), { headers }));
          all.push(await load(address, { cache: true }));
          all.push((await (await cache.match(address)).arrayBuffer()).byteLength);
        }
        return all;
      });
      assert.deepEqual(results, [expected, file.length, expected, file.length]);
    });

    test('a model of another origin is kept by its ETag, without a question about headers', async () => {
      hub.requests.length = 0;
      const run = () =>
        tab.evaluate((base) => load('hf://me/one', { cache: true, hub: base }), hub.url);
      assert.equal(await run(), expected);
      assert.equal(await run(), expected);
      assert.ok(
        hub.requests.every((line) => !line.startsWith('403')),
        hub.requests.join('\n'),
      );
      await hub.stop();
      try {
        assert.equal(await run(), expected);
      } finally {
        await hub.start();
      }
    });

    for (const place of ['opfs', 'indexeddb']) {
      test(`${place}:// keeps models until they are removed`, async () => {
        if (!(await hasPlace(place))) return refusesOpfs();
        const address = `${place}://my model.keras`;
        const results = await tab.evaluate(async (to) => {
          const before = await load(to);
          const model = await mf.loadModel('mlp.keras');
          const { length } = await model.save(to);
          await model.save(to);
          await model.saveWeights(`${to}.weights`);
          await model.loadWeights(`${to}.weights`);
          const worker = await threads.openWorker();
          const remote = await worker.loadModel(to);
          const listed = (await mf.storedModels()).map((each) => [each.address, each.cache]);
          const sizes = (await mf.storedModels()).map(({ bytes }) => bytes);
          const after = await load(to);
          const cleared = await mf.clearStoredModels();
          const kept = await load(to);
          const removed = await mf.clearStoredModels({ address: to });
          const gone = await mf.clearStoredModels({ address: to });
          await mf.clearStoredModels({ address: `${to}.weights` });
          return {
            ...{
              before,
              after,
              kept,
              removed,
              gone,
              cleared,
              listed,
              hasSize: sizes[0] === length,
            },
            ...{ remote: (await remote.predict(input)).data()[0], missing: await load(to) },
            left: await mf.storedModels(),
          };
        }, address);
        const missing = new RegExp(
          `^FormatError: there is no model at ${address}; stored there: noth`,
        );
        assert.match(results.before, missing);
        assert.match(results.missing, missing);
        assert.deepEqual(
          [results.after, results.kept, results.remote],
          [expected, expected, expected],
        );
        assert.deepEqual([results.cleared, results.removed, results.gone], [0, 1, 0]);
        assert.deepEqual(results.listed, [
          [address, null],
          [`${address}.weights`, null],
        ]);
        assert.ok(results.hasSize);
        assert.deepEqual(results.left, []);
      });

      const only = engine !== 'Chromium' && 'no other engine sets the quota of a page';
      test(`${place}:// without room is a StateError with the numbers`, {
        skip: only,
      }, async () => {
        const session = await tab.createCDPSession();
        const origin = new URL(server.url).origin;
        await session.send('Storage.overrideQuotaForOrigin', { origin, quotaSize: 1000 });
        try {
          const [saved, left] = await tab.evaluate(async (to) => {
            // Chromium does not count a small record against this quota.
            const { put } = IDBObjectStore.prototype;
            IDBObjectStore.prototype.put = () => {
              throw new DOMException('full', 'QuotaExceededError');
            };
            const model = await mf.loadModel('mlp.keras');
            const result = await attempt(model.save(to));
            IDBObjectStore.prototype.put = put;
            return [result, await mf.storedModels()];
          }, `${place}://full`);
          assert.match(saved, /^StateError: .*for which there is no room: \d+ of \d+ bytes/);
          assert.deepEqual(left, []);
          const loaded = await tab.evaluate(() => load('mlp.keras', { cache: true }));
          assert.equal(loaded, expected, 'a full cache does not prevent a load');
        } finally {
          await session.send('Storage.overrideQuotaForOrigin', { origin });
          await session.detach();
        }
      });
    }

    for (const place of ['opfs', 'indexeddb']) {
      test(`${place}:// loads a whole model at every moment while another thread saves`, async () => {
        if (!(await hasPlace(place))) return;
        const results = await tab.evaluate(async (to) => {
          const text = `
            import * as mf from '${new URL('dist/index.js', location.href)}';
            await mf.ready();
            const model = await mf.loadModel('${new URL('mlp.keras', location.href)}');
            let stops = false;
            onmessage = () => { stops = true; };
            let saves = 0;
            for (; !stops; saves++) {
              await model.save('${to}');
              if (saves === 0) postMessage('begun');
              await new Promise((resolve) => setTimeout(resolve));
            }
            postMessage(saves);`;
          const url = URL.createObjectURL(new Blob([text], { type: 'text/javascript' }));
          const writer = new Worker(url, { type: 'module' });
          const next = () =>
            new Promise((resolve) => {
              writer.onmessage = ({ data }) => resolve(data);
            });
          const first = await Promise.all([
            next(),
            (async () => {
              // Before the first save is complete, there is no model rather than a part of one.
              const all = new Set();
              for (let i = 0; i < 20; i++) all.add(await load(to));
              return [...all];
            })(),
          ]);
          const all = [];
          for (let i = 0; i < 50; i++) all.push(await load(to));
          const ended = next();
          writer.postMessage('stop');
          const saves = await ended;
          const listed = (await mf.storedModels()).map(({ address }) => address);
          await mf.clearStoredModels({ address: to });
          return { first: first[1], all: [...new Set(all)], saves, listed };
        }, `${place}://busy`);
        for (const each of results.first) {
          assert.ok(each === expected || /there is no model at/.test(each), String(each));
        }
        assert.deepEqual(results.all, [expected]);
        assert.ok(results.saves > 1);
        assert.deepEqual(results.listed, [`${place}://busy`]);
      });
    }

    for (const place of ['opfs', 'indexeddb']) {
      test(`${place}:// loads a whole model at every moment while another tab saves`, async (t) => {
        if (!(await hasPlace(place))) return;
        if (!tab.browser) return t.skip('windows of WebKit’s driver share no storage');
        const to = `${place}://two-tabs`;
        await tab.evaluate(async (address) => {
          const model = await mf.loadModel('mlp.keras');
          await model.save(address);
          model.dispose();
        }, to);
        const other = await tab.browser().newPage();
        await other.goto(server.url);
        await other.waitForFunction(() => 'load' in window);
        const saving = other.evaluate(async (address) => {
          const model = await mf.loadModel('mlp.keras');
          const stop = new BroadcastChannel('two-tabs');
          let stops = false;
          stop.onmessage = () => {
            stops = true;
          };
          let saves = 0;
          for (; !stops; saves++) {
            await model.save(address);
            await new Promise((resolve) => setTimeout(resolve));
          }
          stop.close();
          return saves;
        }, to);
        const results = await tab.evaluate(async (address) => {
          const all = new Set();
          for (let i = 0; i < 100; i++) all.add(await load(address));
          const stop = new BroadcastChannel('two-tabs');
          stop.postMessage('stop');
          stop.close();
          return [...all];
        }, to);
        const saves = await saving;
        await other.close();
        await tab.evaluate((address) => mf.clearStoredModels({ address }), to);
        assert.deepEqual(results, [expected]);
        assert.ok(saves > 1, `${saves} saves`);
      });
    }

    test('names that a file system could refuse are errors', async () => {
      const results = await tab.evaluate(async () => {
        const model = await mf.loadModel('mlp.keras');
        const names = ['', '.', '..', 'a/b', 'a\\b', 'a:b', 'x'.repeat(201), '\u0000'];
        return Promise.all(names.map((name) => attempt(model.save(`opfs://${name}`))));
      });
      for (const result of results) assert.match(result, /^ConfigError: /);
    });

    for (const kind of ['stream', 'Request', 'handle']) {
      test(`a ${kind} is a source, for a page and for a worker`, async () => {
        await tab.evaluate(async () => {
          const getFile = async () => (await fetch('mlp.keras')).blob();
          const written = async () => {
            const root = await navigator.storage.getDirectory();
            const handle = await root.getFileHandle('own.keras', { create: true });
            const stream = await handle.createWritable();
            await (await fetch('mlp.keras')).body.pipeTo(stream);
            return handle;
          };
          window.sources = {
            stream: async () => (await fetch('mlp.keras')).body,
            Request: () => new Request('mlp.keras'),
            handle: () => (navigator.storage?.getDirectory ? written() : { kind: 'file', getFile }),
          };
          window.worker ??= await threads.openWorker();
        });
        const onPage = await tab.evaluate(async (name) => load(await sources[name]()), kind);
        const inWorker = await tab.evaluate(async (name) => {
          const model = await worker.loadModel(await sources[name]());
          return (await model.predict(input)).data()[0];
        }, kind);
        assert.deepEqual([onPage, inWorker], [expected, expected]);
      });
    }
  });
}
