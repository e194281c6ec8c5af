// SPDX-License-Identifier: MIT
// Python code in the chapter "own": its translation line by line, its masks, its numbers, links.
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { suite, test } from 'node:test';
import { pathToFileURL } from 'node:url';
import { deflateRawSync } from 'node:zlib';
import * as mf from '../../../dist/index.js';
import { port } from '../../../dist/port.js';
import { at } from '../../../scripts/lib/files.mjs';
import { sideways, violations } from '../support/axe.js';
import { pageInChrome, skip } from '../support/chapter.js';
import { convolution } from '../support/python.js';
import { openPage, problem, sentenceOf, set, text, waitUntilDrawn } from '../support/page.js';

const fixture = (name) => at('tests', 'fixtures', 'port', 'notebook', name);
const recorded = JSON.parse(readFileSync(fixture('reviews.json'), 'utf8'));

const linkTo = (code) =>
  `#v1/own?own.model=python&own.py=${deflateRawSync(code).toString('base64url')}`;

suite('Python code', { skip }, () => {
  const site = pageInChrome();

  const open = (hash = '#own', options = {}) =>
    openPage(site.browser, `${site.server.url}${hash}`, { chapter: 'own', ...options });

  /** Waits until the code is translated, and its model has answered or was refused. */
  const settled = (page) =>
    page.waitForFunction(() => {
      const section = document.getElementById('own');
      const sentence = section.querySelector('.says').textContent;
      const refused = section.querySelector('.problem');
      return (
        section.dataset.drawn === 'yes' &&
        section.querySelector('[value="python"]').checked &&
        ((!refused.hidden && !/is being translated/.test(refused.textContent)) ||
          (sentence !== '' && !/is being computed/.test(sentence)))
      );
    });

  /** Pastes code into the field. */
  async function paste(page, code) {
    await page.evaluate((pasted) => {
      document.getElementById('own').dataset.drawn = 'no';
      const field = document.getElementById('own-python');
      field.focus();
      field.select();
      document.execCommand('insertText', false, pasted);
    }, code);
    await settled(page);
  }

  const lines = (page, which) =>
    page.$$eval(`#own [data-${which}-lines] .line`, (all) =>
      all.map((line) => line.querySelector('.text').textContent),
    );
  const roles = (page, which) =>
    page.$$eval(`#own [data-${which}-lines] .line`, (all) =>
      all.flatMap((line, index) => {
        const role = line.querySelector('.role')?.textContent;
        return role ? [[index + 1, role]] : [];
      }),
    );
  const lit = (page, which) =>
    page.$$eval(`#own [data-${which}-lines] .line`, (all) =>
      all.flatMap((line, index) => (line.classList.contains('partner') ? [index + 1] : [])),
    );
  const answer = async (page) =>
    Number((await text(page, '#own [data-slot="answers"] dd strong')).replace('−', '-'));

  test('a large model is shown with empty places, too', async () => {
    const { page } = await open();
    // Its answers are computed for every 50th number of empty places.
    await paste(page, convolution.replace(/Embedding\(\d+, \d+/, 'Embedding(20000, 128'));
    assert.equal(await text(page, '#own [data-slot="pads"]'), '50');
    assert.equal(await page.$eval('#own-pads', (slider) => slider.value), '50');
    await page.close();
  });

  test('pasted code is translated, and says where it loses its mask', async () => {
    const { page, faults } = await open();
    await paste(page, convolution);
    assert.equal(await problem(page, 'own'), null);
    assert.deepEqual(await lines(page, 'js'), port(convolution).code.trimEnd().split('\n'));
    assert.deepEqual(await lines(page, 'python'), convolution.split('\n'));
    assert.deepEqual(await roles(page, 'python'), [
      [5, 'makes the mask'],
      [6, 'drops it'],
      [7, 'sees no mask'],
    ]);
    assert.deepEqual(
      (await roles(page, 'js')).map(([, role]) => role),
      ['makes the mask', 'drops it', 'sees no mask'],
    );
    assert.match(await sentenceOf(page, 'own'), /^Your mask is lost at conv1d; Keras loses it/);
    assert.match(await text(page, '#own [data-slot="padding"]'), /checkPadding: .*first at conv1d/);
    assert.ok((await page.$$('#own .chart path.line')).length === 2);
    assert.equal((await page.$$('#own [data-slot="trace"] li')).length, 3);
    // The program on view is the one that ran.
    assert.match(
      await page.$eval('#own .ending .code', (code) => {
        code.open = true;
        return new Promise((done) => setTimeout(() => done(code.textContent), 100));
      }),
      /const \$saved = model;/,
    );
    assert.deepEqual(faults, []);
    await page.close();
  });

  test('the answer is that of the model with its start values', async () => {
    await mf.ready({ seed: 7 });
    const inputs = mf.Input({ shape: [null], dtype: 'int32' });
    let x = mf.layers.embedding({ inputDim: 10, outputDim: 4, maskZero: true }).apply(inputs);
    x = mf.layers.conv1D({ filters: 4, kernelSize: 3, padding: 'same' }).apply(x);
    x = mf.layers.lstm({ units: 1 }).apply(x);
    const model = new mf.Model({ inputs, outputs: x });
    const [[expected]] = model.predict(mf.tensor([[3, 1, 2]], { dtype: 'int32' })).array();
    const { page } = await open();
    await paste(page, convolution.replace('LSTM(3)', 'LSTM(1)'));
    await set(page, 'own', { input: '[[3, 1, 2]]', pads: '0' });
    await settled(page);
    assert.ok(Math.abs((await answer(page)) - expected) < 1e-4, `${expected}`);
    await page.close();
  });

  test('pointing at a line, or moving to it by keys, lights up its partner', async () => {
    const { page } = await open();
    await paste(page, convolution);
    await page.hover('#own [data-js-lines] .line:nth-child(8)');
    assert.deepEqual([await lit(page, 'js'), await lit(page, 'python')], [[8], [7]]);
    await page.evaluate(() => {
      const field = document.getElementById('own-python');
      field.focus();
      const at = field.value.indexOf('Conv1D');
      field.setSelectionRange(at, at);
      field.dispatchEvent(new KeyboardEvent('keyup', { key: 'ArrowDown' }));
    });
    assert.deepEqual([await lit(page, 'python'), await lit(page, 'js')], [[6], [7]]);
    await page.focus('#own [data-js-lines]');
    for (let line = 1; line < 6; line++) await page.keyboard.press('ArrowDown');
    assert.deepEqual([await lit(page, 'js'), await lit(page, 'python')], [[6], [5]]);
    const active = await page.$eval('#own [data-js-lines]', (list) =>
      list.getAttribute('aria-activedescendant'),
    );
    assert.equal(active, 'own-line-5');
    await page.close();
  });

  test('notes are shown at their lines', async () => {
    const { page, faults } = await open();
    const code = `${convolution}import matplotlib.pyplot as plt\nplt.plot([1])\nsecret(model)\n`;
    // A name that nothing defines stops the program, and the page says at which line of Python.
    await paste(page, code);
    assert.match(await problem(page, 'own'), /^Line 11 of the Python code: ReferenceError/);
    await paste(page, code.replace('secret(model)\n', ''));
    assert.equal(await problem(page, 'own'), null);
    const notes = await page.$$eval('#own [data-js-lines] .note', (all) =>
      all.map((note) => note.textContent),
    );
    assert.deepEqual(
      notes.map((note) => /^(\w+) .*\(line (\d+)\)$/.exec(note)?.slice(1)),
      [
        ['import', '9'],
        ['absent', '10'],
      ],
    );
    assert.deepEqual(
      await page.$$eval('#own [data-python-lines] .line', (all) =>
        all.flatMap((line, index) => (line.matches('.noted') ? [index + 1] : [])),
      ),
      [9, 10],
    );
    assert.deepEqual(faults, []);
    await page.close();
  });

  test('damaged code is refused with its line and column', async () => {
    const { page, faults } = await open();
    await paste(page, 'import keras\nmodel = keras.Sequential([\n');
    const { line, column } = (() => {
      try {
        return port('import keras\nmodel = keras.Sequential([\n');
      } catch (error) {
        return error;
      }
    })();
    assert.match(
      await text(page, '#own .fault'),
      new RegExp(`^Line ${line}, column ${column}: the source is not valid Python`),
    );
    assert.match(await problem(page, 'own'), /not valid Python/);
    assert.deepEqual(
      await page.$$eval('#own [data-python-lines] .line', (all) =>
        all.flatMap((each, index) => (each.matches('.faulty') ? [index + 1] : [])),
      ),
      [line],
    );
    assert.equal(await page.$eval('#own-python', (field) => field.ariaInvalid), 'true');
    assert.deepEqual(await violations(page, '#own'), []);
    await paste(page, convolution);
    assert.equal(await problem(page, 'own'), null);
    assert.equal(await page.$eval('#own .fault', (fault) => fault.hidden), true);
    assert.deepEqual(faults, []);
    await page.close();
  });

  test('every example runs, and three of them lose their mask', async () => {
    const { page, faults } = await open();
    const says = [];
    for (const value of ['0', '1', '2', '3']) {
      await page.$eval('#own', (section) => {
        section.dataset.drawn = 'no';
      });
      await page.select('#own-example', value);
      await settled(page);
      assert.equal(await problem(page, 'own'), null);
      says.push(await sentenceOf(page, 'own'));
    }
    assert.match(says[0], /^With its masks, 200 empty places change the answer by exactly 0;/);
    assert.deepEqual(
      says.slice(1).map((sentence) => /lost at (\w+);/.exec(sentence)?.[1].toLowerCase()),
      ['conv1d', 'halve', 'flip'],
    );
    assert.deepEqual(faults, []);
    await page.close();
  });

  test('the address restores an example, which runs', async () => {
    const { page } = await open();
    await page.select('#own-example', '1');
    await settled(page);
    const says = await sentenceOf(page, 'own');
    const address = await page.evaluate(() => location.href);
    assert.match(address, /own\.py=[\w-]+/);
    await page.close();
    const copy = await openPage(site.browser, address, { chapter: 'own' });
    await settled(copy.page);
    assert.equal(await sentenceOf(copy.page, 'own'), says);
    // Another address in the same tab empties the field.
    await copy.page.evaluate(() => {
      location.hash = '#v1/own';
    });
    await copy.page.waitForFunction(() => document.getElementById('own-python').value === '');
    await waitUntilDrawn(copy.page, 'own');
    assert.match(await sentenceOf(copy.page, 'own'), /exactly 0; with the masks removed/);
    await copy.page.close();
  });

  test('code of a link waits for Run', async () => {
    const { page, faults } = await open(linkTo(`print("it ran")\n${convolution}`));
    await page.waitForSelector('#own [data-waits]:not([hidden])');
    await waitUntilDrawn(page, 'own');
    assert.equal((await lines(page, 'python'))[0], 'print("it ran")');
    assert.equal((await lines(page, 'js')).includes("console.log('it ran');"), true);
    await new Promise((done) => setTimeout(done, 500));
    assert.match(await problem(page, 'own'), /Read it above, then press Run/);
    const prints = () => page.$eval('#own .code .prints', (output) => output.textContent);
    assert.equal(await prints(), '');
    await page.click('#own [data-run-python]');
    await settled(page);
    await page.waitForFunction(() => document.querySelector('#own .problem').hidden);
    assert.match(await prints(), /^it ran\nmaskflow: layer 'conv1d' [^\n]*\n$/);
    assert.equal(await page.$eval('#own [data-waits]', (row) => row.hidden), true);
    assert.deepEqual(faults, []);
    await page.close();
  });

  for (const packed of ['%%%', 'AAAA', deflateRawSync(convolution).toString('base64url').slice(9)])
    test(`a damaged link is explained: ${packed.slice(0, 9)}`, async () => {
      const { page, faults } = await open(`#v1/own?own.model=python&own.py=${packed}`);
      await page.waitForSelector('#own .fault:not([hidden])');
      assert.match(await text(page, '#own .fault'), /link is damaged/);
      await paste(page, convolution);
      assert.equal(await problem(page, 'own'), null);
      assert.deepEqual(faults, []);
      await page.close();
    });

  test('a notebook with its weights answers what Keras answered', async () => {
    const { page, faults } = await open();
    const input = await page.$('#own-files');
    await input.uploadFile(fixture('reviews.ipynb'), fixture('reviews.weights.h5'));
    await settled(page);
    await set(page, 'own', { input: JSON.stringify([recorded.x[1]]) });
    await settled(page);
    assert.equal(await problem(page, 'own'), null);
    assert.match(await text(page, '#own [data-slot="file"]'), /weights of reviews\.weights\.h5/);
    assert.ok(Math.abs((await answer(page)) - recorded.y[1][0]) < 1e-4);
    // The notebook prints the answers that Keras printed.
    const printed = await page.$eval('#own .code .prints', (output) => output.textContent);
    const values = [...printed.matchAll(/0\.\d+/g)].map(Number);
    assert.equal(values.length, 3, printed);
    for (const [index, [value]] of recorded.y.entries())
      assert.ok(Math.abs(values[index] - value) < 1e-5, printed);
    await page.click('#own [data-no-weights]');
    await settled(page);
    assert.match(await text(page, '#own [data-slot="file"]'), /start values/);
    assert.deepEqual(faults, []);
    await page.close();
  });

  test('subclassed models, models without Input and several models run, too', async () => {
    const { page, faults } = await open();
    await paste(
      page,
      `import keras
from keras import layers
class Net(keras.Model):
    def __init__(self):
        super().__init__()
        self.embed = layers.Embedding(12, 4, mask_zero=True)
        self.rnn = layers.GRU(3)
    def call(self, x):
        return self.rnn(self.embed(x))
first = keras.Sequential([layers.Embedding(9, 4, mask_zero=True), layers.LSTM(2)])
second = Net()
`,
    );
    assert.equal(await problem(page, 'own'), null);
    assert.match(
      await sentenceOf(page, 'own'),
      /^With its masks, 200 empty places .* exactly 0\.$/,
    );
    await page.$eval('#own', (section) => {
      section.dataset.drawn = 'no';
    });
    await page.select('#own-which', 'first');
    await settled(page);
    assert.equal(await problem(page, 'own'), null);
    assert.match(await sentenceOf(page, 'own'), /exactly 0; with the masks removed/);
    const inside = `import keras
from keras import layers
class Tokens(layers.Layer):
    def __init__(self):
        super().__init__()
        self.tokens = layers.Embedding(12, 4, mask_zero=True)
    def call(self, x):
        return self.tokens(x) + 1.0
inputs = keras.Input(shape=(None,), dtype="int32")
model = keras.Model(inputs, layers.GRU(3)(Tokens()(inputs)))
`;
    await paste(page, inside);
    assert.match(await sentenceOf(page, 'own'), /^Your mask is lost at Add in tokens; Keras loses/);
    await paste(page, 'def build():\n    return 1\n');
    assert.match(await problem(page, 'own'), /paste the lines that create it|holds a model/);
    assert.deepEqual(faults, []);
    await page.close();
  });

  test('an endless program can be stopped, and the next one runs', async () => {
    const { page } = await open();
    await page.evaluate((code) => {
      const field = document.getElementById('own-python');
      field.value = code;
      field.dispatchEvent(new Event('input', { bubbles: true }));
    }, `${convolution}while True:\n    pass\n`);
    // On a busy machine, the first button can be that of the program before.
    await page.waitForFunction(
      () => {
        const picture = document.querySelector('#own .picture');
        picture.querySelector('.row:not([hidden]) button')?.click();
        return /Stopped/.test(picture.textContent);
      },
      { polling: 500 },
    );
    await paste(page, convolution);
    assert.equal(await problem(page, 'own'), null);
    await page.close();
  });

  test('the translator is fetched with the first code, not with the page', async () => {
    const page = await site.browser.newPage();
    const fetched = [];
    page.on('request', (request) => fetched.push(request.url()));
    await page.goto(site.server.url);
    await page.waitForSelector('html[data-complete]');
    await waitUntilDrawn(page, 'own');
    assert.ok(!fetched.some((url) => /port|train/.test(url)), fetched.join('\n'));
    await paste(page, convolution);
    assert.equal(fetched.filter((url) => url.endsWith('engine/port.js')).length, 1);
    await page.close();
  });

  test('opened from a folder it translates, too', async () => {
    const page = await site.browser.newPage();
    await page.goto(`${pathToFileURL(at('dist', 'page', 'index.html')).href}#own`);
    await waitUntilDrawn(page, 'own');
    await paste(page, convolution);
    assert.match(await sentenceOf(page, 'own'), /lost at conv1d/);
    await page.close();
  });

  for (const width of [390, 768, 1280])
    test(`roles and notes of lines cover no code: ${width} px`, async () => {
      const { page } = await open('#own', { width });
      let count = 0;
      const long = convolution.replace(
        /mask_zero=True|padding="same"|LSTM\(3/g,
        (setting) => `${setting}, name="a_name_of_many_letters_for_a_layer_${++count}"`,
      );
      await paste(
        page,
        `${long}import pandas\nframe = pandas.DataFrame({"column": [1, 2, 3, 4, 5]})\n`,
      );
      await page.waitForSelector('#own [data-python-lines] .role');
      const covered = await page.evaluate(() => {
        const marks = [];
        for (const pane of document.querySelectorAll('#own .python .listing'))
          for (const place of [0, pane.scrollWidth]) {
            pane.scrollLeft = place;
            for (const line of pane.querySelectorAll('.line')) {
              const text = line.querySelector('.text').getBoundingClientRect();
              for (const mark of line.querySelectorAll('.role, .note')) {
                const { left, right, top, bottom } = mark.getBoundingClientRect();
                const isOver =
                  left < text.right &&
                  right > text.left &&
                  top < text.bottom - 1 &&
                  bottom > text.top + 1;
                marks.push([isOver, mark.textContent, line.textContent]);
              }
            }
          }
        return marks;
      });
      assert.ok(covered.length >= 12, `${covered.length} marks`);
      assert.deepEqual(
        covered.filter(([isOver]) => isOver),
        [],
      );
      const roles = await page.$$eval('#own [data-js-lines] .role', (all) =>
        all.map((each) => each.textContent),
      );
      assert.deepEqual(roles, ['makes the mask', 'drops it', 'sees no mask']);
      await page.close();
    });

  for (const theme of ['light', 'dark'])
    for (const width of [320, 390, 1280])
      test(`axe finds nothing and nothing scrolls sideways: ${theme}, ${width} px`, async () => {
        const { page } = await open('#own', { theme, width });
        await paste(page, `${convolution}${'# a long comment '.repeat(20)}\nimport pandas\n`);
        assert.deepEqual(await violations(page, '#own'), []);
        assert.equal(await sideways(page), 0);
        await page.close();
      });
});
