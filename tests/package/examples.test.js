// SPDX-License-Identifier: MIT
// The programs of examples/ as a user runs them: copied into a project that has the package and nothing else.
import assert from 'node:assert/strict';
import { copyFileSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { after, before, suite, test } from 'node:test';
import { at } from '../../scripts/lib/files.mjs';
import { serve } from '../../scripts/serve.mjs';
import { chromePath, launch } from '../browser/support/browser.js';
import { makeConsumer, node } from './support/consumer.js';

const chrome = chromePath();
const skip = chrome
  ? false
  : 'no Chromium or Chrome on this machine (CHROME_PATH names one elsewhere)';
const files = readdirSync(at('examples'));

/** Numbers in what a program says: those of the groups of each match. */
const numbers = (text, pattern) =>
  [...text.matchAll(pattern)].map(([, ...groups]) => groups.map(Number));

/** Accuracies by length and width: with the mask and of the twin without it. */
function checkBrackets(masked, twin) {
  assert.deepEqual([masked.length, twin.length], [7, 7]);
  for (const accuracy of masked) assert.ok(accuracy >= 0.97, `with the mask: ${masked}`);
  // The same strings with more padding: not one answer is another.
  assert.equal(new Set(masked.slice(0, 4)).size, 1, String(masked));
  assert.equal(new Set(masked.slice(4)).size, 1, String(masked));
  assert.ok(twin[0] >= 0.97, `the twin has learnt, too: ${twin}`);
  assert.ok(Math.min(...twin) < Math.min(...masked) - 0.02, `without the mask: ${twin}`);
}

const checks = {
  train_brackets(said) {
    const accuracies = said
      .split(/^With(?:out)? the mask/m)
      .slice(1)
      .map((part) => numbers(part, /'(?:as long|longer)[^\n│]*│\s*\d+\s*│\s*([\d.]+)/g).flat());
    checkBrackets(...accuracies);
    for (const [seconds] of numbers(said, /trained in ([\d.]+) s/g)) assert.ok(seconds < 60);
  },
  fine_tune(said) {
    const [[first, last]] = numbers(said, /strings: ([\d.]+) before, ([\d.]+) after/g);
    assert.ok(last >= 0.75 && last > first + 0.1, said);
    assert.match(said, /^trains: hidden\/kernel, hidden\/bias, deep\/kernel, deep\/bias$/m);
    assert.match(said, /^the 7 frozen weights are the same bits: true$/m);
  },
  characters(said) {
    const [[first, last]] = numbers(said, /perplexity: ([\d.]+) after .*, ([\d.]+) after/g);
    assert.ok(last < 4 && first > 3 * last, said);
    const [, written] = /^writes: (.*)$/m.exec(said);
    assert.equal(written.split(', ').filter((name) => /^[a-z]{2,20}$/.test(name)).length, 12);
  },
  forecast(said) {
    const [[gru], [last], [mean]] = numbers(said, /^│ (?:GRU|last reading|mean)\s*│\s*([\d.]+)/gm);
    assert.ok(gru < 0.75 * last && last < mean, said);
  },
  own_loop(said) {
    const [[below]] = numbers(said, /says: ([\d.]+) %/g);
    const [[above]] = numbers(said, /average: ([\d.]+) /g);
    assert.ok(below > 85 && below < 95, said);
    assert.ok(Math.abs(above - 0.9) < 0.1, said);
  },
  federated(said) {
    const rounds = numbers(said, /alone ([\d.]+), ([\d.]+), ([\d.]+); their mean ([\d.]+)/g);
    assert.equal(rounds.length, 8);
    const [one, two, three, mean] = rounds.at(-1);
    assert.ok(mean >= 0.95 && mean > (one + two + three) / 3 + 0.05, said);
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

  test('are all run here, each says first what it shows, and none is in the package', () => {
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

  test('train_brackets.html trains on a page, can be stopped and begun again', {
    skip,
  }, async () => {
    const [server, browser] = await Promise.all([serve(consumer.folder), launch(chrome)]);
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
      const idle = { timeout: 120_000 };
      await tab.click('#start');
      await tab.waitForFunction(() => document.querySelector('progress').value > 0.02);
      await tab.click('#stop');
      await tab.waitForFunction(() => !document.querySelector('#start').disabled, idle);
      const stopped = await state();
      assert.deepEqual([stopped.said, stopped.tables], ['Stopped.', []]);
      assert.ok(stopped.value < 1);
      await tab.click('#start');
      await tab.waitForFunction(() => !document.querySelector('#start').disabled, idle);
      const done = await state();
      assert.deepEqual([done.said, done.value, faults], ['Done.', 1, []]);
      checkBrackets(...done.tables);
    } finally {
      await browser.close();
      await server.close();
    }
  });
});
