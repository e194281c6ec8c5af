// SPDX-License-Identifier: MIT
// Workers in a real browser: the page goes on while a model loads and computes; what cannot start is said.
import assert from 'node:assert/strict';
import { cpSync, mkdtempSync, realpathSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, suite, test } from 'node:test';
import { build } from 'esbuild';
import * as mf from '../../dist/index.js';
import { at } from '../../scripts/lib/files.mjs';
import { serve } from '../../scripts/serve.mjs';
import { brackets } from '../support/workers.js';
import { chromePath, launch } from './support/browser.js';

const chrome = chromePath();
const skip = chrome
  ? false
  : 'no Chromium or Chrome on this machine (CHROME_PATH names one elsewhere)';
const policy = "script-src 'self' 'wasm-unsafe-eval'";

const page = `<!doctype html><meta charset="utf-8"><title>worker</title><link rel="icon" href="data:,">
<script type="module" src="main.js"></script>`;
const main = `import * as mf from './dist/index.js';
import * as threads from './dist/worker.js';
/** What it gives, how long it takes, and the longest time in which the page could do nothing. */
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
    const opened = await browser.newPage();
    opened.on('pageerror', (error) => faults.push(error.message));
    await opened.goto(url);
    await opened.waitForFunction(() => 'threads' in window);
    return opened;
  };
  before(async () => {
    folder = realpathSync(mkdtempSync(join(tmpdir(), 'maskflow-worker-')));
    await files(folder);
    server = await serve(folder, { headers: { 'content-security-policy': policy } });
    browser = await launch(chrome);
    tab = await open(server.url);
  });
  after(async () => {
    await browser?.close();
    await server?.close();
    if (folder) rmSync(folder, { recursive: true, force: true });
    assert.deepEqual(faults, []);
  });

  test('the page goes on while a model of 18 MB loads and computes', async () => {
    const [here, there] = await tab.evaluate(async () => {
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
      [here, there].map(
        ({ time, longest }) => `${time.toFixed()} ms, blocked ${longest.toFixed()}`,
      ),
    );
    assert.deepEqual(there.result, here.result);
    assert.ok(there.longest < here.longest / 3, `blocked ${there.longest} ms, not ${here.longest}`);
  });

  test('a load is stopped at once', async () => {
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

  test('files, blobs and errors cross', async () => {
    const said = await tab.evaluate(async () => {
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
    assert.deepEqual(said.shapes, ['1,1', '1,1', '1,1', '1,1']);
    assert.deepEqual(said.missing.slice(0, 2), [true, 'format']);
    assert.match(said.missing[2], /none\.keras.*404/);
  });

  test('a script of your own, bundled, with a layer of your own', async () => {
    const made = await tab.evaluate(async () => {
      const worker = () => new Worker('own.js', { type: 'module' });
      const pool = await threads.openPool({ size: 2, worker });
      const model = await pool.loadModel('custom.keras');
      return (await model.predict([[1], [2], [3]])).array();
    });
    assert.deepEqual(made, [[3], [6], [9]]);
  });

  const loaded = (page, options = {}) =>
    page.evaluate(async (given) => {
      try {
        const worker = await threads.openWorker(given);
        const model = await worker.loadModel(new URL('brackets.keras', document.baseURI).href);
        const numbers = (await model.predict([[1, 3, 5, 6, 4, 2]])).array();
        worker.close();
        return numbers.flat()[0];
      } catch (error) {
        return String(error);
      }
    }, options);
  const right = (number) => assert.ok(Math.abs(number - 0.99658036) < 1e-6, String(number));

  /** The package as a bundler leaves it that knows nothing of workers. */
  function withoutScript() {
    const left = realpathSync(mkdtempSync(join(tmpdir(), 'maskflow-left-')));
    cpSync(at('dist'), join(left, 'dist'), {
      recursive: true,
      filter: (path) => !/worker_main\.js$|\.map$|\/(page|types|types-cjs)$/.test(path),
    });
    for (const name of ['index.html', 'main.js', 'brackets.keras'])
      cpSync(join(folder, name), join(left, name), { dereference: true });
    return left;
  }

  test('where the script of the package is not found, the one inside it runs', async () => {
    const left = withoutScript();
    const plain = await serve(left);
    const strict = await serve(left, { headers: { 'content-security-policy': policy } });
    try {
      const page = await open(plain.url);
      right(await loaded(page));
      // Once it is known to be missing it is not looked for again.
      right(await loaded(page));
      assert.match(
        await loaded(await open(strict.url)),
        /StateError: the worker's script cannot be loaded.*workerUrl.*blob:/,
      );
    } finally {
      await plain.close();
      await strict.close();
      rmSync(left, { recursive: true });
    }
  });

  test('from another origin, and from an address that is given', async () => {
    const cdn = await serve(folder, { headers: { 'access-control-allow-origin': '*' } });
    const remote = `import * as threads from '${cdn.url}dist/worker.js'; Object.assign(window, { threads });`;
    writeFileSync(
      join(folder, 'remote.html'),
      `<!doctype html><meta charset="utf-8"><title>remote</title><link rel="icon" href="data:,"><script type="module">${remote}</script>`,
    );
    const own = await serve(folder);
    try {
      right(await loaded(await open(`${own.url}remote.html`)));
      right(
        await loaded(await open(`${own.url}remote.html`), {
          workerUrl: `${own.url}dist/worker_main.js`,
        }),
      );
      assert.match(
        await loaded(await open(own.url), { workerUrl: `${own.url}none.js` }),
        /StateError: the worker's script cannot be loaded/,
      );
    } finally {
      await own.close();
      await cdn.close();
    }
  });

  test('under Trusted Types it is said what to do', async () => {
    const trusted = await serve(folder, {
      headers: { 'content-security-policy': "require-trusted-types-for 'script'" },
    });
    try {
      const said = await loaded(await open(trusted.url));
      assert.match(
        said,
        /StateError: the worker's script cannot be loaded.*openWorker\(\{ worker: /,
      );
    } finally {
      await trusted.close();
    }
  });

  test('a worker that cannot start is said, with the remedy', async () => {
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
      const other = await open(strict.url);
      const refused = await other.evaluate(() =>
        threads.openWorker().catch((error) => String(error)),
      );
      assert.match(refused, /StateError: the worker.*worker-src 'self'/);
    } finally {
      await strict.close();
    }
  });
});
