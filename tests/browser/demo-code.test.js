// SPDX-License-Identifier: MIT
// The programs that the demo page shows are run, against the package, and must print what the page says.
import assert from 'node:assert/strict';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { after, before, suite, test } from 'node:test';
import { pathToFileURL } from 'node:url';
import { buildDemo } from '../../scripts/build-demo.mjs';
import { at } from '../../scripts/lib/files.mjs';
import { serve } from '../../scripts/serve.mjs';
import { chromePath, launch } from './support/browser.js';
import { openDemo, set, settled, shownCode } from './support/demo-page.js';
import { openFiles, showModel } from './support/models-panel.js';
import { runNode, tryNode } from '../support/programs.js';

const chrome = chromePath();
const skip = chrome
  ? false
  : 'no Chromium or Chrome on this machine (CHROME_PATH names one elsewhere)';

const cases = [
  ['padding', {}],
  [
    'padding',
    { text: 'One two\nThree', padding: 'pre', truncating: 'post', maxlen: '3', value: '7' },
  ],
  ['makers', {}],
  ['makers', { maskZero: false, maskValue: 'NaN' }],
  ['makers', { maskValue: '-1', row0: '-1 -1\n0.5 2', row1: '3 4\n-1 6' }],
  ...['lstm', 'plus', 'back', 'zeroed', 'times', 'both', 'convolve', 'custom'].map((model) => [
    'follow',
    { model },
  ]),
  ['follow', { model: 'both', rules: 'keras-3.16' }],
  ['split', {}],
  ['split', { parts: '3', computes: false }],
  ['split', { masked: false }],
  ['custom', {}],
  ['custom', { maskZero: false }],
  ['custom', { layer: 'activation' }],
  ['custom', { layer: 'activation', supports: false }],
  ['custom', { layer: 'softmax' }],
  ['custom', { layer: 'softmax', masked: false }],
  ['states', {}],
  ['states', { more: '2', zero: true, row: '1' }],
  ['states', { sequences: false, backwards: true, flips: '1' }],
  ['models', { model: 'brackets', brackets: '([)]', more: '2' }],
  ['models', { model: 'sensor' }],
  ['models', { model: 'adding', adding: '999+1' }],
  ['models', { model: 'own' }, ['models', 'multi_input.keras']],
  ['models', { model: 'own' }, ['tfjs', 'bidirectional', 'model.json', 'weights.bin']],
];

/** Paths of files in one folder of the fixtures. */
function filesOf(own) {
  const folder = own.filter((part) => !/\.\w+$/.test(part));
  return own.slice(folder.length).map((name) => at('tests', 'fixtures', ...folder, name));
}

// Browser and Node may run different variants of the core, which round differently.
const numbers = /-?\d+(\.\d+)?(e[-+]?\d+)?/g;
function assertSamePrint(actual, expected, what) {
  // Numbers of other lengths are padded to another width.
  const shape = (text) =>
    text
      .replace(numbers, '#')
      .replace(/[ \n]+/g, ' ')
      .replaceAll('[ ', '[');
  const values = (text) => (text.match(numbers) ?? []).map(Number);
  assert.equal(shape(actual), shape(expected), what);
  const wanted = values(expected);
  values(actual).forEach((value, index) => {
    const near = Math.abs(value - wanted[index]) <= 1e-4;
    assert.ok(near, `${what}: number ${index} is ${value}, the page says ${wanted[index]}`);
  });
}

suite('programs of the demo page', { skip }, () => {
  let browser;
  let server;
  let page;
  let folder;
  let faults;

  before(async () => {
    await buildDemo();
    folder = mkdtempSync(join(tmpdir(), 'maskflow-demo-'));
    server = await serve(at('dist', 'demo'));
    browser = await launch(chrome);
    ({ page, faults } = await openDemo(browser, server.url));
  });
  after(async () => {
    await browser?.close();
    await server?.close();
    if (folder) rmSync(folder, { recursive: true });
  });

  /** Runs a program as a user of the package would, only that the package has no folder of its own here. */
  function run(code, cwd = at('dist', 'demo')) {
    const file = join(folder, 'program.mjs');
    const from = `from '${pathToFileURL(at('dist', 'index.js'))}'`;
    writeFileSync(file, code.replace(/from 'maskflow'/, from));
    return runNode([file], { cwd, stdio: ['ignore', 'pipe', 'pipe'] });
  }

  for (const [panel, values, own] of cases) {
    const name = `${panel} ${JSON.stringify(values)} ${own ?? ''}`.trim();
    test(name, async () => {
      await page.$eval(`#${panel} .ending > button`, (button) => button.click());
      await settled(page);
      await set(page, panel, values);
      if (own) await openFiles(page, ...filesOf(own));
      else if (panel === 'models') await showModel(page, values.model);
      const { code, prints } = await shownCode(page, panel);
      assert.match(code, /^import \{ .*\bready\b.* \} from 'maskflow';\n\nawait ready\(/);
      assertSamePrint(run(code, own && dirname(filesOf(own)[0])).trim(), prints.trim(), name);
      if (panel === 'padding') {
        await page.$eval('#padding .ending > button', (button) => button.click());
        await settled(page);
      }
    });
  }

  test('the sources of the page fit the declarations of the package', () => {
    const tsc = at('node_modules', 'typescript', 'bin', 'tsc');
    const { status, stdout } = tryNode([tsc, '-p', at('web', 'demo')], { encoding: 'utf8' });
    assert.equal(status, 0, stdout);
  });

  test('Keras beside it: the same options under the names of Python', async () => {
    await set(page, 'states', { zero: true, sequences: true });
    await page.$eval('#states [name="states-language"][value="python"]', (radio) => radio.click());
    const { code } = await shownCode(page, 'states');
    assert.match(code, /^import keras\n/);
    assert.match(
      code,
      /LSTM\(4, return_sequences=True, go_backwards=True, zero_output_for_mask=True\)/,
    );
    assert.deepEqual(faults, []);
  });
});
