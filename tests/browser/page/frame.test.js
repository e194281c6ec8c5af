// SPDX-License-Identifier: MIT
// Behaviour of every chapter: addresses, history, edited programs, links with programs, a page
// opened from a folder.
import assert from 'node:assert/strict';
import { suite, test } from 'node:test';
import { pathToFileURL } from 'node:url';
import { at } from '../../../scripts/lib/files.mjs';
import { pageInChrome, skip } from '../support/chapter.js';
import { waitUntilDrawn, openPage, problem, sentenceOf, set, text } from '../support/page.js';

suite('the frame of the page', { skip }, () => {
  const site = pageInChrome({ compress: true });

  const open = (hash = '', options = {}) =>
    openPage(site.browser, `${site.server.url}${hash}`, options);
  /** The sentence compares both answers as soon as there is a zero. */
  const padded = '#v1/proof?proof.pads=1';
  const pads = (page) => text(page, '#proof [data-slot="pads"]');
  const hash = (page) => page.evaluate(() => location.hash);

  test('the first answer appears without a click, an error or a foreign request', async () => {
    const { page, faults } = await open();
    assert.match(await sentenceOf(page, 'proof'), /^With the mask and without it, the model says/);
    assert.match(await text(page, '#proof .dial .answer'), /^0\.9992\s+balanced$/);
    await page.waitForSelector('html[data-complete]');
    // Names of builds mean nothing to a visitor.
    assert.match(
      await text(page, '[data-slot="status"]'),
      /^Computed here, in this page: maskflow \d\S+, \d+ kB of WebAssembly, ready in \d+ ms\.$/,
    );
    assert.deepEqual(faults, []);
    await page.close();
  });

  test('the first answers are on view before the rest is computed', async () => {
    const page = await site.browser.newPage();
    await page.evaluateOnNewDocument(() => {
      new MutationObserver(() => {
        const section = document.querySelector('#proof');
        const dial = section?.querySelector('.dial strong')?.textContent;
        if (dial) window.firstView ??= [dial, section.dataset.drawn === 'yes'];
      }).observe(document, { subtree: true, childList: true, characterData: true });
    });
    await page.goto(site.server.url);
    await waitUntilDrawn(page, 'proof');
    assert.deepEqual(await page.evaluate(() => window.firstView), ['0.9992', false]);
    await page.close();
  });

  test('numbers in old addresses open the chapters that they opened before', async () => {
    for (const [address, id] of [
      ['#1', 'padding'],
      ['#3', 'flow'],
      ['#7', 'learning'],
      ['#v1/9', 'own'],
    ]) {
      const { page } = await open(address, { chapter: id });
      await page.waitForSelector('html[data-complete]');
      const top = await page.$eval(`#${id}`, (each) => each.getBoundingClientRect().top);
      assert.ok(Math.abs(top) < 120, `${address}: ${top}`);
      await page.close();
    }
  });

  test('programs are folded; chapters that moved to the docs appear for their addresses only', async () => {
    const { page } = await open('#v1/stream?stream.text=()', { chapter: 'stream' });
    await page.waitForSelector('html[data-complete]');
    const openOnes = await page.$$eval('.ending .code[open]', ({ length }) => length);
    assert.equal(openOnes, 0);
    assert.match(await sentenceOf(page, 'stream'), /^After 2 steps/);
    const isShown = (id) => page.$eval(`#${id}`, (section) => section.checkVisibility());
    assert.deepEqual([await isShown('stream'), await isShown('truth')], [true, false]);
    await page.evaluate(() => {
      location.hash = '#truth';
    });
    await waitUntilDrawn(page, 'truth');
    assert.equal(await isShown('truth'), true);
    const { page: plain } = await open();
    await plain.waitForSelector('html[data-complete]');
    assert.equal(await plain.$eval('#stream', (section) => section.checkVisibility()), false);
    const links = await plain.$$eval('.bar nav a', (all) => all.map((each) => each.hash));
    assert.equal(links.includes('#stream') || links.includes('#truth'), false);
    await page.close();
    await plain.close();
  });

  test('settings are written to the address, and restored from it', async () => {
    const { page } = await open();
    await set(page, 'proof', { pads: '17', text: '()[]' });
    assert.equal(await hash(page), '#v1/proof?proof.text=%28%29%5B%5D&proof.pads=17');
    const { page: otherPage } = await open(await hash(page));
    assert.equal(await pads(otherPage), '17');
    assert.equal(await sentenceOf(otherPage, 'proof'), await sentenceOf(page, 'proof'));
    await page.close();
    await otherPage.close();
  });

  test('back undoes a change, forward repeats it', async () => {
    const { page } = await open();
    const choose = async (value) => {
      await set(page, 'proof', { pads: value });
      await page.$eval('#proof-pads', (range) =>
        range.dispatchEvent(new Event('change', { bubbles: true })),
      );
    };
    await choose('5');
    await choose('9');
    for (const [way, expected] of [
      ['goBack', '5'],
      ['goBack', '0'],
      ['goForward', '5'],
      ['goForward', '9'],
    ]) {
      await page[way]();
      await page.waitForFunction(
        (value) => document.querySelector('#proof [data-slot="pads"]').textContent === value,
        {},
        expected,
      );
    }
    await page.close();
  });

  test('a change while an address is read removes nothing from the address', async () => {
    const { page } = await open();
    await page.waitForSelector('html[data-complete]');
    await page.evaluate(() => {
      location.hash = '#v1/proof?proof.pads=3&own.code=x';
      const slider = document.querySelector('#proof-pads');
      slider.value = '20';
      slider.dispatchEvent(new Event('input', { bubbles: true }));
    });
    assert.match(await hash(page), /own\.code=x/);
    await page.close();
  });

  test('Run keeps the explanation if the controls make no program', async () => {
    const { page, faults } = await open();
    await set(page, 'proof', { text: 'a' });
    const explanation = await problem(page, 'proof');
    assert.match(explanation, /only knows .*; remove “a”/);
    await page.$eval('#proof .code', (box) =>
      [...box.querySelectorAll('button')].find((each) => each.textContent === 'Run').click(),
    );
    await waitUntilDrawn(page, 'proof');
    assert.equal(await problem(page, 'proof'), explanation);
    assert.deepEqual(faults, []);
    await page.close();
  });

  test('any address opens the page', async () => {
    const addresses = [
      '#',
      '#nothing',
      '#v9/proof?proof.pads=NaN',
      '#v1/proof?proof.pads=1e99&x.y=z',
      '#%E0%A4%A',
      '#v1/proof?proof.code=!!!',
      '#99',
      '#/0',
    ];
    for (const address of addresses) {
      const { page, faults } = await open(address);
      assert.equal(await problem(page, 'proof'), null, address);
      assert.match(await sentenceOf(page, 'proof'), /empty places change|Add a zero\.$/, address);
      assert.deepEqual(faults, [], address);
      await page.close();
    }
  });

  test('an edited program runs, and the figure follows', async () => {
    const { page } = await open(padded);
    await edit(page, (code) => code.replace('pads <= 200', 'pads <= 3'));
    await page.waitForFunction(() =>
      /, 3 empty places change/.test(document.querySelector('#proof .says').textContent),
    );
    assert.match(await hash(page), /proof\.code=/);
    await page.$eval('#proof .code', (box) =>
      [...box.querySelectorAll('button')]
        .find((each) => each.textContent === 'Undo changes')
        .click(),
    );
    await page.waitForFunction(() =>
      /200 empty places change/.test(document.querySelector('#proof .says').textContent),
    );
    await page.close();
  });

  test('a program that fails or never ends is reported with its line; the next one runs', async () => {
    const { page } = await open(padded);
    await edit(page, (code) => code.replace('const answers = [];', 'const answers = nothing;'));
    await page.waitForFunction(() =>
      /stopped at line 9/.test(document.querySelector('#proof .problem').textContent),
    );
    assert.match(await problem(page, 'proof'), /nothing is not defined/);
    await edit(page, (code) => code.replace('const answers = nothing;', 'for (;;);'));
    await page.waitForFunction(() =>
      /The program was stopped after 10 s/.test(
        document.querySelector('#proof .problem').textContent,
      ),
    );
    await set(page, 'proof', { text: '()' });
    assert.match(await sentenceOf(page, 'proof'), /200 empty places change/);
    await page.close();
  });

  test('errors of grammar name their line, and an open bracket is called one', async () => {
    const { page } = await open(padded);
    const told = async (change, expected) => {
      await edit(page, change);
      await page.waitForFunction(
        (text) => document.querySelector('#proof .problem').textContent.includes(text),
        {},
        expected,
      );
      return problem(page, 'proof');
    };
    const inside = await told(
      (code) => code.replace('const answers = [];', 'const answers = [;'),
      "Unexpected token ';'",
    );
    assert.match(inside, /^The program stopped at line 9\. SyntaxError:/);
    const open_ = await told(
      (code) => `${code.replace('const answers = [;', 'const answers = [];')}\nfoo(`,
      'A bracket, brace or parenthesis is missing or left over',
    );
    assert.doesNotMatch(open_, /';'/);
    assert.match(open_, /^The program stopped at line \d+\./);
    await page.close();
  });

  test('a program that runs for a second says so, and can be stopped', async () => {
    const { page } = await open(padded);
    await edit(page, (code) => code.replace('const answers = [];', 'for (;;);'));
    const begun = Date.now();
    await page.waitForFunction(() =>
      [...document.querySelectorAll('#proof [role="status"]')].some(
        (each) => each.checkVisibility() && each.textContent === 'Running …',
      ),
    );
    await page.$$eval('#proof [data-result] button', (buttons) =>
      buttons.find((each) => each.checkVisibility() && each.textContent === 'Stop').click(),
    );
    await waitUntilDrawn(page, 'proof');
    assert.ok(Date.now() - begun < 8000, `${Date.now() - begun} ms`);
    assert.equal(await sentenceOf(page, 'proof'), 'Stopped before there was anything to show.');
    await set(page, 'proof', { text: '()' });
    assert.match(await sentenceOf(page, 'proof'), /200 empty places change/);
    await page.close();
  });

  test('an undone program is not waited for', async () => {
    const { page } = await open(padded);
    await edit(page, (code) => code.replace('const answers = [];', 'for (;;);'));
    await page.waitForSelector('#proof.waiting');
    const begun = Date.now();
    await page.$eval('#proof .code', (box) =>
      [...box.querySelectorAll('button')]
        .find((each) => each.textContent === 'Undo changes')
        .click(),
    );
    await waitUntilDrawn(page, 'proof');
    assert.ok(Date.now() - begun < 8000, `${Date.now() - begun} ms`);
    assert.match(await sentenceOf(page, 'proof'), /200 empty places change/);
    assert.equal(await page.$('#proof.waiting'), null);
    await page.close();
  });

  test('a program from a link runs only on request', async () => {
    const { page } = await open(padded);
    await edit(page, (code) => code.replace('pads <= 200', 'pads <= 4'));
    await page.waitForFunction(() =>
      /, 4 empty places/.test(document.querySelector('#proof .says').textContent),
    );
    const { page: otherPage } = await open(await hash(page));
    assert.match(await sentenceOf(otherPage, 'proof'), /200 empty places/);
    assert.equal(await otherPage.$eval('#proof .code', ({ open }) => open), true);
    assert.match(
      await text(otherPage, '#proof .code .warned'),
      /Read the edited one, then press Run/,
    );
    await otherPage.$eval('#proof .code', (box) =>
      [...box.querySelectorAll('button')].find((each) => each.textContent === 'Run').click(),
    );
    await otherPage.waitForFunction(() =>
      /, 4 empty places/.test(document.querySelector('#proof .says').textContent),
    );
    await page.close();
    await otherPage.close();
  });

  test('a page opened from a folder computes, too', async () => {
    const { page, faults } = await openPage(
      site.browser,
      `${pathToFileURL(at('dist', 'page', 'index.html')).href}${padded}`,
    );
    assert.match(await sentenceOf(page, 'proof'), /change the answer by exactly 0/);
    await edit(page, (code) => code.replace('pads <= 200', 'pads <= 2'));
    await page.waitForFunction(() =>
      /, 2 empty places/.test(document.querySelector('#proof .says').textContent),
    );
    assert.deepEqual(faults, []);
    await page.close();
  });

  test('the toy answers at once: the edge, a button and the slider add zeros', async () => {
    const { page, faults } = await open();
    assert.equal(await page.$('#proof [data-predict]'), null, 'no question comes first');
    await page.click('#proof [data-add]');
    await waitUntilDrawn(page, 'proof');
    assert.equal(await pads(page), '1');
    const shown = await page.$$eval('#proof .dial .answer', (all) =>
      all.map((each) => each.textContent),
    );
    assert.match(shown[0], /^0\.99\d* balanced$/);
    assert.match(shown[1], /^<?0\.\d+ not balanced$/);
    assert.match(await sentenceOf(page, 'proof'), /^The model read the zero as data\./);
    await page.focus('#proof-edge');
    await page.keyboard.press('ArrowRight');
    await waitUntilDrawn(page, 'proof');
    assert.equal(await page.$$eval('#proof .cell.masked', ({ length }) => length), 2);
    assert.equal(
      await page.$eval(
        '#proof-edge',
        (edge) => edge.ariaValueText ?? edge.getAttribute('aria-valuetext'),
      ),
      '2 empty places',
    );
    assert.equal(await page.$eval('#proof [data-far]', ({ hidden }) => hidden), true);
    await set(page, 'proof', { far: true });
    assert.equal(await page.$eval('#proof [data-far]', ({ hidden }) => hidden), false);
    assert.deepEqual(faults, []);
    await page.close();
  });

  test('the edge can be dragged, and its middle lies between two tiles', async () => {
    const { page } = await open('#v1/proof?proof.pads=3');
    const places = await page.$eval('#proof .places', (each) => {
      const { left, top, width, height } = each.getBoundingClientRect();
      return { left, width, y: top + height / 2 };
    });
    await page.mouse.move(places.left + (3 * places.width) / 12, places.y);
    await page.mouse.down();
    await page.mouse.move(places.left + (5 * places.width) / 12, places.y, { steps: 8 });
    await page.mouse.up();
    await waitUntilDrawn(page, 'proof');
    assert.equal(await pads(page), '5');
    await page.close();
  });

  for (const [width, height] of [
    [1280, 800],
    [375, 740],
  ]) {
    test(`the toy and its answer fit the first screen: ${width} × ${height}`, async () => {
      const { page } = await open('', { width, height });
      const place = await page.evaluate(() => ({
        top: document.querySelector('#proof h2').getBoundingClientRect().top,
        bottom: document.querySelector('#proof .says').getBoundingClientRect().bottom,
      }));
      assert.ok(place.top >= 0 && place.bottom <= height, JSON.stringify(place));
      await page.close();
    });
  }

  for (const [width, height, max] of [
    [1280, 800, 10],
    [375, 740, 16],
  ]) {
    test(`the page is at most ${max} screens high: ${width} × ${height}`, async () => {
      const { page } = await open('', { width, height });
      await page.waitForSelector('html[data-complete]');
      const screens = await page.evaluate(
        () => document.documentElement.scrollHeight / window.innerHeight,
      );
      assert.ok(screens <= max, `${screens}`);
      await page.close();
    });
  }

  /** Opens the editor of chapter 0, changes its text and runs it. */
  async function edit(page, change) {
    await waitUntilDrawn(page, 'proof');
    const editor = await page.$('#proof .cm-content');
    if (!editor) {
      await page.click('#proof .code > summary');
      await page.$eval('#proof .code', (box) =>
        [...box.querySelectorAll('button')].find((each) => each.textContent === 'Edit').click(),
      );
      await page.waitForSelector('#proof .cm-content');
    }
    const code = await page.$eval(
      '#proof .cm-content',
      (content) =>
        content.cmTile?.view?.state.doc.toString() ?? content.cmView.view.state.doc.toString(),
    );
    const edited = change(code);
    assert.notEqual(edited, code);
    await page.focus('#proof .cm-content');
    await page.keyboard.down('Control');
    await page.keyboard.press('a');
    await page.keyboard.up('Control');
    await page.evaluate((value) => document.execCommand('insertText', false, value), edited);
    await page.keyboard.down('Control');
    await page.keyboard.press('Enter');
    await page.keyboard.up('Control');
  }
});
