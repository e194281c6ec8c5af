// SPDX-License-Identifier: MIT
// The pages without a bundler, in Firefox.
import { same } from '../lib/judge.js';
import { firefox } from '../lib/pages.js';
import { noPolicy, pagesIn, programs, told, workers } from './pages.js';

const asAbove = 'As in Chromium.';
const noted = 'Firefox also reports this on the console.';
const refused = same(
  ['page'],
  'Content at … may not load data from …/maskflow/dist/worker_main.js',
  [
    'Firefox reports that this file may not be used there. The package then runs the same',
    'script, which it contains.',
  ].join(' '),
);

const known = {
  'Document-Isolation-Policy, threads': noPolicy,
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

// On a busy machine, `new Worker` in a shared worker sometimes blocks it for ever. This also
// happens on pages without the package.
const attempts = { 'shared worker': 3 };

export const how = [
  'Each cell is the same page, driven by WebDriver BiDi. In Firefox on a busy machine, `new',
  'Worker` in a shared worker sometimes never returns; such a page is opened again.',
].join(' ');
export const cells = pagesIn({
  prefix: 'Firefox',
  versions: 'Firefox',
  browser: firefox,
  known,
  attempts,
});
