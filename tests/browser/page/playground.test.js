// SPDX-License-Identifier: MIT
// The playground: programs run, stop, report errors and travel in the address.
import assert from 'node:assert/strict';
import { readdirSync } from 'node:fs';
import { suite, test } from 'node:test';
import { pathToFileURL } from 'node:url';
import { deflateRawSync } from 'node:zlib';
import { at } from '../../../scripts/lib/files.mjs';
import { sideways, violations } from '../support/axe.js';
import { pageInChrome, skip } from '../support/chapter.js';

const linkTo = (text) => `#v1/code=${deflateRawSync(text).toString('base64url')}`;
const slot = (page, name) =>
  page.$eval(`[data-slot="${name}"]`, (element) => (element.hidden ? '' : element.textContent));
const program = (page) =>
  page.$eval('.cm-content, [data-text]', (place) =>
    'value' in place
      ? place.value
      : [...place.querySelectorAll('.cm-line')].map((line) => line.textContent).join('\n'),
  );

suite('playground', { skip }, () => {
  const site = pageInChrome();

  async function open(hash = '', { url = `${site.server.url}playground/`, before: prepare } = {}) {
    const page = await site.browser.newPage();
    const faults = [];
    page.on('pageerror', (error) => faults.push(error.message));
    page.on('console', (message) => {
      if (['error', 'warn'].includes(message.type())) faults.push(message.text());
    });
    // Wide enough that the output is beside the program, and nothing scrolls.
    await page.setViewport({ width: 1280, height: 900 });
    await prepare?.(page);
    await page.goto(url + hash);
    await page.waitForSelector('html[data-ready]');
    return { page, faults };
  }

  /** Presses Run and waits for the end of the program. */
  async function runProgram(page) {
    await page.click('[data-run]');
    await waitForEnd(page);
  }
  const waitForEnd = (page) =>
    page.waitForFunction(
      () =>
        document.querySelector('[data-stop]').disabled &&
        !/Press|runs …/.test(document.querySelector('[data-slot="state"]').textContent),
    );

  const expected = {
    layer: /^\[\[0\.497864 0\.502136 {8}0 {8}0\]/,
    padding: /^3 steps: (0\.\d+)\n10 steps: \1\n100 steps: \1\n$/,
    stream: /step 4: (-?0\.\d+) = \1\n$/,
    text: /^\[\[2 3 5 0 0 0\]\n \[2 4 4 5 0 0\]/,
    trace: /Add drops.*\n {2}What to do: Put it back: y\.withMask/,
    train: /epoch 60: loss 0\.0\d+, accuracy 1\.000\n$/,
    trained: /\(\[\]\{\}\) {4}0\.99\d+\n\(\[\)\] {6}0\.00\d+/,
    worker: /\[ 2, 1 \] \[ \[ 0\.99\d+ \], \[ 0\.00\d+/,
  };

  test('every example runs, and has an expected output', async () => {
    const { page, faults } = await open();
    const files = readdirSync(at('page', 'playground', 'examples'));
    assert.deepEqual(files.map((name) => name.split('.')[0]).sort(), Object.keys(expected).sort());
    const outputs = [];
    const titles = await page.$$eval('[data-examples] option', (all) => all.map((o) => o.value));
    for (const value of titles.slice(1)) {
      await page.select('[data-examples]', value);
      await runProgram(page);
      assert.equal(await slot(page, 'problem'), '');
      outputs.push(await slot(page, 'prints'));
    }
    for (const [name, pattern] of Object.entries(expected))
      assert.ok(
        outputs.some((text) => pattern.test(text)),
        `${name}: ${pattern}\n${outputs.join('\n---\n')}`,
      );
    assert.deepEqual(faults, []);
    await page.close();
  });

  test('a program from the address waits for Run', async () => {
    const { page, faults } = await open(linkTo("console.log('it ran', 6 * 7);"));
    assert.match(await slot(page, 'came'), /came with the link.*it has not run yet/s);
    assert.equal(await program(page), "console.log('it ran', 6 * 7);");
    await new Promise((resolve) => setTimeout(resolve, 500));
    assert.equal(await slot(page, 'prints'), '');
    await runProgram(page);
    assert.equal(await slot(page, 'prints'), 'it ran 42\n');
    // Another link in the same tab: its program does not run, and the old output is removed.
    await page.evaluate((hash) => {
      location.hash = hash;
    }, linkTo('console.log(2)'));
    await page.waitForFunction(() =>
      /log\(2\)/.test(document.querySelector('.cm-content').textContent),
    );
    assert.equal(await slot(page, 'prints'), '');
    assert.equal(await slot(page, 'state'), 'Press Run.');
    assert.deepEqual(faults, []);
    await page.close();
  });

  test('the address follows the text, and restores it', async () => {
    const { page } = await open();
    await page.click('.cm-content');
    await page.keyboard.down('Control');
    await page.keyboard.press('KeyA');
    await page.keyboard.up('Control');
    await page.keyboard.type("console.log('größe 👩‍👩‍👧');");
    await page.waitForFunction(() => location.hash.startsWith('#v1/code='));
    await new Promise((resolve) => setTimeout(resolve, 400));
    const hash = await page.evaluate(() => location.hash);
    assert.equal(await page.evaluate(() => history.length), 2, 'no entry for each letter');
    await page.close();
    const copy = await open(hash);
    assert.equal(await program(copy.page), "console.log('größe 👩‍👩‍👧');");
    await copy.page.close();
  });

  for (const [hash, message] of [
    ['#v1/code=%%%', /damaged/],
    ['#v1/code=', /damaged/],
    ['#v1/code=AAAA', /damaged/],
    [linkTo('console.log(1)').slice(0, 20), /damaged/],
    ['#v1/else', /holds no program/],
    [`#v1/code=${deflateRawSync(' '.repeat(5e6)).toString('base64url')}`, /damaged/],
  ]) {
    test(`explains an address that cannot be read: ${hash.slice(0, 30)}`, async () => {
      const { page, faults } = await open(hash);
      assert.match(await slot(page, 'came'), message);
      assert.match(await program(page), /padSequences/);
      assert.deepEqual(faults, []);
      await page.close();
    });
  }

  for (const [title, text, problem, line] of [
    ['an error', '\n\nthrow new TypeError("no");', /stopped at line 3\. TypeError: no/, 3],
    ['a mistake in the grammar', 'const a = 1;\nlet b = (;\n', /at line 2\. SyntaxError/, 2],
    [
      'an error of the package',
      "import { layers } from 'maskflow';\nlayers.lstm({ units: -1 });",
      /at line 2\. ConfigError: .*units/,
      2,
    ],
    [
      'a module that does not exist',
      "import x from 'react';",
      /no module “react”; import one of maskflow/,
      1,
    ],
    ['a thrown number', 'throw 7;', /Error: 7/],
  ]) {
    test(`${title} is reported with its line`, async () => {
      const { page, faults } = await open(linkTo(text));
      await runProgram(page);
      assert.match(await slot(page, 'problem'), problem);
      const markedLine = await page.$$eval('.cm-line', (lines) =>
        lines.findIndex((each) => each.classList.contains('cm-marked')),
      );
      assert.equal(markedLine, (line ?? 0) - 1);
      assert.deepEqual(faults, []);
      await page.close();
    });
  }

  test('Stop ends an endless program, and the next one runs', async () => {
    const { page, faults } = await open(linkTo("console.log('begun');\nwhile (true);"));
    await page.click('[data-run]');
    await page.waitForFunction(() => /begun/.test(document.querySelector('.prints').textContent));
    await page.click('[data-stop]');
    await waitForEnd(page);
    assert.match(await slot(page, 'problem'), /stopped/);
    await page.select('[data-examples]', '0');
    await runProgram(page);
    assert.match(await slot(page, 'prints'), /3 steps/);
    assert.deepEqual(faults, []);
    await page.close();
  });

  test('endless output does not freeze the page', async () => {
    const { page } = await open(linkTo('for (let i = 0; i < 200000; i++) console.log(i);'));
    await runProgram(page);
    const output = await slot(page, 'prints');
    assert.equal(output.trim().split('\n').length, 501);
    assert.match(output, /Only the first 500 lines are shown/);
    await page.close();
  });

  test('an unhandled rejection is reported', async () => {
    const { page } = await open(
      linkTo("Promise.reject(new Error('lost'));\nawait new Promise((d) => setTimeout(d, 50));"),
    );
    await runProgram(page);
    assert.match(await slot(page, 'prints'), /lost.*not awaited/);
    await page.close();
  });

  test('each run has a new worker, so a program prints the same again', async () => {
    const text = `import { layers, ready, tensor } from 'maskflow';
await ready({ seed: globalThis.ran ? 2 : 1 });
globalThis.ran = true;
console.log(String(layers.dense({ units: 2 }).apply(tensor([[1, 2]]))));`;
    const { page } = await open(linkTo(text));
    await runProgram(page);
    const firstOutput = await slot(page, 'prints');
    await runProgram(page);
    assert.equal(await slot(page, 'prints'), firstOutput);
    await page.close();
  });

  test('by keyboard, Ctrl+Enter runs and Tab leaves the editor', async () => {
    const { page } = await open(linkTo('console.log(1)'));
    await page.focus('.cm-content');
    await page.keyboard.down('Control');
    await page.keyboard.press('Enter');
    await page.keyboard.up('Control');
    await waitForEnd(page);
    assert.equal(await slot(page, 'prints'), '1\n');
    await page.keyboard.press('Tab');
    assert.equal(await page.evaluate(() => document.activeElement.className), 'prints');
    await page.close();
  });

  test('without the editor there is a plain text field', async () => {
    const { page } = await open(linkTo('console.log(3)'), {
      async before(tab) {
        const session = await tab.createCDPSession();
        await session.send('Network.enable');
        await session.send('Network.setBlockedURLs', { urls: ['*/editor-*'] });
      },
    });
    assert.equal(await program(page), 'console.log(3)');
    assert.equal(await page.$('.cm-content'), null);
    await runProgram(page);
    assert.equal(await slot(page, 'prints'), '3\n');
    await page.close();
  });

  test('opened from a folder it works the same', async () => {
    const url = pathToFileURL(at('dist', 'page', 'playground', 'index.html')).href;
    const { page, faults } = await open('', { url });
    for (const [value, printed] of [
      ['0', expected.padding],
      ['2', expected.trained],
      ['4', expected.train],
      ['5', expected.text],
      ['7', expected.worker],
    ]) {
      await page.select('[data-examples]', value);
      await runProgram(page);
      assert.match(await slot(page, 'prints'), printed, await slot(page, 'problem'));
    }
    await page.waitForFunction(() => location.hash.startsWith('#v1/code='));
    await page.click('nav a');
    await page.waitForFunction(() => location.pathname.endsWith('/dist/page/index.html'));
    assert.deepEqual(faults, []);
    await page.close();
  });

  for (const scheme of ['light', 'dark'])
    for (const width of [320, 375, 1280])
      test(`axe finds nothing and nothing scrolls sideways: ${scheme}, ${width} px`, async () => {
        const { page } = await open(
          linkTo('console.warn("careful");\nthrow new Error("x".repeat(300));'),
          {
            async before(tab) {
              await tab.setViewport({ width, height: 800 });
              await tab.emulateMediaFeatures([{ name: 'prefers-color-scheme', value: scheme }]);
            },
          },
        );
        await runProgram(page);
        assert.deepEqual(await violations(page), []);
        assert.equal(await sideways(page), 0);
        await page.close();
      });
});
