// SPDX-License-Identifier: MIT
// Python in the playground: recognised, translated and run; errors name lines of the Python.
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { suite, test } from 'node:test';
import { deflateRawSync } from 'node:zlib';
import { port } from '../../../dist/port.js';
import { at } from '../../../scripts/lib/files.mjs';
import { pageModule } from '../../support/page.js';
import { sideways, violations } from '../support/axe.js';
import { pageInChrome, skip } from '../support/chapter.js';
import { faultsOf, setTheme } from '../support/page.js';

const linkTo = (text) => `#v1/code=${deflateRawSync(text).toString('base64url')}`;
const slot = (page, name) =>
  page.$eval(`[data-slot="${name}"]`, (element) => (element.hidden ? '' : element.textContent));

const code = `import keras
from keras import layers
import pandas

keras.utils.set_random_seed(3)
model = keras.Sequential([layers.Dense(2, kernel_initializer="ones")])
print(model.predict([[1.0, 2.0]]).tolist())
`;

suite('Python in the playground', { skip }, () => {
  const site = pageInChrome();

  async function open(text, { width = 1280, theme = 'light' } = {}) {
    const page = await site.browser.newPage();
    const faults = faultsOf(page, site.server.url);
    await page.setViewport({ width, height: 900 });
    await setTheme(page, theme);
    await page.goto(`${site.server.url}playground/${linkTo(text)}`);
    await page.waitForSelector('html[data-ready]');
    return { page, faults };
  }

  async function runProgram(page) {
    await page.click('[data-run]');
    await page.waitForFunction(
      () =>
        document.querySelector('[data-stop]').disabled &&
        !/Press|ing …/.test(document.querySelector('[data-slot="state"]').textContent),
    );
  }

  const marked = (page) =>
    page.$$eval('.cm-line', (lines) =>
      lines.flatMap((each, index) => (each.classList.contains('cm-marked') ? [index + 1] : [])),
    );

  test('a program runs, and its translation is beside the output', async () => {
    const { page, faults } = await open(code);
    assert.equal(await slot(page, 'prints'), '');
    await runProgram(page);
    assert.equal(await slot(page, 'problem'), '');
    assert.equal((await slot(page, 'prints')).replace(/\s/g, ''), '[[3,3]]');
    const shown = await page.$eval('[data-translation]', (place) => ({
      code: place.querySelector('pre').textContent,
      notes: [...place.querySelectorAll('.notes li')].map((note) => note.textContent),
      hidden: place.hidden,
    }));
    assert.equal(shown.code, port(code).code);
    assert.equal(shown.hidden, false);
    assert.match(shown.notes.join('\n'), /^import, line 3: pandas/m);
    // From here on, the program is JavaScript.
    await page.$eval('[data-translation]', (place) => {
      place.open = true;
    });
    await page.click('[data-translation] button');
    await runProgram(page);
    assert.equal((await slot(page, 'prints')).replace(/\s/g, ''), '[[3,3]]');
    assert.equal(await page.$eval('[data-translation]', (place) => place.hidden), true);
    assert.deepEqual(faults, []);
    await page.close();
  });

  test('errors name the line of the Python', async () => {
    const { page, faults } = await open(`${code}\nraise ValueError("no")\n`);
    await runProgram(page);
    assert.match(await slot(page, 'problem'), /stopped at line 9\. \w*Error: no/);
    assert.deepEqual(await marked(page), [9]);
    await page.close();
    const damaged = await open(`${code}x = (1 +\n`);
    await runProgram(damaged.page);
    const { line } = (() => {
      try {
        return port(`${code}x = (1 +\n`);
      } catch (error) {
        return error;
      }
    })();
    assert.match(
      await slot(damaged.page, 'problem'),
      new RegExp(`^This is not valid Python\\. Line ${line}, column \\d+: `),
    );
    assert.deepEqual(await marked(damaged.page), [line]);
    assert.deepEqual([...faults, ...damaged.faults], []);
    await damaged.page.close();
  });

  test('a notebook becomes its cells', async () => {
    const notebook = JSON.parse(
      readFileSync(at('tests/fixtures/port/notebook/reviews.ipynb'), 'utf8'),
    );
    // The playground has no file for its weights.
    for (const cell of notebook.cells)
      cell.source = cell.source.filter((line) => !line.includes('load_weights'));
    const { page, faults } = await open(JSON.stringify(notebook));
    await runProgram(page);
    assert.equal(await slot(page, 'problem'), '');
    assert.match(await slot(page, 'prints'), /^\[\[0\.\d+\]/);
    const first = await page.$eval('.cm-line', (line) => line.textContent);
    assert.equal(first, '# # Reviews');
    assert.deepEqual(faults, []);
    await page.close();
  });

  for (const [theme, width] of [
    ['light', 1280],
    ['dark', 390],
    ['light', 320],
  ])
    test(`axe finds nothing and nothing scrolls sideways: ${theme}, ${width} px`, async () => {
      const { page } = await open(`${code}# ${'long '.repeat(60)}\n`, { theme, width });
      await runProgram(page);
      await page.$eval('[data-translation]', (place) => {
        place.open = true;
      });
      assert.deepEqual(await violations(page), []);
      assert.equal(await sideways(page), 0);
      await page.close();
    });
});

test('Python and JavaScript are told apart', async () => {
  const { isPython } = await pageModule("export * from './playground/python.ts'");
  const python = [
    code,
    'import keras',
    'import numpy as np, math  # numbers',
    'from keras.layers import LSTM\n',
    'x = 1\nprint(x)\n',
    'for i in range(3):\n    pass',
    'def f(x): # one\n  return x',
  ];
  const javaScript = [
    'console.log(1)',
    'import x from "react";',
    "import * as mf from 'maskflow';\nprint(1)",
    'if (x) {\n}',
    'class A extends B {}',
    "switch (x) {\n  case 1:\n    break;\n}\nconst print = 1;\nprint('x')",
    '',
  ];
  assert.deepEqual(
    python.filter((text) => !isPython(text)),
    [],
  );
  assert.deepEqual(javaScript.filter(isPython), []);
});
