// SPDX-License-Identifier: MIT
// The first visit of an app, built as users build theirs: how many files it fetches, and that those
// which do not need each other are on their way at the same time.
import assert from 'node:assert/strict';
import { readdirSync } from 'node:fs';
import { after, before, suite, test } from 'node:test';
import { bundlers, makePage, visitAll } from '../../bench/visit.mjs';
import { findBrowser } from '../../scripts/setup/browser.mjs';
import { skip } from './support/browser.js';

/** Files that begin at once: the wasm, the reader and the model. */
const atOnce = [/relaxed-/, /reading-/, /model\.(?:json|keras)/];

/**
 * Largest number of requests (the page, its scripts, the wasm and the model), and of files and
 * bytes of the app, which a page that works offline stores.
 */
const trains = 'maskflow/train, one step of fit';
const limits = {
  'maskflow/recurrent': { requests: 10, files: 25, bytes: 674_000 },
  maskflow: { requests: 11, files: 26, bytes: 852_000 },
  'maskflow/recurrent, a .keras file': { requests: 7, files: 25, bytes: 674_000 },
  // The cache is asked before the server, and the server once more, whether it still has the file.
  'maskflow/recurrent, cached model': {
    requests: 12,
    files: 25,
    bytes: 674_000,
    wave: [/relaxed-/, /reading-/, /storage-/],
  },
  [trains]: { requests: 6, files: 31, bytes: 1_098_100, wave: [] },
};

suite('the first visit', { skip, timeout: 300_000 }, () => {
  const pages = [];
  before(async () => {
    for (const bundler of bundlers)
      for (const title of Object.keys(limits)) pages.push(await makePage(title, bundler));
    await visitAll(await findBrowser({}), pages, 1);
  });
  after(() => pages.splice(0));

  const pageOf = (title, bundler) =>
    pages.find((page) => page.title === title && page.bundler === bundler);

  for (const bundler of bundlers)
    for (const [title, limit] of Object.entries(limits))
      test(`${title}, built by ${bundler}: few requests, side by side`, () => {
        const { first, second } = pageOf(title, bundler);
        const { fetched, requests, values } = first[0];
        const paths = fetched.map(({ url }) => new URL(url).pathname);
        assert.ok(requests <= limit.requests, `${requests} requests: ${paths.join(' ')}`);
        assert.deepEqual(second[0].values, values);
        // They begin before the first of the scripts has ended. The model is so small that a busy
        // machine may have it before the browser has asked for all scripts.
        const wave = (limit.wave ?? atOnce).map((part) =>
          fetched.find(({ url }) => part.test(url)),
        );
        const firstEnd = Math.min(
          ...wave.filter(({ url }) => /\.js$/.test(url)).map(({ end }) => end),
        );
        for (const { begin, url } of wave) assert.ok(begin < firstEnd, url);
      });

  for (const bundler of bundlers)
    test(`${trains}, built by ${bundler}: nothing is fetched after the wasm`, () => {
      const { fetched, depth } = pageOf(trains, bundler).first[0];
      // The page, its script, the scripts that this imports, and the wasm.
      assert.ok(depth <= 4, `${depth} links`);
      assert.match(fetched.at(-1).url, /train-relaxed-/);
    });

  test('an app contains nothing of workers, or of other entries', () => {
    const excess = pages.filter(({ title, output }) =>
      ['files', 'bytes'].some((unit) => output[unit] > limits[title][unit]),
    );
    assert.deepEqual(
      excess.map(
        ({ title, bundler, output: { files, bytes } }) =>
          `${title}, ${bundler}: ${files} files, ${bytes} bytes`,
      ),
      [],
    );
    for (const { title, folder } of pages) {
      const names = readdirSync(folder, { recursive: true }).join();
      assert.doesNotMatch(names, /worker_(train_)?(script|main)/, title);
    }
  });

  test('all formats and entries predict the same numbers', () => {
    const [expected, ...others] = pages
      .filter(({ title }) => title !== trains)
      .map(({ first }) => first[0].values);
    for (const values of others) assert.deepEqual(values, expected);
  });
});
