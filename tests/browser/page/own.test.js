// SPDX-License-Identifier: MIT
// Chapter 7 in a browser: dropped and chosen files, and all kinds of files that are not models.
import assert from 'node:assert/strict';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, suite, test } from 'node:test';
import { pathToFileURL } from 'node:url';
import * as mf from '../../../dist/index.js';
import { readPickle } from '../../../dist/text.js';
import { at } from '../../../scripts/lib/files.mjs';
import { sideways, violations } from '../support/axe.js';
import { pageInChrome, skip } from '../support/chapter.js';
import { waitUntilDrawn, openPage, problem, sentenceOf, set, text } from '../support/page.js';

const fixture = (...parts) => at('tests', 'fixtures', ...parts);

/** Returns a file with a layer that the page does not know. */
async function withOwnLayer() {
  class Mine extends mf.Layer {
    call(inputs) {
      return inputs;
    }
  }
  mf.registerLayer(Mine, { package: 'Tests', name: 'Mine' });
  await mf.ready();
  return new mf.Sequential([mf.Input({ shape: [null, 2] }), new Mine()]).save();
}

const custom = await withOwnLayer();

suite('own model', { skip }, () => {
  const site = pageInChrome();
  let folder;
  before(() => {
    folder = mkdtempSync(join(tmpdir(), 'maskflow-own-'));
  });
  after(() => {
    if (folder) rmSync(folder, { recursive: true });
  });

  const open = (options = {}) =>
    openPage(site.browser, `${site.server.url}#own`, { chapter: 'own', ...options });

  /** Waits until a file has been read and its answers are shown, or it was refused. */
  async function settled(page) {
    await page.waitForFunction(() => {
      const section = document.getElementById('own');
      const sentence = section.querySelector('.says').textContent;
      const isRefused = !section.querySelector('.problem').hidden;
      return (
        section.dataset.drawn === 'yes' &&
        (isRefused || (sentence !== '' && !/is being computed/.test(sentence)))
      );
    });
  }

  async function choose(page, ...paths) {
    // Clears the text, so that an older answer is not mistaken for the new one.
    await page.$eval('#own', (section) => {
      section.dataset.drawn = 'no';
    });
    const input = await page.$('#own-files');
    await input.uploadFile(...paths);
    await settled(page);
  }

  const writeFile = (name, bytes) => {
    const path = join(folder, name);
    writeFileSync(path, bytes);
    return path;
  };

  test('a file is read, traced, asked and timed', async () => {
    const { page, faults } = await open();
    await choose(page, fixture('models', 'nested_functional.keras'));
    assert.equal(await problem(page, 'own'), null);
    assert.match(
      await sentenceOf(page, 'own'),
      /^With its masks, 200 empty places change the answer by /,
    );
    assert.match(
      await text(page, '#own [data-slot="file"]'),
      /nested_functional\.keras, \d+ kB: [\d,]+ parameters/,
    );
    assert.match(await page.$eval('#own [data-slot="summary"]', (e) => e.textContent), /Params/);
    const depths = await page.$$eval('#own .tree li', (items) =>
      items.map((item) => Number(item.style.getPropertyValue('--depth'))),
    );
    assert.ok(Math.max(...depths) >= 1, 'inner layers are listed');
    assert.ok((await page.$$('#own [data-slot="profile"] tbody tr')).length > 2);
    assert.deepEqual(faults, []);
    await page.close();
  });

  test('a model that loses its mask gets a verdict and a repair, in Python first', async () => {
    await mf.ready();
    const model = new mf.Sequential([
      mf.Input({ shape: [null], dtype: 'int32' }),
      mf.layers.embedding({ inputDim: 10, outputDim: 4, maskZero: true, name: 'embedding' }),
      mf.layers.conv1D({ filters: 4, kernelSize: 3, padding: 'same', name: 'conv1d' }),
      mf.layers.lstm({ units: 3, name: 'lstm' }),
    ]);
    const { page, faults } = await open();
    await choose(page, writeFile('lost.keras', await model.save()));
    assert.match(
      await sentenceOf(page, 'own'),
      /^Your mask is lost at conv1d; Keras loses it there, too\. 200 empty places change the answer by up to 0\.\d+\.$/,
    );
    const labels = await page.$$eval('#own .repair .label', (all) =>
      all.map((each) => each.textContent),
    );
    assert.deepEqual(labels, ['Keep it, in Python', 'Keep it, in JavaScript']);
    assert.match(await text(page, '#own .repair pre'), /x = lstm\(x, mask=mask\)$/);
    assert.deepEqual(await violations(page, '#own'), []);
    assert.ok((await sideways(page)) <= 0);
    assert.deepEqual(faults, []);
    await page.click('#own [name="model"][value="brackets"]');
    await waitUntilDrawn(page, 'own');
    assert.equal(await page.$('#own .repair'), null);
    await page.close();
  });

  test('the box that opens the length changes the sentence', async () => {
    const { page } = await open();
    await choose(page, fixture('models', 'seq_embed_lstm.keras'));
    assert.match(await sentenceOf(page, 'own'), /200 empty places/);
    await set(page, 'own', { open: false });
    await settled(page);
    assert.match(await sentenceOf(page, 'own'), /file fixes 6 steps, so there is no room/);
    await page.close();
  });

  test('accepts a folder of TensorFlow.js, dropped with a recording beside it', async () => {
    const { page, faults } = await open();
    const files = ['model.json', 'weights.bin'].map((name) => [
      name,
      readFileSync(fixture('tfjs', 'sequential_lstm', name)).toString('base64'),
    ]);
    await page.evaluate((droppedFiles) => {
      const transfer = new DataTransfer();
      for (const [name, base64] of droppedFiles) {
        const bytes = Uint8Array.from(atob(base64), (letter) => letter.charCodeAt(0));
        transfer.items.add(new File([bytes], name));
      }
      transfer.items.add(new File(['{"inputs": [[[1]]], "outputs": [[[1]]]}'], 'recorded.json'));
      const place = document.querySelector('#own .picture');
      place.dispatchEvent(
        new DragEvent('drop', { dataTransfer: transfer, bubbles: true, cancelable: true }),
      );
    }, files);
    await page.waitForFunction(() =>
      /model\.json and 1 other file.*with recorded\.json/.test(
        document.querySelector('#own [data-slot="chosen"]').textContent,
      ),
    );
    await settled(page);
    // The recording belongs to another model: the page says so and stays usable.
    const sentence = (await problem(page, 'own')) ?? (await sentenceOf(page, 'own'));
    assert.match(sentence, /shape|length|differ|input|200 empty places/i);
    await set(page, 'own', { model: 'sensor' });
    assert.equal(await problem(page, 'own'), null);
    assert.deepEqual(faults, []);
    await page.close();
  });

  test('a tokenizer beside the model turns typed text into ids', async () => {
    const { page, faults } = await open();
    const beside = (...parts) => fixture('beside_models', 'guide', ...parts);
    await choose(page, beside('film.keras'), beside('tokenizer.pickle'));
    assert.equal(await problem(page, 'own'), null);
    assert.match(
      await text(page, '#own [data-slot="file"]'),
      /^film\.keras, 36 kB, with tokenizer\.pickle/,
    );
    assert.equal(await text(page, '#own [data-slot="input-label"]'), 'Text');
    assert.equal(
      await text(page, '#own [data-slot="applied"]'),
      'The Tokenizer (11 words) turns your text into ids, 6 of them, filled up with 0 in front.',
    );
    await set(page, 'own', { input: 'A good FILM, the best!\nwhat a bad film' });
    await settled(page);
    // The scores that Python prints.
    assert.match(await text(page, '#own .answers dd.kept'), /^0\.5054 0\.4940$/);
    await set(page, 'own', { input: 'zzz' });
    await settled(page);
    assert.equal(await problem(page, 'own'), null);
    // A scaler that comes later belongs to the same model.
    await choose(page, beside('scaler.pkl'));
    assert.match(
      await text(page, '#own [data-slot="applied"]'),
      /is not applied: it has 2 columns/,
    );
    assert.deepEqual(faults, []);
    await page.close();
  });

  test('the JSON of a tokenizer is neither a recording nor a model', async () => {
    const { page } = await open();
    const pickle = fixture('beside_models', 'guide', 'tokenizer.pickle');
    const tokenizer = await readPickle(readFileSync(pickle));
    const json = writeFile('tokenizer.json', JSON.stringify(tokenizer));
    await choose(page, fixture('beside_models', 'guide', 'film.keras'), json);
    assert.equal(await text(page, '#own [data-slot="input-label"]'), 'Text');
    await choose(page, fixture('models', 'nested_functional.keras'));
    assert.equal(await text(page, '#own [data-slot="input-label"]'), 'Input, as JSON');
    assert.equal(await text(page, '#own [data-slot="applied"]'), '');
    await page.close();
  });

  test('a scaler beside the model scales raw numbers', async () => {
    const { page, faults } = await open();
    const beside = (name) => fixture('beside_models', 'guide', name);
    await choose(page, beside('sensor.keras'), beside('scaler.pkl'));
    assert.equal(await problem(page, 'own'), null);
    assert.match(
      await text(page, '#own [data-slot="applied"]'),
      /^The \w+Scaler scales your raw numbers \(2 columns\)\.$/,
    );
    const model = await mf.loadModel(readFileSync(beside('sensor.keras')));
    const scaler = await readPickle(readFileSync(beside('scaler.pkl')));
    const [, steps] = model.inputs[0].shape;
    const raw = [Array.from({ length: steps ?? 4 }, (_, i) => [20 + i, 1000 - 3 * i])];
    await set(page, 'own', { input: JSON.stringify(raw), pads: '0' });
    await settled(page);
    const [expected] = model
      .predict(mf.tensor(scaler.transform(raw)))
      .array()
      .flat(3);
    const shown = await text(page, '#own .answers dd.kept');
    assert.ok(
      Math.abs(Number.parseFloat(shown.replace('−', '-')) - expected) < 1e-3,
      `${shown} ${expected}`,
    );
    assert.deepEqual(faults, []);
    await page.close();
  });

  test('Python code that opens a file says where to choose it', async () => {
    const { page } = await open();
    await page.evaluate(() => {
      const field = document.getElementById('own-python');
      field.focus();
      const code = "import keras\nmodel = keras.models.load_model('mine.keras')\n";
      document.execCommand('insertText', false, code);
    });
    await page.waitForFunction(() =>
      /Or choose it here, as the weights of this code\.$/.test(
        document.querySelector('#own .problem').textContent,
      ),
    );
    const input = await page.$('#own-weights');
    await input.uploadFile(fixture('models', 'nested_functional.keras'));
    await settled(page);
    assert.equal(await problem(page, 'own'), null);
    await page.close();
  });

  test('a file dropped beside the target does not leave the page', async () => {
    const { page } = await open();
    const stays = await page.evaluate(() => {
      const transfer = new DataTransfer();
      transfer.items.add(new File(['x'], 'x.txt'));
      const drop = new DragEvent('drop', {
        dataTransfer: transfer,
        bubbles: true,
        cancelable: true,
      });
      document.querySelector('h1').dispatchEvent(drop);
      return drop.defaultPrevented;
    });
    assert.equal(stays, true);
    await page.close();
  });

  const brackets = readFileSync(fixture('trained', 'brackets.keras'));
  for (const [name, bytes, expected] of [
    ['cut.keras', brackets.subarray(0, 3000), /cut short/],
    ['empty.keras', Buffer.alloc(0), /is empty/],
    ['note.txt', Buffer.from('hello world'), /not a model file of a known format/],
    ['odd.json', Buffer.from('{"a": 1}'), /neither an architecture/],
    ['weights.h5', readFileSync(fixture('models', 'mask_input.weights.h5')), /weights only/],
    ['custom.keras', custom, /playground, write the class there/],
    [
      'recorded.json',
      Buffer.from('{"inputs": [], "outputs": []}'),
      /is a recording; drop its model/,
    ],
  ])
    test(`${name} leads to a helpful sentence`, async () => {
      const { page, faults } = await open();
      await choose(page, writeFile(name, bytes));
      const sentence = await problem(page, 'own');
      assert.match(sentence, expected);
      assert.doesNotMatch(sentence, /undefined|\[object|is not a function|stopped at line/);
      assert.equal(await sentenceOf(page, 'own'), '');
      // The next file is accepted as usual.
      await choose(page, fixture('trained', 'sensor.keras'));
      assert.equal(await problem(page, 'own'), null);
      assert.deepEqual(faults, []);
      await page.close();
    });

  test('a file that is too large is refused before it is read', async () => {
    const { page } = await open();
    await page.evaluate(() => {
      const large = new File([new Uint8Array(1)], 'large.keras');
      Object.defineProperty(large, 'size', { value: 3e8 });
      const transfer = new DataTransfer();
      transfer.items.add(new File(['x'], 'x'));
      const drop = new DragEvent('drop', {
        bubbles: true,
        cancelable: true,
        dataTransfer: transfer,
      });
      Object.defineProperty(drop, 'dataTransfer', {
        value: { types: ['Files'], items: [], files: [large] },
      });
      document.querySelector('#own').dispatchEvent(drop);
    });
    await page.waitForSelector('#own .problem:not([hidden])');
    assert.match(
      await problem(page, 'own'),
      /large\.keras is 300\.0 MB; this page accepts up to 200\.0 MB/,
    );
    await page.close();
  });

  test('the first view shows what the masks change', async () => {
    const { page } = await open();
    const kept = await text(page, '#own .answers dd.kept');
    assert.equal(await text(page, '#own [data-slot="pads"]'), '20');
    assert.equal(kept, '0.9992');
    assert.match(await text(page, '#own .answers dd.alarm'), /e−\d+$/);
    await set(page, 'own', { pads: '0' });
    assert.equal(await text(page, '#own .answers dd.kept'), kept);
    assert.equal(await text(page, '#own .answers dd.alarm'), kept);
    await page.close();
  });

  test('a model without a sequence is explained, with its answer', async () => {
    const { page } = await open();
    await choose(page, fixture('models', 'mlp.keras'));
    assert.match(await sentenceOf(page, 'own'), /is a sequence, so there is nothing to pad/);
    assert.equal(await page.$eval('#own-pads', (slider) => slider.disabled), true);
    await page.close();
  });

  test('the address restores everything that it can contain', async () => {
    const { page } = await open();
    await set(page, 'own', { model: 'sensor' });
    await set(page, 'own', { pads: '30' });
    const address = await page.evaluate(() => location.href);
    await page.close();
    const copy = await openPage(site.browser, address, { chapter: 'own' });
    await settled(copy.page);
    assert.equal(await text(copy.page, '#own [data-slot="pads"]'), '30');
    assert.match(await text(copy.page, '#own [data-slot="file"]'), /sensor\.keras/);
    await copy.page.close();
    const ownPage = await openPage(site.browser, `${site.server.url}#v1/own?own.model=own`, {
      chapter: 'own',
    });
    assert.match(
      await problem(ownPage.page, 'own'),
      /Drop a model file here.*Links never contain files/,
    );
    await ownPage.page.close();
  });

  test('wrong input is explained, and the old figure is removed', async () => {
    const { page } = await open();
    await settled(page);
    await set(page, 'own', { input: '[[1, 99]]' });
    assert.match(await problem(page, 'own'), /id 99; the model only has ids 0 to 6/);
    assert.equal(
      await page.$eval('#own [data-slot="curves"]', (e) => getComputedStyle(e).visibility),
      'hidden',
    );
    await set(page, 'own', { input: '' });
    assert.equal(await problem(page, 'own'), null);
    await page.close();
  });

  test('opened from a folder it reads files, too', async () => {
    const url = `${pathToFileURL(at('dist', 'page', 'index.html')).href}#own`;
    const page = await site.browser.newPage();
    await page.goto(url);
    await waitUntilDrawn(page, 'own');
    await choose(page, fixture('models', 'seq_masking_lstm_td.keras'));
    assert.match(await sentenceOf(page, 'own'), /200 empty places/);
    await page.close();
  });

  for (const theme of ['light', 'dark'])
    for (const width of [320, 375, 1280])
      test(`axe finds nothing and nothing scrolls sideways: ${theme}, ${width} px`, async () => {
        const { page } = await open({ theme, width });
        await choose(page, fixture('models', 'nested_functional.keras'));
        await page.$$eval('#own details', (all) => {
          for (const each of all) each.open = true;
        });
        assert.deepEqual(await violations(page, '#own'), []);
        assert.equal(await sideways(page), 0);
        await page.close();
      });
});
