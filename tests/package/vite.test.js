// SPDX-License-Identifier: MIT
// A Vite project without configuration builds without a warning, and the result computes a masked
// LSTM in a browser under a policy without eval.
import assert from 'node:assert/strict';
import { readdirSync, readFileSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { after, before, suite, test } from 'node:test';
import * as mf from '../../dist/index.js';
import { at } from '../../scripts/lib/files.mjs';
import { serve } from '../../scripts/lib/serve.mjs';
import { launchChrome, skip } from '../browser/support/browser.js';
import { close } from '../support/watch.js';
import { complaintsOf, makeConsumer, node } from './support/consumer.js';

// The weights come from a formula, so they are equal on every machine.
const program = `
  const { layers, ops, tensor } = mf;
  const weight = (count, scale) => Float32Array.from({ length: count }, (_, i) => Math.sin(i * scale));
  const ids = tensor([[3, 1, 4, 0, 0], [1, 5, 0, 0, 0]], { dtype: 'int32' });
  const embedding = layers.embedding({ inputDim: 6, outputDim: 3, maskZero: true });
  const lstm = layers.lstm({ units: 4 });
  embedding.build([null, null]);
  embedding.setWeights([weight(18, 0.7)]);
  lstm.build([null, null, 3]);
  lstm.setWeights([weight(48, 0.3), weight(64, 0.5), weight(16, 0.9)]);
  const x = embedding.apply(ids);
  const result = { mask: x.mask.array(), y: lstm.apply(x).array(), variant: mf.runtimeInfo().variant };`;

const page = `<!doctype html><meta charset="utf-8"><title>consumer</title><link rel="icon" href="data:,">
<script type="module" src="/main.js"></script>`;
const main = `import * as mf from 'maskflow';
mf.ready().then(() => {${program}
  window.result = result;
}).catch((error) => { window.result = { error: String(error) }; });`;

const policy = "default-src 'self'; script-src 'self' 'wasm-unsafe-eval'; img-src data:";

suite('a Vite project without configuration', () => {
  let consumer;
  let buildOutput;
  before(() => {
    consumer = makeConsumer({ 'index.html': page, 'main.js': main });
    symlinkSync(at('node_modules', 'vite'), join(consumer.folder, 'node_modules', 'vite'), 'dir');
    buildOutput = node(
      consumer.folder,
      join('node_modules', 'vite', 'bin', 'vite.js'),
      'build',
      '--logLevel',
      'info',
    );
  });
  after(() => consumer?.remove());

  const assets = () => readdirSync(join(consumer.folder, 'dist', 'assets'));

  test('builds without a warning', () => {
    assert.match(buildOutput, /built in/);
    assert.deepEqual(complaintsOf(buildOutput), []);
  });

  test('needs only scripts as assets, among them one for each variant', () => {
    assert.deepEqual(
      assets().filter((name) => !name.endsWith('.js')),
      [],
    );
    for (const part of ['simd', 'relaxed']) {
      assert.equal(assets().filter((name) => name.startsWith(`${part}-`)).length, 1, part);
    }
  });

  test('keeps the parentheses that make an engine compile the glue at once', () => {
    const [text] = assets()
      .map((name) => readFileSync(join(consumer.folder, 'dist', 'assets', name), 'utf8'))
      .filter((script) => script.includes('instantiateWasm'));
    const matches = text.match(/=\((function\b|\w+=>|\([^()]*\)=>)/g) ?? [];
    assert.ok(matches.length > 50, `${matches.length} functions`);
  });

  /**
   * Opens the built page in a browser that runs `change` first; returns its result and requests.
   */
  async function visit(change = '') {
    const server = await serve(join(consumer.folder, 'dist'), {
      headers: { 'content-security-policy': policy },
    });
    const browser = await launchChrome();
    try {
      const tab = await browser.newPage();
      const faults = [];
      const requests = [];
      tab.on('pageerror', (error) => faults.push(error.message));
      tab.on('console', (message) => faults.push(message.text()));
      tab.on('request', (request) => requests.push(new URL(request.url()).pathname));
      await tab.evaluateOnNewDocument(change);
      await tab.goto(server.url);
      await tab.waitForFunction(() => 'result' in window);
      const result = await tab.evaluate(() => window.result);
      assert.deepEqual([faults, result.error], [[], undefined]);
      return { result, fetched: requests };
    } finally {
      await browser.close();
      await server.close();
    }
  }

  async function checkResult(result) {
    await mf.ready();
    const expected = new Function('mf', `${program} return result;`)(mf);
    assert.deepEqual(result.mask, [
      [true, true, true, false, false],
      [true, true, false, false, false],
    ]);
    close(result.y, expected.y, 1e-6);
    assert.ok(result.y.flat().every((value) => value !== 0));
  }

  test('computes a masked LSTM in a browser, and fetches one variant and nothing of workers', {
    skip,
  }, async () => {
    const { result, fetched: requests } = await visit();
    await checkResult(result);
    // The variant simd is computed from relaxed.
    const variants = result.variant === 'simd' ? ['relaxed', 'simd'] : ['relaxed'];
    const fetched = ['relaxed', 'simd', 'simd_threads', 'threads'].filter((variant) =>
      requests.some((path) => path.includes(`/${variant}-`)),
    );
    assert.deepEqual(fetched, variants);
    assert.equal(
      requests.some((path) => path.includes('/other_wasm-')),
      variants.length > 1,
    );
    // The program imports neither maskflow/worker nor maskflow/train.
    const others = assets().filter((name) => /worker|server|helper|train/.test(name));
    assert.deepEqual(others, []);
  });

  test('computes in an engine that can neither decode base64 nor compile a stream', {
    skip,
  }, async () => {
    const old = 'delete Uint8Array.fromBase64; delete WebAssembly.compileStreaming;';
    const { result } = await visit(old);
    await checkResult(result);
  });
});
