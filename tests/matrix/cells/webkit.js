// SPDX-License-Identifier: MIT
// The pages without a bundler in WebKitGTK, a build of Safari's engine.
import { same } from '../lib/judge.js';
import { webkit } from '../lib/pages.js';
import { noPolicy, pagesIn, programs, told, workers } from './pages.js';

const asAbove = 'As in Chromium.';
const known = {
  'Document-Isolation-Policy, threads': noPolicy,
  "CSP without 'wasm-unsafe-eval'": same(programs, told.policy, asAbove),
  'Trusted Types': same(
    workers,
    told.noScript('This assignment requires a TrustedScriptURL'),
    asAbove,
  ),
  'shared worker': same(workers, told.inShared, asAbove),
  'service worker': {
    ...same(['core', 'load', 'text'], told.noImport, asAbove),
    ...same(workers, told.inService, asAbove),
  },
};

export const how = [
  'Each cell is the same page in MiniBrowser, driven by WebDriver, which does not report the',
  'console messages of a page.',
].join(' ');
export const cells = pagesIn({ prefix: 'WebKit', versions: 'WebKitGTK', browser: webkit, known });
