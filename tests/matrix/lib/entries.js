// SPDX-License-Identifier: MIT
// Sources of the programs that cells run; each imports the package in the way that its cell tests.

const measured = (get, source, options) => `
const training = process.argv[2] === 'train';
const begun = performance.now();
const mf = training ? ${get('maskflow/train')} : ${get('maskflow')};
const imported = performance.now() - begun;
const entries = training
  ? { train: mf }
  : { mf, text: ${get('maskflow/text')}, worker: ${get('maskflow/worker')} };
const further = process.argv[2] === 'threads' ? threaded : {};
const result = { ...(await check(entries, { source: ${source}${options}, ...further })), imported };`;

const keep = `writeFileSync('result.json', JSON.stringify(result));`;
const file = "'brackets.keras'";

/** The first lines of every generated ES module. */
export const esmHead = `import { writeFileSync } from 'node:fs';
import { check, threaded } from './check.mjs';`;
export const cjsHead = `const { writeFileSync } = require('node:fs');
const { check, threaded } = require('./check.cjs');`;

/**
 * Returns statements, which use await, that write result.json. `source` is an expression for the
 * model.
 */
export const esmBody = ({ source = file, options = '' } = {}) =>
  measured((name) => `await import('${name}')`, source, options) + keep;
export const cjsBody = ({ source = file, options = '' } = {}) =>
  measured((name) => `require('${name}')`, source, options) + keep;

export const esm = (options) => `${esmHead}\n${esmBody(options)}`;
export const cjs = (options) =>
  `${cjsHead}\n(async () => {${cjsBody(options)}})().catch((error) => { console.error(error); process.exitCode = 1; });`;

/**
 * Returns the script of a bundled page. `imported` is the time from the start of the page until all
 * modules are loaded.
 */
const page = (options) => `import * as mf from 'maskflow';
import * as text from 'maskflow/text';
import * as worker from 'maskflow/worker';
import { check, threaded } from './check.mjs';
const imported = performance.now();
const training = location.search === '?train' && import('maskflow/train');
const further = location.search === '?threads' ? threaded : {};
const entries = async () => (training ? { train: await training } : { mf, text, worker });
entries().then((given) => check(given, { source: new URL('/brackets.keras', location.href)${options}, ...further })).then(
  (result) => { window.result = { ...result, imported }; },
  (error) => { window.result = { error: String(error) }; },
);
`;
export const pageScript = page('');

/** The script of a page that starts its own workers with the script `ownWorker`. */
export const pageScriptOwn = page(
  ", workers: { worker: () => new Worker(new URL('./own_worker.ts', import.meta.url), { type: 'module' }) }",
);
export const ownWorker = {
  'own_worker.ts': `import { loadModel, ready, serve } from 'maskflow/single';
serve({ ready, loadModel });
`,
};
export const html = (
  src = '/main.js',
  head = '',
) => `<!doctype html><meta charset="utf-8"><title>cell</title>
${head}<link rel="icon" href="data:,"><script type="module" src="${src}"></script>
`;
