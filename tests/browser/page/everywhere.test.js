// SPDX-License-Identifier: MIT
// The page as a whole: inside other pages, on paper, without colours, on all screens.
import assert from 'node:assert/strict';
import { existsSync, mkdtempSync, readFileSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { suite, test } from 'node:test';
import { gzipSync } from 'node:zlib';
import { withAddress, withStart } from '../../../scripts/build-page.mjs';
import { at } from '../../../scripts/lib/files.mjs';
import { serve } from '../../../scripts/lib/serve.mjs';
import { violations } from '../support/axe.js';
import { pageInChrome, skip } from '../support/chapter.js';
import { openPage, sentenceOf, set, text, waitUntilDrawn } from '../support/page.js';

suite('the page everywhere', { skip }, () => {
  const site = pageInChrome();

  const complete = (page) => page.waitForSelector('html[data-complete]');

  test('a chapter in a frame reports its height, and grows with its figure', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'maskflow-frame-'));
    const frame = `<!doctype html><title>blog</title><link rel="icon" href="data:,">
<iframe width="700" src="${site.server.url}?chapter=0&embed"></iframe>
<script>window.heard = []; onmessage = ({ data }) => { heard.push(data); document.querySelector('iframe').height = data.height; };</script>`;
    writeFileSync(join(folder, 'index.html'), frame);
    const blog = await serve(folder);
    const page = await site.browser.newPage();
    try {
      await page.goto(blog.url);
      const inside = page.frames().find((each) => each.url().includes('embed'));
      await inside.waitForSelector('#proof[data-drawn="yes"]');
      await page.waitForFunction(() => window.heard.at(-1)?.height > 300);
      const heard = await page.evaluate(() => window.heard.at(-1));
      assert.equal(heard.type, 'maskflow:height');
      assert.equal(heard.chapter, 'proof');
      await inside.waitForFunction(() => document.documentElement.scrollHeight <= innerHeight + 1);
      const sizes = await inside.evaluate(() => ({
        shown: [...document.querySelectorAll('.chapter, .bar, .hero, footer')]
          .filter((each) => each.checkVisibility())
          .map(({ id }) => id),
        from: document.querySelector('.from').textContent,
        wide: document.documentElement.scrollWidth - document.documentElement.clientWidth,
      }));
      assert.deepEqual(sizes.shown, ['proof']);
      assert.match(sizes.from, /^From maskflow/);
      assert.equal(sizes.wide, 0);
      // Moving a control leaves the history of the outer page unchanged.
      const entries = await page.evaluate(() => history.length);
      await inside.evaluate(() => {
        const slider = document.querySelector('#proof-pads');
        slider.value = '7';
        slider.dispatchEvent(new Event('input', { bubbles: true }));
      });
      await inside.waitForFunction(() => location.hash.includes('proof.pads=7'));
      assert.equal(await page.evaluate(() => history.length), entries);
    } finally {
      await page.close();
      await blog.close();
      rmSync(folder, { recursive: true });
    }
  });

  test('embedded chapters read settings from the address; an unknown chapter opens the first', async () => {
    for (const [query, id] of [
      ['?chapter=own&embed#v1/own?own.model=sensor', 'own'],
      ['?embed&chapter=10', 'truth'],
      ['?chapter=none&embed', 'proof'],
    ]) {
      const { page, faults } = await openPage(site.browser, site.server.url + query, {
        chapter: id,
      });
      assert.notEqual(await sentenceOf(page, id), '');
      assert.equal(await page.$eval('.embedded', (section) => section.id), id);
      assert.deepEqual(await violations(page, `#${id}`), []);
      const link = await page.evaluate(() => {
        const a = document.querySelector('.from a');
        a.addEventListener('click', (event) => event.preventDefault());
        document.addEventListener('click', (event) => event.preventDefault(), true);
        a.click();
        return [a.target, a.getAttribute('href')];
      });
      assert.equal(link[0], '_blank');
      assert.match(link[1], /^\/#/);
      assert.deepEqual(faults, []);
      await page.close();
    }
  });

  test('in print the toy has fallen, every chapter is drawn, no code is unfolded, nothing overlaps', async () => {
    const { page } = await openPage(site.browser, site.server.url);
    await complete(page);
    await waitUntilDrawn(page, 'own');
    await page.emulateMediaType('print');
    await page.evaluate(() => dispatchEvent(new Event('beforeprint')));
    const state = await page.evaluate(() => ({
      folded: document.querySelectorAll('details:not([open], .code)').length,
      undrawn: [...document.querySelectorAll('.chapter')]
        .filter(({ dataset }) => 'drawn' in dataset && dataset.drawn !== 'yes')
        .map(({ id }) => id),
      hidden: [...document.querySelectorAll('.chapter h2')].filter(
        (each) => !each.closest('[hidden]') && !each.checkVisibility(),
      ).length,
      code: [...document.querySelectorAll('.code pre, .toy, #proof .more')].filter((each) =>
        each.checkVisibility(),
      ).length,
      overlaps: [...document.querySelectorAll('.chapter > .wrap, .states, .picture')].flatMap(
        (parent) => {
          const boxes = [...parent.children]
            .filter((each) => each.checkVisibility())
            .map((each) => each.getBoundingClientRect());
          const isOver = (a, b) =>
            Math.min(a.right, b.right) - Math.max(a.left, b.left) > 5 &&
            Math.min(a.bottom, b.bottom) - Math.max(a.top, b.top) > 5;
          return boxes.filter((a, i) => boxes.some((b, k) => k > i && isOver(a, b)));
        },
      ).length,
      states: [...document.querySelectorAll('.states .dial .answer')].map((each) =>
        each.innerText.replace(/\s+/g, ' '),
      ),
      bar: document.querySelector('.bar').checkVisibility(),
      cut: [...document.querySelectorAll('.code pre')].filter(
        (each) => each.scrollWidth > each.clientWidth + 1,
      ).length,
      // Figures that nobody has started show a recording.
      empty: [...document.querySelectorAll('.chapter.refused')].map(({ id }) => id),
      numbers: [...document.querySelectorAll('#cell .equations .amount')].filter(
        (each) => !each.checkVisibility() || !/\d|–/.test(each.textContent),
      ).length,
    }));
    assert.deepEqual(state, {
      ...{ folded: 0, undrawn: [], hidden: 0, code: 0, overlaps: 0, bar: false, cut: 0 },
      states: ['0.9992 balanced', '0.9992 balanced', '0.9992 balanced', '0.0012 not balanced'],
      ...{ empty: [], numbers: 0 },
    });
    assert.match(await text(page, '.states .fallen'), /^The model read the zero as data\./);
    assert.match(
      await sentenceOf(page, 'cost'),
      /^Recorded on another machine\. With 50 % of the steps kept/,
    );
    assert.equal((await page.$$('#cell .equations .amount')).length > 10, true);
    await page.evaluate(() => dispatchEvent(new Event('afterprint')));
    await page.waitForFunction(() =>
      document.querySelector('#cost .says').textContent.startsWith('Press Measure'),
    );
    assert.ok(await page.evaluate(() => document.querySelector('details:not([open])') !== null));
    const pdf = await page.pdf({ format: 'A4' });
    const pages =
      Buffer.from(pdf)
        .toString('latin1')
        .match(/\/Type\s*\/Page\b/g)?.length ?? 0;
    assert.ok(pages >= 3, `${pages} pages`);
    await page.close();
  });

  test('in print, what is read at one glance stays on one sheet, with letters of 9 points', async () => {
    // A4 and Letter at 96 pixels an inch.
    const [width, height] = [794, 1056];
    const { page } = await openPage(site.browser, site.server.url, { width });
    await complete(page);
    await waitUntilDrawn(page, 'own');
    await page.emulateMediaType('print');
    await page.evaluate(() => dispatchEvent(new Event('beforeprint')));
    const parts = await page.evaluate(() => {
      const wholes = `.states, figure, table, fieldset, .toolbar, .equations, [data-result],
        #learning .picture, #makers .wrap, #own .fold`;
      return [...document.querySelectorAll(wholes)]
        .filter((each) => each.checkVisibility())
        .map((each) => ({
          name: `${each.closest('section')?.id} ${each.tagName} ${each.className}`,
          height: each.offsetHeight ?? each.getBoundingClientRect().height,
          mayBreak: getComputedStyle(each).breakInside,
        }));
    });
    assert.ok(parts.length > 20);
    assert.deepEqual(
      parts.filter((each) => each.mayBreak !== 'avoid' || each.height > height),
      [],
    );
    // Cut grids overlap.
    const grids = await page.$$eval(
      '.chapter > .wrap, .chapter .controls, .chapter .halves, .chapter .drawing',
      (all) =>
        all
          .filter((each) => getComputedStyle(each).display === 'grid')
          .map((each) => each.className),
    );
    assert.deepEqual(grids, []);
    const small = await page.$$eval('.chapter sub', (all) =>
      all.map((each) => Number.parseFloat(getComputedStyle(each).fontSize)).filter((px) => px < 12),
    );
    assert.deepEqual(small, []);
    await page.close();
  });

  test('the first worker has one variant of the core, and finds the rest beside it', () => {
    for (const variant of ['relaxed', 'simd']) {
      const script = readFileSync(at('dist', 'page', 'engine', `first-${variant}.mjs`));
      const kilobytes = gzipSync(script).length / 1000;
      assert.ok(kilobytes < 240, `first-${variant}.mjs has ${kilobytes} kB in gzip`);
      const folder = at('dist', 'page', 'engine');
      const beside = readdirSync(folder).filter((name) => name.startsWith(`${variant}-`));
      assert.ok(beside.length > 10);
      for (const name of [`first-${variant}.mjs`, ...beside]) {
        const text = readFileSync(join(folder, name), 'utf8');
        const paths = [...text.matchAll(/(?:\bfrom|\bimport\()\s*["'`](\.\/[^"'`$]+)["'`]/g)];
        assert.ok(paths.length > 0, name);
        for (const [, path] of paths)
          assert.ok(existsSync(join(folder, path)), `${name}: ${path} is missing`);
      }
      // All that the first answer needs is in the first file. Files of Keras 2 are not.
      const needed = /^import[ {]|["'`]\.\/\w+-reading\b/;
      assert.equal(needed.exec(String(script))?.[0], undefined);
      assert.ok(beside.some((name) => name.includes('older_formats')));
    }
  });

  test('the script of the page is two files, which the head requests at once', () => {
    const folder = at('dist', 'page');
    const html = readFileSync(join(folder, 'index.html'), 'utf8');
    const requested = /data-modules="([^"]*)"/.exec(html)[1].split(' ');
    assert.equal(requested.length, 2, requested.join(' '));
    const imported = requested.flatMap((name) =>
      [...readFileSync(join(folder, name), 'utf8').matchAll(/\b(?:from|import)"([^"]+)"/g)].map(
        ([, path]) => join(name, '..', path),
      ),
    );
    assert.deepEqual([...new Set(imported)], requested.slice(1));
  });

  test('the page links to the licence texts of everything that it contains', () => {
    const text = readFileSync(at('dist', 'page', 'THIRD_PARTY_LICENSES.txt'), 'utf8');
    const names = ['@codemirror/view', '@codemirror/state', '@lezer/common', 'loupe', 'style-mod'];
    for (const name of [...names, '@fontsource-variable/atkinson-hyperlegible-next'])
      assert.match(text, new RegExp(`^=+\\n${name}\\n(?:MIT|OFL-1\\.1), `, 'm'), name);
    for (const page of ['index.html', join('playground', 'index.html')])
      assert.match(
        readFileSync(at('dist', 'page', page), 'utf8'),
        /<a href="THIRD_PARTY_LICENSES\.txt">Licences<\/a>/,
      );
  });

  test('the style sheet uses only what older engines know', () => {
    const css = readFileSync(at('dist', 'page', 'page.css'), 'utf8');
    assert.ok(css.length > 10_000);
    assert.doesNotMatch(css, /light-dark\(|@layer|@scope|:has-slotted|&:/);
  });

  test('in forced colours masked cells still differ from kept ones', async () => {
    const { page } = await openPage(site.browser, site.server.url);
    const session = await page.createCDPSession();
    await session.send('Emulation.setEmulatedMedia', {
      features: [{ name: 'forced-colors', value: 'active' }],
    });
    await set(page, 'proof', { pads: '3' });
    const styles = await page.$$eval('#proof .cell', (cells) =>
      cells.map((cell) => [cell.matches('.masked'), getComputedStyle(cell).borderTopStyle]),
    );
    assert.ok(styles.some(([masked]) => masked));
    for (const [masked, style] of styles) assert.equal(style, masked ? 'dashed' : 'solid');
    const dashes = await page.$$eval('#proof path.line', (lines) =>
      lines.map((line) => getComputedStyle(line).strokeDasharray),
    );
    assert.equal(new Set(dashes).size, dashes.length, 'lines differ by their dashes');
    await page.close();
  });

  test('a link to a chapter scrolls it to the top, although content above it comes later', async () => {
    const { page } = await openPage(site.browser, `${site.server.url}#truth`, { chapter: 'truth' });
    await complete(page);
    await new Promise((resolve) => setTimeout(resolve, 300));
    const top = await page.$eval('#truth', (section) => section.getBoundingClientRect().top);
    assert.ok(Math.abs(top) < 120, `${top}`);
    await page.close();
  });

  test('the preview picture has the declared size, and nothing in it is cut off', async () => {
    const png = readFileSync(at('dist', 'page', 'preview.png'));
    assert.deepEqual([png.readUInt32BE(16), png.readUInt32BE(20)], [1200, 630]);
    assert.ok(png.length < 150_000);
    const page = await site.browser.newPage();
    await page.goto(`${site.server.url}preview.png`);
    const colours = await page.evaluate(async () => {
      const picture = document.querySelector('img');
      await picture.decode();
      const { naturalWidth: width, naturalHeight: height } = picture;
      const canvas = new OffscreenCanvas(width, height).getContext('2d');
      canvas.drawImage(picture, 0, 0);
      const edges = [
        [0, 0, width, 24],
        [0, height - 24, width, 24],
        [0, 0, 24, height],
        [width - 24, 0, 24, height],
      ];
      return edges.map(
        (edge) => new Set(new Uint32Array(canvas.getImageData(...edge).data.buffer)).size,
      );
    });
    assert.deepEqual(colours, [1, 1, 1, 1], 'the edges have the colour of the paper');
    await page.close();
  });

  test('links to the page show its picture by a full address, if the build knows the site', async () => {
    const html = readFileSync(at('dist', 'page', 'index.html'), 'utf8');
    assert.match(html, /<meta property="og:image" content="preview\.png"/);
    const full = 'content="https://example.org/flow/preview.png"';
    for (const site of ['https://example.org/flow', 'https://example.org/flow/'])
      assert.ok(withAddress(html, site).includes(full));
    assert.equal(withAddress(html, undefined), html);
    process.env.SITE_URL = 'https://example.org/flow';
    try {
      for (const source of ['index.html', join('playground', 'index.html')])
        assert.ok((await withStart(readFileSync(at('page', source), 'utf8'), '')).includes(full));
    } finally {
      delete process.env.SITE_URL;
    }
  });

  test('a font that comes late still appears, and moves nothing', async () => {
    const page = await site.browser.newPage();
    await page.setViewport({ width: 1280, height: 800 });
    await page.evaluateOnNewDocument(() => {
      window.shift = 0;
      new PerformanceObserver((list) => {
        for (const entry of list.getEntries()) window.shift += entry.value;
      }).observe({ type: 'layout-shift', buffered: true });
    });
    await page.setRequestInterception(true);
    page.on('request', (request) => {
      setTimeout(() => request.continue(), request.url().endsWith('.woff2') ? 1500 : 0);
    });
    await page.goto(site.server.url, { waitUntil: 'load' });
    await page.evaluate(() => document.fonts.ready);
    await page.waitForFunction(() => document.fonts.check('16px "Atkinson Hyperlegible Next"'));
    // The width of a line tells which font draws it.
    const widths = await page.evaluate(() => {
      const line = document.querySelector('#proof .question p');
      const width = (family) => {
        const probe = document.createElement('span');
        probe.style.cssText = `position: absolute; visibility: hidden; white-space: nowrap; font: 16px ${family}`;
        probe.textContent = 'Padding and masking, made visible';
        document.body.append(probe);
        return probe.getBoundingClientRect().width;
      };
      return [width(getComputedStyle(line).fontFamily), width('"Atkinson Hyperlegible Next"')];
    });
    assert.equal(widths[0], widths[1]);
    assert.ok((await page.evaluate(() => window.shift)) < 0.02);
    await page.close();
  });

  test('only characters that the page itself does not show fetch a second file of a font', async () => {
    const page = await site.browser.newPage();
    const fetched = [];
    page.on('response', (response) => {
      const name = response.url().split('/').at(-1);
      if (name.endsWith('.woff2')) fetched.push(name);
    });
    await page.goto(site.server.url);
    await complete(page);
    await page.$$eval('details', (all) => {
      for (const each of all) each.open = true;
    });
    await page.evaluate(() => document.fonts.ready);
    assert.deepEqual(fetched.sort(), ['atkinson-mono.woff2', 'atkinson-next.woff2']);
    const more = page.waitForResponse((each) => each.url().endsWith('/atkinson-next-more.woff2'));
    await page.$eval('#proof .question p', (line) => line.append(' déjà'));
    assert.equal((await more).status(), 200);
    await page.close();
  });

  test('sliders are as long as their values need, and say their values in words', async () => {
    const { page } = await openPage(site.browser, site.server.url);
    await complete(page);
    await page.click('#proof [name="far"]');
    await page.$$eval('details', (all) => {
      for (const each of all) each.open = true;
    });
    const sliders = await page.$$eval('input[type="range"]', (all) =>
      all
        .filter((each) => each.checkVisibility())
        .map((each) => ({
          id: each.id,
          wide: each.getBoundingClientRect().width,
          steps: (each.max - each.min) / (each.step || 1),
          text: each.getAttribute('aria-valuetext'),
        })),
    );
    assert.ok(sliders.length >= 4);
    for (const { id, wide, steps, text } of sliders) {
      assert.ok(wide >= Math.min(steps, 200), `${id}: ${wide} px for ${steps} steps`);
      assert.match(text ?? '', /\S/, `${id} has no text`);
    }
    await page.close();
  });

  test('the chosen text of each menu fits into it', async () => {
    for (const width of [375, 1280]) {
      const { page } = await openPage(site.browser, site.server.url, { width });
      await complete(page);
      await page.$$eval('details', (all) => {
        for (const each of all) each.open = true;
      });
      // Menus are drawn again when a font arrives that only they use.
      await page.evaluate(() => document.fonts.ready);
      const cut = await page.$$eval('select', (all) =>
        all
          .filter((each) => each.checkVisibility())
          .flatMap((select) => {
            const { font, paddingLeft, paddingRight } = getComputedStyle(select);
            const probe = document.createElement('span');
            probe.style.cssText = `position: absolute; white-space: pre; font: ${font}`;
            probe.textContent = select.selectedOptions[0].text;
            document.body.append(probe);
            const text = probe.getBoundingClientRect().width;
            probe.remove();
            // The arrow takes some 20 pixels.
            const room =
              select.clientWidth - Number.parseFloat(paddingLeft) - Number.parseFloat(paddingRight);
            return text > room - 16 ? [`${select.id || select.name}: ${probe.textContent}`] : [];
          }),
      );
      assert.deepEqual(cut, [], `${width}`);
      await page.close();
    }
  });

  test('on a wide screen every chapter reaches the right side', async () => {
    const { page } = await openPage(site.browser, site.server.url, { width: 1920, height: 1080 });
    await complete(page);
    // The last chapter computes its figure after it is mounted.
    await page.waitForSelector('#own .picture svg');
    const shares = await page.$$eval('main > section:not([hidden])', (sections) =>
      sections.map((section) => {
        const { left, width } = section.querySelector('.wrap').getBoundingClientRect();
        const rights = [...section.querySelectorAll('td, svg, .card, .ground, .ask')]
          .map((each) => each.getBoundingClientRect())
          .filter((box) => box.width > 0)
          .map((box) => box.right);
        return [section.id, width / innerWidth, (Math.max(...rights) - left) / width];
      }),
    );
    for (const [id, page, figure] of shares) {
      assert.ok(page >= 0.8, `${id}: ${page} of the screen`);
      assert.ok(figure >= 0.85, `${id}: ${figure} of the page`);
    }
    await page.close();
  });

  test('numbers have one form: no exponents of programs, no hyphen for a minus', async () => {
    const { page } = await openPage(site.browser, `${site.server.url}#v1/own?own.model=sensor`, {
      chapter: 'own',
    });
    await complete(page);
    const texts = await page.$$eval('main :is(td, dd, .says, .caption, text)', (all) =>
      all.filter((each) => each.checkVisibility()).map((each) => each.textContent),
    );
    assert.ok(texts.length > 100);
    const wrong = texts.filter((each) => /\de[-+]?\d|(?:^|[\s(])-\d/.test(each));
    assert.deepEqual(wrong, []);
    await page.close();
  });

  test('on a phone no sentence covers a figure while a control is used', async () => {
    const { page } = await openPage(site.browser, site.server.url, { width: 375, height: 740 });
    await complete(page);
    for (const id of ['proof', 'learning', 'padding', 'steps', 'cost', 'own']) {
      const covered = await page.$eval(`#${id}`, (section) => {
        const control = section.querySelector('form :is(input:not([type="hidden"]), select)');
        control.focus();
        const says = section.querySelector('.says').getBoundingClientRect();
        return [...section.querySelectorAll('.picture :is(svg, table)')].filter((figure) => {
          const box = figure.getBoundingClientRect();
          return box.width > 0 && box.top < says.bottom - 1 && box.bottom > says.top + 1;
        }).length;
      });
      assert.equal(covered, 0, id);
    }
    await page.close();
  });

  test('brackets are typed in the monospaced font', async () => {
    const { page } = await openPage(site.browser, site.server.url);
    const family = await page.$eval('#proof-text', (each) => getComputedStyle(each).fontFamily);
    assert.match(family, /Mono/);
    await page.close();
  });

  test('a missing page leads on to those that exist', async () => {
    const page = await site.browser.newPage();
    const response = await page.goto(`${site.server.url}no/such/page.html`);
    assert.equal(response.status(), 404);
    await page.waitForFunction(() => document.querySelectorAll('a').length === 2);
    const links = await page.$$eval('a', (all) => all.map((each) => each.href));
    assert.deepEqual(links, [site.server.url, `${site.server.url}playground/`]);
    await page.close();
  });
});
