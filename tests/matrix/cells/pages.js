// SPDX-License-Identifier: MIT
// Pages without a bundler: the package as npm installs it, under policies and in other scopes of a
// browser.
import { cpSync, readFileSync } from 'node:fs';
import { pathToFileURL } from 'node:url';
import { serve } from '../../../scripts/lib/serve.mjs';
import { same } from '../lib/judge.js';
import { page, pageFiles, pageModule } from '../lib/page_files.js';
import { chromium, isolation, visit, visitFolder, visitThrice } from '../lib/pages.js';

async function make(project) {
  await project.install();
  cpSync(project.at('node_modules', 'maskflow'), project.at('maskflow'), { recursive: true });
  project.bring();
  const model = readFileSync(project.at('brackets.keras')).toString('base64');
  project.write(
    'model.js',
    `const model = Uint8Array.from(atob('${model}'), (c) => c.charCodeAt(0));`,
  );
  for (const [path, text] of Object.entries(pageFiles)) project.write(path, text);
}

const csp = (text) => ({ 'content-security-policy': text });
const anyOrigin = { 'access-control-allow-origin': '*' };
const strict =
  "default-src 'none'; script-src 'self' 'wasm-unsafe-eval'; connect-src 'self'; img-src data:";
const trusted = csp("require-trusted-types-for 'script'");
const oneHeader = { 'document-isolation-policy': 'isolate-and-require-corp' };

const served =
  (path, headers = {}) =>
  (project, browser) =>
    visitFolder(project.folder, { path, headers, browser });

/** Opens a page whose package comes from another origin. */
async function elsewhere(project, browser) {
  const server = await serve(project.folder, { headers: anyOrigin });
  project.write('own/index.html', page(pageModule(server.url.slice(0, -1))));
  const own = await serve(project.at('own'));
  try {
    return await visit(own.url, { browser });
  } finally {
    await Promise.all([own.close(), server.close()]);
  }
}

const asFile = (project, browser) =>
  visit(pathToFileURL(project.at('scripts.html')).href, { browser });

const plain = (project, browser) =>
  visitThrice(project.folder, {
    path: 'plain.html',
    training: 'train.html',
    threads: 'threads.html',
    browser,
  });

/** Functions that open a page, by its name. */
const pages = {
  'no policy': plain,
  'import map': served('map.html'),
  'strict CSP': served('plain.html', csp(strict)),
  "CSP without 'wasm-unsafe-eval'": served('plain.html', csp("default-src 'self'; img-src data:")),
  'Trusted Types': served('plain.html', trusted),
  'Trusted Types, workerUrl': served('trusted_url.html', trusted),
  'Trusted Types, own worker': served('trusted_own.html', trusted),
  'COOP and COEP': served('plain.html', isolation),
  'Document-Isolation-Policy, threads': served('threads.html', oneHeader),
  'COOP and COEP, threads in a dedicated worker': served('dedicated_threads.html', isolation),
  'COOP and COEP, threads in a worker of the package': served('worker_threads.html', isolation),
  'dedicated worker': served('dedicated.html'),
  'dedicated worker, importScripts': served('dedicated_classic.html'),
  'own worker, importScripts and serve': served('serve_classic.html'),
  'shared worker': served('shared.html'),
  'shared worker, importScripts': served('shared_classic.html'),
  'service worker': served('service.html'),
  'service worker, maskflow/single': served('service_single.html'),
  'service worker, importScripts': served('service_classic.html'),
  'audio worklet, maskflow/single': served('worklet.html'),
  'sandboxed frame': served('sandbox.html', anyOrigin),
  'other origin': elsewhere,
  'script tag': served('scripts.html'),
  'script tag, opened as a file': asFile,
};

/** Opens the page, up to `attempts` times if it does not finish. */
async function opened(attempts, open) {
  for (let left = attempts; ; left--) {
    try {
      return await open();
    } catch (error) {
      if (left <= 1 || !/Waiting failed/.test(error.message)) throw error;
    }
  }
}

/**
 * Returns the cells of an engine. `known` and `attempts` have entries by the page's name; an engine
 * that sometimes hangs needs several attempts.
 */
export const pagesIn = ({ prefix, versions, browser, known = {}, attempts = {} }) =>
  Object.entries(pages).map(([name, open]) => ({
    name: `${prefix}, ${name}`,
    versions,
    known: known[name],
    limit: 120 * (attempts[name] ?? 1),
    async run(project) {
      const running = await browser();
      await make(project);
      return opened(attempts[name] ?? 1, () => open(project, running));
    },
  }));

/** The known result of Document-Isolation-Policy in engines that do not know the header. */
export const noPolicy = same(
  ['threads'],
  '1 threads: this page is not cross-origin isolated, so it has no shared memory; …',
  'Only Chromium has this header. The package computes in one thread and says why.',
);

export const programs = ['core', 'load', 'text', 'worker', 'pool'];
export const workers = ['worker', 'pool'];

const byOrigin =
  "give the address of the package's worker_main.js (worker_train.js for one that trains) on the page's own origin";

/**
 * Messages of the package, which are equal in every engine, except for the engine's own text
 * `reason`.
 */
export const told = {
  policy:
    "UnsupportedError: the Content-Security-Policy of this page forbids WebAssembly (…); add 'wasm-unsafe-eval' to its script-src (of an extension: content_security_policy.extension_pages in the manifest)",
  noScript: (reason) =>
    `StateError: the worker's script cannot be loaded (${reason}); ${byOrigin}…`,
  inShared:
    "UnsupportedError: a shared worker cannot start workers in this engine; open the worker in the page, or compute in the shared worker itself: loadModel() of 'maskflow'",
  inService:
    "UnsupportedError: a service worker cannot start workers; open the worker in the page, or compute in the service worker itself: loadModel() of 'maskflow/single'",
  noImport:
    "UnsupportedError: a service worker has no import() (…); import from 'maskflow/single', or call importScripts('maskflow.iife.js')",
};

const known = {
  "CSP without 'wasm-unsafe-eval'": same(
    programs,
    told.policy,
    'No engine compiles wasm under such a policy.',
  ),
  'Trusted Types': {
    ...same(
      workers,
      told.noScript("…This document requires 'TrustedScriptURL' assignment.…"),
      [
        'The package creates no policy of its own. The next cells pass it an address or a worker',
        "that the page's policy created.",
      ].join(' '),
    ),
    ...same(
      ['page'],
      "This document requires 'TrustedScriptURL' assignment. The action has been blocked.",
      'The browser also reports this on the console.',
    ),
  },
  'shared worker': same(
    workers,
    told.inShared,
    'In Chromium, shared workers cannot start workers.',
  ),
  'service worker': {
    ...same(
      ['core', 'load', 'text'],
      told.noImport,
      [
        'Service workers have no `import()`, which fetches the wasm. The next cells follow the',
        'advice of the message.',
      ].join(' '),
    ),
    ...same(workers, told.inService, 'In no engine can service workers start workers.'),
  },
};

export const how =
  'Each cell loads the files of the package as npm installs them, without a bundler.';
export const cells = pagesIn({ prefix: 'page', versions: 'Chromium', browser: chromium, known });
