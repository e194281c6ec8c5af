// SPDX-License-Identifier: MIT
// Numbers outside the cell show their arithmetic on hover, focus and tap.
import assert from 'node:assert/strict';
import { suite, test } from 'node:test';
import { violations } from '../support/axe.js';
import { pageInChrome, skip } from '../support/chapter.js';
import { openPage, waitUntilDrawn } from '../support/page.js';

suite('arithmetic of numbers', { skip }, () => {
  const site = pageInChrome();

  const open = async (hash, chapter) => {
    const { page, faults } = await openPage(site.browser, site.server.url + hash, { chapter });
    await page.waitForSelector('html[data-complete]');
    await page.waitForSelector('#word-note', { hidden: true });
    await waitUntilDrawn(page, chapter);
    return { page, faults };
  };
  const note = (page) => page.$eval('#word-note', (each) => (each.hidden ? '' : each.textContent));
  const noteIs = async (page, pattern) => {
    await page.waitForFunction(
      (source) => {
        const each = document.querySelector('#word-note');
        return !each.hidden && new RegExp(source).test(each.textContent);
      },
      { polling: 50, timeout: 20_000 },
      pattern.source,
    );
    return note(page);
  };

  test('hover, focus and tap show a sum; Escape hides it', async () => {
    const { page, faults } = await open('#v1/padding', 'padding');
    const number = '#padding .says .figured';
    assert.equal(await page.$eval(number, (each) => each.textContent), '22 %');
    await page.hover(number);
    assert.equal(await noteIs(page, /./), '4 / 18 = 0.2222');
    await page.mouse.move(5, 5);
    await page.waitForFunction(() => document.querySelector('#word-note').hidden);
    await page.focus(number);
    await noteIs(page, /^4 \/ 18/);
    await page.keyboard.press('Escape');
    assert.equal(await note(page), '');
    await page.tap(number);
    await noteIs(page, /^4 \/ 18/);
    assert.deepEqual(await violations(page, '#padding'), []);
    assert.deepEqual(faults, []);
    await page.close();
  });

  test('losses: each step and both means; one tab stop, arrow keys move', async () => {
    const { page, faults } = await open('#v1/losing?losing.case=loss', 'losing');
    const cells = '#losing .filled td[data-arithmetic]';
    assert.equal(await page.$$eval(cells, ({ length }) => length), 18);
    assert.equal(await page.$$eval(`${cells}[tabindex="0"]`, ({ length }) => length), 1);
    await page.focus(`${cells}[tabindex="0"]`);
    const first = await noteIs(page, /^−ln .* = \d\.\d{4}, label [01]$/);
    await page.keyboard.press('ArrowRight');
    const second = await noteIs(page, /^−ln /);
    assert.notEqual(first, second);
    assert.equal(await page.$$eval('#losing dd .figured', ({ length }) => length), 2);
    await page.hover('#losing dd.kept .figured');
    await noteIs(page, /^\(\d.* \+ … \+ .*\) \/ 14 = .* \/ 14 = \d\.\d{4}$/);
    const numbers = await page.$$eval('#losing .says .figured', (all) =>
      all.map((each) => each.textContent),
    );
    assert.equal(numbers.length, 3);
    assert.deepEqual(await violations(page, '#losing'), []);
    assert.deepEqual(faults, []);
    await page.close();
  });

  test('attention: a share under the mask is divided by those of the words', async () => {
    const { page } = await open('#v1/losing', 'losing');
    const numbers = '#losing .map text[data-arithmetic]';
    assert.equal(await page.$$eval(numbers, ({ length }) => length), 9);
    const [shown, sum] = await page.$eval(numbers, (each) => [
      each.textContent,
      each.dataset.arithmetic,
    ]);
    assert.equal(`0${shown}`, Number(sum.split('= ')[1]).toFixed(2));
    await page.hover(numbers);
    await noteIs(page, /^0\.\d{4} \/ \(0\.\d{4} \+ 0\.\d{4} \+ 0\.\d{4}\) = 0\.\d{4}$/);
    assert.deepEqual(await violations(page, '#losing'), []);
    await page.close();
  });

  test('decoders, layers without a mask, and chapters 3 and 8 show their arithmetic', async () => {
    const { page, faults } = await open('#v1/losing?losing.case=decoder', 'losing');
    const word = '#losing td.kept[data-arithmetic]';
    assert.equal(await page.$$eval(word, ({ length }) => length), 28);
    await page.hover(word);
    await noteIs(page, /^1 − 1 = 0, the mask up to this word, less 1$/);
    assert.deepEqual(await violations(page, '#losing'), []);
    await page.$eval('#losing [value="care"]', (input) => input.click());
    await page.waitForSelector('#losing .care td[data-arithmetic]');
    await page.hover('#losing .care td[data-arithmetic]');
    await noteIs(page, /^\|−?0\.\d{4} − .*\|, without and with the new columns$/);
    assert.deepEqual(await violations(page, '#losing'), []);
    await page.hover('#own .says .figured');
    await noteIs(page, /^\|0\.9992 − .*\|, without and with \d+ empty places?$/);
    assert.deepEqual(faults, []);
    await page.close();
    const { page: flow } = await open('#v1/flow?flow.model=e.p.l&flow.data=pairs', 'flow');
    await flow.evaluate(() =>
      [...document.querySelectorAll('#flow [data-predict] button')].at(-1).click(),
    );
    await flow.waitForSelector('#flow .result .figured');
    await flow.hover('#flow .result .figured');
    await noteIs(flow, /^\|.* − .*\|, before and after$/);
    await flow.close();
  });

  test('differences beside Keras, and of the last outputs of a row', async () => {
    const { page } = await open('#v1/truth', 'truth');
    await page.hover('#truth td[data-arithmetic]');
    await noteIs(page, /^\|\d\.\d{9} − \d\.\d{9}\|$/);
    await page.close();
    const { page: other } = await open('#v1/steps', 'steps');
    assert.equal(await other.$eval('#steps .says .figured', (each) => each.textContent), '0.2798');
    await other.hover('#steps .says .figured');
    await noteIs(other, /^\|.* − .*\|, unit \d at step 5$/);
    await other.close();
  });
});
