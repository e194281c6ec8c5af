// SPDX-License-Identifier: MIT
// The page of docs/guides/offline.md works without its server, under the policy that it names.
import assert from 'node:assert/strict';
import { cpSync, mkdtempSync, readFileSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, suite, test } from 'node:test';
import { at } from '../../scripts/lib/files.mjs';
import { serve } from '../../scripts/lib/serve.mjs';
import { absence, closeBrowsers, openDriver } from './support/drivers.js';

const guide = readFileSync(at('docs', 'guides', 'offline.md'), 'utf8');
const blocks = [...guide.matchAll(/^```\w+ title="([^"]+)".*\n([\s\S]*?)^```$/gm)];
const policyName = 'content-security-policy';
const policy = blocks.find(([, name]) => name === policyName)[2].trim();

after(closeBrowsers);

/** Writes the files of the guide, and those of the package that it names, to a new folder. */
function siteFolder() {
  const folder = realpathSync(mkdtempSync(join(tmpdir(), 'maskflow-offline-')));
  for (const [, name, text] of blocks) {
    if (name !== policyName) writeFileSync(join(folder, name), text);
  }
  for (const name of ['single.js', 'maskflow.iife.js'])
    cpSync(at('dist', name), join(folder, name));
  cpSync(at('tests', 'fixtures', 'trained', 'brackets.keras'), join(folder, 'brackets.keras'));
  return folder;
}

// The drivers of Firefox and WebKit do not close a page whose service worker has lost its server.
for (const engine of ['Chromium']) {
  const skip = await absence(engine);
  suite(`the offline guide in ${engine}`, { skip }, () => {
    test('predicts without the server, under its policy', async () => {
      const folder = siteFolder();
      const server = await serve(folder, { headers: { [policyName]: policy } });
      let driver;
      try {
        driver = await openDriver(engine, server.url);
        const shown = async () => {
          await driver.page.goto(server.url);
          await driver.waitFor(() => document.querySelector('output')?.value);
          return driver.evaluate(() => document.querySelector('output').value);
        };
        const first = await shown();
        assert.match(first, /^0\.9|^1\.0/);
        await driver.evaluate(() => navigator.serviceWorker.ready.then(() => true));
        await server.close();
        assert.equal(await shown(), first);
        assert.deepEqual(driver.faults, []);
      } finally {
        await driver?.close();
        await server.close().catch(() => {});
        rmSync(folder, { recursive: true, force: true });
      }
    });
  });
}

test('a policy without wasm-unsafe-eval is an error that names it', async (t) => {
  if (await absence('Chromium')) return t.skip('no Chromium');
  const folder = siteFolder();
  const headers = { [policyName]: policy.replace(" 'wasm-unsafe-eval'", '') };
  const server = await serve(folder, { headers });
  const driver = await openDriver('Chromium', server.url);
  try {
    await driver.page.goto(server.url);
    const message = await driver.evaluate(() =>
      import('./single.js').then(({ loadModel }) => loadModel('brackets.keras')).catch(String),
    );
    assert.match(message, /UnsupportedError: .*'wasm-unsafe-eval'/);
  } finally {
    await driver.close();
    await server.close();
    rmSync(folder, { recursive: true, force: true });
  }
});
