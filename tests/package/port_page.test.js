// SPDX-License-Identifier: MIT
// The steps of docs/guides/port.md from a notebook to a page, in a project with the packed package:
// the page shows the numbers that Keras printed.
import assert from 'node:assert/strict';
import { copyFileSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { after, before, suite, test } from 'node:test';
import { at } from '../../scripts/lib/files.mjs';
import { serve } from '../../scripts/lib/serve.mjs';
import { launchChrome, skip } from '../browser/support/browser.js';
import { makeConsumer, run } from './support/consumer.js';

const fixture = (name) => at('tests', 'fixtures', 'port', 'notebook', name);
const guide = readFileSync(at('docs', 'guides', 'port.md'), 'utf8');

/** Returns the text of the guide's block whose first line matches. */
function block(fence) {
  const [, indent = '', text = ''] =
    new RegExp(`^( *)\`\`\`${fence}[^\\n]*\\n([\\s\\S]*?)^ *\`\`\`$`, 'm').exec(guide) ?? [];
  assert.notEqual(text, '', `the guide has no block ${fence}`);
  return text.replaceAll(new RegExp(`^${indent}`, 'gm'), '');
}

suite('from a notebook to a page', { skip }, () => {
  let consumer;
  let server;
  let browser;
  before(async () => {
    consumer = makeConsumer({ 'index.html': block('html title="index.html"') });
    for (const name of ['reviews.ipynb', 'reviews.weights.h5'])
      copyFileSync(fixture(name), join(consumer.folder, name));
    browser = await launchChrome();
    server = await serve(consumer.folder);
  });
  after(async () => {
    await browser?.close();
    await server?.close();
    consumer?.remove();
  });

  test('the page of the guide shows what Keras printed', async () => {
    const command = block('sh(?=\\n *npm install maskflow\\n)').split('\n')[1];
    assert.match(command, /^npx maskflow port /);
    const [program, ...args] = command.split(' ');
    run(program, ['--offline', ...args], { cwd: consumer.folder });
    const path = join(consumer.folder, 'reviews.mjs');
    const code = readFileSync(path, 'utf8').trimEnd().split('\n');
    assert.match(code.at(-1), /^console\.log\(String\(model\.predict\(x\)\)\);$/);
    writeFileSync(
      path,
      [...code.slice(0, -1), block('js \\[no-run: needs the page\\]')].join('\n'),
    );

    const tab = await browser.newPage();
    const faults = [];
    tab.on('pageerror', (error) => faults.push(error.message));
    tab.on('console', (message) => {
      if (!/favicon/.test(message.location().url ?? '')) faults.push(message.text());
    });
    await tab.goto(server.url);
    await tab.waitForFunction(() => /\d/.test(document.querySelector('output').value));
    const shown = await tab.$eval('output', (output) => output.value);
    const values = [...shown.matchAll(/-?\d+\.\d+/g)].map(Number);
    const { y } = JSON.parse(readFileSync(fixture('reviews.json'), 'utf8'));
    assert.equal(values.length, y.length, shown);
    for (const [index, [value]] of y.entries())
      assert.ok(Math.abs(values[index] - value) < 1e-5, `${shown}: Keras has ${value}`);
    assert.deepEqual(faults, []);
  });
});
