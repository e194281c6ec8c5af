// SPDX-License-Identifier: MIT
// The package as one classic script: on a page opened as a file, and as the global that CDNs serve.
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { after, before, suite, test } from 'node:test';
import { pathToFileURL } from 'node:url';
import { Script } from 'node:vm';
import * as mf from '../../dist/index.js';
import { launchChrome, skip } from '../browser/support/browser.js';
import { close } from '../support/watch.js';
import { brackets } from '../support/workers.js';
import { makeConsumer } from './support/consumer.js';

const script = 'node_modules/maskflow/dist/maskflow.iife.js';
const ids = [
  [1, 3, 5, 6, 4, 2],
  [1, 3, 2, 4, 0, 0],
];

const page = `<!doctype html><meta charset="utf-8"><title>script</title>
<script>const before = new Set(Object.getOwnPropertyNames(window));</script>
<script src="${script}"></script>
<script>
const added = Object.getOwnPropertyNames(window).filter((name) => !before.has(name));
(async () => {
  const file = Uint8Array.from(atob('${readFileSync(brackets).toString('base64')}'), (c) => c.charCodeAt(0));
  const model = await maskflow.loadModel(file);
  const saved = await maskflow.loadModel(await model.save());
  const { variant } = maskflow.runtimeInfo();
  const relaxed = await maskflow.ready({ variant: 'relaxed' }).catch((error) => error.name);
  const workers = await model.predict(${JSON.stringify(ids)}, { workers: 1 }).catch((error) => error.name);
  const nothing = await maskflow.ready(null).catch((error) => error.name);
  return {
    added, variant, refused: [relaxed, workers, nothing],
    values: [model, saved].map((each) => each.predict(${JSON.stringify(ids)}).array()),
    version: maskflow.runtimeInfo().version,
  };
})().then((result) => { window.result = result; }, (error) => { window.result = { error: String(error) }; });
</script>`;

test('the script has only ASCII, for pages that do not name their encoding', () => {
  const text = readFileSync(new URL('../../dist/maskflow.iife.js', import.meta.url), 'latin1');
  const others = /.{0,20}[^\0-\x7f].{0,20}/.exec(text)?.[0];
  assert.equal(others, undefined);
  assert.ok(text.includes('\\u2026'), 'messages have an ellipsis');
});

suite('one classic script', { skip }, () => {
  let consumer;
  let browser;
  before(async () => {
    consumer = makeConsumer({ 'index.html': page });
    browser = await launchChrome();
  });
  after(async () => {
    await browser?.close();
    consumer?.remove();
  });

  test('computes on a page that is opened as a file', async () => {
    const tab = await browser.newPage();
    const faults = [];
    const requests = [];
    tab.on('pageerror', (error) => faults.push(error.message));
    tab.on('console', (message) => faults.push(message.text()));
    tab.on('request', (request) => {
      if (!request.url().startsWith('data:')) requests.push(request.url());
    });
    const url = (path) => pathToFileURL(join(consumer.folder, path)).href;
    await tab.goto(url('index.html'));
    await tab.waitForFunction(() => 'result' in window);
    const result = await tab.evaluate(() => window.result);
    await tab.close();

    assert.deepEqual([result.error, faults], [undefined, []]);
    assert.deepEqual(requests, [url('index.html'), url(script)]);
    assert.deepEqual(result.added, ['maskflow']);
    assert.equal(result.variant, 'simd');
    assert.deepEqual(result.refused, ['StateError', 'UnsupportedError', 'ValueError']);
    const model = await mf.loadModel(brackets);
    // Allows rounding, because this thread may run the variant with fused multiply-add.
    for (const values of result.values) close(values, model.predict(ids).array(), 1e-6);
    assert.equal(result.version, mf.runtimeInfo().version);
  });

  test('is the file that CDNs serve, and imports nothing', () => {
    const { unpkg, jsdelivr } = JSON.parse(
      readFileSync(join(consumer.folder, 'node_modules/maskflow/package.json'), 'utf8'),
    );
    assert.deepEqual(
      [unpkg, jsdelivr].map((path) => join('node_modules/maskflow', path)),
      [script, script],
    );
    const code = readFileSync(join(consumer.folder, script), 'utf8');
    // Does not use assert.doesNotMatch, whose message would contain the whole file.
    assert.equal(/\bimport\(|\bimport\.meta\b/.test(code), false);
    // The constructor throws if the text is a module.
    new Script(code);
  });
});
