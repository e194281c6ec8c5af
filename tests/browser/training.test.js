// SPDX-License-Identifier: MIT
// Training on a page has the same bits as in Node, and the page stays responsive.
import assert from 'node:assert/strict';
import { after, before, suite, test } from 'node:test';
import * as mf from '../../dist/train.js';
import { at } from '../../scripts/lib/files.mjs';
import { trainedBits } from '../support/trained_bits.js';
import { skip } from './support/browser.js';
import { openPackagePage } from './support/package_page.js';

const page = `<!doctype html><meta charset="utf-8"><title>training</title><link rel="icon" href="data:,">
<script type="module">
import * as mf from './dist/train.js';
import { trainedBits } from './trained_bits.js';
Object.assign(window, { mf, trainedBits });
</script>`;

suite('training in a browser', { skip }, () => {
  let opened;
  let tab;
  before(async () => {
    opened = await openPackagePage(page, [at('tests', 'support', 'trained_bits.js')]);
    tab = opened.tab;
    await tab.waitForFunction(() => 'trainedBits' in window);
  });
  after(() => opened?.close());

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
