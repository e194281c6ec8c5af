// SPDX-License-Identifier: MIT
// The second visit of a bundled app without its server: the model comes from the cache of
// `loadModel`, the scripts with the wasm from the browser's cache or from a service worker.
import assert from 'node:assert/strict';
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join, relative } from 'node:path';
import { after, suite, test } from 'node:test';
import { bundlers, makePage } from '../../bench/visit.mjs';
import { at } from '../../scripts/lib/files.mjs';
import { serve } from '../../scripts/lib/serve.mjs';
import { absence, closeBrowsers, openDriver } from './support/drivers.js';

const guide = readFileSync(at('docs', 'guides', 'offline.md'), 'utf8');
const [, recipe] = /^```\w+ title="sw.js"\n([\s\S]*?)^```$/m.exec(guide);

after(closeBrowsers);

/** Returns the files of an app, as a service worker names them. The model is not among them. */
const filesOf = (folder) =>
  readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((each) => each.isFile() && !/^(model|weights)\.|html$/.test(each.name))
    .map(({ parentPath, path, name }) => relative(folder, join(parentPath ?? path, name)));

/** Adds the service worker of the guide to an app, with the list of its files. */
function addServiceWorker(folder) {
  const list = JSON.stringify(['./', ...filesOf(folder)]);
  const worker = recipe.replace(/const files = .*;/, `const files = ${list};`);
  assert.notEqual(worker, recipe);
  writeFileSync(join(folder, 'sw.js'), worker);
  const page = join(folder, 'index.html');
  const register = "<script>navigator.serviceWorker.register('sw.js')</script>";
  writeFileSync(page, readFileSync(page, 'utf8') + register);
}

const places = {
  "the browser's cache": {
    headers: { 'cache-control': 'max-age=3600' },
    prepare() {},
    async settled() {},
  },
  'a service worker': {
    headers: { 'cache-control': 'no-store' },
    prepare: addServiceWorker,
    settled: (driver) => driver.evaluate(() => navigator.serviceWorker.ready.then(() => true)),
  },
};

// Firefox and WebKit pass these tests, too, but then the process of Firefox does not close.
for (const engine of ['Chromium']) {
  const skip = await absence(engine);
  suite(`the second visit in ${engine}`, { skip, timeout: 300_000 }, () => {
    for (const [place, { headers, prepare, settled }] of Object.entries(places))
      for (const bundler of bundlers)
        test(`built by ${bundler}, predicts without the server, from ${place}`, async () => {
          const { folder } = await makePage('maskflow/recurrent, cached model', bundler);
          prepare(folder);
          const server = await serve(folder, { headers });
          const driver = await openDriver(engine, server.url);
          try {
            const visit = async () => {
              await driver.page.goto(server.url);
              await driver.waitFor(() => globalThis.measured);
              return driver.evaluate(() => globalThis.measured.values);
            };
            const first = await visit();
            assert.ok(first.length > 0 && first.every(Number.isFinite), String(first));
            await settled(driver);
            await server.close();
            await driver.page.goto('about:blank');
            assert.deepEqual(await visit(), first);
            assert.deepEqual(driver.faults, []);
          } finally {
            await driver.close();
            await server.close().catch(() => {});
          }
        });
  });
}
