// SPDX-License-Identifier: MIT
// Below each result of a search are lines that a reader can judge it by, whole on a phone.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { siteInChrome, skip } from './support/site.js';

const site = siteInChrome();

/** Returns the title of each result, its excerpt, the marked words and whether it is whole. */
async function resultsOf(words, width) {
  const page = await site.browser.newPage();
  try {
    await page.setViewport({ width, height: 844 });
    await page.goto(`${site.server.url}docs/`, { waitUntil: 'networkidle0' });
    await page.keyboard.press('/');
    await page.waitForSelector('.search-input');
    await page.type('.search-input', words);
    await page.waitForSelector('.VPLocalSearchBox .excerpt mark');
    return await page.$$eval('.VPLocalSearchBox .result', (results) =>
      results.map((result) => {
        const excerpt = result.querySelector('.excerpt');
        return {
          title: result.querySelector('.titles').textContent.trim(),
          text: excerpt?.textContent.trim() ?? '',
          marked: [...(excerpt?.querySelectorAll('mark') ?? [])].map((mark) => mark.textContent),
          isWhole:
            !excerpt ||
            (excerpt.scrollHeight <= excerpt.clientHeight + 1 &&
              excerpt.scrollWidth <= excerpt.clientWidth + 1),
        };
      }),
    );
  } finally {
    await page.close();
  }
}

for (const width of [390, 1280]) {
  for (const words of ['mask_zero', 'early stopping', 'load h5']) {
    test(`${width} px: the results of "${words}" have whole excerpts`, { skip }, async () => {
      const results = await resultsOf(words, width);
      assert.ok(results.length >= 10, String(results.length));
      for (const { title, text, isWhole } of results) {
        assert.ok(isWhole, `${title} is cut`);
        assert.ok(text.length <= 210, `${title} has ${text.length} characters`);
        assert.doesNotMatch(text, /^(js|python|ts)\b|Copy Code|\u200b/, title);
      }
      const judged = results.filter(({ text, marked }) => text.length > 40 && marked.length > 0);
      assert.ok(judged.length >= 0.8 * results.length, JSON.stringify(results, null, 1));
    });
  }
}

test('an excerpt of a section with a program is a sentence, and marks begin words', {
  skip,
}, async () => {
  const results = await resultsOf('does not support masking: the mask is dropped', 1280);
  const errors = results.find(({ title }) => /^#?\s*Errors/.test(title));
  assert.match(errors.text, /A layer without masking support drops the mask/);
  const numbers = await resultsOf('id 3', 1280);
  for (const { title, text, marked } of numbers) {
    for (const mark of marked)
      assert.match(` ${text}`, new RegExp(`[^\\p{L}\\d]${mark}`, 'u'), `${title}: ${mark}`);
  }
});
