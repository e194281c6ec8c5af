// SPDX-License-Identifier: MIT
// Narrow screens and frames, forced colours: nothing is cut, uneven or behind something else.
import assert from 'node:assert/strict';
import { suite, test } from 'node:test';
import { pageInChrome, resize, skip } from '../support/chapter.js';
import { openPage, waitUntilDrawn } from '../support/page.js';

suite('the page on narrow screens', { skip }, () => {
  const site = pageInChrome();

  async function open(hash, { width = 390, query = '', chapter } = {}) {
    const { page } = await openPage(site.browser, `${site.server.url}${query}${hash}`, {
      ...{ width, chapter },
    });
    if (query === '') await page.waitForSelector('html[data-complete]');
    await waitUntilDrawn(page, chapter);
    return page;
  }

  test('the settings of a toolbar are columns of equal width on a phone', async () => {
    const page = await open('#v1/cost', { chapter: 'cost' });
    const boxes = await page.$$eval('#cost .together > .field', (fields) =>
      fields.map((each) => {
        const { left, width } = each.getBoundingClientRect();
        return [Math.round(left), Math.round(width)].join();
      }),
    );
    assert.equal(boxes.length, 4);
    assert.deepEqual([...new Set(boxes)].length, 2, boxes.join(' '));
    const tops = await page.$$eval('#learning .together > *', (all) =>
      all.map((each) => Math.round(each.getBoundingClientRect().bottom)),
    );
    assert.ok(Math.max(...tops) - Math.min(...tops) <= 3, tops.join());
    await page.close();
  });

  for (const width of [360, 390]) {
    test(`the five tabs of chapter 7 are one line at ${width} pixels, whichever is chosen`, async () => {
      const page = await open('#v1/losing', { chapter: 'losing', width });
      for (const value of ['attention', 'loss', 'decoder', 'packed', 'care']) {
        await page.$eval(`#losing [value="${value}"]`, (input) => input.click());
        const tops = await page.$$eval('.tabs label', (all) =>
          all.map((each) => Math.round(each.getBoundingClientRect().top)),
        );
        assert.equal(new Set(tops).size, 1, `${value}: ${tops}`);
      }
      await page.close();
    });
  }

  test('the word above an empty place is whole', async () => {
    const page = await open('#v1/padding', { chapter: 'padding' });
    await page.waitForSelector('#steps .grid td.masked .word');
    const words = await page.$$eval('main td.masked .word', (all) =>
      all
        .filter((each) => each.getClientRects().length > 0)
        .map((each) => [each.textContent, each.scrollWidth - each.clientWidth]),
    );
    assert.ok(words.length >= 5, String(words.length));
    for (const [text, excess] of words) {
      assert.equal(text, 'padding');
      assert.ok(excess <= 0, `${excess} pixels are cut`);
    }
    await page.close();
  });

  test('the table of Masking fits a phone, in front of the column of the chosen step', async () => {
    const page = await open('#v1/makers?makers.maker=masking', { chapter: 'makers' });
    const table = await page.$eval('.ledger', (each) => ({
      excess: each.parentElement.scrollWidth - each.parentElement.clientWidth,
      ground: getComputedStyle(each).backgroundColor,
    }));
    assert.ok(table.excess <= 0, `${table.excess} pixels are cut`);
    assert.doesNotMatch(table.ground, /, 0\)$/);
    await page.close();
  });

  test('names above the answers of a model stay in one line, many numbers are small', async () => {
    const page = await open('#v1/own?own.model=adding', { chapter: 'own' });
    await page.waitForSelector('#own .answers .many');
    const lines = await page.$$eval('#own .answers dt', (all) =>
      all.map((each) => each.getClientRects().length && each.offsetHeight),
    );
    assert.equal(new Set(lines).size, 1);
    assert.ok(lines[0] < 40, `${lines[0]} pixels`);
    const size = await page.$eval('#own .answers .many', (each) => getComputedStyle(each).fontSize);
    assert.ok(Number.parseFloat(size) < 24, size);
    await page.close();
  });

  test('in a narrow frame a slider keeps a length, and no word leaves its cell', async () => {
    const frame = (chapter) =>
      open('', { chapter, width: 370, query: `?chapter=${chapter}&embed=figure` });
    const steps = await frame('steps');
    const slider = await steps.$eval('.scrubber input', (each) => each.offsetWidth);
    assert.ok(slider >= 60, `${slider} pixels`);
    await steps.close();
    const padding = await frame('padding');
    const outside = await padding.$$eval('#padding .grid td .word', (words) =>
      words
        .filter((word) => {
          const [inner, outer] = [word, word.closest('td')].map((e) => e.getBoundingClientRect());
          return inner.left < outer.left - 0.5 || inner.right > outer.right + 0.5;
        })
        .map(({ textContent }) => textContent),
    );
    assert.deepEqual(outside, []);
    await padding.close();
  });

  test('lines of a chart do not cross the letters of their names', async () => {
    const page = await open('#v1/own', { chapter: 'own' });
    const styles = await page.$eval('#own .chart .name', (each) => {
      const { paintOrder, strokeWidth } = getComputedStyle(each);
      return { paintOrder, strokeWidth: Number.parseFloat(strokeWidth) };
    });
    assert.match(styles.paintOrder, /^stroke/);
    assert.ok(styles.strokeWidth >= 3);
    await page.close();
  });

  /** Returns the texts of charts that touch a dot, another text, or the line of another name. */
  const touching = (page, selector) =>
    page.$$eval(selector, (charts) =>
      charts.flatMap((chart) => {
        const boxOf = (each) => each.getBoundingClientRect();
        // The box of a text is higher than its letters.
        const lettersOf = (each) => {
          const { left, right, top, bottom } = boxOf(each);
          return { left, right, top: top + 3, bottom: bottom - 3 };
        };
        const touch = (a, b) =>
          Math.min(a.right, b.right) > Math.max(a.left, b.left) &&
          Math.min(a.bottom, b.bottom) > Math.max(a.top, b.top);
        const texts = [...chart.querySelectorAll('text')].map((each) => ({
          name: each.textContent,
          isName: each.matches('.name'),
          box: lettersOf(each),
        }));
        const dots = [...chart.querySelectorAll('.mark, .dot')].map(boxOf);
        const points = [...chart.querySelectorAll('path.line')].flatMap((path) =>
          Array.from({ length: 200 }, (_, i) => {
            const { x, y } = path
              .getPointAtLength((path.getTotalLength() * i) / 199)
              .matrixTransform(path.getScreenCTM());
            return { left: x - 1, right: x + 1, top: y - 1, bottom: y + 1 };
          }),
        );
        return texts.flatMap(({ name, isName, box }, i) => [
          ...dots.filter((dot) => touch(box, dot)).map(() => `${name}: a dot`),
          ...(isName && points.some((point) => touch(box, point)) ? [`${name}: a line`] : []),
          ...texts
            .slice(i + 1)
            .filter((other) => touch(box, other.box))
            .map((other) => `${name}: ${other.name}`),
        ]);
      }),
    );

  for (const width of [1280, 390, 375, 320]) {
    test(`no text of a chart touches a dot, a line or another text, ${width}`, async () => {
      const page = await open('#v1/learning', { chapter: 'learning', width });
      assert.deepEqual(await touching(page, '#learning .chart'), []);
      await waitUntilDrawn(page, 'own');
      const own = await touching(page, '#own .chart');
      // The lines begin in the corner of the axes, where their zeros are.
      assert.deepEqual(
        own.filter((each) => each !== '0: a dot'),
        [],
      );
      await page.close();
    });
  }

  test('the name of a line does not cover the tick at the right end of the toy', async () => {
    const page = await open('#v1/proof?proof.far=1&proof.pads=200', {
      chapter: 'proof',
      width: 1280,
    });
    await page.waitForFunction(
      () => document.querySelectorAll('#proof .curves .name').length === 2,
    );
    const over = await page.$$eval('#proof .curves text', (texts) => {
      const boxes = texts.map((each) => [each.textContent, each.getBoundingClientRect()]);
      return boxes.flatMap(([name, a], i) =>
        boxes
          .slice(i + 1)
          .filter(
            ([, b]) =>
              Math.min(a.right, b.right) - Math.max(a.left, b.left) > 1 &&
              Math.min(a.bottom, b.bottom) - Math.max(a.top, b.top) > 3,
          )
          .map(([other]) => `${name} and ${other}`),
      );
    });
    assert.deepEqual(over, []);
    await page.close();
  });

  test('the slider of chapter 6 is below the edge between kept and masked steps', async () => {
    const page = await open('#v1/cost', { chapter: 'cost' });
    for (const width of [1280, 390, 320]) {
      await resize(page, width);
      for (const share of ['10', '50', '100']) {
        await page.$eval(
          '#cost-share',
          (input, value) => {
            input.value = value;
            input.dispatchEvent(new Event('input', { bubbles: true }));
          },
          share,
        );
        await waitUntilDrawn(page, 'cost');
        const [thumb, edge] = await page.evaluate(() => {
          const input = document.querySelector('#cost-share');
          const { left, width } = input.getBoundingClientRect();
          const part = (input.value - input.min) / (input.max - input.min);
          const kept = [...document.querySelectorAll('#cost .barcode rect')].at(-1);
          return [left + 8 + part * (width - 16), kept.getBoundingClientRect().right];
        });
        assert.ok(Math.abs(thumb - edge) <= 4, `${width}, ${share} %: ${thumb} and ${edge}`);
      }
    }
    await page.close();
  });

  test('the batch of chapter 6 has an edge where colours are forced', async () => {
    const page = await open('#v1/cost', { chapter: 'cost' });
    const client = await page.createCDPSession();
    await client.send('Emulation.setEmulatedMedia', {
      features: [{ name: 'forced-colors', value: 'active' }],
    });
    const edge = await page.$eval('.barcode', (each) => getComputedStyle(each).borderTopWidth);
    assert.equal(edge, '1px');
    await page.close();
  });

  test('drawings have the colours of the system where these are forced', async () => {
    const page = await open('#v1/proof', { chapter: 'proof', width: 1280 });
    for (const chapter of ['learning', 'steps', 'cell', 'cost', 'own'])
      await waitUntilDrawn(page, chapter);
    const client = await page.createCDPSession();
    await client.send('Emulation.setEmulatedMedia', {
      features: [
        { name: 'forced-colors', value: 'active' },
        { name: 'prefers-color-scheme', value: 'light' },
      ],
    });
    // The visitor chose the other theme.
    const others = await page.evaluate(() => {
      document.documentElement.dataset.theme = 'dark';
      const probe = document.body.appendChild(document.createElement('i'));
      const colourOf = (name) => {
        probe.style.color = name;
        return getComputedStyle(probe).color;
      };
      const names = ['Canvas', 'CanvasText', 'GrayText', 'Highlight', 'LinkText'];
      const system = new Set(['none', 'rgba(0, 0, 0, 0)', ...names.map(colourOf)]);
      const shapes = document.querySelectorAll('main svg :is(text, path, rect, circle, line)');
      return [...shapes]
        .filter((shape) => shape.checkVisibility() && !shape.closest('pattern, defs'))
        .flatMap((shape) => {
          const { fill, stroke } = getComputedStyle(shape);
          const place = `${shape.closest('.chapter').id} ${shape.tagName}`;
          const look = `${place}.${shape.getAttribute('class')}`;
          return Object.entries({ fill, stroke })
            .filter(([, colour]) => !colour.startsWith('url(') && !system.has(colour))
            .map(([property, colour]) => `${look} ${property} ${colour}`);
        });
    });
    assert.deepEqual([...new Set(others)], []);
    await page.close();
  });

  test('chapter 7 fits one sheet of paper; chapter 8 two: its figure, and what is inside', async () => {
    const page = await open('#v1/own', { chapter: 'own', width: 700 });
    await waitUntilDrawn(page, 'losing');
    await page.emulateMediaType('print');
    await page.evaluate(() => dispatchEvent(new Event('beforeprint')));
    const parts = await page.evaluate(() => {
      const heightOf = (selector) => document.querySelector(selector).offsetHeight;
      const whole = heightOf('#own');
      const inside = heightOf('#own .inside');
      return { losing: heightOf('#losing .wrap'), figure: whole - inside, inside };
    });
    for (const [name, height] of Object.entries(parts))
      assert.ok(height > 300 && height <= 1030, `${name}: ${height} pixels`);
    await page.close();
  });

  test('the first sheet of paper shows the answers for all zeros below both states', async () => {
    const page = await open('#v1/proof', { chapter: 'proof', width: 700 });
    await page.emulateMediaType('print');
    await page.evaluate(() => dispatchEvent(new Event('beforeprint')));
    const { height, box } = await page.$eval('#proof', (section) => ({
      height: section.offsetHeight,
      box: section.querySelector('.states .far svg').getBoundingClientRect().toJSON(),
    }));
    assert.ok(box.width > 500 && box.height > 150, JSON.stringify(box));
    assert.ok(height > 700, `${height} of 1030 pixels`);
    await page.close();
  });
});
