// SPDX-License-Identifier: MIT
import assert from 'node:assert/strict';
import { suite, test } from 'node:test';
import { servePage, skip, testAccess, testClaims } from '../support/chapter.js';
import { drawn, problem, said, set, text } from '../support/page.js';
import { claims } from './claims/stream.js';

suite('chapter 8, stream', { skip }, () => {
  const open = servePage('stream');
  testClaims(open, 'stream', claims);
  testAccess(open, 'stream', [
    '#v1/stream?stream.saved=3',
    '#v1/stream?stream.model=sensor',
    '#v1/stream?stream.model=brackets',
  ]);

  const hash = (page) => page.evaluate(() => decodeURIComponent(location.hash));
  const click = async (page, selector) => {
    await page.$eval(`#stream ${selector}`, (button) => button.click());
    await drawn(page, 'stream');
  };

  test('each key is a step; the address holds them', async () => {
    const { page, faults } = await open('#v1/stream?stream.text=');
    assert.match(await said(page, 'stream'), /^Type a bracket/);
    await page.focus('#stream-text');
    await page.keyboard.type('{[]}');
    await drawn(page, 'stream');
    assert.match(await said(page, 'stream'), /^After 4 steps the model says “all closed”/);
    assert.equal(await hash(page), '#v1/stream?stream.text={[]}');
    await page.keyboard.press('Backspace');
    await drawn(page, 'stream');
    assert.match(await said(page, 'stream'), /^After 3 steps the model says “not all closed”/);
    await click(page, '[data-key="}"]');
    assert.match(await said(page, 'stream'), /^After 4 steps the model says “all closed”/);
    assert.deepEqual(faults, []);
    await page.close();
  });

  test('no more is typed than is stated', async () => {
    const { page } = await open('#v1/stream?stream.text=');
    await page.focus('#stream-text');
    await page.keyboard.type('('.repeat(30));
    await drawn(page, 'stream');
    assert.match(await said(page, 'stream'), /^After 24 steps/);
    await click(page, '[data-key="("]');
    assert.match(await said(page, 'stream'), /^After 24 steps/);
    await page.close();
  });

  test('what is no bracket is told, and the figure goes', async () => {
    const { page } = await open();
    await set(page, 'stream', { text: '(a' });
    assert.match(await problem(page, 'stream'), /“a” is none of them/);
    await set(page, 'stream', { text: '()' });
    assert.equal(await problem(page, 'stream'), null);
    assert.match(await said(page, 'stream'), /all closed/);
    await page.close();
  });

  test('a guess saves the state, and is answered by the difference', async () => {
    const { page } = await open();
    await click(page, '[data-predict] button[value="nearly"]');
    await page.waitForSelector('#stream .verdict:not(:empty)');
    assert.match(
      await text(page, '#stream .verdict'),
      /^You said “nearly the same”\. .* the largest difference of their answers is exactly 0\.$/,
    );
    const json = await page.$eval('#stream pre.state', (pre) => pre.textContent);
    assert.equal(JSON.parse(json)[0].layer, 'lstm');
    assert.match(
      await text(page, '#stream [data-slot="state"]'),
      new RegExp(`The state after 5 steps: ${json.length} bytes of JSON`),
    );
    await page.close();
  });

  test('readings by keys: a level, taken; one that is missing', async () => {
    const { page } = await open('#v1/stream?stream.model=sensor&stream.readings=');
    assert.match(await said(page, 'stream'), /^Take a first reading/);
    await page.focus('#stream-level');
    await page.keyboard.press('ArrowRight');
    await page.keyboard.press('ArrowRight');
    assert.equal(await text(page, '#stream [data-slot="level"]'), '0.10');
    await page.focus('#stream [data-take="reading"]');
    await page.keyboard.press('Enter');
    await drawn(page, 'stream');
    await page.focus('#stream [data-take="missing"]');
    await page.keyboard.press('Space');
    await drawn(page, 'stream');
    assert.match(await said(page, 'stream'), /^After 2 steps .* moved the answer by exactly 0/);
    assert.match(await hash(page), /stream\.readings=10,x$/);
    await page.close();
  });

  test('a pointer draws; what it leaps over is missing, and it does not go back', async () => {
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
    await drawn(page, 'stream');
    const [, readings] = /stream\.readings=(.*)$/.exec(await hash(page));
    const [first, second, ...rest] = readings
      .split(',')
      .map((each) => (each === 'x' ? each : Number(each)));
    assert.ok(Math.abs(first - 50) < 4 && Math.abs(second - 75) < 4, readings);
    assert.deepEqual(rest.slice(0, 2), ['x', 'x']);
    assert.ok(Math.abs(rest[2] + 75) < 4 && rest.length === 3, readings);
    await page.goBack();
    await drawn(page, 'stream');
    assert.match(await said(page, 'stream'), /^Take a first reading/);
    await page.close();
  });

  test('an address goes there and back', async () => {
    const { page } = await open();
    await set(page, 'stream', { text: '([{}' });
    await click(page, '[data-save]');
    const { page: other } = await open(await hash(page));
    const answer = (each) => text(each, '#stream [data-slot="state"]');
    assert.equal(await answer(other), await answer(page));
    await click(page, '[data-again]');
    assert.match(await said(page, 'stream'), /^Type a bracket/);
    await page.close();
    await other.close();
  });

  test('anything at all in an address gives a figure or a sentence', async () => {
    for (const odd of [
      'stream.model=sensor&stream.readings=NaN,1e999,,%00,5',
      'stream.saved=-5',
      'stream.saved=1e9',
      'stream.model=other',
      `stream.text=${'('.repeat(500)}`,
    ]) {
      const { page, faults } = await open(`#v1/stream?${odd}`);
      assert.match(await said(page, 'stream'), /^After \d+ steps/, odd);
      assert.deepEqual(faults, [], odd);
      await page.close();
    }
  });
});
