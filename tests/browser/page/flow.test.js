// SPDX-License-Identifier: MIT
import assert from 'node:assert/strict';
import { suite, test } from 'node:test';
import { sideways } from '../support/axe.js';
import { servePage, skip, testAccess } from '../support/chapter.js';
import {
  waitUntilDrawn,
  masks,
  problem,
  sentenceOf,
  set,
  shownCode,
  text,
} from '../support/page.js';

suite('chapter 3, flow', { skip }, () => {
  const open = servePage('flow');
  testAccess(open, 'flow', [
    '#v1/flow',
    '#v1/flow?flow.data=pairs&flow.model=e.p.l',
    '#v1/flow?flow.data=guide&flow.model=e.a.l',
    '#v1/flow?flow.data=many&flow.model=e.d1.q',
    '#v1/flow?flow.data=tiled&flow.model=k.s&flow.steps=7',
    '#v1/flow?flow.model=C1',
    '#v1/flow?flow.model=G4',
  ]);

  const hash = (page) => page.evaluate(() => decodeURIComponent(location.hash));
  const names = (page) =>
    page.$$eval('#flow [data-slot="built"] [data-card] h3', (heads) =>
      heads.map((head) => head.firstChild.textContent.trim()),
    );
  const focus = (page) => page.evaluate(() => document.activeElement.dataset.focus);
  const answers = (page) =>
    page.$$eval('#flow .numbers tbody tr', (rows) =>
      rows.map((row) => [...row.querySelectorAll('td')].map((cell) => cell.innerText.trim())),
    );
  const settled = (page, model) =>
    page
      .waitForFunction(
        (text) =>
          document.querySelector('#flow input[name="model"]').value === text &&
          document.querySelector('#flow').dataset.drawn === 'yes',
        {},
        model,
      )
      .then(() => waitUntilDrawn(page, 'flow'));
  /** Presses Tab until the focused element matches. */
  const tabTo = async (page, selector) => {
    for (let presses = 0; presses < 60; presses++) {
      if (await page.evaluate((each) => document.activeElement.matches(each), selector)) return;
      await page.keyboard.press('Tab');
    }
    assert.fail(`Tab does not come to ${selector}`);
  };

  test('the keyboard alone builds the model of B1, and applies the remedy', async () => {
    const { page, faults } = await open('#v1/flow?flow.data=pairs');
    await page.focus('#flow-title');
    await tabTo(page, '[data-focus="gap-1"]');
    await page.keyboard.press('Enter');
    await waitUntilDrawn(page, 'flow');
    assert.equal(await focus(page), 'gap-1');
    await tabTo(page, '.shelf button');
    const on = () => page.evaluate(() => document.activeElement.dataset.code);
    for (let presses = 0; presses < 40 && (await on()) !== 'p'; presses++)
      await page.keyboard.press('ArrowDown');
    await page.keyboard.press('Enter');
    await settled(page, 'e.p.l');
    assert.deepEqual(await names(page), ['Embedding', '+ 1', 'LSTM']);
    assert.match(
      await sentenceOf(page, 'flow'),
      /^The mask is lost at \+ 1\. .* by up to 0\.0505\.$/,
    );
    assert.equal(await text(page, '#flow-preset option:checked'), 'x + 1 before LSTM');
    for (const [, , mine] of await answers(page)) assert.match(mine, /≠$/);

    await page.focus('#flow-title');
    await tabTo(page, '[data-focus="remedy-1-0"]');
    assert.equal(await page.evaluate(() => document.activeElement.innerText), 'Restore the mask');
    await page.keyboard.press('Enter');
    await settled(page, 'e.p.w.l');
    assert.equal(await focus(page), 'grip-2');
    assert.match(await sentenceOf(page, 'flow'), /^The mask reaches the LSTM\. .* by exactly 0\.$/);
    for (const [all, , mine] of await answers(page)) assert.equal(mine, all);
    assert.deepEqual(faults, []);
    await page.close();
  });

  test('arrow keys move a layer, Delete removes it, and the focus stays in the list', async () => {
    const { page } = await open('#v1/flow?flow.data=guide&flow.model=e.d.o.l');
    await page.focus('[data-focus="grip-1"]');
    await page.keyboard.press('ArrowDown');
    await settled(page, 'e.o.d.l');
    assert.equal(await focus(page), 'grip-2');
    await page.keyboard.press('ArrowUp');
    await settled(page, 'e.d.o.l');
    assert.equal(await focus(page), 'grip-1');
    await page.keyboard.press('Delete');
    await settled(page, 'e.o.l');
    assert.equal(await focus(page), 'grip-0');
    assert.match(
      await text(page, '#flow [data-slot="built"] [role="status"]'),
      /^Dense removed\.$/,
    );
    await page.close();
  });

  for (const touch of [false, true]) {
    test(`layers can be dragged from the shelf and in the list by ${touch ? 'touch' : 'mouse'}`, async () => {
      const { page } = await open(
        '#v1/flow?flow.data=guide',
        touch ? { width: 390, height: 2600 } : { height: 1600 },
      );
      await unfold(page);
      const pointer = touch ? fingers(page) : mouse(page);
      const middle = async (selector) => {
        const box = await (await page.$(selector)).boundingBox();
        return [box.x + box.width / 2, box.y + box.height / 2];
      };
      await pointer.drag(
        await middle('#flow .shelf [data-code="p"] .grip'),
        await middle('#flow [data-gap="1"]'),
      );
      await settled(page, 'e.p.l');
      await pointer.drag(
        await middle('[data-focus="grip-1"]'),
        await middle('#flow [data-gap="3"]'),
      );
      await settled(page, 'e.l.p');
      // A drop beside the list changes nothing.
      await pointer.drag(await middle('[data-focus="grip-1"]'), [5, 5]);
      await waitUntilDrawn(page, 'flow');
      assert.deepEqual(await names(page), ['Embedding', 'LSTM', '+ 1']);
      await page.close();
    });
  }

  test('buttons move and remove layers; settings of a layer change the model; each change is one step of history', async () => {
    const { page } = await open('#v1/flow?flow.data=guide');
    await page.click('#flow [data-card="0"] [aria-label="Move Embedding down"]');
    await settled(page, 'l.e');
    assert.match(
      await problem(page, 'flow'),
      /LSTM needs numbers for each step, but its input here is ids/,
    );
    await page.goBack();
    await settled(page, 'e.l');
    assert.equal(await problem(page, 'flow'), null);
    await page.select('[data-focus="set-1-returnSequences"]', 'all');
    await settled(page, 'e.ls');
    await page.select('[data-focus="set-0-maskZero"]', 'off');
    await settled(page, 'e0.ls');
    assert.match(await sentenceOf(page, 'flow'), /^No layer makes a mask/);
    await page.click('[data-focus="remedy-0-0"]');
    await settled(page, 'e.ls');
    await page.goBack();
    await settled(page, 'e0.ls');
    await page.goBack();
    await settled(page, 'e.ls');
    await page.close();
  });

  test('every remedy on view works: the mask is no longer lost there', async () => {
    for (const model of ['e.p.l', 'e.t.l', 'e.z.l', 'e.a.l', 'e.i.l', 'e.x', 'e0.l']) {
      const { page } = await open(`#v1/flow?flow.data=guide&flow.model=${model}`);
      const count = (await page.$$('#flow .remedy button')).length;
      assert.ok(count > 0, model);
      for (let index = 0; index < count; index++) {
        await set(page, 'flow', { model });
        await (await page.$$('#flow .remedy button'))[index].click();
        await page.waitForFunction(
          (before) => document.querySelector('#flow input[name="model"]').value !== before,
          {},
          model,
        );
        await waitUntilDrawn(page, 'flow');
        assert.equal((await page.$$('#flow .card.lost')).length, 0, `${model} ${index}`);
        // A convolution has mixed padding into each step before the mask is attached again.
        if (model !== 'e.i.l')
          assert.match(await sentenceOf(page, 'flow'), /by exactly 0\.$/, `${model} ${index}`);
      }
      await page.close();
    }
  });

  test('an odd number of steps is explained where it occurs, and the button helps', async () => {
    const { page } = await open('#v1/flow?flow.data=tiled&flow.model=k.s&flow.steps=7');
    assert.match(await problem(page, 'flow'), /7 steps do not divide into two equal halves/);
    assert.equal(await sentenceOf(page, 'flow'), '');
    assert.match(await text(page, '#flow [data-card="1"] .objection'), /^7 steps do not divide/);
    await page.click('#flow .objection button');
    await page.waitForFunction(() => document.querySelector('#flow-steps').value === '8');
    await waitUntilDrawn(page, 'flow');
    assert.equal(await problem(page, 'flow'), null);
    assert.deepEqual(await masks(page, 'flow', 'built'), [
      ['TTTFFFFF', 'TTTTTFFF', 'TTTTTTFF'],
      ['TTTF', 'TTTT', 'TTTT'],
      ['FFFF', 'TFFF', 'TTFF'],
    ]);
    await page.close();
  });

  test('examples set model, data and steps, and the address restores them', async () => {
    const { page } = await open('#v1/flow');
    await page.select('#flow-preset', 'C2');
    await settled(page, 'k.h.ls');
    assert.equal(await hash(page), '#v1/flow?flow.data=readings&flow.model=k.h.ls');
    await page.click('#flow .controls .fold > summary');
    await page.click('#flow input[value="keras-3.16"]');
    await waitUntilDrawn(page, 'flow');
    const { page: otherPage } = await open(await hash(page));
    assert.equal(await sentenceOf(otherPage, 'flow'), await sentenceOf(page, 'flow'));
    assert.equal(
      await text(otherPage, '#flow-preset option:checked'),
      'TimeDistributed before LSTM',
    );
    assert.match(
      await text(otherPage, '#flow [data-slot="keras"]'),
      /^Keras 3\.16\.\d ran the same program\. Masks and shapes are the same/,
    );
    await page.close();
    await otherPage.close();
  });

  test('any address leads to a figure or a sentence', async () => {
    for (const settings of [
      'flow.model=',
      'flow.model=%F0%9F%98%80.e.%00.l',
      'flow.model=__proto__',
      'flow.model=constructor',
      `flow.model=${'e.'.repeat(3000)}`,
      'flow.model=e.l&flow.data=none&flow.steps=1e9&flow.rules=x',
      'flow.steps=-5',
      'flow.steps=abc',
      `flow.model=${Array(10).fill('ls').join('.')}&flow.data=readings&flow.steps=120`,
    ]) {
      const { page, faults } = await open(`#v1/flow?${settings}`);
      const sentence = (await problem(page, 'flow')) ?? (await sentenceOf(page, 'flow'));
      assert.match(sentence, /^[A-Z].*\.$/, settings);
      assert.ok((await sideways(page)) <= 0, settings);
      assert.deepEqual(faults, [], settings);
      await page.close();
    }
  });

  test('the batch of chapter 2 is used; one that no Embedding accepts is explained', async () => {
    const { page } = await open('#v1/flow?padding.text=a b c%0Ad&padding.padding=pre');
    assert.deepEqual((await masks(page, 'flow', 'built'))[0], ['TTT', 'FFT']);
    // Keras ran with the batch of the page only.
    await page.click('#flow .reveal');
    const compared = () => page.$eval('#flow [data-slot="keras"]', (each) => !each.hidden);
    assert.equal(await compared(), false);
    await set(page, 'padding', { value: '5000' });
    await waitUntilDrawn(page, 'flow');
    assert.match(await problem(page, 'flow'), /The batch pads with 5000/);
    assert.equal((await page.$$('#flow .built .mini')).length, 0);
    await page.close();
  });

  test('an example of ids reads the batch of chapter 2, until its checkbox is off', async () => {
    const { page, faults } = await open('#v1/flow?padding.text=a b c%0Ad');
    const first = async (expected) => {
      await waitUntilDrawn(page, 'flow');
      assert.deepEqual((await masks(page, 'flow', 'built'))[0], expected);
    };
    await page.select('#flow-preset', 'B1 LSTM');
    await first(['TTT', 'TFF']);
    assert.equal(await page.$eval('#flow [data-slot="keras"]', (each) => each.hidden), true);
    assert.equal(await text(page, '#flow-preset option:checked'), 'x + 1 before LSTM');
    await set(page, 'flow', { mine: false });
    await first(['TTFF', 'TTTF']);
    assert.match(await text(page, '#flow .see'), /numbers of its own/);
    await page.select('#flow-preset', 'G3 Sequential');
    await set(page, 'flow', { mine: true });
    assert.doesNotMatch(await text(page, '#flow .see'), /numbers of its own/);
    assert.match(
      (await shownCode(page, 'flow')).code,
      /const rows = \[\[\d+, \d+, \d+\], \[\d+\]\]/,
    );
    assert.deepEqual(faults, []);
    await page.close();
  });

  test('an edited program is drawn as it is, without its list; Undo restores the list', async () => {
    const { page } = await open('#v1/flow?flow.data=guide');
    const press = (label) =>
      page.$eval(
        '#flow .code',
        (box, name) =>
          [...box.querySelectorAll('button')].find((each) => each.textContent === name).click(),
        label,
      );
    await press('Edit');
    await page.waitForSelector('#flow .cm-content');
    await page.$eval('#flow .cm-content', (content) => {
      const view = content.cmTile?.view ?? content.cmView.view;
      const code = view.state.doc.toString();
      const edited = code
        .replace('.apply(x1);', '.apply(ops.add(x1, 1));')
        .replace('Model, pad', 'Model, ops, pad');
      view.dispatch({ changes: { from: 0, to: code.length, insert: edited } });
    });
    await press('Run');
    await page.waitForFunction(() =>
      /^The mask is lost at Add/.test(document.querySelector('#flow .says').innerText),
    );
    assert.equal(await page.$eval('#flow .built.other', (list) => list.offsetHeight), 0);
    assert.equal((await page.$$('#flow [data-slot="chains"] .card.lost')).length, 1);
    await press('Undo changes');
    await page.waitForFunction(() =>
      /^The mask reaches/.test(document.querySelector('#flow .says').innerText),
    );
    assert.ok(
      await page.$eval('#flow [data-slot="built"] .built', (list) => list.offsetHeight > 0),
    );
    await page.close();
  });

  test('on a phone the sentence lies over no part of the model', async () => {
    const { page } = await open('#v1/flow?flow.data=guide', { width: 375, height: 700 });
    assert.equal(await page.$eval('#flow .shelving', ({ open }) => open), false);
    await unfold(page);
    for (const selector of ['#flow .built', '#flow .shelf', '#flow-preset']) {
      await page.$eval(selector, (element) => element.scrollIntoView({ block: 'center' }));
      const covered = await page.$eval('#flow .says', (sentence) => {
        const { top, bottom } = sentence.getBoundingClientRect();
        const parts = document.querySelectorAll('#flow :is(.card, .between, .shelf button)');
        return [...parts].filter((part) => {
          const place = part.getBoundingClientRect();
          return place.top < bottom - 1 && place.bottom > top + 1;
        }).length;
      });
      assert.equal(covered, 0, selector);
    }
    await page.close();
  });
});

/** Unfolds the shelf, which is folded on a phone. */
const unfold = (page) =>
  page.$eval('#flow .shelving', (fold) => {
    fold.open = true;
  });

const mouse = (page) => ({
  async drag([x, y], [toX, toY]) {
    await page.mouse.move(x, y);
    await page.mouse.down();
    await page.mouse.move((x + toX) / 2, (y + toY) / 2, { steps: 4 });
    await page.mouse.move(toX, toY, { steps: 4 });
    await page.mouse.up();
  },
});

const fingers = (page) => ({
  async drag([x, y], [toX, toY]) {
    await page.touchscreen.touchStart(x, y);
    for (let part = 1; part <= 8; part++)
      await page.touchscreen.touchMove(x + ((toX - x) * part) / 8, y + ((toY - y) * part) / 8);
    await page.touchscreen.touchEnd();
  },
});
