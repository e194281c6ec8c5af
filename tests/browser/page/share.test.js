// SPDX-License-Identifier: MIT
// "Share this figure": addresses, frames and SVG files of single figures.
import assert from 'node:assert/strict';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { suite, test } from 'node:test';
import { at } from '../../../scripts/lib/files.mjs';
import { serve } from '../../../scripts/lib/serve.mjs';
import { sideways, violations } from '../support/axe.js';
import { pageInChrome, skip } from '../support/chapter.js';
import { openPage, sentenceOf, set, waitFor, waitUntilDrawn } from '../support/page.js';

const order = JSON.parse(readFileSync(at('page', 'chapters', 'order.json'), 'utf8'));

/** Whether all letters of a chapter's drawing are more than 9 pixels high; runs in the page. */
const isLegible = (id) => {
  const letters = [...document.querySelectorAll(`#${id} .picture svg text`)]
    .filter((each) => each.checkVisibility())
    .map((each) => {
      const { c, d } = each.getScreenCTM();
      return Number.parseFloat(getComputedStyle(each).fontSize) * Math.hypot(c, d);
    });
  return letters.length > 3 && Math.min(...letters) > 9;
};

suite('single figures', { skip }, () => {
  const site = pageInChrome();

  const figure = (id, more = '', options = {}) =>
    openPage(site.browser, `${site.server.url}?chapter=${id}&embed=figure${more}`, {
      chapter: id,
      width: 640,
      height: 480,
      ...options,
    });

  const shown = (page) =>
    page.$$eval(
      '.question > :not(h2), .ending, .bar, .hero, footer, [data-predict], .share',
      (all) => all.filter((each) => each.checkVisibility()).map((each) => each.className),
    );

  for (const { id } of order)
    test(`${id}: the figure has one control at most, and no text, question or program`, async () => {
      const { page, faults } = await figure(id);
      assert.deepEqual(await shown(page), []);
      const fields = await page.$$eval(`#${id} form.controls :is(.field, fieldset)`, (all) =>
        all.filter((each) => each.checkVisibility() && !each.querySelector('fieldset')),
      );
      assert.ok(fields.length <= 1, `${fields.length} fields`);
      assert.equal(await page.$eval(`#${id} .picture`, (each) => each.checkVisibility()), true);
      assert.ok((await sideways(page)) <= 0);
      assert.deepEqual(await violations(page, `#${id}`), []);
      assert.deepEqual(faults, []);
      await page.close();
    });

  for (const width of [360, 640, 720])
    test(`the curves of the toy meet its edge in a frame of ${width} pixels`, async () => {
      const { page } = await figure('proof', '#v1/proof?proof.pads=3', { width });
      await page.waitForFunction(() => {
        const dot = document.querySelector('#proof .curves .dot').getBoundingClientRect();
        const zeros = [...document.querySelectorAll('#proof .places .masked')];
        const edge = zeros.at(-1).getBoundingClientRect().right;
        return zeros.length === 3 && Math.abs(dot.x + dot.width / 2 - edge) < 4;
      });
      await page.close();
    });

  test('on a phone, too, the figure of chapter 1 is no higher than its frame', async () => {
    const { page } = await figure('learning', '', { width: 360 });
    await page.waitForFunction(() => document.body.getBoundingClientRect().height <= 481);
    await page.close();
  });

  for (const id of ['proof', 'learning', 'cell', 'cost', 'losing', 'own'])
    test(`${id}: the letters of its drawing are legible in a frame, and lie in one line`, async () => {
      const { page } = await figure(id, '', { width: 720 });
      // A figure that shrinks is drawn again.
      await waitFor(page, isLegible, { args: [id], chapter: id });
      const broken = await page.$$eval(`#${id} :is(.answers dt, .dial .name)`, (all) =>
        all.filter((each) => each.checkVisibility() && each.getBoundingClientRect().height > 30),
      );
      assert.deepEqual(broken, []);
      await page.close();
    });

  test('theme and controls are chosen by the address', async () => {
    const ground = (page) => page.evaluate(() => getComputedStyle(document.body).backgroundColor);
    const { page: dark } = await figure('cost', '&theme=dark&controls=none', { theme: 'light' });
    const { page: light } = await figure('cost', '&theme=light&controls=layer,share', {
      theme: 'dark',
    });
    assert.notEqual(await ground(dark), await ground(light));
    const controls = (page) =>
      page.$$eval('#cost form :is(select, input, button)', (all) =>
        all.filter((each) => each.checkVisibility()).map((each) => each.name || each.textContent),
      );
    assert.deepEqual(await controls(dark), []);
    assert.match((await controls(light)).join(), /^Measure( again)?,Stop,layer,share$/);
    const { page: all } = await figure('cost', '&controls=all');
    assert.ok((await controls(all)).length > 5);
    for (const page of [dark, light, all]) await page.close();
  });

  test('any parameter opens a figure', async () => {
    for (const more of [
      '&theme=%3Cscript%3E&controls=%22%5D%2C%2C',
      '&controls=&theme=',
      '&controls=none&controls=all#v1/proof?proof.pads=x',
    ]) {
      const { page, faults } = await figure('proof', more);
      assert.match(await sentenceOf(page, 'proof'), /the model says|change the answer/, more);
      assert.deepEqual(faults, [], more);
      await page.close();
    }
  });

  /** Opens the panel of a chapter and waits for its frame. */
  async function share(page, id) {
    await page.$eval(`#${id} .share`, (panel) => {
      panel.open = true;
      panel.scrollIntoView();
    });
    await page.waitForSelector(`#${id} .share iframe`);
    return page.$eval(`#${id} .share`, (panel) => ({
      address: panel.querySelector('[id$="-address"]').value,
      link: panel.querySelector('[id$="-link"]').value,
      code: panel.querySelector('textarea').value,
    }));
  }

  test('the panel writes an address with the settings, and a frame as high as the figure', async () => {
    const { page, faults } = await openPage(site.browser, site.server.url);
    await set(page, 'proof', { pads: '4', text: '([])' });
    const { address, link } = await share(page, 'proof');
    assert.match(link, /^http[^?]+#v1\/proof\?proof\.text=/);
    assert.match(address, /\?chapter=proof&embed=figure#v1\/proof\?/);
    await page.waitForFunction(() => {
      const { height } = document.querySelector('#proof .share iframe');
      return Number(height) > 150 && Number(height) < 480;
    });
    const parsed = await page.$eval('#proof .share', (panel) => {
      const outer = new DOMParser().parseFromString(
        panel.querySelector('textarea').value,
        'text/html',
      );
      const { src, title, height } = outer.querySelector('iframe');
      return { src, title, same: height === panel.querySelector('iframe').height };
    });
    assert.deepEqual(parsed, {
      src: address,
      title: 'Does empty space change the answer?',
      same: true,
    });
    await page.select('#proof .share select', 'dark');
    assert.match((await share(page, 'proof')).code, /&amp;theme=dark#/);
    assert.match(
      await page.$eval('#proof .share', (panel) => panel.textContent),
      /Only this machine can open its own address/,
    );
    assert.deepEqual(await violations(page, '#proof .share'), []);
    assert.deepEqual(faults, []);
    await page.close();
    const { page: other } = await openPage(site.browser, address);
    assert.match(await sentenceOf(other, 'proof'), /^The model read the zeros as data/);
    await other.close();
  });

  test('the code of the guide shows a figure on another page, as high as the figure is', async () => {
    const guide = readFileSync(at('docs', 'guides', 'drawing.md'), 'utf8');
    const blocks = [...guide.matchAll(/(?<=^```html\n)[\s\S]*?(?=^```$)/gm)].map(([code]) => code);
    const code = blocks.join('').replace('ADDRESS/', site.server.url);
    const folder = mkdtempSync(join(tmpdir(), 'maskflow-guide-'));
    writeFileSync(join(folder, 'index.html'), `<!doctype html><title>blog</title>${code}`);
    const blog = await serve(folder);
    const page = await site.browser.newPage();
    try {
      await page.setViewport({ width: 700, height: 900 });
      await page.goto(blog.url);
      const frame = page.frames().find((each) => each.url().startsWith(site.server.url));
      await waitUntilDrawn(frame, 'proof');
      assert.match(await sentenceOf(frame, 'proof'), /^The model read the zeros as data/);
      await frame.waitForFunction(
        () => Math.abs(document.body.getBoundingClientRect().height - innerHeight) < 2,
        { polling: 50 },
      );
      const [written, height] = await page.$eval('iframe', ({ outerHTML, clientHeight }) => [
        /height="(\d+)"/.exec(outerHTML)[1],
        clientHeight,
      ]);
      assert.equal(Number(written), height);
      assert.ok(height <= 480, `${height} pixels`);
    } finally {
      await page.close();
      await blog.close();
      rmSync(folder, { recursive: true });
    }
  });

  /** Catches the file that a button of the panel saves; its name, type, bytes and text. */
  async function saved(page, id, label) {
    await page.evaluate(() => {
      window.savedFile = undefined;
      URL.createObjectURL = (blob) => {
        window.savedFile = blob;
        return 'blob:none';
      };
      HTMLAnchorElement.prototype.click = function () {
        window.savedName = this.download;
      };
    });
    await page.$$eval(
      `#${id} .share button`,
      (buttons, text) => buttons.find((each) => each.textContent === text).click(),
      label,
    );
    await waitFor(page, () => window.savedFile !== undefined, { chapter: id });
  }

  /** Tries to save the figure before its question is answered, and then answers it. */
  async function answerFirst(page) {
    await page.$$eval('#cost .share button', (buttons) =>
      buttons.find((each) => each.textContent === 'Save as SVG').click(),
    );
    assert.match(
      await page.$eval('#cost .share [role="status"]', (each) => each.textContent),
      /^Guess first, or press “Show me”/,
    );
    await page.$eval('#cost .reveal', (button) => button.click());
    await waitFor(
      page,
      () =>
        document.querySelector('#cost').dataset.drawn === 'yes' &&
        document.querySelector('#cost .picture svg')?.checkVisibility(),
      { chapter: 'cost' },
    );
  }

  /** Returns words, turns, title and problems of the figure on the screen and of the saved SVG. */
  const bothSides = (id) =>
    window.savedFile.text().then((text) => {
      const drawing = new DOMParser().parseFromString(text, 'image/svg+xml');
      const section = document.getElementById(id);
      const figure =
        [...section.querySelectorAll('.toy, .built')].find((each) => each.checkVisibility()) ??
        section.querySelector('.picture');
      const without = '.unseen, button:not(.term, .feature, .edge), select, title, desc, style';
      const wordsIn = (root, isShown) => {
        const walker = document.createTreeWalker(root, NodeFilter.SHOW_TEXT);
        const words = [];
        while (walker.nextNode()) {
          const { data, parentElement } = walker.currentNode;
          if (!parentElement.closest(without) && isShown(parentElement))
            words.push(...data.split(/\s+/).filter(Boolean));
        }
        return words;
      };
      const isVisible = (each) => each.checkVisibility({ visibilityProperty: true });
      const chosen = [...figure.querySelectorAll('select')]
        .filter(isVisible)
        .flatMap((each) => each.selectedOptions[0].text.split(/\s+/));
      const turnsIn = (root) =>
        [...root.querySelectorAll('svg *')]
          .map((each) => {
            const turn = /rotate\((-?[\d.]+)/.exec(each.getAttribute('transform') ?? '')?.[1];
            return Number.parseFloat(turn ?? getComputedStyle(each).rotate) || 0;
          })
          .filter((turn) => turn !== 0);
      const sorted = (list) => [...list].sort();
      return {
        failed: drawing.querySelector('parsererror') !== null,
        title: drawing.querySelector('title').textContent,
        classes: drawing.querySelectorAll('[class]').length,
        screen: {
          words: sorted([...wordsIn(figure, isVisible), ...chosen]),
          turns: sorted(turnsIn(figure)),
        },
        file: {
          words: sorted(wordsIn(drawing.documentElement, (each) => !each.closest('defs'))),
          turns: sorted(turnsIn(drawing)),
        },
      };
    });

  for (const { id } of order)
    test(`${id}: the saved SVG has the words, numbers and angles of the screen`, async () => {
      const hash = id === 'proof' ? 'v1/proof?proof.pads=2' : id;
      const { page, faults } = await openPage(site.browser, `${site.server.url}#${hash}`, {
        chapter: id,
      });
      await share(page, id);
      if (id === 'cost') await answerFirst(page);
      await saved(page, id, 'Save as SVG');
      const { failed, title, classes, screen, file } = await page.evaluate(bothSides, id);
      assert.equal(failed, false);
      assert.match(title, /^[A-Z][^?]+\?$/);
      assert.equal(classes, 0);
      assert.ok(screen.words.length > 3, screen.words.join(' '));
      assert.deepEqual(file, screen);
      assert.equal(await page.evaluate(() => window.savedName), `maskflow-${id}.svg`);
      if (id === 'proof') assert.equal(new Set(screen.turns).size, 2, 'one needle has fallen');
      assert.deepEqual(faults, []);
      await page.close();
    });

  test('the PNG has two pixels for each of the screen, and the letters of the page', async () => {
    const { page, faults } = await openPage(site.browser, `${site.server.url}#makers`, {
      chapter: 'makers',
    });
    await share(page, 'makers');
    await saved(page, 'makers', 'Save as PNG');
    const picture = await page.evaluate(async () => {
      const bitmap = await createImageBitmap(window.savedFile);
      const { clientWidth } = document.querySelector('#makers .picture');
      const canvas = new OffscreenCanvas(bitmap.width, bitmap.height);
      const context = canvas.getContext('2d');
      context.drawImage(bitmap, 0, 0);
      const { data } = context.getImageData(0, 0, bitmap.width, bitmap.height);
      const colours = new Set(new Uint32Array(data.buffer));
      return {
        type: window.savedFile.type,
        name: window.savedName,
        ratio: bitmap.width / clientWidth,
        colours: colours.size,
      };
    });
    assert.equal(picture.type, 'image/png');
    assert.equal(picture.name, 'maskflow-makers.png');
    assert.ok(picture.ratio > 2 && picture.ratio < 2.3, `${picture.ratio}`);
    assert.ok(picture.colours > 20, `${picture.colours} colours`);
    assert.deepEqual(faults, []);
    await page.close();
  });
});
