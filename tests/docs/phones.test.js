// SPDX-License-Identifier: MIT
// The API reference on phones: tables are whole, and the keyboard stays on the screen.
import assert from 'node:assert/strict';
import { suite, test } from 'node:test';
import { siteInChrome, skip } from './support/site.js';

suite('the docs on phones', { skip }, () => {
  const site = siteInChrome();

  async function open(name) {
    const page = await site.browser.newPage();
    await page.setViewport({ width: 390, height: 844 });
    const path = `docs/api/maskflow/classes/${name}.html`;
    await page.goto(site.server.url + path, { waitUntil: 'networkidle0' });
    return page;
  }

  for (const name of ['LSTM', 'Model']) {
    test(`tables of options are whole: ${name}`, async () => {
      const page = await open(name);
      const excesses = await page.$$eval('.vp-doc table', (tables) =>
        tables
          .filter((table) => /^(option|parameter)/.test(table.innerText))
          .map((table) => table.scrollWidth - table.clientWidth),
      );
      assert.ok(excesses.length > 0);
      assert.ok(Math.max(...excesses) <= 0, `${excesses}`);
      await page.close();
    });
  }

  test('the Tab key stays on the screen, and the menu opens', async () => {
    const page = await open('LSTM');
    const stops = [];
    for (let i = 0; i < 12; i++) {
      await page.keyboard.press('Tab');
      stops.push(
        await page.evaluate(() => {
          const { innerText, ariaLabel } = document.activeElement;
          const { left, right } = document.activeElement.getBoundingClientRect();
          return [innerText || ariaLabel, right > 0 && left < innerWidth];
        }),
      );
    }
    const outside = stops.filter(([, isOnScreen]) => !isOnScreen);
    assert.deepEqual(outside, []);
    await page.click('.VPLocalNav .menu');
    await page.waitForFunction(() => {
      const link = document.querySelector('.VPSidebar a');
      const isSeen = link.checkVisibility({ visibilityProperty: true });
      return isSeen && link.getBoundingClientRect().left >= 0;
    });
    await page.close();
  });
});
