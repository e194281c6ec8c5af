// SPDX-License-Identifier: MIT
// The pages without a bundler, in Firefox.
import { same } from '../lib/judge.js';
import { firefox } from '../lib/pages.js';
import { pagesIn, programs, told, workers } from './pages.js';

const asAbove = 'As in Chromium.';
const noted = 'Firefox writes it down, too.';
const refused = same(
  ['page'],
  'Content at … may not load data from …/maskflow/dist/worker_main.js',
  'Firefox writes down that this file may not be used there; the same script inside the package runs.',
);

const known = {
  "CSP without 'wasm-unsafe-eval'": {
    ...same(programs, told.policy, asAbove),
    ...same(
      ['page'],
      "The page’s settings blocked WebAssembly (script-src) from being executed because it violates the following directive: … (Missing 'wasm-unsafe-eval' or 'unsafe-eval')",
      noted,
    ),
  },
  'Trusted Types': {
    ...same(workers, told.noScript('…Sink type mismatch violation blocked by CSP'), asAbove),
    ...same(
      ['page'],
      'The page’s settings blocked assigning to an injection sink because it violates the following directive: …',
      noted,
    ),
  },
  'service worker': {
    ...same(['core', 'load', 'text'], told.noImport, asAbove),
    ...same(workers, told.inService, asAbove),
  },
  'sandboxed frame': refused,
  'other origin': refused,
};

// `new Worker` in a shared worker blocks it for ever now and then when the machine is busy, on pages without the package, too.
const attempts = { 'shared worker': 3 };

export const how =
  'the same pages, by WebDriver BiDi; a shared worker that never comes back from `new Worker`, which happens in Firefox on a busy machine, is opened again';
export const cells = pagesIn({
  prefix: 'Firefox',
  versions: 'Firefox',
  browser: firefox,
  known,
  attempts,
});
