// SPDX-License-Identifier: MIT
// The last chapter in a browser: Keras's numbers beside ours.
import assert from 'node:assert/strict';
import { suite, test } from 'node:test';
import { pathToFileURL } from 'node:url';
import { at } from '../../../scripts/lib/files.mjs';
import { sideways, violations } from '../support/axe.js';
import { pageInChrome, skip } from '../support/chapter.js';
import { waitUntilDrawn, openPage, sentenceOf, set, tables, text } from '../support/page.js';

suite('does it tell the truth', { skip }, () => {
  const site = pageInChrome();
  const open = (options = {}, hash = '#truth') =>
    openPage(site.browser, site.server.url + hash, { chapter: 'truth', ...options });

  test('the table, the sentence and the facts agree', async () => {
    const { page, faults } = await open();
    const [{ rows }] = await tables(page, 'truth', 'table');
    const gaps = rows.map((row) => Number(row.at(-1).replace('−', '-')));
    const worst = Math.max(...gaps);
    assert.ok(worst < 1e-6);
    // The sentence gives the next power of ten; the table rounds to two digits.
    const said = /largest difference is (?:exactly (0)|less than (0\.0+1))\. /;
    const [, none, bound] = said.exec(await sentenceOf(page, 'truth'));
    if (none) assert.equal(worst, 0);
    else assert.ok(worst <= Number(bound) && Number(bound) <= 10.5 * worst, `${bound}, ${worst}`);
    assert.match(await text(page, '#truth [data-slot="facts"]'), /maskflow \d.*kB of WebAssembly/s);
    assert.deepEqual(faults, []);
    await page.close();
  });

  test('computes again on request, also by keyboard', async () => {
    const { page } = await open();
    await page.focus('#truth [name="of"]');
    await page.keyboard.press('ArrowDown');
    await waitUntilDrawn(page, 'truth');
    await page.waitForFunction(() =>
      /sensor 1/.test(document.querySelector('#truth tbody').textContent),
    );
    assert.match(await page.evaluate(() => location.hash), /truth\.of=sensor/);
    await page.evaluate(() => {
      window.drawings = 0;
      new MutationObserver(() => window.drawings++).observe(
        document.querySelector('#truth [data-slot="table"]'),
        { childList: true },
      );
    });
    await page.focus('#truth [data-again]');
    await page.keyboard.press('Enter');
    await page.waitForFunction(() => window.drawings > 0);
    await page.close();
  });

  test('opened from a folder it reads the recordings, too', async () => {
    const page = await site.browser.newPage();
    await page.goto(
      `${pathToFileURL(at('dist', 'page', 'index.html')).href}#v1/truth?truth.of=layers`,
    );
    await waitUntilDrawn(page, 'truth');
    assert.match(await sentenceOf(page, 'truth'), /^24 recorded cases/);
    await page.close();
  });

  for (const theme of ['light', 'dark'])
    for (const width of [320, 375, 1280])
      test(`axe finds nothing and nothing scrolls sideways: ${theme}, ${width} px`, async () => {
        const { page } = await open({ theme, width });
        await set(page, 'truth', { of: 'layers' });
        assert.deepEqual(await violations(page, '#truth'), []);
        assert.equal(await sideways(page), 0);
        await page.close();
      });
});
