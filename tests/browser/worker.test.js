// SPDX-License-Identifier: MIT
// Workers in a real browser: the page stays responsive while a model loads and computes; failures
// to start are reported.
import assert from 'node:assert/strict';
import { cpSync, mkdtempSync, realpathSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, suite, test } from 'node:test';
import { build } from 'esbuild';
import * as mf from '../../dist/index.js';
import { at } from '../../scripts/lib/files.mjs';
import { serve } from '../../scripts/lib/serve.mjs';
import { brackets } from '../support/workers.js';
import { launchChrome, skip } from './support/browser.js';

const policy = "script-src 'self' 'wasm-unsafe-eval'";

const page = `<!doctype html><meta charset="utf-8"><title>worker</title><link rel="icon" href="data:,">
<script type="module" src="main.js"></script>`;
const main = `import * as mf from './dist/index.js';
import * as threads from './dist/worker.js';
/** Returns the result of run, its time, and the longest time in which the page was blocked. */
async function watched(run) {
  let longest = 0;
  let last = performance.now();
  const tick = () => {
    longest = Math.max(longest, performance.now() - last);
    last = performance.now();
  };
  const timer = setInterval(tick);
  const start = last;
  const result = await run();
  const time = performance.now() - start;
  tick();
  clearInterval(timer);
  return { result, time, longest };
}
Object.assign(window, { mf, threads, watched });`;
const own = `import { Layer, loadModel, ops, ready, registerLayer } from 'maskflow';
import { serve } from 'maskflow/worker';
class Threefold extends Layer {
  call(inputs) { return ops.multiply(inputs, 3); }
}
registerLayer(Threefold, { package: 'Tests', name: 'Threefold' });
serve({ ready, loadModel });`;

class Threefold extends mf.Layer {
  call(inputs) {
    return mf.ops.multiply(inputs, 3);
  }
}

async function files(folder) {
  await mf.ready();
  const large = new mf.Sequential([
    mf.Input({ shape: [null, 8] }),
    mf.layers.lstm({ units: 600, returnSequences: true }),
    mf.layers.lstm({ units: 600 }),
  ]);
  mf.registerLayer(Threefold, { package: 'Tests', name: 'Threefold' });
  const custom = new mf.Sequential([mf.Input({ shape: [1] }), new Threefold()]);
  const write = (name, data) => writeFileSync(join(folder, name), data);
  write('index.html', page);
  write('main.js', main);
  write('large.keras', await large.save());
  write('custom.keras', await custom.save());
  symlinkSync(at('dist'), join(folder, 'dist'), 'dir');
  symlinkSync(brackets, join(folder, 'brackets.keras'));
  const { outputFiles } = await build({
    stdin: { contents: own, resolveDir: at('dist') },
    alias: { maskflow: at('dist', 'index.js'), 'maskflow/worker': at('dist', 'worker.js') },
    ...{ bundle: true, format: 'esm', write: false, logLevel: 'error' },
  });
  write('own.js', outputFiles[0].contents);
}

