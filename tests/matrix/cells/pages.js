// SPDX-License-Identifier: MIT
// Pages without a bundler: the package as npm installs it, under policies and in other scopes of a browser.
import { cpSync } from 'node:fs';
import { same } from '../lib/judge.js';
import { serve } from '../../../scripts/serve.mjs';
import { visit, visitFolder } from '../lib/pages.js';

const head = '<!doctype html><meta charset="utf-8"><link rel="icon" href="data:,">';
const imports = (base = '.') => `import * as mf from '${base}/maskflow/dist/index.js';
import * as text from '${base}/maskflow/dist/text.js';
import * as worker from '${base}/maskflow/dist/worker.js';
import { check } from '${base}/check.mjs';
const imported = performance.now();
const source = new URL('${base}/brackets.keras', import.meta.url);
const run = () => check({ mf, text, worker }, { source }).then((result) => ({ ...result, imported }));`;
const tell = 'window.result = data;';
const page = (script) => `${head}<script type="module">${script}</script>`;

const inside = `${imports()}
if ('onconnect' in self) self.onconnect = ({ ports: [port] }) => run().then((r) => port.postMessage(r));
else if ('clients' in self) self.onmessage = (e) => e.waitUntil(run().then((r) => e.source.postMessage(r)));
else run().then((r) => self.postMessage(r));`;
const failed =
  "onerror = (e) => { window.result = { error: e.message ?? 'the script did not start' }; }";

const files = {
  'main.js': `${imports()} run().then((data) => { ${tell} });`,
  'plain.html': `${head}<script type="module" src="main.js"></script>`,
  'inside.js': inside,
  'map.html': `${head}<script type="importmap">{ "imports": {
    "maskflow": "./maskflow/dist/index.js", "maskflow/": "./maskflow/dist/" } }</script>
<script type="module">${imports()
    .replace("'./maskflow/dist/index.js'", "'maskflow'")
    .replaceAll("'./maskflow/dist/", "'maskflow/")}
run().then((data) => { ${tell} });</script>`,
  'dedicated.html': page(`const w = new Worker('inside.js', { type: 'module' });
w.onmessage = ({ data }) => { ${tell} }; w.${failed};`),
  'shared.html': page(`const w = new SharedWorker('inside.js', { type: 'module' });
w.port.onmessage = ({ data }) => { ${tell} }; w.${failed};`),
  'service.html': page(`navigator.serviceWorker.onmessage = ({ data }) => { ${tell} };
await navigator.serviceWorker.register('inside.js', { type: 'module' });
(await navigator.serviceWorker.ready).active.postMessage(0);`),
  'framed.html': page(`${imports()} run().then((data) => parent.postMessage(data, '*'));`),
  'sandbox.html': `${head}<iframe sandbox="allow-scripts" src="framed.html"></iframe>
<script>onmessage = ({ data }) => { ${tell} };</script>`,
};

async function make(project) {
  await project.install();
  cpSync(project.at('node_modules', 'maskflow'), project.at('maskflow'), { recursive: true });
  project.bring();
  for (const [path, text] of Object.entries(files)) project.write(path, text);
}

const csp = (text) => ({ 'content-security-policy': text });
const anyOrigin = { 'access-control-allow-origin': '*' };
const isolated = {
  'cross-origin-opener-policy': 'same-origin',
  'cross-origin-embedder-policy': 'require-corp',
};
const strict =
  "default-src 'none'; script-src 'self' 'wasm-unsafe-eval'; connect-src 'self'; img-src data:";

export const programs = ['core', 'load', 'text', 'worker', 'pool'];
export const workers = ['worker', 'pool'];

const noEval = same(
  programs,
  "'unsafe-eval' is not an allowed source of script",
  "Engines compile no wasm under such a policy; allow `'wasm-unsafe-eval'`.",
);
const noPolicy = {
  ...same(
    workers,
    "This document requires 'TrustedScriptURL' assignment",
    'The package makes no policy of its own; make the worker yourself: `openWorker({ worker: () => new Worker(…) })`.',
  ),
  ...same(['page'], "This document requires 'TrustedScriptURL' assignment", 'As above.'),
};
const noNested = same(
  workers,
  'this engine has no workers',
  'A shared worker cannot start workers in Chromium.',
);
const noImport = same(
  programs,
  'import() is disallowed on ServiceWorkerGlobalScope',
  'The glue and the wasm are fetched by `import()`, which service workers do not have; bundle them into one file.',
);
const opaque = same(
  workers,
  "the worker's script cannot be loaded",
  'The frame has an origin of its own, to which no script belongs: workers cannot be started there.',
);

/** name, page, headers, and what is known of it */
const pages = [
  ['no policy', 'plain.html', {}],
  ['import map', 'map.html', {}],
  ['strict CSP', 'plain.html', csp(strict)],
  [
    "CSP without 'wasm-unsafe-eval'",
    'plain.html',
    csp("default-src 'self'; img-src data:"),
    { known: noEval },
  ],
  ['Trusted Types', 'plain.html', csp("require-trusted-types-for 'script'"), { known: noPolicy }],
  ['COOP and COEP', 'plain.html', isolated],
  ['dedicated worker', 'dedicated.html', {}],
  ['shared worker', 'shared.html', {}, { known: noNested }],
  ['service worker', 'service.html', {}, { known: noImport }],
  ['sandboxed frame', 'sandbox.html', anyOrigin, { known: opaque }],
];

const cell = (name, path, headers, facts = {}) => ({
  name: `page, ${name}`,
  async run(project, browser) {
    await make(project);
    return visitFolder(project.folder, { path, headers, browser });
  },
  ...facts,
});

/** The package's files are served by another origin than the page. */
const elsewhere = (facts = {}) => ({
  name: 'page, other origin',
  async run(project, browser) {
    await make(project);
    const server = await serve(project.folder, { headers: anyOrigin });
    const base = server.url.slice(0, -1);
    const script = `${imports(base)} run().then((data) => { ${tell} });`;
    project.write('own/index.html', page(script));
    const own = await serve(project.at('own'));
    try {
      return await visit(own.url, { browser });
    } finally {
      await Promise.all([own.close(), server.close()]);
    }
  },
  ...facts,
});

export const how = 'the files of the package as npm installs them, without a bundler';
export const made = [...pages.map((one) => cell(...one)), elsewhere({})];
export const cells = made.map((one) => ({ ...one, versions: 'Chromium' }));
