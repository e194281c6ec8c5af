// SPDX-License-Identifier: MIT
// The pages without a bundler, in Firefox.
import { same } from '../lib/judge.js';
import { firefox } from '../lib/pages.js';
import { made, programs, workers } from './pages.js';

const asAbove = 'As in Chromium.';
const notLoaded = {
  ...same(workers, "the worker's script cannot be loaded", asAbove),
  ...same(['page'], 'may not load data from', asAbove),
};

const known = {
  "CSP without 'wasm-unsafe-eval'": {
    ...same(programs, 'call to WebAssembly.compile() blocked by CSP', asAbove),
    ...same(['page'], "Missing 'wasm-unsafe-eval' or 'unsafe-eval'", asAbove),
  },
  'Trusted Types': {
    ...same(workers, 'Sink type mismatch violation blocked by CSP', asAbove),
    ...same(['page'], 'blocked assigning to an injection sink', asAbove),
  },
  'service worker': same(programs, 'Dynamic import not supported in this context', asAbove),
  'sandboxed frame': notLoaded,
  'other origin': notLoaded,
};

export const how = 'the pages of the family before this one, by WebDriver BiDi';
export const cells = made.map(({ name, run }) => ({
  name: name.replace('page,', 'Firefox,'),
  versions: 'Firefox ESR',
  known: known[name.replace('page, ', '')],
  run: (project) => run(project, firefox()),
}));
