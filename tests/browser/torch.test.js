// SPDX-License-Identifier: MIT
// A visitor of a page chooses a .pth, trains it further, and downloads it as .keras.
import assert from 'node:assert/strict';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { after, before, suite, test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { loadModel, ready } from '../../dist/index.js';
import { at } from '../../scripts/lib/files.mjs';
import { close } from '../support/watch.js';
import { skip } from './support/browser.js';
import { openPackagePage } from './support/package_page.js';

const page = `<!doctype html><meta charset="utf-8"><title>fine-tuning</title><link rel="icon" href="data:,">
<label>Model <input type="file" id="file"></label><p id="status" role="status"></p><a id="download" hidden>Download</a>
<script type="module">
import { readTorch } from './dist/torch.js';
import { Input, optimizers, padSequences, ready, Sequential, tensor } from './dist/train.js';
const status = document.querySelector('#status');
const rows = [[3, 1, 4], [1, 5], [9, 2, 6, 5], [3], [5, 8], [9, 7, 9]];
document.querySelector('#file').addEventListener('change', async ({ target }) => {
  try {
    await ready({ seed: 1 });
    const ids = padSequences(rows, { padding: 'post' });
    const file = await readTorch(target.files[0]);
    const model = new Sequential([
      Input({ shape: [null], dtype: 'int32' }),
      file.layer('embedding', { maskZero: true }),
      file.layer('rnn', { returnSequences: false }),
      file.layer('fc', { activation: 'sigmoid' }),
    ]);
    const before = model.predict(ids).array();
    model.compile({ optimizer: optimizers.adam({ learningRate: 0.05 }), loss: 'binary_crossentropy' });
    const y = tensor([[1], [0], [1], [0], [0], [1]]);
    const { history } = await model.fit(ids, y, { epochs: 20, verbose: 0 });
    const after = model.predict(ids).array();
    const bytes = await model.save();
    const link = document.querySelector('#download');
    link.href = URL.createObjectURL(new Blob([bytes]));
    link.download = 'tuned.keras';
    link.hidden = false;
    window.result = { before, after, losses: history.loss, ids: ids.array() };
    status.textContent = 'done';
  } catch (error) {
    status.textContent = error.stack;
  }
});
</script>`;

suite('fine-tuning a file of PyTorch on a page', { skip }, () => {
  let opened;
  before(async () => {
    await ready();
    opened = await openPackagePage(page);
  });
  after(() => opened?.close());

  test('training lowers the loss, and the download has the numbers of the page', async () => {
    const { tab, folder } = opened;
    const path = at('tests', 'fixtures', 'torch', 'cases', 'classifier-11-0', 'model.pth');
    await (await tab.$('#file')).uploadFile(path);
    await tab.waitForFunction(() => document.querySelector('#status').textContent !== '');
    assert.equal(await tab.$eval('#status', (status) => status.textContent), 'done');
    const { before, after, losses, ids } = await tab.evaluate(() => window.result);
    assert.ok(losses.at(-1) < 0.9 * losses[0], `${losses}`);

    const downloads = await tab.createCDPSession();
    await downloads.send('Browser.setDownloadBehavior', {
      behavior: 'allow',
      downloadPath: folder,
    });
    await tab.click('#download');
    const saved = join(folder, 'tuned.keras');
    while (!existsSync(saved)) await sleep(20);
    const model = await loadModel(saved);
    close(model.predict(ids).array(), after);
    assert.notDeepEqual(before, after);
  });
});
