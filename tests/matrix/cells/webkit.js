// SPDX-License-Identifier: MIT
// The pages without a bundler, in WebKit: the engine of Safari, as WebKitGTK builds it.
import { same } from '../lib/judge.js';
import { webkit } from '../lib/pages.js';
import { pagesIn, programs, workers } from './pages.js';

const asAbove = 'As in Chromium.';
const known = {
  "CSP without 'wasm-unsafe-eval'": same(
    programs,
    'the Content-Security-Policy of this page forbids WebAssembly',
    asAbove,
  ),
  'Trusted Types': same(workers, 'This assignment requires a TrustedScriptURL', asAbove),
  'shared worker': same(workers, 'a shared worker cannot start workers in this engine', asAbove),
  'service worker': {
    ...same(['core', 'load', 'text'], "import from 'maskflow/single'", asAbove),
    ...same(workers, 'a service worker cannot start workers', asAbove),
  },
};

export const how =
  'the same pages in MiniBrowser, by WebDriver, which does not tell what a page complains of';
export const cells = pagesIn({ prefix: 'WebKit', versions: 'WebKitGTK', browser: webkit, known });
