// SPDX-License-Identifier: MIT
// Files of one's own on the demo page: every format, chosen or dropped, and what is wrong with some.
import assert from 'node:assert/strict';
import { mkdtempSync, readFileSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, suite, test } from 'node:test';
import { buildDemo } from '../../scripts/build-demo.mjs';
import { at } from '../../scripts/lib/files.mjs';
import { serve } from '../../scripts/serve.mjs';
import { chromePath, launch } from './support/browser.js';
import { masks, openDemo, problem, said, set, settled, text } from './support/demo-page.js';
import { answered, openBoxes, openFiles, showModel } from './support/models-panel.js';

const chrome = chromePath();
const skip = chrome
  ? false
  : 'no Chromium or Chrome on this machine (CHROME_PATH names one elsewhere)';
const fixture = (...parts) => at('tests', 'fixtures', ...parts);
const filesIn = (folder, pattern) =>
  readdirSync(folder)
    .filter((name) => pattern.test(name))
    .map((name) => join(folder, name));

suite('files of one’s own on the demo page', { skip }, () => {
  let browser;
  let server;
  let page;
  let faults;
  let folder;

  before(async () => {
    await buildDemo();
    folder = mkdtempSync(join(tmpdir(), 'maskflow-own-'));
    server = await serve(at('dist', 'demo'));
    browser = await launch(chrome);
    ({ page, faults } = await openDemo(browser, server.url));
  });
  after(async () => {
    await browser?.close();
    await server?.close();
    if (folder) rmSync(folder, { recursive: true });
  });
  const write = (name, content) => {
    const path = join(folder, name);
    writeFileSync(path, content);
    return path;
  };
  const opened = async (...paths) => {
    await openFiles(page, ...paths);
    const wrong = await problem(page, 'models');
    if (wrong) return wrong;
    return said(page, 'models');
  };
  const textIn = (slot) =>
    page.$eval(`#models [data-slot="${slot}"]`, (element) => element.textContent);
  const type = async (value) => {
    await page.$eval(
      '#models-input',
      (box, value) => {
        box.value = value;
        box.dispatchEvent(new Event('input', { bubbles: true }));
      },
      value,
    );
    await settled(page);
  };

  test('nothing is open: says so, shows no program and no input', async () => {
    await set(page, 'models', { model: 'own' });
    assert.match(await said(page, 'models'), /^No file is open yet/);
    for (const hidden of ['#models .ending .code', '#models-input', '#models-brackets']) {
      assert.equal(await page.$eval(hidden, (element) => element.checkVisibility()), false, hidden);
    }
    assert.ok(await page.$eval('#models-file', (element) => element.checkVisibility()));
  });

  test('.keras: summary, masks, output, bytes and time', async () => {
    const path = fixture('models', 'seq_masking_lstm_td.keras');
    assert.match(await opened(path), /^It runs: [\d.]+ ms for an output of shape \(2, 6, 3\)\.$/);
    const bytes = (readFileSync(path).length / 1000).toFixed(1);
    assert.match(
      await text(page, '#models [data-slot="file"]'),
      new RegExp(`^seq_masking_lstm_td.keras: ${bytes} kB, loaded in [\\d.]+ ms; 198 parameters.$`),
    );
    assert.match(await textIn('asked'), /lstm \(LSTM\) +\(None, 6, 5\) +180 +✓/);
    assert.match(await textIn('answers'), /shape \(2, 6, 3\), float32/);
    await openBoxes(page);
    const found = await masks(page, 'models', 'flow');
    assert.ok(found.length >= 3);
    for (const mask of found) assert.deepEqual(mask, ['TTTTTT', 'TTTTFF']);
    assert.match(
      await page.$eval('#models-input-hint', (hint) => hint.textContent),
      /^Shape \(2, 6, 3\), numbers; the last row ends in steps of 0\.$/,
    );
  });

  test('the input: changed, refused, corrected', async () => {
    await type('[[[1, 2, 3], [0, 0, 0], [0, 0, 0], [0, 0, 0], [0, 0, 0], [0, 0, 0]]]');
    assert.match(await said(page, 'models'), /shape \(1, 6, 3\)/);
    await openBoxes(page);
    assert.deepEqual((await masks(page, 'models', 'flow'))[0], ['TFFFFF']);
    for (const [input, message] of [
      ['[[1, 2', /The input is no JSON/],
      ['7', /is an array of numbers/],
      ['[[[1, 2]]]', /\w+Error: .*2/],
      ['[[1, 2], [3]]', /\w+Error: /],
      ['[["a"]]', /\w+Error: /],
      ['[]', /\w+Error: /],
    ]) {
      await type(input);
      assert.match((await problem(page, 'models')) ?? 'nothing', message, input);
      assert.match(await textIn('asked'), /LSTM/, 'the summary stays');
      assert.equal(await textIn('answers'), '', 'the old answer does not');
      assert.ok(await page.$eval('#models-input', (box) => box.checkVisibility()), 'to correct it');
    }
    await type('[[[1, 2, 3], [4, 5, 6], [0, 0, 0], [0, 0, 0], [0, 0, 0], [0, 0, 0]]]');
    assert.equal(await problem(page, 'models'), null);
    assert.match(await said(page, 'models'), /^It runs/);
  });

  test('.h5, model.json with shards, several inputs', async () => {
    const h5 = fixture('models', 'func_bilstm_gap.h5');
    assert.match(await opened(h5), /^It runs: .* \(2, 3\)\.$/);
    for (const name of ['bidirectional', 'quantized_float16']) {
      const files = filesIn(fixture('tfjs', name), /^(?!io\.json)/);
      assert.match(await opened(...files), /^It runs/);
      assert.match(await textIn('file'), /and \d other files?: [\d.]+ kB/);
    }
    const [several] = filesIn(fixture('models'), /^multi_input.*\.(keras|h5)$/).filter(
      (path) => !path.includes('.weights.'),
    );
    assert.match(await opened(several), /^It runs/);
    const input = JSON.parse(await page.$eval('#models-input', (box) => box.value));
    assert.ok(input.length > 1);
    await type(JSON.stringify(input.slice(1)));
    assert.match(
      await problem(page, 'models'),
      /The model has \d inputs; the JSON is a list of \d/,
    );
  });

  test('every whole model of the fixtures opens and runs on an example input', async () => {
    const folders = [fixture('models'), fixture('next-3.16', 'models')];
    const single = folders.flatMap((each) => filesIn(each, /(?<!\.weights)\.(keras|h5)$/));
    assert.ok(single.length > 70, `${single.length} files`);
    const wrong = [];
    for (const path of single) {
      const words = await opened(path);
      if (!/^It runs/.test(words)) wrong.push(`${path}: ${words}`);
    }
    assert.deepEqual(wrong, []);
  });

  test('what cannot be opened is said in words; the next file is none the worse', async () => {
    const model = fixture('tfjs', 'sequential_lstm', 'model.json');
    const strange = readFileSync(model, 'utf8').replaceAll('"LSTM"', '"MyOwnLayer"');
    const shards = filesIn(fixture('tfjs', 'sequential_lstm'), /^(?!io\.json|model\.json)/);
    const whole = readFileSync(fixture('trained', 'brackets.keras'));
    for (const [paths, message] of [
      [[write('model.json', strange), ...shards], /MyOwnLayer/],
      [[model], /\w+Error: .*(shard|bin)/],
      [[write('noise.keras', Buffer.alloc(400, 7))], /FormatError: .*noise\.keras/],
      [
        [write('half.keras', whole.subarray(0, whole.length / 2))],
        /FormatError: half\.keras: the zip archive is cut short.* 21177 bytes/,
      ],
      [[write('empty.h5', '')], /\w+Error: .*empty\.h5/],
      [[fixture('models', 'mask_input.weights.h5')], /has weights only, no architecture/],
    ]) {
      const words = await opened(...paths);
      assert.match(words, message);
      const name = paths[0].split('/').at(-1);
      assert.ok((await textIn('file')).startsWith(name), 'the page says of which file');
      assert.equal(await said(page, 'models'), '');
      assert.equal(await textIn('asked'), '', 'nothing of the former file is left');
      assert.equal(await page.$eval('#models-input', (box) => box.checkVisibility()), false);
      assert.ok(await page.$eval('#models-file', (box) => box.checkVisibility()));
      assert.match(await opened(fixture('trained', 'brackets.keras')), /^It runs/);
    }
  });

  test('dropped on the panel while another model is shown', async () => {
    await showModel(page, 'sensor');
    const bytes = [...readFileSync(fixture('models', 'func_bilstm_gap.h5'))];
    const taken = await page.evaluate((bytes) => {
      const dataTransfer = new DataTransfer();
      dataTransfer.items.add(new File([new Uint8Array(bytes)], 'dropped.h5'));
      const panel = document.querySelector('#models');
      const send = (type) => {
        const event = new DragEvent(type, { dataTransfer, bubbles: true, cancelable: true });
        panel.querySelector('.picture').dispatchEvent(event);
        return event.defaultPrevented;
      };
      const over = send('dragover');
      const marked = panel.classList.contains('dropping');
      return [over, marked, send('drop'), panel.classList.contains('dropping')];
    }, bytes);
    assert.deepEqual(taken, [true, true, true, false]);
    await settled(page);
    await settled(page);
    await answered(page);
    assert.match(await said(page, 'models'), /^It runs/);
    assert.match(await textIn('file'), /^dropped\.h5: /);
    const names = await page.$eval('#models-file', ({ files }) =>
      [...files].map(({ name }) => name),
    );
    assert.deepEqual(names, ['dropped.h5']);
    assert.ok(await page.$eval('#models [value="own"]', (radio) => radio.checked));
    assert.match(await page.evaluate(() => location.hash), /model=own/);
    assert.deepEqual(faults, []);
  });
});
