// SPDX-License-Identifier: MIT
// Runs the programs of examples/ as a user does: copied into a project that contains only the
// package.
import assert from 'node:assert/strict';
import { copyFileSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { after, before, suite, test } from 'node:test';
import { at } from '../../scripts/lib/files.mjs';
import { serve } from '../../scripts/lib/serve.mjs';
import { launchChrome, skip } from '../browser/support/browser.js';
import { makeConsumer, node } from './support/consumer.js';

const files = readdirSync(at('examples'), { withFileTypes: true })
  .filter((entry) => entry.isFile())
  .map(({ name }) => name);

/** Returns the numbers in the output of a program: the groups of each match. */
const numbers = (text, pattern) =>
  [...text.matchAll(pattern)].map(([, ...groups]) => groups.map(Number));

/** Checks accuracies by length and width: with the mask, and of the second model without it. */
function checkBrackets(masked, twin) {
  assert.deepEqual([masked.length, twin.length], [7, 7]);
  for (const accuracy of masked) assert.ok(accuracy >= 0.97, `with the mask: ${masked}`);
  // Further padding must not change an answer for equal strings.
  assert.equal(new Set(masked.slice(0, 4)).size, 1, String(masked));
  assert.equal(new Set(masked.slice(4)).size, 1, String(masked));
  assert.ok(twin[0] >= 0.97, `the model without a mask has also learned: ${twin}`);
  assert.ok(Math.min(...twin) < Math.min(...masked) - 0.02, `without the mask: ${twin}`);
}

const checks = {
  train_brackets(output) {
    const accuracies = output
      .split(/^With(?:out)? the mask/m)
      .slice(1)
      .map((part) => numbers(part, /'(?:as long|longer)[^\n│]*│\s*\d+\s*│\s*([\d.]+)/g).flat());
    checkBrackets(...accuracies);
    assert.equal(numbers(output, /trained in ([\d.]+) s/g).length, 2);
  },
  fine_tune(output) {
    const [[before, after]] = numbers(output, /strings: ([\d.]+) before, ([\d.]+) after/g);
    assert.ok(after >= 0.75 && after > before + 0.1, output);
    assert.match(output, /^trains: hidden\/kernel, hidden\/bias, deep\/kernel, deep\/bias$/m);
    assert.match(output, /^the 7 frozen weights are the same bits: true$/m);
  },
  characters(output) {
    const [[before, after]] = numbers(output, /perplexity: ([\d.]+) after .*, ([\d.]+) after/g);
    assert.ok(after < 4 && before > 3 * after, output);
    const [, names] = /^writes: (.*)$/m.exec(output);
    assert.equal(names.split(', ').filter((name) => /^[a-z]{2,20}$/.test(name)).length, 12);
  },
  forecast(output) {
    const [[gru], [lastReading], [mean]] = numbers(
      output,
      /^│ (?:GRU|last reading|mean)\s*│\s*([\d.]+)/gm,
    );
    assert.ok(gru < 0.75 * lastReading && lastReading < mean, output);
  },
  own_loop(output) {
    const [[below]] = numbers(output, /says: ([\d.]+) %/g);
    const [[above]] = numbers(output, /average: ([\d.]+) /g);
    assert.ok(below > 85 && below < 95, output);
    assert.ok(Math.abs(above - 0.9) < 0.1, output);
  },
  federated(output) {
    const rounds = numbers(output, /alone ([\d.]+), ([\d.]+), ([\d.]+); their mean ([\d.]+)/g);
    assert.equal(rounds.length, 8);
    const [first, second, third, mean] = rounds.at(-1);
    assert.ok(mean >= 0.95 && mean > (first + second + third) / 3 + 0.05, output);
  },
};

suite('the examples', () => {
  let consumer;
  before(() => {
    consumer = makeConsumer();
    for (const file of files) copyFileSync(at('examples', file), join(consumer.folder, file));
    const model = at('tests', 'fixtures', 'trained', 'brackets.keras');
    copyFileSync(model, join(consumer.folder, 'brackets.keras'));
  });
  after(() => consumer?.remove());

  test('are all tested here, start with a description, and are not in the package', () => {
    const programs = files.filter((file) => file.endsWith('.mjs') && file !== 'brackets.mjs');
    assert.deepEqual(
      programs.map((file) => file.replace('.mjs', '')).sort(),
      Object.keys(checks).sort(),
    );
    for (const file of files) {
      const comment = /^(?:\/\/|<!--) [A-Z].{30,}/;
      const lines = readFileSync(at('examples', file), 'utf8').split('\n');
      assert.ok(
        lines.slice(1, 4).some((line) => comment.test(line)),
        file,
      );
    }
    assert.deepEqual(
      consumer.files.filter((path) => path.includes('examples')),
      [],
    );
  });

  for (const [name, check] of Object.entries(checks)) {
    test(name, () => check(node(consumer.folder, `${name}.mjs`)));
  }

  test('train_brackets.html trains on a page, and can be stopped and restarted', {
    skip,
  }, async () => {
    const [server, browser] = await Promise.all([serve(consumer.folder), launchChrome()]);
    try {
      const tab = await browser.newPage();
      const faults = [];
      tab.on('pageerror', (error) => faults.push(error.message));
      tab.on('console', (message) => faults.push(message.text()));
      await tab.goto(String(new URL('train_brackets.html', server.url)));
      const state = () =>
        tab.evaluate(() => ({
          said: document.querySelector('[role=status]').textContent,
          value: document.querySelector('progress').value,
          tables: [...document.querySelectorAll('table')].map((table) =>
            [...table.tBodies[0].rows].map((row) => parseFloat(row.cells[2].textContent) / 100),
          ),
        }));
      const idle = { timeout: 600_000 };
      await tab.click('#start');
      await tab.waitForFunction(() => document.querySelector('progress').value > 0.02);
      await tab.click('#stop');
      await tab.waitForFunction(() => !document.querySelector('#start').disabled, idle);
      const stoppedState = await state();
      assert.deepEqual([stoppedState.said, stoppedState.tables], ['Stopped.', []]);
      assert.ok(stoppedState.value < 1);
      await tab.click('#start');
      await tab.waitForFunction(() => !document.querySelector('#start').disabled, idle);
      const endState = await state();
      assert.deepEqual([endState.said, endState.value, faults], ['Done.', 1, []]);
      checkBrackets(...endState.tables);
    } finally {
      await browser.close();
      await server.close();
    }
  });
});
