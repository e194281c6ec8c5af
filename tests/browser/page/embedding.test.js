// SPDX-License-Identifier: MIT
// Single figures in the frames of other pages: a frame of 480 pixels shows each whole.
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { suite, test } from 'node:test';
import { at } from '../../../scripts/lib/files.mjs';
import { sideways } from '../support/axe.js';
import { pageInChrome, skip } from '../support/chapter.js';
import { openPage, waitFor } from '../support/page.js';

const order = JSON.parse(readFileSync(at('page', 'chapters', 'order.json'), 'utf8'));

/** Returns what a frame cuts, and its letters below `least` pixels; runs in the page. */
const faultsIn = (id, least) => {
  const section = document.getElementById(id);
  const visible = [...section.querySelectorAll('*')].filter(
    (each) =>
      each.checkVisibility({ visibilityProperty: true }) &&
      !each.closest('.unseen, .wide, option, title'),
  );
  const sizeOf = (each) => {
    const size = Number.parseFloat(getComputedStyle(each).fontSize);
    if (!each.closest('svg')) return size * (each.currentCSSZoom ?? 1);
    const { c, d } = each.getScreenCTM();
    return size * Math.hypot(c, d);
  };
  const hasText = (each) => [...each.childNodes].some((node) => node.nodeValue?.trim());
  const nameOf = (each) => each.getAttribute('class') || each.tagName;
  const height = document.body.getBoundingClientRect().height;
  return [
    ...(height > 480.5 ? [`${height} pixels high`] : []),
    ...visible
      .filter((each) => each.getBoundingClientRect().right > innerWidth + 1)
      .map((each) => `${nameOf(each)} is cut`),
    ...visible
      .filter((each) => each.matches('.scroll, .unrolled'))
      .filter(({ scrollWidth, clientWidth }) => scrollWidth > clientWidth + 1)
      .map((each) => `${nameOf(each)} scrolls`),
    ...visible
      .filter((each) => hasText(each) && sizeOf(each) < least - 0.1)
      .map((each) => `${nameOf(each)} has letters of ${sizeOf(each).toFixed(1)} pixels`),
  ];
};

suite('figures in frames', { skip }, () => {
  const site = pageInChrome();
  const figure = (id, width, more = '') =>
    openPage(site.browser, `${site.server.url}?chapter=${id}&embed=figure${more}`, {
      chapter: id,
      width,
      height: 480,
    });

  for (const [width, least] of [
    [370, 10],
    [480, 10],
    [1024, 12],
  ])
    for (const { id } of order)
      test(`${id} is whole in a frame of ${width} × 480, with letters of ${least} pixels or more`, async () => {
        const { page } = await figure(id, width);
        try {
          // A figure that shrinks is drawn again.
          await waitFor(page, `(${faultsIn})(${JSON.stringify(id)}, ${least}).length === 0`, {
            chapter: id,
          }).catch(async (error) => {
            assert.deepEqual(await page.evaluate(faultsIn, id, least), [], error.message);
          });
          assert.ok((await sideways(page)) <= 0);
        } finally {
          await page.close();
        }
      });

  test('a figure has its title, and a caption that links to the page', async () => {
    const { page } = await figure('cell', 480);
    const [title, caption, href] = await page.$eval('#cell', (section) => [
      section.querySelector('h2').innerText,
      section.querySelector('.from').innerText,
      section.querySelector('.from a').href,
    ]);
    assert.equal(title, 'What happens inside one step?');
    assert.equal(caption, 'Live figure from maskflow: padding and masking, made visible');
    assert.equal(href, site.server.url);
    await page.close();
  });

  test('its ground is that of the page, or transparent', async () => {
    const groundOf = (page) =>
      page.evaluate(() =>
        [document.documentElement, document.body].map(
          (each) => getComputedStyle(each).backgroundColor,
        ),
      );
    const { page: themed } = await figure('makers', 480, '&theme=dark');
    assert.match((await groundOf(themed))[1], /^rgb\(18, 22, 29\)$/);
    await themed.close();
    const { page: clear } = await figure('makers', 480, '&theme=light&ground=none');
    assert.deepEqual(await groundOf(clear), ['rgba(0, 0, 0, 0)', 'rgba(0, 0, 0, 0)']);
    await clear.close();
  });
});
