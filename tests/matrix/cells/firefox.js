// SPDX-License-Identifier: MIT
// The pages without a bundler, in Firefox.
import { same } from '../lib/judge.js';
import { firefox } from '../lib/pages.js';
import { pagesIn, programs, workers } from './pages.js';

const asAbove = 'As in Chromium.';
const refused = same(
  ['page'],
  'may not load data from',
  'Firefox writes down that the file of the workers may not be used there; the same script inside the package runs.',
);

const known = {
  "CSP without 'wasm-unsafe-eval'": {
    ...same(programs, 'call to WebAssembly.compile() blocked by CSP', asAbove),
    ...same(['page'], "Missing 'wasm-unsafe-eval' or 'unsafe-eval'", asAbove),
  },
  'Trusted Types': {
    ...same(workers, 'Sink type mismatch violation blocked by CSP', asAbove),
    ...same(['page'], 'blocked assigning to an injection sink', asAbove),
  },
  'service worker': {
    ...same(['core', 'load', 'text'], "import from 'maskflow/single'", asAbove),
    ...same(workers, 'a service worker cannot start workers', asAbove),
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
