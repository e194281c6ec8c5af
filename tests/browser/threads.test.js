// SPDX-License-Identifier: MIT
// Threads in real browsers: on isolated pages, in workers of such pages, and the reason for one
// thread on other pages.
import assert from 'node:assert/strict';
import { mkdtempSync, realpathSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, suite, test } from 'node:test';
import { at } from '../../scripts/lib/files.mjs';
import { serve } from '../../scripts/lib/serve.mjs';
import { closeBrowsers, isolation } from '../matrix/lib/pages.js';
import { absence, engines, openDriver } from './support/drivers.js';

const page = `<!doctype html><meta charset="utf-8"><title>threads</title><link rel="icon" href="data:,">
<script type="module" src="main.js"></script>`;
const main = `import * as mf from './dist/index.js';
import { openPool, openWorker } from './dist/worker.js';
const warnings = [];
console.warn = (text) => warnings.push(text);
const data = Float32Array.from({ length: 64 * 30 * 32 }, (_, i) => Math.sin(i) / 10);
const shape = [64, 30, 32];
/** Starts with these options, and returns a hash of a prediction. */
async function run(options) {
  await mf.ready(options);
  await mf.ready({ seed: 3 });
  const { layers, Input, Sequential } = mf;
  const name = 'ein Name mit Umlauten: äöü, 日本語';
  const model = new Sequential(
    [Input({ shape: [30, 32] }), layers.lstm({ units: 96 }), layers.dense({ units: 8 })],
    { name },
  );
  const y = model.predict(mf.tensor(data, { shape }), { batchSize: 0 });
  const numbers = [...y.data()];
  const { threads, threadsReason, variant } = mf.runtimeInfo();
  return { numbers, threads, threadsReason, variant, warnings, name: model.name, model };
}
async function runInWorker(options) {
  const { model, ...facts } = await run({});
  const worker = await openWorker(options);
  const remote = await worker.loadModel(await model.save());
  const y = await remote.predict({ data, shape }, { batchSize: 0 });
  const { threads, threadsReason, variant } = worker.runtimeInfo;
  worker.close();
  return { expected: facts.numbers, numbers: [...y.data()], threads, threadsReason, variant };
}
/** Predicts with workers, which need no isolation. */
async function runWithWorkers() {
  const { model } = await run({});
  const rows = 3 * shape[0]; // enough work for a pool
  const numbers = Float32Array.from({ length: 3 * data.length }, (_, i) => data[i % data.length]);
  const x = mf.tensor(numbers, { shape: [rows, ...shape.slice(1)] });
  let started = 0;
  globalThis.Worker = class extends Worker {
    constructor(...args) {
      super(...args);
      started++;
    }
  };
  const y = await model.predict(x, { workers: 2 });
  return { expected: [...model.predict(x).data()], numbers: [...y.data()], started };
}
async function restarts(count) {
  const times = [];
  for (let i = 0; i < count; i++) {
    const begin = performance.now();
    await mf.restart();
    times.push(performance.now() - begin);
  }
  return times.sort((a, b) => a - b)[count >> 1];
}
const plain = async (result) => JSON.parse(JSON.stringify({ ...(await result), model: undefined }));
Object.assign(window, {
  run: (options) => plain(run(options)),
  runInWorker: (options) => plain(runInWorker(options)),
  runWithWorkers: () => plain(runWithWorkers()),
  restarts,
});`;

const oneHeader = { 'document-isolation-policy': 'isolate-and-require-corp' };
const policy = (sources) => ({
  ...isolation,
  'content-security-policy': `script-src 'self' 'wasm-unsafe-eval'; worker-src ${sources}`,
});

