// SPDX-License-Identifier: MIT
// The site as a visitor has it, at a path of its own below a host's top. (The build fails by itself
// for a link that leads nowhere and for an example that is missing; that the programs print what
// they say is tested in Node, tests/web.)
import assert from 'node:assert/strict';
import { readFileSync, symlinkSync, mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { join, relative } from 'node:path';
import { after, before, test } from 'node:test';
import { inflateRawSync } from 'node:zlib';
import { buildSiteIfChanged } from '../../scripts/docs.mjs';
import { at, filesUnder } from '../../scripts/lib/files.mjs';
import { serve } from '../../scripts/lib/serve.mjs';
import { launchChrome, skip } from '../browser/support/browser.js';

const axe = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');
/** One page of each kind of page on the site. */
const kinds = {
  start: '',
  tasks: 'tasks.html',
  figures: 'performance.html',
  function: 'api/maskflow/functions/padSequences.html',
  guide: 'training.html',
  layer: 'api/maskflow/classes/LSTM.html',
  table: 'layers.html',
};

const host = mkdtempSync(join(tmpdir(), 'maskflow-site-'));
let server;
let browser;
let docs;

before(async () => {
  await buildSiteIfChanged();
  mkdirSync(join(host, 'some'));
  symlinkSync(at('dist', 'site'), join(host, 'some', 'where'));
  server = await serve(host);
  docs = `${server.url}some/where/docs/`;
  if (!skip) browser = await launchChrome();
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
    {},
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

const search = async (page, words) => {
  await page.keyboard.press('/');
  await page.waitForSelector('.search-input');
  await page.$eval('.search-input', (field) => {
    field.value = '';
  });
  await page.type('.search-input', words);
  await page.waitForSelector('.VPLocalSearchBox .result');
  await page.waitForNetworkIdle();
  assert.equal(await page.$('.VPLocalSearchBox iframe'), null);
  return page.$$eval('.VPLocalSearchBox .result', (links) => links.map(({ href }) => href));
};

for (const [words, path] of [
  ['LSTM', 'api/maskflow/classes/LSTM.html#lstm'],
  ['Bidirectional', 'api/maskflow/classes/Bidirectional.html#bidirectional'],
  ['model.fit', 'api/maskflow/classes/Model.html#fit'],
  ['mask', 'api/maskflow/classes/Masking.html#masking'],
  ['embedding', 'api/maskflow/classes/Embedding.html#embedding'],
  ['padSequences', 'api/maskflow/functions/padSequences.html#padsequences'],
  ['loadModel', 'api/maskflow/functions/loadModel.html#loadmodel'],
  [
    'early stopping',
    'api/maskflow/train/namespaces/callbacks/functions/earlyStopping.html#earlystopping',
  ],
]) {
  onPage(`search for ${words} finds its page first`, kinds.start, async (page) => {
    const [first, ...others] = await search(page, words);
    assert.equal(first, docs + path);
    const texts = others.slice(0, 3).filter((href) => /docs\/(internals|changelog)/.test(href));
    assert.deepEqual(texts, []);
  });
}

onPage('search for mask finds the guide to masks', kinds.start, async (page) => {
  const found = await search(page, 'mask');
  assert.ok(found.slice(0, 6).some((href) => href.startsWith(`${docs}guides/masks.html`)));
});

for (const word of ['zeroOutputForMask', 'TemporalSoftmax', 'MaskDropped']) {
  onPage(`search finds ${word}, and leads there`, kinds.layer, async (page) => {
    await search(page, word);
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

/** Returns the rows of a table of the reference: `{ name: [default, meaning] }`. */
const tableBelow = (page, heading) =>
  page.$eval(heading, (element) => {
    let table = element.nextElementSibling;
    while (!table.matches('table')) table = table.nextElementSibling;
    const rows = [...table.tBodies[0].rows].map(({ cells }) => [...cells]);
    return rows.map(([name, ...cells]) => [
      name.querySelector('code').textContent,
      ...cells.map((cell) => cell.textContent),
    ]);
  });

onPage(
  'a function has parameters with defaults and meanings, and an example',
  kinds.function,
  async (page) => {
    const rows = await tableBelow(page, '#parameters');
    const known = Object.fromEntries(rows.map(([name, ...cells]) => [name, cells]));
    assert.equal(known.sequences[0], 'required');
    assert.match(known.sequences[1], /list of rows/);
    assert.deepEqual(known['options.padding'][0], "'pre'");
    assert.deepEqual(known['options.value'][0], '0');
    for (const [name, cells] of Object.entries(known)) assert.ok(cells[1], `${name} has a meaning`);
    const text = await page.$eval('.vp-doc', ({ textContent }) => textContent);
    assert.match(text, /Returns.*Tensor.*A tensor of shape \[sequences, maxlen/s);
    const throws = await page.$eval('#throws ~ *', ({ textContent }) => textContent);
    assert.match(throws, /^ValueError for a value out of/);
    assert.ok(await page.$('.run-block .run'));
  },
);

/** Returns the first cells of all tables in the section of each method: `{ method: [name] }`. */
const parametersOfMethods = (page) =>
  page.$eval('.vp-doc h3', (first) => {
    const methods = {};
    let names = [];
    for (const element of first.parentElement.children) {
      if (element.matches('h2, h3')) methods[element.id] = names = [];
      for (const code of element.querySelectorAll('td:first-child code'))
        names.push(code.textContent);
    }
    return methods;
  });

onPage(
  'a layer lists required options first, with links to their types',
  kinds.layer,
  async (page) => {
    const [first] = await tableBelow(page, '#options');
    assert.deepEqual(first.slice(0, 2), ['units', 'required']);
    const href = await page.$eval('a[href*="ActivationLike"]', (link) => link.href);
    assert.match(href, /type-aliases\/ActivationLike\.html$/);
  },
);

onPage(
  'a class lists its own members and folds the inherited ones',
  'api/maskflow/classes/Model.html',
  async (page) => {
    const headings = await page.$$eval('.vp-doc h3', (all) => all.map(({ id }) => id));
    assert.ok(headings.includes('fit') && headings.includes('predict'));
    assert.ok(!headings.includes('addweight'));
    const folded = await page.$eval('.vp-doc details', ({ textContent, open }) => [
      textContent,
      open,
    ]);
    assert.match(folded[0], /members of Layer.*addWeight/s);
    assert.equal(folded[1], false);
    const options = await parametersOfMethods(page);
    for (const name of ['options.epochs', 'options.validationSplit', 'options.callbacks'])
      assert.equal(options.fit.filter((option) => option === name).length, 1, name);
  },
);

onPage('pages link to the licences of what the site contains', kinds.guide, async (page) => {
  const href = await page.$eval('.licences a', (link) => link.href);
  const text = await (await fetch(href)).text();
  for (const name of ['vue', '@vue/shared', 'minisearch', 'vitepress', '@codemirror/view', 'loupe'])
    assert.match(text, new RegExp(`^=+\\n${name}\\nMIT`, 'm'), name);
});

onPage('pages say which version they describe', kinds.start, async (page) => {
  const { version } = JSON.parse(readFileSync(at('package.json'), 'utf8'));
  const items = await page.$$eval('.VPNavBarMenu a', (links) =>
    links.map((link) => link.textContent.trim()),
  );
  assert.ok(items.includes(`v${version}`));
});

test('an address without a page leads on', { skip }, async () => {
  const page = await browser.newPage();
  try {
    const response = await page.goto(`${docs}guides/nothing.html`);
    // Hosts show the 404.html at their top.
    assert.equal(response.status(), 404);
    await page.setContent(readFileSync(at('dist', 'site', '404.html'), 'utf8'));
    await page.waitForFunction(
      (href) => [...document.querySelectorAll('a')].some((link) => link.href === href),
      {},
      `${docs}tasks.html`,
    );
    assert.equal((await page.goto(`${docs}404.html`)).status(), 200);
    await page.waitForSelector('.NotFound');
    assert.match(await page.$eval('.NotFound', (element) => element.textContent), /does not exist/);
  } finally {
    await page.close();
  }
});

/**
 * Adds up the layout shifts of a visit on a slow line, as the browser reports them, and returns
 * what moved.
 */
async function shiftOf(path, width) {
  const context = await browser.createBrowserContext();
  const page = await context.newPage();
  try {
    await page.setViewport({ width, height: 844 });
    await page.evaluateOnNewDocument(() => {
      window.shift = { sum: 0, moved: [] };
      new PerformanceObserver((list) => {
        for (const { value, sources } of list.getEntries()) {
          window.shift.sum += value;
          for (const { node, previousRect, currentRect } of sources) {
            const [from, to] = [previousRect, currentRect].map(({ x, y }) => `${x}, ${y}`);
            window.shift.moved.push(`${node?.className || node?.nodeName}: ${from} to ${to}`);
          }
        }
      }).observe({ type: 'layout-shift', buffered: true });
    });
    const line = { offline: false, latency: 150, downloadThroughput: 2e5, uploadThroughput: 2e5 };
    const session = await page.createCDPSession();
    await session.send('Network.emulateNetworkConditions', line);
    // 650 kB arrive in 5 s, also beside four busy loops.
    await page.goto(docs + path, { waitUntil: 'networkidle0', timeout: 60_000 });
    return await page.evaluate(() => window.shift);
  } finally {
    await context.close();
  }
}

/** Visits once more when a visit did not end: Chromium lost the end of one throttled visit. */
const shiftOfOneOf = (path, width) => shiftOf(path, width).catch(() => shiftOf(path, width));

for (const path of [kinds.start, 'guides/masks.html', kinds.layer, kinds.figures]) {
  test(`${path || 'the top'}: nothing moves while it loads`, { skip }, async () => {
    for (const width of [390, 1280]) {
      const { sum, moved } = await shiftOfOneOf(path, width);
      assert.ok(sum < 0.02, `${width}: ${sum}, ${moved.join('; ')}`);
    }
  });
}

/** Pages whose programs are short; those of the reference are tested in Node, tests/web. */
const pagesWithPrograms = filesUnder('docs', /\.md$/)
  .map((path) => relative(at('docs'), path))
  .filter((path) => !/^(api|examples|internals|programs|\.vitepress)/.test(path))
  .map((path) => path.replace(/(index)?\.md$/, (_, index) => (index ? '' : '.html')));

/** Presses the Run button of a block; returns its status and what it printed. */
async function runBlock(page, index) {
  const blocks = await page.$$(block);
  await (await blocks[index].$('.run')).evaluate((button) => button.click());
  const state = await page.waitForFunction(
    (element) => {
      const text = (part) => element.querySelector(part)?.textContent ?? '';
      const status = text('[role=status]');
      if (!/^(Finished|Stopped)/.test(status)) return false;
      return { status, problem: text('.problem'), printed: text('.printed').trimEnd() };
    },
    {},
    blocks[index],
  );
  return state.jsonValue();
}

for (const path of pagesWithPrograms) {
  onPage(
    `${path || 'the top'}: each Run button prints what its program says`,
    path,
    async (page) => {
      const programs = await page.$$eval(`${block} pre code`, (all) =>
        all.map((code) => code.textContent),
      );
      for (const [index, program] of programs.entries()) {
        const { status, problem, printed: output } = await runBlock(page, index);
        assert.equal(status, 'Finished.', `${problem}\n${program}`);
        assert.match(output, saidBy(program));
      }
    },
  );
}

for (const path of ['model-files.html', 'errors.html']) {
  onPage(`${path}: programs that need Node have no Run button`, path, async (page) => {
    const reasons = await page.$$eval('.run-block .actions p', (all) =>
      all.map((p) => p.textContent),
    );
    assert.ok(reasons.filter((reason) => reason === 'Runs in Node.').length >= 2);
  });
}
