// SPDX-License-Identifier: MIT
// The page where something is missing: WebAssembly, or one of its own files.
import assert from 'node:assert/strict';
import { cpSync, mkdtempSync, readFileSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { suite, test } from 'node:test';
import { pathToFileURL } from 'node:url';
import { at } from '../../../scripts/lib/files.mjs';
import { serve } from '../../../scripts/lib/serve.mjs';
import { sideways, violations } from '../support/axe.js';
import { pageInChrome, skip } from '../support/chapter.js';
import { errorsOf, recordOf, text, waitFor } from '../support/page.js';

const order = JSON.parse(readFileSync(at('page', 'chapters', 'order.json'), 'utf8'));

suite('the page where something is missing', { skip }, () => {
  const site = pageInChrome();

  const complete = (page) => page.waitForSelector('html[data-complete]');

  const sentence =
    /WebAssembly with SIMD and exceptions, .*: use Chrome 95, Firefox 100, Safari 16\.4/;

  const saysWhy = () => !document.querySelector('[data-no-wasm]').hidden;

  async function readable(page, record) {
    await waitFor(page, saysWhy, { record });
    const sentenceShown = await page.evaluate(
      () => document.querySelector('[data-no-wasm]').innerText,
    );
    assert.match(sentenceShown.replace(/\s+/g, ' '), sentence);
    await complete(page);
    const problems = await page.$$eval('.problem:not([hidden]):not([data-no-wasm])', (all) =>
      all.filter((each) => each.checkVisibility()).map((each) => each.textContent),
    );
    for (const problem of problems)
      assert.equal(problem, 'Nothing can be computed here; the top of the page says why.');
    const titles = await page.$$eval('.chapter h2', (all) => all.map((each) => each.innerText));
    assert.equal(titles.length, order.length);
    assert.equal(await sideways(page), 0);
    assert.deepEqual(await violations(page), []);
  }

  test('without WebAssembly the page shows one clear sentence, and all text', async () => {
    const page = await site.browser.newPage();
    const faults = errorsOf(page);
    const record = recordOf(page);
    await page.evaluateOnNewDocument(() => {
      delete globalThis.WebAssembly;
    });
    await page.goto(site.server.url);
    await readable(page, record);
    assert.deepEqual(faults, []);
    await page.goto(`${site.server.url}playground/`);
    await page.waitForSelector('html[data-ready]');
    await page.click('[data-run]');
    const problem = await page.waitForFunction(() => {
      const problem = document.querySelector('[data-slot="problem"]');
      return !problem.hidden && problem.textContent;
    });
    assert.match(await problem.jsonValue(), /cannot run here|Nothing can be computed/);
    assert.deepEqual(faults, []);
    await page.close();
  });

  /** Calls `f` with a tab and a copy of the page that `change` has changed. */
  async function onCopy(change, f) {
    const folder = mkdtempSync(join(tmpdir(), 'maskflow-copy-'));
    cpSync(at('dist', 'page'), folder, { recursive: true });
    change(folder);
    const server = await serve(folder);
    const page = await site.browser.newPage();
    try {
      await f(page, { url: server.url, folder, record: recordOf(page) });
    } finally {
      await page.close();
      await server.close();
      rmSync(folder, { recursive: true });
    }
  }

  function removeWebAssembly(folder) {
    for (const name of readdirSync(join(folder, 'engine'))) {
      if (!name.endsWith('.mjs')) continue;
      const path = join(folder, 'engine', name);
      writeFileSync(path, `delete globalThis.WebAssembly;\n${readFileSync(path, 'utf8')}`);
    }
  }

  test('shows the same sentence if only the workers lack WebAssembly', () =>
    onCopy(removeWebAssembly, async (page, { url, record }) => {
      const faults = errorsOf(page);
      await page.goto(url);
      await readable(page, record);
      assert.deepEqual(faults, []);
    }));

  const removeEngine = (folder) => rmSync(join(folder, 'engine'), { recursive: true });

  test('without the worker’s script the page says so, and that it may come later', () =>
    onCopy(removeEngine, async (page, { url, record }) => {
      await page.goto(url);
      await waitFor(page, saysWhy, { record });
      assert.match(
        await text(page, '[data-no-wasm]'),
        /^The engine of the figures did not start: .*Reload the page\.$/,
      );
    }));

  function removeMap(folder) {
    const chunks = readdirSync(join(folder, 'chunks'));
    const [name] = chunks.filter((each) => each.startsWith('birds_eye'));
    rmSync(join(folder, 'chunks', name));
  }

  test('without the map of the views, nothing fails', () =>
    onCopy(removeMap, async (page, { url }) => {
      const faults = errorsOf(page);
      const refused = page.waitForResponse((response) => /birds_eye/.test(response.url()));
      await page.goto(url);
      assert.equal((await refused).status(), 404);
      await complete(page);
      // The error of the import would follow in a later task.
      await page.evaluate(() => new Promise((resolve) => setTimeout(resolve, 100)));
      assert.deepEqual(faults, []);
    }));

  /** Makes the figures that were recorded earlier arrive 1.5 s late. */
  function delayRecordings(folder) {
    const chunks = readdirSync(join(folder, 'chunks'));
    const recordings = chunks.filter((each) => /^(learning|cost)_run-/.test(each));
    assert.equal(recordings.length, 2);
    for (const name of recordings) {
      const path = join(folder, 'chunks', name);
      const wait = 'await new Promise((done) => setTimeout(done, 1500));';
      writeFileSync(path, `${wait}\n${readFileSync(path, 'utf8')}`);
    }
  }

  test('the page is complete only with its recorded figures, however late they come', () =>
    onCopy(delayRecordings, async (page, { url, record }) => {
      await page.goto(url);
      await complete(page);
      // In print no figure waits for the answer to its question.
      await page.evaluate(() => dispatchEvent(new Event('beforeprint')));
      const empty = await page.$$eval('.chapter.refused', (all) => all.map(({ id }) => id));
      assert.deepEqual([empty, record], [[], []]);
    }));

  /** Whether the content of a chapter far below is laid out, and how the first one looks. */
  const looks = () => ({
    laidOut: document
      .querySelector('#own h2')
      .checkVisibility({ contentVisibilityAuto: true, checkVisibilityCSS: true }),
    bar: getComputedStyle(document.querySelector('.bar')).position,
  });

  test('the first screen has its styles before any file of the page arrives', async () => {
    const page = await site.browser.newPage();
    await page.setRequestInterception(true);
    const held = [];
    let holds = true;
    page.on('request', (request) => {
      if (holds && !request.isNavigationRequest()) held.push(request);
      else void request.continue();
    });
    await page.goto(site.server.url, { waitUntil: 'domcontentloaded' });
    await page.waitForFunction(() => performance.getEntriesByName('first-paint').length > 0);
    assert.deepEqual(await page.evaluate(looks), { laidOut: false, bar: 'sticky' });
    holds = false;
    for (const request of held) void request.continue();
    await complete(page);
    assert.deepEqual(await page.evaluate(looks), { laidOut: true, bar: 'sticky' });
    await page.close();
  });

  for (const hash of ['#own', '#v1/own'])
    test(`${hash} lays all chapters out at once: their heights lead to it`, async () => {
      const page = await site.browser.newPage();
      await page.goto(site.server.url + hash, { waitUntil: 'domcontentloaded' });
      const fresh = await page.$eval('html', ({ dataset }) => dataset.fresh ?? null);
      assert.equal(fresh, null);
      await page.close();
    });

  for (const [missing, path] of [
    ['page.mjs', ''],
    ['chunks', ''],
    ['chunks', 'playground/'],
    ['page.js', 'index.html'],
  ]) {
    const isFile = path === 'index.html';
    test(`/${path} without ${missing}${isFile ? ', from a folder,' : ''} says so`, () =>
      onCopy(
        (folder) => rmSync(join(folder, missing), { recursive: true }),
        async (page, { url, folder, record }) => {
          await page.goto(isFile ? pathToFileURL(join(folder, path)).href : url + path);
          await waitFor(page, () => document.querySelector('main > [role="alert"]'), { record });
          assert.equal(
            await text(page, 'main > [role="alert"]'),
            'The script of this page did not arrive, so nothing can be computed here. Reload the page.',
          );
          assert.deepEqual(await violations(page), []);
        },
      ));
  }
});
