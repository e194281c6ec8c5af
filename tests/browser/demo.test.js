// SPDX-License-Identifier: MIT
// The demo page in a real browser, panel by panel. The numbers are those of Keras's guide; where weights
// are random, what must hold for all weights is tested.
import assert from 'node:assert/strict';
import { after, before, suite, test } from 'node:test';
import { buildDemo } from '../../scripts/build-demo.mjs';
import { serve } from '../../scripts/serve.mjs';
import { chromePath, launch } from './support/browser.js';
import { masks, openDemo, problem, said, set, settled, tables, text } from './support/demo-page.js';

const chrome = chromePath();
const skip = chrome
  ? false
  : 'no Chromium or Chrome on this machine (CHROME_PATH names one elsewhere)';
const guide = ['TTTFFF', 'TTTTTF', 'TTTTTT'];

suite('demo page', { skip }, () => {
  let browser;
  let server;
  let page;
  let faults;

  before(async () => {
    await buildDemo();
    server = await serve('dist/demo');
    browser = await launch(chrome);
    ({ page, faults } = await openDemo(browser, server.url));
  });
  after(async () => {
    await browser?.close();
    await server?.close();
  });
  const reset = async (panel) => {
    await page.$eval(`#${panel} .ending > button`, (button) => button.click());
    await settled(page);
  };

  test('starts, says what runs, asks nobody else', async () => {
    const status = await text(page, '[data-slot="status"]');
    assert.match(
      status,
      /^maskflow \d+\.\d+\.\d+, variant (relaxed|simd): \d+ kB of WebAssembly, ready in \d+ ms$/,
    );
    assert.deepEqual(faults, []);
    for (const panel of ['padding', 'makers', 'follow', 'split', 'custom', 'states', 'models']) {
      assert.equal(await problem(page, panel), null, panel);
    }
  });

  test('padding: the batch of the guide, and every option', async () => {
    const ids = async () =>
      (await tables(page, 'padding', 'batch'))[0].rows.map((row) =>
        row.map((cell) => cell.match(/-?\d+/)[0] * 1),
      );
    assert.deepEqual(await ids(), [
      [711, 632, 71, 0, 0, 0],
      [73, 8, 3215, 55, 927, 0],
      [83, 91, 1, 645, 1253, 927],
    ]);
    assert.deepEqual(await masks(page, 'padding', 'mask'), [guide]);
    assert.equal(await said(page, 'padding'), '4 of 18 cells are padding (22 %).');

    await set(page, 'padding', { padding: 'pre', maxlen: '4' });
    assert.deepEqual(await ids(), [
      [0, 711, 632, 71],
      [8, 3215, 55, 927],
      [1, 645, 1253, 927],
    ]);
    assert.match(await said(page, 'padding'), /row 1 lost “How”; row 2 lost “The weather”/);
    await set(page, 'padding', { truncating: 'post', value: '9' });
    assert.deepEqual(await ids(), [
      [9, 711, 632, 71],
      [73, 8, 3215, 55],
      [83, 91, 1, 645],
    ]);
    assert.deepEqual(await masks(page, 'padding', 'mask'), [['TTTT', 'TTTT', 'TTTT']]);

    await set(page, 'padding', { text: '' });
    assert.match(await problem(page, 'padding'), /no word yet/);
    await reset('padding');
    assert.equal(await problem(page, 'padding'), null);
    assert.deepEqual(await masks(page, 'padding', 'mask'), [guide]);
  });

  test('mask makers: Embedding on the batch, Masking on features', async () => {
    assert.deepEqual(await masks(page, 'makers', 'embedding'), [guide]);
    assert.deepEqual(await masks(page, 'makers', 'tiled'), [guide]);
    assert.match((await tables(page, 'makers', 'tiled'))[0].caption, /\(3, 6, 10\)/);
    await set(page, 'makers', { maskZero: false });
    assert.match((await tables(page, 'makers', 'embedding'))[0].caption, /without a mask/);

    const verdicts = async () =>
      (await tables(page, 'makers', 'masking'))[0].rows.map((row) =>
        row
          .slice(1)
          .join(' | ')
          .replace(/ {2}(kept|masked)/, ''),
      );
    const kept = await verdicts();
    assert.equal(kept[0], '1 of 3 | T | 1  2  0', 'a step with one zero passes unchanged');
    assert.equal(kept[3], 'all 3 | F | 0  0  0');
    await set(page, 'makers', { maskValue: '-1' });
    assert.deepEqual(
      [(await verdicts())[3], (await verdicts())[7]],
      ['0 of 3 | T | 0  0  0', 'all 3 | F | 0  0  0'],
    );
    await set(page, 'makers', { maskValue: 'NaN', row0: 'NaN NaN NaN\n1 2 3\n4 5 6\n7 8 9' });
    assert.match(await said(page, 'makers'), /NaN equals nothing/);
    assert.match((await verdicts())[0], /^0 of 3 \| T/);
    await set(page, 'makers', { row0: '1 2' });
    assert.match(await problem(page, 'makers'), /\w+Error: /);
    await set(page, 'makers', { row0: '1 x 3' });
    assert.match(await problem(page, 'makers'), /“x” is not a number/);
    await reset('makers');
    assert.equal((await verdicts())[3], 'all 3 | F | 0  0  0');
  });

  test('follow the mask: where it is lost, and what that costs', async () => {
    const chain = () =>
      page.$$eval('#follow .chain li', (items) =>
        items.map((item) => [
          item.querySelector('h3').firstChild.textContent.trim(),
          item.className,
        ]),
      );
    const columns = async () => {
      const [{ rows }] = await tables(page, 'follow', 'numbers');
      return [0, 1, 2].map((column) => rows.map((row) => row[column].replace(/ ?≠/, '')));
    };
    const expected = {
      lstm: [
        ['Embedding', 'made'],
        ['LSTM', 'ends'],
        ['Dense', 'bare'],
      ],
      plus: [
        ['Embedding', 'made'],
        ['Add', 'lost'],
        ['LSTM', 'bare'],
        ['Dense', 'bare'],
      ],
      zeroed: [
        ['Embedding', 'made'],
        ['Multiply', 'lost'],
        ['LSTM', 'bare'],
        ['Dense', 'bare'],
      ],
      times: [
        ['Embedding', 'made'],
        ['TimeDistributed', 'alive'],
        ['LSTM', 'ends'],
        ['Dense', 'bare'],
      ],
      both: [
        ['Embedding', 'made'],
        ['Bidirectional', 'alive'],
        ['GlobalAveragePooling1D', 'ends'],
        ['Dense', 'bare'],
      ],
      convolve: [
        ['Embedding', 'made'],
        ['Conv1D', 'lost'],
        ['LSTM', 'bare'],
        ['Dense', 'bare'],
      ],
      custom: [
        ['Embedding', 'made'],
        ['MyActivation', 'lost'],
        ['LSTM', 'bare'],
        ['Dense', 'bare'],
      ],
    };
    for (const [model, links] of Object.entries(expected)) {
      await set(page, 'follow', { model });
      assert.equal(await problem(page, 'follow'), null, model);
      assert.deepEqual(await chain(), links, model);
      const lost = links.some(([, state]) => state === 'lost');
      const [masked, bare, built] = await columns();
      assert.deepEqual(built, lost ? bare : masked, model);
      // Row 0 has three steps of padding, row 2 has none.
      assert.notEqual(masked[0], bare[0], model);
      if (model !== 'convolve') assert.equal(masked[2], bare[2], model);
      assert.match(await said(page, 'follow'), lost ? /by up to \d/ : /by exactly 0\.$/, model);
      assert.equal((await page.$$('#follow .remedy')).length, lost ? 1 : 0, model);
      for (const mask of await masks(page, 'follow', 'chain')) assert.deepEqual(mask, guide, model);
    }
    await set(page, 'follow', { model: 'back' });
    const [masked, , built] = await columns();
    assert.deepEqual(built, masked, 'withMask repairs the model');
    assert.deepEqual((await chain())[1], ['Add', 'alive']);
    assert.match(await said(page, 'follow'), /by exactly 0\.$/);
  });

  test('follow the mask: the rules of Keras 3.16', async () => {
    await set(page, 'follow', { model: 'times', rules: 'keras-3.16' });
    assert.equal(await text(page, '#follow .chain .lost .role'), 'drops it');
    await set(page, 'follow', { model: 'lstm' });
    assert.equal(await page.$('#follow .chain .lost'), null, 'a last LSTM loses nothing');
    assert.equal(await text(page, '#follow .chain .ends .role'), 'uses it');
    assert.match(await said(page, 'follow'), /by exactly 0\.$/);
    await reset('follow');
  });

  test('split: both halves carry their part of the mask', async () => {
    assert.deepEqual(await masks(page, 'split', 'whole'), [guide]);
    assert.deepEqual(await masks(page, 'split', 'parts'), [
      ['TTT', 'TTT', 'TTT'],
      ['FFF', 'TTF', 'TTT'],
    ]);
    await set(page, 'split', { parts: '3' });
    assert.deepEqual(await masks(page, 'split', 'parts'), [
      ['TT', 'TT', 'TT'],
      ['TF', 'TT', 'TT'],
      ['FF', 'TF', 'TT'],
    ]);
    await set(page, 'split', { computes: false });
    assert.match(await said(page, 'split'), /mask is lost/);
    assert.equal((await page.$$('#split [data-slot="parts"] .masked')).length, 0);
    await set(page, 'split', { computes: true, masked: false });
    assert.match(await said(page, 'split'), /No mask in, no mask out/);
    await set(page, 'split', { parts: '4' });
    assert.match(await problem(page, 'split'), /\w+Error: .*4/);
    await reset('split');
  });

  test('custom layers: one makes, one lets through, one uses the mask', async () => {
    assert.equal(
      (await masks(page, 'custom', 'layer').catch(() => [])).length,
      0,
      'the second table has numbers',
    );
    const [grid, vectors] = await tables(page, 'custom', 'layer');
    assert.deepEqual(grid.rows[0], ['T 7', 'T 2', 'T 9', 'T 4', 'F 0*', 'F 0*', 'F 0*', 'F 0*']);
    assert.deepEqual(vectors.rows[4], vectors.rows[7], 'all padding looks up the same vector');
    await set(page, 'custom', { ids: '10 1' });
    assert.match(await problem(page, 'custom'), /Error: .*10/);

    await set(page, 'custom', { layer: 'activation' });
    assert.match(await said(page, 'custom'), /by exactly 0\.$/);
    await set(page, 'custom', { supports: false });
    assert.match(await said(page, 'custom'), /by up to \d/);
    assert.match(await text(page, '#custom .chain .lost h3'), /^MyActivation/);
    assert.match(await text(page, '#custom .warned'), /my_activation.*does not support masking/);

    await set(page, 'custom', { layer: 'softmax' });
    const shares = async () =>
      (await tables(page, 'custom', 'layer'))[0].rows.map((row) =>
        row.slice(0, 6).map(Number.parseFloat),
      );
    const rows = (await tables(page, 'custom', 'layer'))[0].rows;
    assert.deepEqual(
      rows.map((row) => row.at(-1)),
      ['1.0000', '1.0000', '1.0000'],
    );
    assert.deepEqual(
      (await shares()).map((row) => row.map((share) => (share === 0 ? 'F' : 'T')).join('')),
      guide,
    );
    await set(page, 'custom', { masked: false });
    assert.ok((await shares())[0][5] > 0, 'without a mask padding gets its share');
    await reset('custom');
  });

  test('states: masked steps hold, by mouse and by keyboard', async () => {
    const outputs = async () =>
      (await tables(page, 'states', 'table'))[0].rows.map((row) =>
        row.slice(1).map((cell) => cell.replace('*', '')),
      );
    const start = await outputs();
    assert.deepEqual(start[3], start[2]);
    assert.deepEqual(start[5], start[2]);
    assert.deepEqual(start[6], start[2], 'the state is the last kept output');

    // A hole at step 1, by keyboard; the focus stays where it was.
    await page.focus('#states [data-step="1"]');
    await page.keyboard.press('Space');
    await settled(page);
    const focused = await page.evaluate(() => [
      document.activeElement.dataset.step,
      document.activeElement.ariaPressed,
    ]);
    assert.deepEqual(focused, ['1', 'false']);
    const holed = await outputs();
    assert.deepEqual(holed[0], start[0]);
    assert.deepEqual(holed[1], holed[0], 'held over the hole');
    assert.notDeepEqual(holed[2], start[2]);
    assert.match(await text(page, '#states [data-slot="readout"]'), /^Step 1, world, masked: \[/);

    await set(page, 'states', { more: '4' });
    assert.match(await said(page, 'states'), /2 steps computed, 8 held.*the same, to the last bit/);
    assert.deepEqual((await outputs()).at(-1), holed.at(-1));
    await set(page, 'states', { zero: true });
    assert.deepEqual((await outputs())[1], ['0.0000', '0.0000', '0.0000', '0.0000']);
    assert.deepEqual((await outputs()).at(-1), holed.at(-1), 'the state is held behind the zeros');
    await set(page, 'states', { zero: false, backwards: true });
    assert.deepEqual(
      (await outputs())[0],
      ['0.0000', '0.0000', '0.0000', '0.0000'],
      'nothing kept yet',
    );
    await reset('states');
    assert.deepEqual(await outputs(), start);
  });

  test('the batch of panel 1 is the batch of all panels', async () => {
    await set(page, 'padding', { text: 'Hello world\nHello you' });
    assert.deepEqual(await masks(page, 'makers', 'embedding'), [['TT', 'TT']]);
    assert.deepEqual(await masks(page, 'split', 'parts'), [
      ['T', 'T'],
      ['T', 'T'],
    ]);
    await reset('padding');
  });

  test('redrawing a hundred times takes no more memory', async () => {
    const alive = async () => {
      const found = /(\d+) live tensors?, a heap of (\d+) MiB/.exec(
        await text(page, '[data-slot="memory"]'),
      );
      return { tensors: Number(found[1]), heap: Number(found[2]) };
    };
    await set(page, 'follow', { model: 'plus' });
    const first = await alive();
    for (let i = 0; i < 100; i++) await set(page, 'follow', { model: i % 2 ? 'plus' : 'both' });
    const last = await alive();
    assert.equal(last.heap, first.heap);
    // Cells inside recurrent layers wait for the garbage collector.
    assert.ok(
      last.tensors < first.tensors + 1000,
      `${first.tensors} tensors, then ${last.tensors}`,
    );
    await reset('follow');
    assert.deepEqual(faults, []);
  });
});
