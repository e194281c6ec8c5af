// SPDX-License-Identifier: MIT
// Questions of the chapters: nothing on view answers them before a guess or "Show me".
import assert from 'node:assert/strict';
import { suite, test } from 'node:test';
import { servePage, skip } from '../support/chapter.js';
import { sentenceOf, set, text } from '../support/page.js';

suite('questions', { skip }, () => {
  const open = servePage('flow');
  const isAsked = (page, chapter) =>
    page.$eval(`#${chapter} [data-predict]`, (box) => box.checkVisibility());

  /** Returns the visible text of a chapter, with the output of its program. */
  const onView = async (page, chapter) => {
    await page.$$eval(`#${chapter} details`, (all) => {
      for (const details of all) details.open = true;
    });
    // Programs are drawn when their boxes open.
    await page.waitForSelector(`#${chapter} .ending pre code`);
    return page.$eval(`#${chapter}`, (section) => section.innerText);
  };

  const guess = async (page, chapter, value) => {
    await page.click(`#${chapter} [data-predict] button[value="${value}"]`);
    await page.waitForSelector(`#${chapter} .verdict:not(:empty)`);
    return text(page, `#${chapter} .verdict`);
  };

  test('there are at most five, each a group with a name and a way to skip it', async () => {
    const { page } = await open();
    const questions = await page.$$eval('[data-predict]', (boxes) =>
      boxes.map((box) => ({
        role: box.role,
        name: document.getElementById(box.getAttribute('aria-labelledby'))?.textContent,
        last: [...box.querySelectorAll('button')].at(-1).textContent,
      })),
    );
    assert.ok(questions.length >= 1 && questions.length <= 5, `${questions.length} questions`);
    for (const { role, name, last } of questions) {
      assert.equal(role, 'group');
      assert.match(name, /\?$/);
      assert.equal(last, 'Show me');
    }
    await page.close();
  });

  test('nothing shows the change by padding before a guess, which tells it', async () => {
    const { page } = await open('#v1/flow');
    assert.doesNotMatch(await onView(page, 'flow'), /exactly 0|by up to|[01]\.\d{3}/);
    // The name of the example does not answer the question, nor does the sentence below it.
    const example = await page.$eval(
      '#flow-preset',
      ({ selectedOptions }) => selectedOptions[0].text,
    );
    assert.doesNotMatch(
      `${example} ${await text(page, '#flow .see')}`,
      /reaches|travels|by itself/,
    );
    assert.match(
      await guess(page, 'flow', 'other'),
      /^You said “Something different”\. .* changes by exactly 0\. The mask reaches the LSTM, which ignores the padding\. An answer changes only if a layer uses what was added\.$/,
    );
    assert.match(await sentenceOf(page, 'flow'), /by exactly 0\.$/);
    await page.close();
  });

  test('no name of an example says what happens to the mask', async () => {
    const { page } = await open('#v1/flow');
    const told =
      /\b(drops?|loses?|lost|passes|pass|makes?|reach(es)?|wins?|lets|keeps?|counts?|gets?|gives?|shortens?|error|warns?|nothing|no)\b/i;
    const names = await page.$$eval('#flow-preset option:not([hidden])', (all) =>
      all.map((each) => each.text),
    );
    assert.equal(new Set(names).size, names.length);
    assert.equal(names.length, 30);
    assert.deepEqual(
      names.filter((name) => told.test(name)),
      [],
    );
    await page.close();
  });

  test('the toy says what a zero does after the first zero only', async () => {
    const { page } = await open('#v1/flow');
    const isSeen = () =>
      page.$eval('#proof .quote', (quote) => quote.checkVisibility({ visibilityProperty: true }));
    assert.equal(await isSeen(), false);
    await page.click('#proof [data-add]');
    await page.waitForSelector('#proof.fallen');
    assert.equal(await isSeen(), true);
    await page.close();
  });

  test('nothing above the question about gates says that they are skipped', async () => {
    const { page } = await open('#v1/cell');
    await page.waitForSelector('#cell[data-drawn="yes"]');
    const skipped = /comput|skip|not read/i;
    assert.doesNotMatch(await text(page, '#steps'), skipped);
    for (const part of ['.question', '.picture'])
      assert.doesNotMatch(await text(page, `#cell ${part}`), skipped);
    // No answer is longer than the others, as right answers tend to be.
    const answers = await page.$$eval('#cell [data-predict] button[aria-pressed]', (all) =>
      all.map((each) => each.textContent.length),
    );
    assert.ok(Math.max(...answers) - Math.min(...answers) <= 6, answers.join());
    await page.close();
  });

  test('each wrong guess hears why', async () => {
    const { page } = await open('#v1/flow');
    const values = await page.$$eval('[data-predict]', (boxes) =>
      boxes.map((box) => [
        box.closest('section').id,
        [...box.querySelectorAll('[aria-pressed]')].map(({ value }) => value),
      ]),
    );
    for (const [chapter, answers] of values) {
      const verdicts = [];
      for (const value of answers) {
        await page.click(`#${chapter} [data-predict] button[value="${value}"]`);
        await page.waitForFunction(
          (id, before) => {
            const verdict = document.querySelector(`#${id} .verdict`).textContent;
            return verdict !== '' && verdict !== before;
          },
          { polling: 50 },
          chapter,
          verdicts.at(-1) ?? '',
        );
        verdicts.push(await page.$eval(`#${chapter} .verdict`, (each) => each.textContent));
      }
      const right = verdicts.filter((verdict) => verdict.startsWith('Yes.'));
      assert.equal(right.length, 1, chapter);
      const length = right[0].length;
      for (const verdict of verdicts)
        if (verdict !== right[0]) assert.ok(verdict.length > length + 40, `${chapter}: ${verdict}`);
    }
    await page.close();
  });

  test('another model removes the question with its verdict', async () => {
    const { page } = await open('#v1/flow');
    await guess(page, 'flow', 'same');
    await set(page, 'flow', { data: 'pairs' });
    assert.equal(await isAsked(page, 'flow'), false);
    assert.match(await sentenceOf(page, 'flow'), /padding change the answer/);
    await page.close();
  });

  test('an address with settings shows its figure without a question', async () => {
    const { page } = await open('#v1/flow?flow.model=e.p.l&flow.data=pairs');
    assert.equal(await isAsked(page, 'flow'), false);
    assert.match(await sentenceOf(page, 'flow'), /^The mask is lost/);
    await page.close();
  });

  test('“Show me” says the result, and the focus stays at the question', async () => {
    const { page } = await open('#v1/flow');
    await page.focus('#flow .reveal');
    await page.keyboard.press('Enter');
    await page.waitForSelector('#flow .verdict:not(:empty)');
    assert.match(
      await text(page, '#flow .verdict'),
      /^The answer of this model changes by exactly 0\. The mask reaches the LSTM, which ignores the padding/,
    );
    assert.match(await sentenceOf(page, 'flow'), /by exactly 0\.$/);
    assert.equal(
      await page.evaluate(() => document.activeElement.matches('#flow [data-predict]')),
      true,
    );
    await page.close();
  });

  test('the text of chapter 6 does not say what it will measure', async () => {
    const { page } = await open('#v1/cost');
    assert.doesNotMatch(await text(page, '#cost .question'), /half/i);
    await page.close();
  });

  test('headings of chapters 1 and 2 ask what their figures answer', async () => {
    const { page } = await open('#v1/learning');
    for (const chapter of ['learning', 'padding']) {
      const heading = await text(page, `#${chapter} h2`);
      assert.match(heading, /\?$/);
      assert.doesNotMatch(heading, /\b(why|must|without)\b/i);
      assert.doesNotMatch(await text(page, `#${chapter} .question`), /%|guess|share|like any/i);
    }
    await page.close();
  });

  test('paper shows all figures', async () => {
    const { page } = await open('#v1/flow');
    await page.emulateMediaType('print');
    const isShown = await page.$$eval('[data-answer]', (all) =>
      all.map((each) => getComputedStyle(each).display !== 'none'),
    );
    assert.ok(isShown.length > 0 && isShown.every(Boolean));
    await page.close();
  });
});
