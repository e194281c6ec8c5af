// SPDX-License-Identifier: MIT
// The panel of trained models, in a real browser: what Keras recorded of them is read from the fixtures, not
// from the page.
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { after, before, suite, test } from 'node:test';
import { pathToFileURL } from 'node:url';
import { buildDemo } from '../../scripts/build-demo.mjs';
import { at } from '../../scripts/lib/files.mjs';
import { serve } from '../../scripts/serve.mjs';
import { chromePath, launch } from './support/browser.js';
import { masks, openDemo, problem, said, set, settled, tables, text } from './support/demo-page.js';
import { answered, openBoxes, showModel } from './support/models-panel.js';

const chrome = chromePath();
const skip = chrome
  ? false
  : 'no Chromium or Chrome on this machine (CHROME_PATH names one elsewhere)';
const trained = (name) => at('tests', 'fixtures', 'trained', name);
const recorded = (name) => JSON.parse(readFileSync(trained(`${name}.json`), 'utf8'));
const number = (words) => Number(words.replaceAll('−', '-'));
// Python's numbers are rounded to six places; of the sensor, the inputs are, too: readings that differ by half
// of the last place move its answers by up to 8e-6 (measured, 50 draws for each example).
const tolerance = { brackets: 1e-6, sensor: 5e-6, adding: 1e-6 };
const answers = async (page) => (await tables(page, 'models', 'answers'))[0].rows;

