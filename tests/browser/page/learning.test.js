// SPDX-License-Identifier: MIT
import assert from 'node:assert/strict';
import { suite, test } from 'node:test';
import { servePage, skip, testAccess } from '../support/chapter.js';
import { waitUntilDrawn, problem, sentenceOf, set, text } from '../support/page.js';

suite('chapter 1, learning', { skip }, () => {
  const open = servePage('learning');
  testAccess(open, 'learning');

  const act = (page, action) =>
    page.$eval(`#learning [data-run="${action}"]`, (button) => button.click());
  const progress = (page) => text(page, '#learning [data-slot="progress"]');
  const epoch = (page, pattern) =>
    page.waitForFunction(
      (source) =>
        new RegExp(source).test(
          document.querySelector('#learning [data-slot="progress"]').textContent,
        ),
      {},
      pattern,
    );

  /** Waits until a value, where the page is scrolled to by default, stays for half a second. */
  const waitUntilStill = async (page, value = () => page.evaluate(() => scrollY)) => {
    for (let [before, after] = [-1, await value()]; before !== after; ) {
      await new Promise((resolve) => setTimeout(resolve, 500));
      [before, after] = [after, await value()];
    }
  };

  test('settings of a toolbar stay together, in one line from 768 pixels on', async () => {
    const { page } = await open();
    for (const width of [768, 1024, 1440]) {
      await page.setViewport({ width, height: 800 });
      const lines = await page.$$eval('#learning .toolbar, #cost .toolbar', (bars) =>
        bars.map((bar) => {
          const middles = [...bar.querySelectorAll('.field, [data-other]')].map((each) => {
            const { top, bottom } = each.getBoundingClientRect();
            return Math.round((top + bottom) / 4);
          });
          return new Set(middles).size;
        }),
      );
      assert.deepEqual(lines, [1, 1], `${width}`);
    }
    await page.close();
  });

  test('numbers of the recording are called recorded, until the visitor trains', async () => {
    const { page } = await open();
    const labels = () =>
      page.$$eval('#learning :is([data-slot="which"], figcaption)', (all) =>
        all.map((each) => each.innerText.startsWith('Recorded: ')),
      );
    assert.deepEqual(await labels(), [true, true, true]);
    await act(page, 'step');
    await epoch(page, '^Epoch 1 of 24$');
    await page.waitForFunction(() => document.querySelectorAll('#learning .dot').length > 0);
    assert.deepEqual(await labels(), [false, false, false]);
    await page.close();
  });

  test('trains one epoch, continues, and stops: the judgement covers what was learned so far', async () => {
    const { page, faults } = await open('#v1/learning?learning.epochs=48');
    await act(page, 'step');
    await epoch(page, '^Epoch 1 of 48$');
    await page.waitForFunction(
      () => document.querySelector('#learning [data-run="pause"]').textContent === 'Continue',
    );
    await act(page, 'step');
    await epoch(page, '^Epoch 2 of 48$');
    await new Promise((resolve) => setTimeout(resolve, 300));
    assert.equal(await progress(page), 'Epoch 2 of 48');
    await act(page, 'pause');
    await epoch(page, '^Epoch ([3-9]|\\d\\d) of 48$');
    await act(page, 'pause');
    const epochNow = async () => Number(/^Epoch (\d+)/.exec(await progress(page))[1]);
    await waitUntilStill(page, epochNow);
    assert.ok((await epochNow()) < 48);
    await act(page, 'stop');
    await waitUntilDrawn(page, 'learning');
    const epochs = await epochNow();
    assert.match(await sentenceOf(page, 'learning'), new RegExp(`^After ${epochs} epochs, on`));
    assert.deepEqual(faults, []);
    await page.close();
  });

  test('trains once when it is seen, can be paused, and waits with reduced motion', async () => {
    const { page } = await open('#v1/padding', { motion: 'no-preference', chapter: 'padding' });
    assert.equal(await progress(page), '');
    await page.evaluate(() => document.getElementById('learning').scrollIntoView());
    await epoch(page, '^Epoch \\d+ of 24$');
    await act(page, 'pause');
    await page.waitForFunction(
      () => document.querySelector('#learning [data-run="pause"]').textContent === 'Continue',
    );
    // The sentence belongs to the numbers beside it, not to the recording.
    const [shown, says] = await page.evaluate(() =>
      ['[data-slot="progress"]', '.says'].map(
        (part) => document.querySelector(`#learning ${part}`).textContent,
      ),
    );
    const [, number] = /^Epoch (\d+) of/.exec(shown);
    assert.match(says, new RegExp(`^After ${number} epochs?, `));
    await act(page, 'pause');
    await epoch(page, '^Epoch 24 of 24$');
    await waitUntilDrawn(page, 'learning');
    assert.match(await sentenceOf(page, 'learning'), /^After 24 epochs/);
    // Seen again, it keeps its result.
    await page.evaluate(() => document.getElementById('own').scrollIntoView());
    await page.evaluate(() => document.getElementById('learning').scrollIntoView());
    await new Promise((resolve) => setTimeout(resolve, 300));
    assert.equal(await page.$('#learning[data-drawn="no"]'), null);
    const { page: still } = await open();
    await new Promise((resolve) => setTimeout(resolve, 300));
    assert.match(
      await sentenceOf(still, 'learning'),
      /^Recorded on another machine\. After 24 epochs/,
    );
    assert.equal(await progress(still), '');
    await page.close();
    await still.close();
  });

  test('a link to another chapter passes it without training, and ends at that chapter', async () => {
    const { page } = await open('', {
      motion: 'no-preference',
      chapter: 'proof',
      whole: false,
    });
    await page.$eval('nav a[href="#padding"]', (link) => link.click());
    await page.waitForSelector('html[data-complete]');
    await waitUntilStill(page);
    const { top, bar } = await page.evaluate(() => ({
      top: document.getElementById('padding').getBoundingClientRect().top,
      bar: document.querySelector('.bar').getBoundingClientRect().bottom,
    }));
    assert.ok(Math.abs(top - bar) <= 4, `chapter at ${top}, bar to ${bar}`);
    assert.equal(await progress(page), '');
    await page.close();
  });

  test('another padding is shown without training again', async () => {
    const { page } = await open('#v1/learning?learning.epochs=12');
    await act(page, 'run');
    await waitUntilDrawn(page, 'learning');
    const sentence = await sentenceOf(page, 'learning');
    await set(page, 'learning', { width: '200' });
    assert.equal(await sentenceOf(page, 'learning'), sentence);
    assert.equal(
      await text(page, '#learning [data-slot="which"]'),
      'Rows that neither model saw, padded to 200',
    );
    await page.close();
  });

  test('another seed trains again, and other settings remove the old figure', async () => {
    const { page } = await open('#v1/learning?learning.epochs=12');
    await act(page, 'run');
    await waitUntilDrawn(page, 'learning');
    const firstRows = await page.$eval('#learning [data-slot="rows"]', (slot) => slot.textContent);
    await page.$eval('#learning [data-other]', (button) => button.click());
    await waitUntilDrawn(page, 'learning');
    assert.match(await page.evaluate(() => location.hash), /learning\.seed=2/);
    assert.match(await sentenceOf(page, 'learning'), /^After 12 epochs/);
    const secondRows = await page.$eval('#learning [data-slot="rows"]', (slot) => slot.textContent);
    assert.notEqual(secondRows, firstRows);
    await set(page, 'learning', { epochs: '48' });
    assert.match(await sentenceOf(page, 'learning'), /^Press Train/);
    await page.close();
  });

  test('changing settings during training ends it', async () => {
    const { page, faults } = await open('#v1/learning?learning.epochs=48');
    await act(page, 'run');
    await epoch(page, '^Epoch \\d+ of 48$');
    await set(page, 'learning', { seed: '9' });
    assert.match(await sentenceOf(page, 'learning'), /^Press Train/);
    const isDisabled = await page.$eval('#learning [data-run="stop"]', (button) =>
      button.getAttribute('aria-disabled'),
    );
    assert.equal(isDisabled, 'true');
    await set(page, 'learning', { epochs: '12' });
    await act(page, 'run');
    await waitUntilDrawn(page, 'learning');
    assert.match(await sentenceOf(page, 'learning'), /^After 12 epochs/);
    assert.deepEqual(faults, []);
    await page.close();
  });

  test('a program that shows something else is refused with an explanation, and the page still works', async () => {
    const { deflateRawSync } = await import('node:zlib');
    const code = deflateRawSync(
      "import { ready } from 'maskflow/train';\nawait ready();\nshow(undefined);\n",
    );
    const { page, faults } = await open(`#v1/learning?learning.code=${code.toString('base64url')}`);
    await page.$eval('#learning .code', (box) =>
      [...box.querySelectorAll('button')].find((each) => each.textContent === 'Run').click(),
    );
    await page.waitForFunction(() => !document.querySelector('#learning .problem').hidden);
    await waitUntilDrawn(page, 'learning');
    assert.doesNotMatch(await problem(page, 'learning'), /undefined|is not/);
    assert.deepEqual(faults, []);
    await page.close();
  });

  test('Stop ends a program that never yields, without an error', async () => {
    const { deflateRawSync } = await import('node:zlib');
    const code = deflateRawSync('for (;;);\n');
    const { page, faults } = await open(`#v1/learning?learning.code=${code.toString('base64url')}`);
    await page.$eval('#learning .code', (box) =>
      [...box.querySelectorAll('button')].find((each) => each.textContent === 'Run').click(),
    );
    await page.waitForSelector('#learning.waiting');
    await act(page, 'stop');
    await waitUntilDrawn(page, 'learning');
    assert.equal(await problem(page, 'learning'), null);
    assert.match(await sentenceOf(page, 'learning'), /^Stopped before there was anything to show/);
    assert.deepEqual(faults, []);
    await page.close();
  });

  test('a missing seed leads to a question', async () => {
    const { page } = await open();
    await set(page, 'learning', { seed: '' });
    assert.equal(await problem(page, 'learning'), 'Type a seed: an integer from 1 to 9999.');
    await page.close();
  });
});
