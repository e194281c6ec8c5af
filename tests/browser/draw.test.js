// SPDX-License-Identifier: MIT
// Figures of maskflow/draw as a browser draws them: valid XML, no text beside the paper, no text on
// another one, nothing that runs.
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { ready, tidy } from '../../dist/index.js';
import { randomFigures } from '../fuzz/draw.js';
import { hardFigures } from '../support/hard_figures.js';
import { generator } from '../support/random.js';
import { launchChrome, skip } from './support/browser.js';

let browser;
let page;

before(async () => {
  if (skip) return;
  await ready({ onMaskDropped: 'silent', seed: 1 });
  browser = await launchChrome();
  page = await browser.newPage();
});
after(() => browser?.close());

/** Shows a figure and returns what is wrong with it. Runs in the page. */
function faultsOf(svg) {
  const parsed = new DOMParser().parseFromString(svg, 'image/svg+xml');
  if (parsed.querySelector('parsererror'))
    return [parsed.documentElement.textContent.slice(0, 300)];
  window.alert = () => window.document.body.setAttribute('data-ran', '');
  window.document.body.innerHTML = svg;
  const root = window.document.querySelector('svg');
  const { width, height } = root.viewBox.baseVal;
  const scale = root.getBoundingClientRect().width / width;
  const places = [...root.querySelectorAll('text')].map((text) => {
    const { left, right, top, bottom } = text.getBoundingClientRect();
    const isTile = text.closest('[text-anchor="middle"]') !== null && text.parentNode !== root;
    return { text: text.textContent, isTile, left, right, top, bottom };
  });
  const { left: x, top: y } = root.getBoundingClientRect();
  const faults = [];
  for (const { text, left, right, top, bottom } of places) {
    const isInside =
      left >= x - 0.5 &&
      top >= y - 0.5 &&
      right <= x + width * scale + 0.5 &&
      bottom <= y + height * scale + 0.5;
    if (!isInside) faults.push(`outside: ${text}`);
  }
  // Letters in tiles are as close as tiles are.
  const others = places.filter(({ isTile }) => !isTile).slice(0, 800);
  for (const [index, one] of others.entries()) {
    for (const two of others.slice(index + 1)) {
      const across = Math.min(one.right, two.right) - Math.max(one.left, two.left);
      const down = Math.min(one.bottom, two.bottom) - Math.max(one.top, two.top);
      // Lines of text overlap where no letter is.
      if (across > 1 && down > 4) faults.push(`overlap: ${one.text} and ${two.text}`);
    }
  }
  if (window.document.body.hasAttribute('data-ran')) faults.push('a script ran');
  return faults;
}

const check = async (name, svg) => assert.deepEqual(await page.evaluate(faultsOf, svg), [], name);

test('hard figures have their texts on the paper and apart', { skip }, async () => {
  for (const [name, svg] of Object.entries(hardFigures())) await check(name, svg);
});

test('random figures have their texts on the paper and apart', { skip }, async () => {
  for (let seed = 1; seed <= 15; seed += 1) {
    const figures = tidy(() => ({ all: randomFigures(generator(seed * 104_729)) })).all;
    for (const [name, svg] of figures) await check(`${name}, seed ${seed}`, svg);
  }
});
