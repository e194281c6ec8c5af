// SPDX-License-Identifier: MIT
// The page that the README shows opens models with one and two inputs, and shows failures in words.
import assert from 'node:assert/strict';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { pathToFileURL } from 'node:url';
import { Input, layers, Model, ready, Sequential } from '../../dist/index.js';
import { at } from '../../scripts/lib/files.mjs';
import { launchChrome, skip } from './support/browser.js';

const host = mkdtempSync(join(tmpdir(), 'maskflow-readme-'));
const pageOf = (markdown) => /```html\n([\s\S]*?)```/.exec(markdown)[1];
let browser;

before(async () => {
  writeFileSync(join(host, 'index.html'), pageOf(readFileSync(at('README.md'), 'utf8')));
  mkdirSync(join(host, 'node_modules', 'maskflow'), { recursive: true });
  symlinkSync(at('dist'), join(host, 'node_modules', 'maskflow', 'dist'));
  if (!skip) browser = await launchChrome();
  await ready({ seed: 1 });
});
after(async () => {
  await browser?.close();
  rmSync(host, { recursive: true });
});

/** Returns what the page shows after it opens a file with these bytes. */
async function shownFor(bytes) {
  const path = join(host, 'my.keras');
  writeFileSync(path, bytes);
  const page = await browser.newPage();
  try {
    // A file has no header that states its encoding, so the page must.
    await page.goto(pathToFileURL(join(host, 'index.html')).href);
    assert.equal(await page.evaluate(() => document.characterSet), 'UTF-8');
    const field = await page.$('input');
    await field.uploadFile(path);
    await page.waitForFunction(() => document.querySelector('pre').textContent !== '');
    return await page.$eval('pre', (pre) => pre.textContent);
  } finally {
    await page.close();
  }
}

test('a model with one input, and signs beyond ASCII', { skip }, async () => {
  const embedding = layers.embedding({ inputDim: 5, outputDim: 2, maskZero: true });
  const ids = Input({ shape: [null], dtype: 'int32' });
  const model = new Sequential([ids, embedding, layers.lstm({ units: 3 })]);
  const shown = await shownFor(await model.save());
  assert.match(shown, /✓/);
  assert.match(shown, /shape \(1, 3\), float32$/);
});

test('a model with two inputs', { skip }, async () => {
  const ids = Input({ shape: [null], dtype: 'int32', name: 'ids' });
  const age = Input({ shape: [1], name: 'age' });
  const text = layers
    .gru({ units: 2 })
    .apply(layers.embedding({ inputDim: 5, outputDim: 2 }).apply(ids));
  const outputs = layers.dense({ units: 1 }).apply(layers.concatenate().apply([text, age]));
  const model = new Model({ inputs: [ids, age], outputs });
  assert.match(await shownFor(await model.save()), /shape \(1, 1\), float32$/);
});

test('a file that is not a model: the error has its name and says what to do', {
  skip,
}, async () => {
  assert.match(await shownFor(Buffer.from('not a model')), /^FormatError: .{20}/);
});
