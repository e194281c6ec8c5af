// SPDX-License-Identifier: MIT
// Training on a page has the same bits as in Node, and the page stays responsive.
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
import { after, before, suite, test } from 'node:test';
import * as mf from '../../dist/train.js';
import { at } from '../../scripts/lib/files.mjs';
import { serve } from '../../scripts/lib/serve.mjs';
import { trainedBits } from '../support/trained_bits.js';
import { launchChrome, skip } from './support/browser.js';

const page = `<!doctype html><meta charset="utf-8"><title>training</title><link rel="icon" href="data:,">
<script type="module">
import * as mf from './dist/train.js';
import { trainedBits } from './trained_bits.js';
Object.assign(window, { mf, trainedBits });
</script>`;

suite('training in a browser', { skip }, () => {
  let folder;
  let server;
  let browser;
  let tab;
  before(async () => {
    folder = realpathSync(mkdtempSync(join(tmpdir(), 'maskflow-training-')));
    writeFileSync(join(folder, 'index.html'), page);
    copyFileSync(at('tests', 'support', 'trained_bits.js'), join(folder, 'trained_bits.js'));
    symlinkSync(at('dist'), join(folder, 'dist'), 'dir');
    server = await serve(folder, {
      headers: {
        'content-security-policy': "script-src 'self' 'unsafe-inline' 'wasm-unsafe-eval'",
      },
    });
    browser = await launchChrome();
    tab = await browser.newPage();
    await tab.goto(server.url);
    await tab.waitForFunction(() => 'trainedBits' in window);
  });
  after(async () => {
    await browser?.close();
    await server?.close();
    if (folder) rmSync(folder, { recursive: true, force: true });
  });

  test('the weights have the same bits as in Node', async () => {
    const onPage = await tab.evaluate(() => window.trainedBits(window.mf));
    assert.equal(onPage, await trainedBits(mf));
  });

  test('the page can run other tasks between batches', async () => {
    const { ticks, batches } = await tab.evaluate(async () => {
      const { layers, Sequential } = window.mf;
      const model = new Sequential([layers.gru({ units: 64 }), layers.dense({ units: 1 })]);
      const x = { data: new Float32Array(256 * 60 * 16).fill(0.1), shape: [256, 60, 16] };
      model.compile({ optimizer: 'adam', loss: 'mse' });
      let ticks = 0;
      let batches = 0;
      const timer = setInterval(() => ticks++);
      await model.fit(window.mf.tensor(x.data, x), new Float32Array(256).fill(1), {
        batchSize: 16,
        epochs: 2,
        onBatchEnd: () => batches++,
      });
      clearInterval(timer);
      return { ticks, batches };
    });
    assert.equal(batches, 32);
    assert.ok(ticks >= 3, `${ticks} other tasks ran`);
  });
});