for (const engine of engines) {
  const reason = await absence(engine);
  suite(`threads in ${engine}`, { skip: reason }, () => {
    let folder;
    const servers = [];
    before(() => {
      folder = realpathSync(mkdtempSync(join(tmpdir(), 'maskflow-threads-')));
      writeFileSync(join(folder, 'index.html'), page);
      writeFileSync(join(folder, 'main.js'), main);
      symlinkSync(at('dist'), join(folder, 'dist'), 'dir');
    });
    after(async () => {
      for (const server of servers) await server.close();
      rmSync(folder, { recursive: true, force: true });
    });

    /** Returns what `use` returns on a page that is sent with these headers. */
    async function onPage(headers, use) {
      const server = await serve(folder, { headers });
      servers.push(server);
      const shares = 'cross-origin-opener-policy' in headers;
      const driver = await openDriver(engine, server.url, { shares });
      try {
        await driver.page.goto(server.url);
        await driver.page.waitForFunction(() => 'runInWorker' in window);
        const result = await use(driver);
        // Firefox reports a script that the policy forbids, which the package handles.
        const faults = driver.faults.filter(
          (fault) => !fault.startsWith('Content-Security-Policy'),
        );
        assert.deepEqual(faults, []);
        return result;
      } finally {
        await driver.close();
      }
    }

    test('an isolated page computes the bits of one thread in three', async () => {
      const one = await onPage(isolation, (driver) => driver.evaluate(() => run({})));
      assert.equal(one.threads, 1);
      assert.equal(one.threadsReason, null);
      const three = await onPage(isolation, async (driver) => {
        const first = await driver.evaluate(() => run({ threads: 3 }));
        const time = await driver.evaluate(() => restarts(5));
        const again = await driver.evaluate(() => run({ threads: 3 }));
        assert.equal(again.threads, first.threads);
        return { ...first, time };
      });
      assert.equal(three.name, one.name);
      assert.deepEqual(three.numbers, one.numbers);
      assert.equal(three.variant, one.variant);
      // WebKitGTK lacks relaxed SIMD, so it runs the variant for such engines.
      if (engine === 'WebKit') assert.equal(three.variant, 'simd');
      assert.deepEqual([three.threads, three.threadsReason, three.warnings], [3, null, []]);
    });

    test('a worker of an isolated page has threads', async () => {
      const result = await onPage(isolation, (driver) =>
        driver.evaluate(() => runInWorker({ threads: 2 })),
      );
      assert.deepEqual(result.numbers, result.expected);
      assert.deepEqual([result.threads, result.threadsReason], [2, null]);
    });

    test('a page that is not isolated has one thread, and says which headers are missing', async () => {
      const result = await onPage({}, (driver) => driver.evaluate(() => run({ threads: 2 })));
      assert.equal(result.threads, 1);
      assert.equal(result.warnings.length, 1);
      assert.match(result.threadsReason, /Cross-Origin-Opener-Policy: same-origin/);
      const inWorker = await onPage({}, (driver) =>
        driver.evaluate(() => runInWorker({ threads: 2 })),
      );
      assert.equal(inWorker.threads, 1);
      assert.match(inWorker.threadsReason, /Cross-Origin-Embedder-Policy/);
    });

    test('predict(x, { workers }) needs no isolation', async () => {
      const result = await onPage({}, (driver) => driver.evaluate(() => runWithWorkers()));
      assert.deepEqual(result.numbers, result.expected);
      assert.equal(result.started, 2);
    });

    test('a policy without blob: has one thread, and says so', async () => {
      const result = await onPage(policy("'self'"), (driver) =>
        driver.evaluate(() => run({ threads: 2 })),
      );
      assert.equal(result.threads, 1);
      assert.match(result.threadsReason, /^the helpers cannot be started .*worker-src blob:/);
    });

    test('a policy with blob: has threads', async () => {
      const result = await onPage(policy("'self' blob:"), (driver) =>
        driver.evaluate(() => run({ threads: 2 })),
      );
      assert.deepEqual([result.threads, result.threadsReason], [2, null]);
    });

    const only = engine === 'Chromium' ? false : 'only Chromium has this header';
    test('Document-Isolation-Policy is enough', { skip: only }, async (context) => {
      const result = await onPage(oneHeader, async (driver) => {
        const isolated = await driver.evaluate(() => window.crossOriginIsolated);
        return isolated ? driver.evaluate(() => run({ threads: 2 })) : null;
      });
      if (!result) return context.skip('this version of Chromium ignores the header');
      assert.deepEqual([result.threads, result.threadsReason], [2, null]);
      const inWorker = await onPage(oneHeader, (driver) =>
        driver.evaluate(() => runInWorker({ threads: 2 })),
      );
      assert.deepEqual(inWorker.numbers, inWorker.expected);
    });
  });
}

after(closeBrowsers);
