// SPDX-License-Identifier: MIT
// The site as a visitor has it, at a path of its own below a host's top. (The build fails by itself for a link that leads nowhere and for
// an example that is missing; that the programs print what they say is tested in Node, tests/web.)
import assert from 'node:assert/strict';
import { readFileSync, symlinkSync, mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { inflateRawSync } from 'node:zlib';
import { buildSite } from '../../scripts/docs.mjs';
import { at } from '../../scripts/lib/files.mjs';
import { serve } from '../../scripts/lib/serve.mjs';
import { chromePath, launch } from '../browser/support/browser.js';

const executablePath = chromePath();
const skip = !executablePath && 'no browser on this host';
const axe = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');
/** One page of each kind of page on the site. */
const kinds = {
  start: '',
  guide: 'training.html',
  layer: 'api/maskflow/classes/LSTM.html',
  table: 'layers.html',
};

const host = mkdtempSync(join(tmpdir(), 'maskflow-site-'));
let server;
let browser;
let docs;

before(async () => {
  await buildSite();
  mkdirSync(join(host, 'some'));
  symlinkSync(at('dist', 'site'), join(host, 'some', 'where'));
  server = await serve(host);
  docs = `${server.url}some/where/docs/`;
  if (!skip) browser = await launch(executablePath);
});
after(async () => {
  await browser?.close();
  await server?.close();
  rmSync(host, { recursive: true });
});

const show = async (page, theme, width) => {
  await page.setViewport({ width, height: 900 });
  await page.emulateMediaFeatures([
    { name: 'prefers-color-scheme', value: theme },
    { name: 'prefers-reduced-motion', value: 'reduce' },
  ]);
};

/**
 * Opens a page and collects `faults`, which must stay empty: errors, warnings, missing files and
 * requests to other servers.
 */
async function open(path) {
  const page = await browser.newPage();
  const faults = [];
  page.on('pageerror', (error) => faults.push(String(error)));
  page.on('console', (message) => {
    if (['error', 'warn'].includes(message.type())) faults.push(message.text());
  });
  page.on('request', (request) => {
    const own = request.url().startsWith(server.url) || /^(data|blob):/.test(request.url());
    if (!own) faults.push(`fetched ${request.url()}`);
  });
  await show(page, 'light', 1280);
  await page.goto(docs + path, { waitUntil: 'networkidle0' });
  return { page, faults };
}

/** Defines a test that opens one page and closes it at the end. */
const onPage = (name, path, body) =>
  test(name, { skip }, async () => {
    const { page, faults } = await open(path);
    try {
      await body(page);
      assert.deepEqual(faults, []);
    } finally {
      await page.close();
    }
  });

const complaints = (page) =>
  page.evaluate(async () => {
    await Promise.allSettled(document.getAnimations().map(({ finished }) => finished));
    const { violations } = await window.axe.run(document, { resultTypes: ['violations'] });
    return violations.flatMap(({ id, nodes }) =>
      nodes.map(({ html }) => `${id}: ${html.slice(0, 150)}`),
    );
  });

for (const [kind, path] of Object.entries(kinds)) {
  onPage(`${kind}: axe, and nothing sticks out, in both themes and widths`, path, async (page) => {
    await page.evaluate(axe);
    for (const theme of ['light', 'dark']) {
      for (const width of [320, 1280]) {
        await show(page, theme, width);
        await page.waitForFunction(
          (dark) => document.documentElement.classList.contains('dark') === dark,
          {},
          theme === 'dark',
        );
        assert.deepEqual(await complaints(page), [], `${theme}, ${width}`);
        const fits = () => document.documentElement.scrollWidth <= innerWidth;
        assert.ok(await page.evaluate(fits), `${theme}, ${width}`);
      }
    }
  });
}

const press = (page, selector, key = 'Enter') =>
  page.focus(selector).then(() => page.keyboard.press(key));
const block = '.run-block:has(.run)';
const ended = (page) =>
  page.waitForFunction(
    (selector) => /^(Finished|Stopped)/.test(document.querySelector(selector).textContent),
    { timeout: 30_000 },
    `${block} [role=status]`,
  );
const printed = (page) =>
  page.$eval(`${block} .printed`, (element) => element.textContent.trimEnd());

const escaped = (text) => text.replace(/[\\^$.*+?()[\]{}|]/g, '\\$&');
/**
 * Returns the output that a program states in its last lines; '…' replaces text that differs
 * between engines.
 */
function saidBy(program) {
  const told = program.split('\n').filter((line) => line.startsWith('// →'));
  const lines = told.map((line) => escaped(line.replace(/^\/\/ → ?/, '')).replaceAll('…', '.*'));
  return new RegExp(`^${lines.join('\n')}$`);
}

for (const [path, key] of [
  [kinds.start, 'Enter'],
  ['guides/start.html', 'Enter'],
  [kinds.layer, 'Space'],
]) {
  onPage(
    `${path || 'the top'}: Run, by keyboard, prints what the program says`,
    path,
    async (page) => {
      await press(page, `${block} .run`, key);
      await ended(page);
      const program = await page.$eval(`${block} pre code`, (code) => code.textContent);
      assert.match(program, /\/\/ → /);
      assert.match(await printed(page), saidBy(program));
    },
  );
}

const replaceProgram = (page, text) =>
  page.$eval(
    `${block} pre code`,
    (code, text) => {
      code.textContent = text;
    },
    text,
  );

onPage('an error is shown in words', kinds.start, async (page) => {
  const program =
    "import { layers, ready } from 'maskflow';\nawait ready();\nlayers.dense({ units: -1 });";
  await replaceProgram(page, program);
  await press(page, `${block} .run`);
  await ended(page);
  assert.match(await page.$eval(`${block} .problem`, (p) => p.textContent), /units.*-1/);
});

onPage('a program without an end is stopped, and another runs', kinds.start, async (page) => {
  await replaceProgram(page, 'console.log("begun"); for (;;);');
  await press(page, `${block} .run`);
  await page.waitForSelector(`${block} .printed`);
  assert.equal(await page.$eval(`${block} .run`, (button) => button.textContent), 'Stop');
  await press(page, `${block} .run`);
  await ended(page);
  assert.match(await page.$eval(`${block} .problem`, (p) => p.textContent), /stopped/);
  await replaceProgram(page, 'console.log("again");');
  await press(page, `${block} .run`);
  await page.waitForFunction(
    (s) => document.querySelector(s)?.textContent === 'again\n',
    {},
    `${block} .printed`,
  );
});

onPage('the playground is given the program', kinds.start, async (page) => {
  const [href, text] = await page.$eval(block, (block) => [
    block.querySelector('.to-playground').href,
    block.querySelector('pre code').textContent,
  ]);
  const [, top, code] =
    /^(.*)docs\/$/.exec(docs) && /^(.*)playground\/#v1\/code=([\w-]+)$/.exec(href);
  assert.equal(`${top}docs/`, docs);
  assert.equal(inflateRawSync(Buffer.from(code, 'base64url')).toString(), text);
});

for (const word of ['zeroOutputForMask', 'TemporalSoftmax', 'MaskDropped']) {
  onPage(`search finds ${word}, and leads there`, kinds.layer, async (page) => {
    await page.keyboard.press('/');
    await page.waitForSelector('.search-input');
    await page.type('.search-input', word);
    await page.waitForSelector('.VPLocalSearchBox .result');
    await page.waitForNetworkIdle();
    await page.evaluate(axe);
    assert.deepEqual(await complaints(page), []);
    await page.keyboard.press('Enter');
    await page.waitForSelector('.VPLocalSearchBox', { hidden: true });
    await page.waitForFunction((word) => document.body.textContent.includes(word), {}, word);
    assert.ok(page.url().startsWith(docs));
  });
}

const follow = async (page, where, name) => {
  const before = page.url();
  await page.$$eval(
    `${where} a`,
    (links, name) => links.find((link) => link.textContent.trim() === name).click(),
    name,
  );
  await page.waitForFunction((before) => location.href !== before, {}, before);
  await page.waitForNetworkIdle();
  return page.url();
};

onPage('links of the navigation hold wherever one comes from', kinds.layer, async (page) => {
  assert.equal(await follow(page, '.VPSidebar', 'GRU'), `${docs}api/maskflow/classes/GRU.html`);
  assert.equal(await follow(page, '.VPNav', 'Guides'), docs);
  assert.equal(await follow(page, '.VPSidebar', 'Training'), `${docs}training.html`);
  assert.equal(await follow(page, '.VPNav', 'Layers'), `${docs}layers.html`);
  assert.equal(await follow(page, 'td', 'LSTM'), docs + kinds.layer);
  await page.goBack();
  await page.waitForFunction(() => document.querySelector('h1').textContent.startsWith('Layers'));
});

onPage('the page and the docs have one theme', kinds.start, async (page) => {
  await page.evaluate(() => localStorage.setItem('maskflow-theme', 'dark'));
  await page.reload();
  const dark = () => page.$eval('html', ({ classList }) => classList.contains('dark'));
  assert.ok(await dark());
  await page.waitForSelector('.VPSwitchAppearance');
  await page.$eval('.VPNavBarAppearance .VPSwitchAppearance', (button) => button.click());
  assert.ok(!(await dark()));
  assert.notEqual(await page.evaluate(() => localStorage.getItem('maskflow-theme')), 'dark');
});
