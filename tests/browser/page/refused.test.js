// SPDX-License-Identifier: MIT
// Programs that fail: nothing that an earlier program computed stays on view.
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { before, suite, test } from 'node:test';
import { deflateRawSync } from 'node:zlib';
import { at } from '../../../scripts/lib/files.mjs';
import { pageInChrome, skip } from '../support/chapter.js';
import { convolution } from '../support/python.js';
import { openPage, problem, text, waitFor, waitUntilDrawn } from '../support/page.js';

const order = JSON.parse(readFileSync(at('page', 'chapters', 'order.json'), 'utf8'));

/** Slots outside the figures that contain no results: controls, and texts about them. */
const plain = {
  proof: ['toy', 'row', 'holes', 'pads'],
  flow: ['presets', 'see', 'feed', 'built', 'shelf'],
  cost: ['share'],
  losing: ['lead'],
  own: ['chosen', 'pads', 'input-label', 'hint', 'translated'],
};

const pythonCode = `${convolution}print("it ran")\n`;

/** Returns what a chapter shows of results; runs in the page. */
function resultsIn(id, isPlain) {
  const section = document.getElementById(id);
  const isSeen = (element) =>
    element.checkVisibility({ visibilityProperty: true }) && element.innerText?.trim() !== '';
  const slots = [...section.querySelectorAll('[data-slot]')].map((each) => [
    each.dataset.slot,
    each,
  ]);
  const parts = [
    ['a table', 'table'],
    ['a drawing', '.picture svg'],
    ['a sentence', '.says'],
    ['a verdict', '.verdict'],
    ['the role of a layer', '.role'],
    ['an output', '.prints'],
  ].flatMap(([name, selector]) =>
    [...section.querySelectorAll(selector)].map((each) => [name, each]),
  );
  const seen = [...slots, ...parts].filter(
    ([name, each]) => isSeen(each) && !isPlain.includes(name),
  );
  return [...new Set(seen.map(([name]) => name))];
}

