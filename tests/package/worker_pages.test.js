// SPDX-License-Identifier: MIT
// Workers on pages: built by Vite without configuration, from Vite's development server, and served
// as npm installs the package, each under a policy that only allows scripts of the page's own
// origin.
import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { copyFileSync, mkdirSync, readdirSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { after, before, suite, test } from 'node:test';
import * as mf from '../../dist/train.js';
import { at } from '../../scripts/lib/files.mjs';
import { serve } from '../../scripts/lib/serve.mjs';
import { launchChrome, skip } from '../browser/support/browser.js';
import { close } from '../support/watch.js';
import { settings } from '../support/programs.js';
import { brackets } from '../support/workers.js';
import { complaintsOf, makeConsumer, node } from './support/consumer.js';

const policy =
  "default-src 'self'; script-src 'self' 'wasm-unsafe-eval'; worker-src 'self'; img-src data:";
const ids = [
  [1, 3, 5, 6, 4, 2],
  [1, 3, 2, 4, 0, 0],
];
const page = `<!doctype html><meta charset="utf-8"><title>worker</title>
<link rel="icon" href="data:,"><script type="module" src="/main.js"></script>`;
const main = (entry) => `import { openPool, openWorker } from '${entry}';
async function run() {
  const worker = await openWorker();
  const model = await worker.loadModel('brackets.keras');
  const pool = await openPool({ size: 2 });
  const shared = await pool.loadModel('/brackets.keras');
  const ids = ${JSON.stringify(ids)};
  const bad = await model.predict([[1], []]).catch((error) => error.name + ' ' + error.kind);
  const trainer = await openWorker({ train: true });
  const learner = await trainer.loadModel('brackets.keras');
  await learner.compile({ optimizer: 'sgd', loss: 'mse' });
  const { history } = await learner.fit(ids, [[0], [1]], { epochs: 2 });
  return { losses: history.loss, one: (await model.predict(ids)).array(), two: (await shared.predict(ids)).array(), bad };
}
run().then((result) => { window.result = result; }, (error) => { window.result = { error: String(error) }; });`;

/** Opens the page, compares its results with this thread's, and returns its requests. */
async function check(browser, url) {
  const tab = await browser.newPage();
  const faults = [];
  const requests = [];
  tab.on('pageerror', (error) => faults.push(error.message));
  tab.on('console', (message) => {
    // The greeting of Vite's development server is not a fault.
    if (!/^\[vite\] connect/.test(message.text())) faults.push(message.text());
  });
  tab.on('request', (request) => requests.push(new URL(request.url()).pathname));
  await tab.goto(url);
  await tab.waitForFunction(() => 'result' in window);
  const result = await tab.evaluate(() => window.result);
  await tab.close();
  assert.deepEqual([result.error, faults], [undefined, []]);
  const model = await mf.loadModel(brackets);
  const expected = model.predict(ids).array();
  // Allows rounding, because the browser may run the variant with fused multiply-add.
  close(result.one, expected, 1e-6);
  assert.deepEqual(result.two, result.one);
  assert.equal(result.bad, 'ShapeError shape');
  model.compile({ optimizer: 'sgd', loss: 'mse' });
  const { history } = await model.fit(ids, [[0], [1]], { epochs: 2 });
  close(result.losses, history.loss, 1e-5);
  return requests;
}

/** Returns the address that a server prints once it is ready. */
function addressOf(server) {
  return new Promise((resolve, reject) => {
    let output = '';
    const timer = setTimeout(() => reject(new Error(`no address in 60 s: ${output}`)), 60_000);
    const hear = (data) => {
      output += data;
      const [address] = output.match(/http:\/\/localhost:\d+\//) ?? [];
      if (!address) return;
      clearTimeout(timer);
      resolve(address);
    };
    server.stdout.on('data', hear);
    server.stderr.on('data', hear);
    server.on('exit', () => reject(new Error(output)));
  });
}

suite('workers on pages', { skip }, () => {
  let consumer;
  let browser;
  const vite = (...args) => [join('node_modules', 'vite', 'bin', 'vite.js'), ...args];

  before(async () => {
    consumer = makeConsumer({ 'index.html': page, 'main.js': main('maskflow/worker') });
    mkdirSync(join(consumer.folder, 'public'));
    copyFileSync(brackets, join(consumer.folder, 'public', 'brackets.keras'));
    symlinkSync(at('node_modules', 'vite'), join(consumer.folder, 'node_modules', 'vite'), 'dir');
    browser = await launchChrome();
  });
  after(async () => {
    await browser?.close();
    consumer?.remove();
  });

  test('work when built by Vite without configuration', async () => {
    const buildOutput = node(consumer.folder, ...vite('build', '--logLevel', 'info'));
    assert.match(buildOutput, /built in/);
    assert.deepEqual(complaintsOf(buildOutput), []);
    const scripts = readdirSync(join(consumer.folder, 'dist', 'assets'));
    assert.equal(scripts.filter((name) => name.startsWith('worker_main')).length, 1);
    const headers = { 'content-security-policy': policy };
    const server = await serve(join(consumer.folder, 'dist'), { headers });
    try {
      const requests = await check(browser, server.url);
      assert.equal(requests.filter((path) => /\/(simd|relaxed)-/.test(path)).length, 1);
    } finally {
      await server.close();
    }
  });

  test("work from Vite's development server", async () => {
    const child = spawn(process.execPath, vite('--port', '0', '--clearScreen', 'false'), {
      cwd: consumer.folder,
      env: settings.env,
    });
    try {
      await check(browser, await addressOf(child));
    } finally {
      child.kill();
    }
  });

  test('work when served as npm installs the package, without a bundler', async () => {
    consumer.write('main.js', main('/node_modules/maskflow/dist/worker.js'));
    copyFileSync(brackets, join(consumer.folder, 'brackets.keras'));
    const headers = { 'content-security-policy': policy };
    const server = await serve(consumer.folder, { headers });
    try {
      await check(browser, server.url);
    } finally {
      await server.close();
    }
  });
});
