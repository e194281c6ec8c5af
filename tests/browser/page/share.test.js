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

  test('the SVG is valid, has a title, and its text stays text', async () => {
    const { page } = await openPage(site.browser, `${site.server.url}#v1/proof?proof.pads=2`);
    await share(page, 'proof');
    await page.evaluate(() => {
      window.saved = undefined;
      URL.createObjectURL = (blob) => {
        window.saved = blob.text();
        return 'blob:none';
      };
      HTMLAnchorElement.prototype.click = function () {
        window.name = this.download;
      };
    });
    await page.$$eval('#proof .share button', (buttons) =>
      buttons.find((each) => each.textContent === 'Save as SVG').click(),
    );
    const text = await page.evaluate(() => window.saved);
    const facts = await page.evaluate((text) => {
      const drawing = new DOMParser().parseFromString(text, 'image/svg+xml');
      return {
        failed: drawing.querySelector('parsererror') !== null,
        title: drawing.querySelector('title').textContent,
        texts: drawing.documentElement.textContent,
        classes: drawing.querySelectorAll('[class]').length,
        name: window.name,
      };
    }, text);
    assert.deepEqual(
      { ...facts, texts: /empty places added/.test(facts.texts) },
      {
        failed: false,
        title: 'Does empty space change the answer?',
        texts: true,
        classes: 0,
        name: 'maskflow-proof.svg',
      },
    );
    // Needles, numbers, words and tiles of the file are those of the screen.
    const [screen, file] = await page.evaluate((text) => {
      const drawing = new DOMParser().parseFromString(text, 'image/svg+xml');
      const toy = document.querySelector('#proof .toy');
      const turns = [...toy.querySelectorAll('.needle')].map((each) =>
        Number.parseFloat(getComputedStyle(each).rotate),
      );
      const drawn = [...drawing.querySelectorAll('[transform^="rotate("]')].map((each) =>
        Number.parseFloat(each.getAttribute('transform').slice(7)),
      );
      const words = (all) =>
        [...all]
          .map((each) => each.textContent.trim())
          .filter(Boolean)
          .sort();
      return [
        { turns, words: words(toy.querySelectorAll('.cell, .name, strong, .verdict-word, text')) },
        { turns: drawn, words: words(drawing.querySelectorAll('text')) },
      ];
    }, text);
    assert.equal(screen.turns.length, 2);
    assert.notEqual(screen.turns[0], screen.turns[1]);
    assert.deepEqual(file, screen);
    // The file draws the lines without the page's style sheet.
    assert.match(text, /stroke:rgb\(/);
    await page.close();
  });

  test('a figure that consists of text says so', async () => {
    const { page } = await openPage(site.browser, `${site.server.url}#truth`, {
      chapter: 'truth',
    });
    await waitUntilDrawn(page, 'truth');
    await share(page, 'truth');
    await page.$$eval('#truth .share button', (buttons) =>
      buttons.find((each) => each.textContent === 'Save as SVG').click(),
    );
    assert.match(
      await page.$eval('#truth .share [role="status"]', (each) => each.textContent),
      /consists of text/,
    );
    await page.close();
  });
});