suite('programs that fail', { skip }, () => {
  const site = pageInChrome();

  let page;
  let faults;
  before(async () => {
    ({ page, faults } = await openPage(site.browser, `${site.server.url}#v1/own`));
    await page.waitForSelector('html[data-complete]');
    await page.evaluate(() => {
      for (const each of document.querySelectorAll('section details:not(.share)')) each.open = true;
    });
  });

  const results = (id) => page.evaluate(resultsIn, id, plain[id] ?? []);

  for (const { id } of order)
    test(`${id}: an edited program that fails leaves no results`, async () => {
      await goTo(id);
      // Answers the question, which starts a run in the chapter that waits for one.
      await page.evaluate((id) => document.querySelector(`#${id} .reveal`)?.click(), id);
      await waitFor(
        page,
        (id) => {
          const says = document.querySelector(`#${id} .says`);
          const { drawn } = document.getElementById(id).dataset;
          return drawn === 'yes' && says.textContent !== '';
        },
        { args: [id], chapter: id },
      );
      assert.notDeepEqual(await results(id), [], 'there is something to remove');
      // A text that has run here once does not wait for Run.
      const text = `throw new Error('on purpose in ${id}');\n`;
      const code = deflateRawSync(text).toString('base64url');
      await page.evaluate(
        (id, code) => {
          location.hash = `#v1/${id}?${id}.code=${code}`;
        },
        id,
        code,
      );
      await page.waitForSelector(`#${id} .ending .code .warned:not([hidden])`);
      await page.evaluate((id) => {
        const buttons = [...document.querySelectorAll(`#${id} .ending .code button`)];
        buttons.find((each) => each.textContent === 'Run').click();
      }, id);
      await page.waitForSelector(`#${id} .problem:not([hidden])`);
      await waitUntilDrawn(page, id);
      assert.match(await problem(page, id), /on purpose/);
      assert.deepEqual(await results(id), []);
      assert.deepEqual(faults, []);
    });

  const good = () => [
    ...['file', 'answers', 'curves', 'padding', 'repair', 'trace', 'profile', 'summary'],
    ...['a table', 'a drawing', 'a sentence', 'the role of a layer', 'an output'],
  ];

  async function goTo(hash) {
    faults.length = 0;
    await page.evaluate((hash) => {
      location.hash = `#v1/${hash}`;
    }, hash);
    await waitUntilDrawn(page, hash);
  }

  async function paste(code, done) {
    await page.evaluate((pasted) => {
      const field = document.getElementById('own-python');
      field.focus();
      field.select();
      document.execCommand('insertText', false, pasted);
    }, code);
    await waitFor(
      page,
      (done) => {
        const section = document.getElementById('own');
        return (
          section.dataset.drawn === 'yes' &&
          new RegExp(done).test(section.querySelector('.says, .problem').parentElement.innerText)
        );
      },
      { args: [done], chapter: 'own' },
    );
  }

  /** Opens the chapter "own" with the results of Python code. */
  async function openOwn() {
    await goTo('own');
    await paste(pythonCode, 'lost at conv1d');
    assert.deepEqual((await results('own')).sort(), good().sort());
    assert.match(await text(page, '#own [data-slot="hint"]'), /Expected/);
  }

  /** Asserts that the chapter "own" says nothing of any model. */
  async function assertNoModel() {
    assert.deepEqual(await results('own'), []);
    const hint = 'If empty, an input that fits the model is generated.';
    assert.equal(await text(page, '#own [data-slot="hint"]'), hint);
    const state = await page.evaluate(() => ({
      placeholder: document.getElementById('own-input').placeholder,
      label: document.querySelector('#own [data-slot="input-label"]').textContent,
      hidden: ['[data-open]', '[data-which]', '[data-facts]'].map(
        (part) => document.querySelector(`#own ${part}`).hidden,
      ),
    }));
    assert.deepEqual(state, {
      placeholder: '',
      label: 'Input, as JSON',
      hidden: [true, true, true],
    });
  }

  for (const [name, code, reason] of [
    ['that does not parse', pythonCode.replace('(10, 4,', '(10, 4,,'), 'not valid Python'],
    [
      'that throws',
      pythonCode.replace(/(?=inputs)/, 'raise ValueError("too early")\n'),
      'too early',
    ],
    ['without a model', 'x = 3\n', 'holds a model'],
    ['without a statement', '', 'Paste the Python code'],
  ])
    test(`own: Python code ${name} leaves nothing of the model before`, async () => {
      await openOwn();
      await paste(code, reason);
      await assertNoModel();
      // A program exists where the code could be translated.
      const isTranslated = /throws|a model/.test(name);
      const isShown = await page.$eval('#own .ending .code', (box) => box.checkVisibility());
      assert.equal(isShown, isTranslated);
      await paste(pythonCode, 'lost at conv1d');
      assert.deepEqual((await results('own')).sort(), good().sort());
      assert.deepEqual(faults, []);
    });

  test('own: a file that is not a model leaves nothing of the model before', async () => {
    await openOwn();
    const input = await page.$('#own-files');
    await input.uploadFile(join(at(), 'package.json'));
    await page.waitForSelector('#own .problem:not([hidden])');
    await waitUntilDrawn(page, 'own');
    await assertNoModel();
  });

  test('own: an input that does not fit keeps the facts of the model, without results', async () => {
    await openOwn();
    await page.$eval('#own-input', (field) => {
      field.value = '[[1, 2';
      field.dispatchEvent(new Event('input', { bubbles: true }));
    });
    await page.waitForSelector('#own .problem:not([hidden])');
    await waitUntilDrawn(page, 'own');
    // The roles of the code's layers hold for every input.
    assert.deepEqual((await results('own')).sort(), ['summary', 'the role of a layer']);
    assert.match(await text(page, '#own [data-slot="hint"]'), /Expected/);
  });

  test('a figure that is not there cannot be saved', async () => {
    await openOwn();
    await page.evaluate(() => {
      document.querySelector('#own .share').open = true;
    });
    await page.waitForSelector('#own .share iframe');
    await paste('x = 3\n', 'holds a model');
    for (const name of ['Save as SVG', 'Save as PNG']) {
      await page.evaluate((name) => {
        const buttons = [...document.querySelectorAll('#own .share button')];
        buttons.find((each) => each.textContent === name).click();
      }, name);
      assert.match(await text(page, '#own .share'), /There is no figure to save/);
    }
  });
});