suite('workers in a browser', { skip }, () => {
  let folder;
  let server;
  let browser;
  let tab;
  const faults = [];
  const open = async (url) => {
    const newTab = await browser.newPage();
    newTab.on('pageerror', (error) => faults.push(error.message));
    await newTab.goto(url);
    await newTab.waitForFunction(() => 'threads' in window);
    return newTab;
  };
  before(async () => {
    folder = realpathSync(mkdtempSync(join(tmpdir(), 'maskflow-worker-')));
    await files(folder);
    server = await serve(folder, { headers: { 'content-security-policy': policy } });
    browser = await launchChrome();
    tab = await open(server.url);
  });
  after(async () => {
    await browser?.close();
    await server?.close();
    if (folder) rmSync(folder, { recursive: true, force: true });
    assert.deepEqual(faults, []);
  });

  test('the page stays responsive while a model of 18 MB loads and computes', async () => {
    const [onPage, inWorker] = await tab.evaluate(async () => {
      await mf.ready();
      const worker = await threads.openWorker();
      const x = { data: new Float32Array(32 * 40 * 8).fill(0.1), shape: [32, 40, 8] };
      const run = async (loadModel, input) => {
        const states = [];
        const onProgress = (state) => states.push(state);
        const model = await loadModel('large.keras', { onProgress });
        const y = await model.predict(input);
        const facts = [model.countParams(), y.shape.join(), states.at(-1).loaded > 1.7e7];
        return { facts, values: [...y.data().subarray(0, 20)] };
      };
      return [
        await watched(() => run(mf.loadModel, mf.tensor(x.data, x))),
        await watched(() => run(worker.loadModel.bind(worker), x)),
      ];
    });
    console.log(
      [onPage, inWorker].map(
        ({ time, longest }) => `${time.toFixed()} ms, blocked ${longest.toFixed()}`,
      ),
    );
    assert.deepEqual(inWorker.result, onPage.result);
    assert.ok(
      inWorker.longest < onPage.longest / 3,
      `blocked ${inWorker.longest} ms, not ${onPage.longest}`,
    );
  });

  test('a load is aborted at once', async () => {
    const [name, time] = await tab.evaluate(async () => {
      const worker = await threads.openWorker();
      const control = new AbortController();
      const load = worker.loadModel('large.keras', { signal: control.signal });
      setTimeout(() => control.abort(), 30);
      const error = await load.catch((reason) => reason);
      const start = performance.now();
      await worker.loadModel('brackets.keras');
      return [error.name, performance.now() - start];
    });
    assert.equal(name, 'AbortError');
    assert.ok(time < 5000);
  });

  test('files, blobs and errors can be transferred', async () => {
    const result = await tab.evaluate(async () => {
      const worker = await threads.openWorker({ variant: 'simd' });
      const response = await fetch('brackets.keras');
      const blob = await response.clone().blob();
      const shapes = [];
      for (const source of [
        response,
        blob,
        new File([blob], 'b.keras'),
        await blob.arrayBuffer(),
      ]) {
        const model = await worker.loadModel(source);
        shapes.push((await model.predict([[1, 2, 0]])).shape.join());
      }
      const missing = await worker.loadModel('none.keras').catch((error) => error);
      return {
        shapes,
        missing: [missing instanceof mf.FormatError, missing.kind, missing.message],
      };
    });
    assert.deepEqual(result.shapes, ['1,1', '1,1', '1,1', '1,1']);
    assert.deepEqual(result.missing.slice(0, 2), [true, 'format']);
    assert.match(result.missing[2], /none\.keras.*404/);
  });

  test('a custom script can be bundled, with a custom layer', async () => {
    const results = await tab.evaluate(async () => {
      const worker = () => new Worker('own.js', { type: 'module' });
      const pool = await threads.openPool({ size: 2, worker });
      const model = await pool.loadModel('custom.keras');
      return (await model.predict([[1], [2], [3]])).array();
    });
    assert.deepEqual(results, [[3], [6], [9]]);
  });

  const loadInWorker = (page, options = {}) =>
    page.evaluate(async (workerOptions) => {
      try {
        const worker = await threads.openWorker(workerOptions);
        const model = await worker.loadModel(new URL('brackets.keras', document.baseURI).href);
        const numbers = (await model.predict([[1, 3, 5, 6, 4, 2]])).array();
        worker.close();
        return numbers.flat()[0];
      } catch (error) {
        return String(error);
      }
    }, options);
  const assertExpected = (number) =>
    assert.ok(Math.abs(number - 0.99658036) < 1e-6, String(number));

  /** Copies the package as a bundler emits it that does not support workers. */
  function withoutScript() {
    const copy = realpathSync(mkdtempSync(join(tmpdir(), 'maskflow-left-')));
    cpSync(at('dist'), join(copy, 'dist'), {
      recursive: true,
      filter: (path) => !/worker_main\.js$|\.map$|\/(page|types|types-cjs)$/.test(path),
    });
    for (const name of ['index.html', 'main.js', 'brackets.keras'])
      cpSync(join(folder, name), join(copy, name), { dereference: true });
    return copy;
  }

  test('if the script of the package is not found, the one inside it runs', async () => {
    const copy = withoutScript();
    const withoutPolicy = await serve(copy);
    const strict = await serve(copy, { headers: { 'content-security-policy': policy } });
    try {
      const page = await open(withoutPolicy.url);
      assertExpected(await loadInWorker(page));
      // Once the script is known to be missing, it is not requested again.
      assertExpected(await loadInWorker(page));
      assert.match(
        await loadInWorker(await open(strict.url)),
        /StateError: the worker's script cannot be loaded.*workerUrl.*blob:/,
      );
    } finally {
      await withoutPolicy.close();
      await strict.close();
      rmSync(copy, { recursive: true });
    }
  });

  test('works from another origin, and from a given address', async () => {
    const cdn = await serve(folder, { headers: { 'access-control-allow-origin': '*' } });
    const remote = `import * as threads from '${cdn.url}dist/worker.js'; Object.assign(window, { threads });`;
    writeFileSync(
      join(folder, 'remote.html'),
      `<!doctype html><meta charset="utf-8"><title>remote</title><link rel="icon" href="data:,"><script type="module">${remote}</script>`,
    );
    const pageServer = await serve(folder);
    try {
      assertExpected(await loadInWorker(await open(`${pageServer.url}remote.html`)));
      assertExpected(
        await loadInWorker(await open(`${pageServer.url}remote.html`), {
          workerUrl: `${pageServer.url}dist/worker_main.js`,
        }),
      );
      assert.match(
        await loadInWorker(await open(pageServer.url), { workerUrl: `${pageServer.url}none.js` }),
        /StateError: the worker's script cannot be loaded/,
      );
    } finally {
      await pageServer.close();
      await cdn.close();
    }
  });

  test('under Trusted Types the error names the remedy', async () => {
    const strictServer = await serve(folder, {
      headers: { 'content-security-policy': "require-trusted-types-for 'script'" },
    });
    try {
      const message = await loadInWorker(await open(strictServer.url));
      assert.match(
        message,
        /StateError: the worker's script cannot be loaded.*openWorker\(\{ worker: /,
      );
    } finally {
      await strictServer.close();
    }
  });

  test('a worker that cannot start is reported, with the remedy', async () => {
    const missing = await tab.evaluate(() =>
      threads
        .openWorker({ worker: () => new Worker('none.js', { type: 'module' }) })
        .catch((error) => String(error)),
    );
    assert.match(
      missing,
      /StateError: the worker's script cannot be loaded.*openWorker\(\{ workerUrl \}\)/,
    );
    const strict = await serve(folder, {
      headers: { 'content-security-policy': `${policy}; worker-src 'none'` },
    });
    try {
      const strictTab = await open(strict.url);
      const message = await strictTab.evaluate(() =>
        threads.openWorker().catch((error) => String(error)),
      );
      assert.match(message, /StateError: the worker.*worker-src 'self'/);
    } finally {
      await strict.close();
    }
  });
});
