// SPDX-License-Identifier: MIT
import assert from 'node:assert/strict';
import { suite, test } from 'node:test';
import { servePage, skip, testAccess } from '../support/chapter.js';
import { waitUntilDrawn, problem, sentenceOf, set, text } from '../support/page.js';

suite('streams', { skip }, () => {
  const open = servePage('stream');
  testAccess(open, 'stream', [
    '#v1/stream?stream.saved=3',
    '#v1/stream?stream.model=sensor',
    '#v1/stream?stream.model=brackets',
  ]);

  const hash = (page) => page.evaluate(() => decodeURIComponent(location.hash));
  const click = async (page, selector) => {
    await page.$eval(`#stream ${selector}`, (button) => button.click());
    await waitUntilDrawn(page, 'stream');
  };

  test('each key is a step, and the address contains them', async () => {
    const { page, faults } = await open('#v1/stream?stream.text=');
    assert.match(await sentenceOf(page, 'stream'), /^Type a bracket/);
    await page.focus('#stream-text');
    await page.keyboard.type('{[]}');
    await waitUntilDrawn(page, 'stream');
    assert.match(await sentenceOf(page, 'stream'), /^After 4 steps the model says “all closed”/);
    assert.equal(await hash(page), '#v1/stream?stream.text={[]}');
    await page.keyboard.press('Backspace');
    await waitUntilDrawn(page, 'stream');
    assert.match(
      await sentenceOf(page, 'stream'),
      /^After 3 steps the model says “not all closed”/,
    );
    await click(page, '[data-key="}"]');
    assert.match(await sentenceOf(page, 'stream'), /^After 4 steps the model says “all closed”/);
    assert.deepEqual(faults, []);
    await page.close();
  });

  test('the length of the text is limited as stated', async () => {
    const { page } = await open('#v1/stream?stream.text=');
    await page.focus('#stream-text');
    await page.keyboard.type('('.repeat(30));
    await waitUntilDrawn(page, 'stream');
    assert.match(await sentenceOf(page, 'stream'), /^After 24 steps/);
    await click(page, '[data-key="("]');
    assert.match(await sentenceOf(page, 'stream'), /^After 24 steps/);
    await page.close();
  });

  test('a character that is not a bracket is explained, without a figure', async () => {
    const { page } = await open();
    await set(page, 'stream', { text: '(a' });
    assert.match(await problem(page, 'stream'), /only knows .*; remove “a”/);
    await set(page, 'stream', { text: '()' });
    assert.equal(await problem(page, 'stream'), null);
    assert.match(await sentenceOf(page, 'stream'), /all closed/);
    await page.close();
  });

  test('a saved state continues in another stream', async () => {
    const { page } = await open();
    await click(page, '[data-save]');
    await page.waitForSelector('#stream pre.state');
    const json = await page.$eval('#stream pre.state', (pre) => pre.textContent);
    assert.equal(JSON.parse(json)[0].layer, 'lstm');
    assert.match(
      await text(page, '#stream [data-slot="state"]'),
      new RegExp(`The state after 5 steps: ${json.length} bytes of JSON`),
    );
    await page.close();
  });

  test('readings can be entered by keyboard: a level, or a missing one', async () => {
    const { page } = await open('#v1/stream?stream.model=sensor&stream.readings=');
    assert.match(await sentenceOf(page, 'stream'), /^Add a first reading/);
    await page.focus('#stream-level');
    await page.keyboard.press('ArrowRight');
    await page.keyboard.press('ArrowRight');
    assert.equal(await text(page, '#stream [data-slot="level"]'), '0.10');
    await page.focus('#stream [data-take="reading"]');
    await page.keyboard.press('Enter');
    await waitUntilDrawn(page, 'stream');
    await page.focus('#stream [data-take="missing"]');
    await page.keyboard.press('Space');
    await waitUntilDrawn(page, 'stream');
    assert.match(
      await sentenceOf(page, 'stream'),
      /^After 2 steps .* changed the answer by exactly 0/,
    );
    assert.match(await hash(page), /stream\.readings=10,x$/);
    await page.close();
  });

  test('a pointer draws readings; skipped ones are missing, and it does not go back', async () => {
    const { page } = await open('#v1/stream?stream.model=sensor&stream.readings=');
    const svg = await page.$('#stream .chart');
    await svg.scrollIntoView();
    const plot = await page.$eval('#stream .chart', (each) => {
      const box = each.getBoundingClientRect();
      const scale = box.width / each.viewBox.baseVal.width;
      const [x, y, width, height] = each.dataset.plot.split(' ').map((side) => side * scale);
      return { x: box.x + x, y: box.y + y, width, height };
    });
    const at = (step, value) => [
      plot.x + (step / 48) * plot.width,
      plot.y + ((1.5 - value) / 3) * plot.height,
    ];
    await page.mouse.move(...at(0, 0.5));
    await page.mouse.down();
    await page.mouse.move(...at(1, 0.75));
    await page.mouse.move(...at(4, -0.75));
    await page.mouse.move(...at(2, 1));
    await page.mouse.up();
    await waitUntilDrawn(page, 'stream');
    const [, readings] = /stream\.readings=(.*)$/.exec(await hash(page));
    const [first, second, ...otherReadings] = readings
      .split(',')
      .map((each) => (each === 'x' ? each : Number(each)));
    assert.ok(Math.abs(first - 50) < 4 && Math.abs(second - 75) < 4, readings);
    assert.deepEqual(otherReadings.slice(0, 2), ['x', 'x']);
    assert.ok(Math.abs(otherReadings[2] + 75) < 4 && otherReadings.length === 3, readings);
    await page.goBack();
    await waitUntilDrawn(page, 'stream');
    assert.match(await sentenceOf(page, 'stream'), /^Add a first reading/);
    await page.close();
  });

  test('the address restores the chapter', async () => {
    const { page } = await open();
    await set(page, 'stream', { text: '([{}' });
    await click(page, '[data-save]');
    const { page: otherPage } = await open(await hash(page));
    const answer = (each) => text(each, '#stream [data-slot="state"]');
    assert.equal(await answer(otherPage), await answer(page));
    await click(page, '[data-again]');
    assert.match(await sentenceOf(page, 'stream'), /^Type a bracket/);
    await page.close();
    await otherPage.close();
  });

  test('any address leads to a figure or a sentence', async () => {
    for (const settings of [
      'stream.model=sensor&stream.readings=NaN,1e999,,%00,5',
      'stream.saved=-5',
      'stream.saved=1e9',
      'stream.model=other',
      `stream.text=${'('.repeat(500)}`,
    ]) {
      const { page, faults } = await open(`#v1/stream?${settings}`);
      assert.match(await sentenceOf(page, 'stream'), /^After \d+ steps/, settings);
      assert.deepEqual(faults, [], settings);
      await page.close();
    }
  });
});