suite('trained models on the demo page', { skip }, () => {
  let browser;
  let server;
  let page;
  let faults;

  before(async () => {
    await buildDemo();
    server = await serve(at('dist', 'demo'));
    browser = await launch(chrome);
    ({ page, faults } = await openDemo(browser, server.url));
  });
  after(async () => {
    await browser?.close();
    await server?.close();
  });

  test('fetches no model before somebody comes near the panel', async () => {
    const fetched = () =>
      page.evaluate(() =>
        performance
          .getEntriesByType('resource')
          .map(({ name }) => name)
          .filter((name) => /\/models\//.test(name)),
      );
    assert.deepEqual(await fetched(), []);
    assert.equal(await problem(page, 'models'), null);
    await showModel(page, 'brackets');
    const names = (await fetched()).map((name) => name.split('/').at(-1));
    assert.deepEqual(names.sort(), ['brackets.json', 'brackets.keras']);
  });

  for (const [name, words] of Object.entries({
    brackets: ({ output }) => (output > 0.5 ? 'balanced' : 'not balanced'),
    sensor: ({ output }) => output.toFixed(3).replace('-', '−'),
    adding: ({ predicted }) => predicted,
  })) {
    test(`${name}: every answer that Python recorded`, async () => {
      const { examples, bytes, params } = recorded(name);
      await showModel(page, name);
      await openBoxes(page);
      const [{ caption, rows }] = await tables(page, 'models', 'recorded');
      assert.match(
        caption,
        new RegExp(`^${examples.length} of ${examples.length} answers the same`),
      );
      assert.deepEqual(
        rows.map(([python]) => python),
        examples.map(words),
      );
      for (const [python, here, difference] of rows) {
        assert.equal(here, python);
        assert.ok(number(difference) < tolerance[name], `${python}: ${difference}`);
      }
      const line = await text(page, '#models [data-slot="file"]');
      const kilobytes = (bytes / 1000).toFixed(1);
      const expected = `^${name}.keras: ${kilobytes} kB, loaded in [\\d.]+ ms; ${params.toLocaleString('en-US')} parameters.$`;
      assert.match(line, new RegExp(expected));
      const summary = await page.$eval('#models [data-slot="summary"]', (box) => box.textContent);
      for (const layer of recorded(name).layers) assert.ok(summary.includes(layer.split(' ')[1]));
    });
  }

  test('brackets: typed, padded, and with the mask taken away', async () => {
    await showModel(page, 'brackets');
    const { output } = recorded('brackets').examples.find((each) => each.text === '([)]');
    await set(page, 'models', { brackets: '([)]', more: '9' });
    const [here, python, unpadded, unmasked] = await answers(page);
    assert.deepEqual(here.slice(0, 2), ['not balanced', output.toFixed(4)]);
    assert.deepEqual(python.slice(0, 2), here.slice(0, 2));
    assert.deepEqual(
      unpadded,
      [...here.slice(0, 2), '0'],
      'padding changes nothing, to the last bit',
    );
    assert.equal(unmasked.length, 3);
    assert.match(
      await said(page, 'models'),
      /not balanced.*The padding changes it by exactly 0\.$/,
    );
    assert.deepEqual(await masks(page, 'models', 'flow'), [['TTTTFFFFFFFFF'], ['TTTTFFFFFFFFF']]);
    const [input] = await tables(page, 'models', 'asked');
    assert.deepEqual(input.rows[0].slice(0, 6), ['( 1', '[ 3', ') 2', '] 4', 'pad 0*', 'pad 0*']);

    await set(page, 'models', { brackets: '{[()()]}[]' });
    const last = (await answers(page)).at(-1);
    assert.ok(number(last[2]) > 0.01, `without the mask the padding counts: ${last}`);
    await set(page, 'models', { more: '0' });
    assert.equal((await answers(page)).length, 3, 'nothing is appended');
  });

  test('sensor: a chart, a table, gaps and padding that change nothing', async () => {
    await showModel(page, 'sensor');
    await set(page, 'models', { sensor: '0.1 - 0.3 0.4', more: '3' });
    const label = await page.$eval('#models svg.signal', (svg) => svg.getAttribute('aria-label'));
    assert.match(label, /^4 steps, 1 missing, 3 of padding; forecast −?\d\.\d+$/);
    const [{ rows }] = await tables(page, 'models', 'table');
    assert.deepEqual(rows.flat(), [
      '0.1000',
      'missing*',
      '0.3000',
      '0.4000',
      'padding*',
      'padding*',
      'padding*',
    ]);
    assert.deepEqual((await answers(page))[1][1], '0', 'padding changes nothing, to the last bit');
    assert.deepEqual((await masks(page, 'models', 'flow'))[0], ['TFTTFFF']);
    assert.equal(await page.$eval('#models-recorded', (list) => list.value), '', 'not recorded');
  });

  test('the list and the button fill the control of the chosen model', async () => {
    for (const name of ['brackets', 'sensor', 'adding']) {
      await showModel(page, name);
      const value = () => page.$eval(`#models-${name}`, (control) => control.value);
      const second = await page.$eval('#models-recorded', (list) => list.options[2].value);
      await page.select('#models-recorded', second);
      await settled(page);
      assert.equal(await value(), second);
      assert.equal((await tables(page, 'models', 'answers'))[0].rows[1].length >= 2, true);
      assert.match(await said(page, 'models'), /Python recorded the same to \d/);
      const drawn = new Set();
      for (let i = 0; i < 20; i++) {
        await page.click('#models [data-random]');
        await settled(page);
        assert.equal(await problem(page, 'models'), null, await value());
        drawn.add(await value());
      }
      assert.ok(drawn.size > 10, `${name}: ${[...drawn]}`);
    }
  });

  test('what cannot be asked is said in words, and the control stays', async () => {
    for (const [name, value, message] of [
      ['brackets', '', /no bracket yet/],
      ['brackets', '(a)', /does not know “a”; it knows \( \) \[/],
      ['sensor', '0.1 x', /“x” is neither a number/],
      ['sensor', '- -', /Every reading is missing/],
      ['sensor', '1', /1 reading; the model takes 2 to 48/],
      ['adding', '1000+1', /from 0 to 999/],
    ]) {
      await showModel(page, name);
      await set(page, 'models', { [name]: value });
      assert.match(await problem(page, 'models'), message);
      assert.equal(await said(page, 'models'), '');
      assert.ok(await page.$eval(`#models-${name}`, (control) => control.checkVisibility()));
      await page.$eval('#models .ending > button', (button) => button.click());
      await settled(page);
    }
    await showModel(page, 'brackets');
    assert.equal(await problem(page, 'models'), null);
  });

  test('a file that did not come is asked for again at the next change', async (t) => {
    const { page: other } = await openDemo(browser, server.url);
    t.after(() => other.close());
    await showModel(other, 'brackets');
    await other.setOfflineMode(true);
    await showModel(other, 'adding');
    assert.match(await problem(other, 'models'), /adding\.keras cannot be fetched/);
    await other.setOfflineMode(false);
    await set(other, 'models', { adding: '12+34' });
    await answered(other);
    assert.equal(await problem(other, 'models'), null);
    assert.match((await answers(other)).flat().join(' '), /46/);
  });

  test('a link brings a model and its input back', async () => {
    await showModel(page, 'adding');
    await set(page, 'models', { adding: '7+8' });
    const link = await page.evaluate(() => location.href);
    const again = await openDemo(browser, link);
    await showModel(again.page, 'adding');
    assert.match(await said(again.page, 'models'), /7\+8 = 15, which is right/);
    assert.deepEqual(again.faults, []);
    await again.page.close();
  });

  test('opened from a folder, where nothing may be fetched', async () => {
    const url = `${pathToFileURL(at('dist', 'demo', 'index.html'))}#models`;
    const opened = await openDemo(browser, url);
    for (const name of ['brackets', 'sensor', 'adding']) {
      await showModel(opened.page, name);
      assert.match(await said(opened.page, 'models'), /Python recorded the same to \d/);
    }
    assert.deepEqual(opened.faults, []);
    await opened.page.close();
  });

  test('loading models again and again takes no more memory', async () => {
    const alive = async () => {
      const words = await text(page, '[data-slot="memory"]');
      const [, tensors, heap] = /(\d+) live tensors?, a heap of (\d+) MiB/.exec(words);
      return { tensors: Number(tensors), heap: Number(heap) };
    };
    const names = ['brackets', 'sensor', 'adding'];
    for (const name of names) await showModel(page, name);
    const first = await alive();
    for (let i = 0; i < 60; i++) await showModel(page, names[i % 3]);
    const last = await alive();
    assert.equal(last.heap, first.heap);
    assert.ok(last.tensors < first.tensors + 1000, `${first.tensors}, then ${last.tensors}`);
    assert.deepEqual(faults, []);
  });
});
