// SPDX-License-Identifier: MIT
// Package files that a network loses once, and worker scripts whose page closes or has a policy.
import assert from 'node:assert/strict';
import {
  cpSync,
  mkdtempSync,
  readdirSync,
  realpathSync,
  renameSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, suite, test } from 'node:test';
import { at } from '../../scripts/lib/files.mjs';
import { serve } from '../../scripts/lib/serve.mjs';
import { brackets } from '../support/workers.js';
import { launchChrome, skip } from './support/browser.js';

const noBlobs = "script-src 'self' 'wasm-unsafe-eval'";
const loadError = /^StateError: the worker's script cannot be loaded/;

const page = `<!doctype html><meta charset="utf-8"><title>script</title><link rel="icon" href="data:,">
<script type="module" src="main.js"></script>`;
const main = `import * as mf from './dist/index.js';
import * as threads from './dist/worker.js';
async function computed(options) {
  const worker = await threads.openWorker(options);
  const model = await worker.loadModel('brackets.keras');
  const numbers = (await model.predict([[1, 3, 5, 6, 4, 2]])).array();
  worker.close();
  return numbers.flat()[0];
}
async function trained(options) {
  const worker = await threads.openWorker({ train: true, ...options });
  const model = await worker.loadModel('brackets.keras');
  await model.compile({ optimizer: 'sgd', loss: 'binary_crossentropy' });
  const { history } = await model.fit([[1, 3, 5, 6, 4, 2]], [[0]], { epochs: 3 });
  worker.close();
  return history.loss;
}
const said = (options) => computed(options).catch(String);
const saidOfTraining = (options) => trained(options).catch(String);
Object.assign(window, { mf, threads, said, saidOfTraining });`;

suite('what a page fetches of the package', { skip }, () => {
  let folder;
  let browser;
  before(async () => {
    folder = realpathSync(mkdtempSync(join(tmpdir(), 'maskflow-script-')));
    cpSync(at('dist'), join(folder, 'dist'), {
      recursive: true,
      filter: (path) => !/\.map$|\/(page|types|types-cjs)$/.test(path),
    });
    cpSync(brackets, join(folder, 'brackets.keras'));
    writeFileSync(join(folder, 'index.html'), page);
    writeFileSync(join(folder, 'main.js'), main);
    browser = await launchChrome();
  });
  after(async () => {
    await browser?.close();
    if (folder) rmSync(folder, { recursive: true, force: true });
  });

  const assertExpected = (number) =>
    assert.ok(Math.abs(number - 0.99658036) < 1e-6, String(number));

  /** Opens the page under a policy and runs `use`. */
  async function onPage(policy, use) {
    const headers = policy ? { 'content-security-policy': policy } : {};
    const server = await serve(folder, { headers });
    try {
      const tab = await browser.newPage();
      await tab.goto(server.url);
      await tab.waitForFunction(() => 'threads' in window);
      await use(tab, server.url);
      await tab.close();
    } finally {
      await server.close();
    }
  }
  const resultOf = (tab) => tab.evaluate(() => window.said());

  /** Runs `use` on a page whose server lacks these files of the package. */
  async function without(names, use) {
    const paths = names.map((name) => join(folder, 'dist', name));
    for (const path of paths) renameSync(path, `${path}.away`);
    try {
      await use();
    } finally {
      for (const path of paths) renameSync(`${path}.away`, path);
    }
  }

  test('wasm and readers that were lost once cause errors with a remedy, and are fetched again', () =>
    onPage('', async (tab) => {
      const ready = () =>
        tab.evaluate(() => mf.ready({ variant: 'simd' }).then(() => 'ok', String));
      const openResult = () =>
        tab.evaluate(() => threads.openWorker({ variant: 'simd' }).then(() => 'ok', String));
      const missing =
        /^StateError: a file of the package cannot be fetched .*\.js\); retry; in Firefox, reload the page first/;
      await without(['chunks/simd.js'], async () => {
        assert.match(await ready(), missing);
        assert.match(await openResult(), missing);
      });
      assert.deepEqual([await ready(), await openResult()], ['ok', 'ok']);
      const readers = readdirSync(join(folder, 'dist')).filter((name) => /^reading-/.test(name));
      const loadResult = () =>
        tab.evaluate(() => mf.loadModel('brackets.keras').then(() => 'ok', String));
      await without(readers, async () => assert.match(await loadResult(), missing));
      assert.equal(await loadResult(), 'ok');
    }));

  test('a worker script that was lost once is requested again', () =>
    onPage(noBlobs, async (tab) => {
      await without(['worker_main.js'], async () => assert.match(await resultOf(tab), loadError));
      assertExpected(await resultOf(tab));
    }));

  test('the script, lost once together with the one inside the package, is requested again', () =>
    onPage('', async (tab) => {
      const scripts = ['worker_main.js', 'chunks/worker_script.js'];
      await without(scripts, async () => assert.match(await resultOf(tab), loadError));
      assertExpected(await resultOf(tab));
    }));

  test('the script, whose text alone was lost once, is fetched again', () =>
    onPage('', async (tab) => {
      await without(['worker_main.js'], async () => {
        await without(['chunks/worker_script.js'], async () =>
          assert.match(await resultOf(tab), loadError),
        );
        assertExpected(await resultOf(tab));
      });
    }));

  test('the script may be fetched while its page is reloaded', () =>
    onPage('', async (tab) => {
      for (const wait of [0, 5, 20, 60]) {
        await tab.evaluate((time) => {
          window.said();
          return new Promise((resolve) => setTimeout(resolve, time));
        }, wait);
        await tab.reload();
        await tab.waitForFunction(() => 'threads' in window);
      }
      assertExpected(await resultOf(tab));
    }));

  test('the script of a training worker comes from its text, and from an address', () =>
    onPage('', async (tab) => {
      const trainingResult = (options) =>
        tab.evaluate((workerOptions) => window.saidOfTraining(workerOptions), options);
      const elsewhere = join(folder, 'elsewhere.js');
      await without(['worker_train.js', 'chunks/worker_train_script.js'], async () =>
        assert.match(
          await trainingResult(),
          /^StateError: the worker's script cannot be loaded.*worker_tr/,
        ),
      );
      await without(['worker_train.js'], async () => {
        const losses = await trainingResult();
        assert.equal(losses.length, 3, String(losses));
        assert.ok(losses[2] < losses[0], String(losses));
        cpSync(join(folder, 'dist', 'worker_train.js.away'), elsewhere);
        assert.deepEqual(await trainingResult({ workerUrl: 'elsewhere.js' }), losses);
      });
      const message = await trainingResult({ workerUrl: 'dist/worker_main.js' });
      assert.match(message, /^StateError: .*set workerUrl to the address of .* worker_train\.js/);
    }));

  test("the script is loaded through the page's policy under Trusted Types", () =>
    onPage("require-trusted-types-for 'script'", async (tab) => {
      const remedy = /openWorker\(\{ workerUrl \}\).*TrustedScriptURL/;
      assert.match(await resultOf(tab), remedy);
      const number = await tab.evaluate(() => {
        const policy = trustedTypes.createPolicy('own', { createScriptURL: (url) => url });
        return window.said({ workerUrl: policy.createScriptURL('dist/worker_main.js') });
      });
      assertExpected(number);
    }));

  test('the script does not work in a custom worker', () =>
    onPage('', async (tab) => {
      const answer = await tab.evaluate(() =>
        window.said({ worker: () => new Worker('dist/worker_main.js') }),
      );
      assert.match(answer, /^StateError: .*openWorker\(\{ workerUrl \}\).*serve\(\)/);
    }));
});
