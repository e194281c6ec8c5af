// SPDX-License-Identifier: MIT
// Pages and scripts of cells without a bundler. Each page stores the result of `check` in
// `window.result`.

const head = '<!doctype html><meta charset="utf-8"><link rel="icon" href="data:,">';
export const page = (script) => `${head}<script type="module">${script}</script>`;

const tell = 'window.result = data;';
const failed =
  "onerror = (e) => { window.result = { error: e.message ?? 'the script did not start' }; }";

/**
 * Returns code that imports the entries and defines `run()`. `base` is the address of the project.
 */
const imports = (base = '.', options = '') => `import * as mf from '${base}/maskflow/dist/index.js';
import * as text from '${base}/maskflow/dist/text.js';
import * as worker from '${base}/maskflow/dist/worker.js';
import { check } from '${base}/check.mjs';
const imported = performance.now();
const source = new URL('${base}/brackets.keras', import.meta.url);
const run = () => check({ mf, text, worker }, { source${options} }).then((result) => ({ ...result, imported }));`;

/**
 * Returns the script of a page whose package is at `base`. `options` is text with further options
 * for `check`.
 */
export const pageModule = (base, options) =>
  `${imports(base, options)} run().then((data) => { ${tell} });`;

/** Options for builds in one file, which contain neither the text layers nor the workers. */
const alone = "only: ['core', 'load']";
const single = `import * as mf from './maskflow/dist/single.js';
import { check } from './check.mjs';
const source = new URL('brackets.keras', import.meta.url);
const run = () => check({ mf }, { source, ${alone} });`;
const classic = `importScripts('maskflow/dist/maskflow.iife.js', 'check.js');
const source = new URL('brackets.keras', location.href);
const run = () => checks.check({ mf: maskflow }, { source, ${alone} });`;
const scripts = `${head}<script src="maskflow/dist/maskflow.iife.js"></script><script src="check.js"></script>
<script src="model.js"></script>
<script>checks.check({ mf: maskflow }, { source: model, ${alone} }).then((data) => { ${tell} });</script>`;

/** Code with which a worker of each kind sends its result to the page. */
const answer = {
  dedicated: 'run().then((r) => self.postMessage(r));',
  shared: 'self.onconnect = ({ ports: [port] }) => run().then((r) => port.postMessage(r));',
  service: 'self.onmessage = (e) => e.waitUntil(run().then((r) => e.source.postMessage(r)));',
};

const asks = {
  dedicated: (script, type) => `const w = new Worker('${script}', { type: '${type}' });
w.onmessage = ({ data }) => { ${tell} }; w.${failed};`,
  shared: (script, type) => `const w = new SharedWorker('${script}', { type: '${type}' });
w.port.onmessage = ({ data }) => { ${tell} }; w.${failed};`,
  service: (script, type) => `navigator.serviceWorker.onmessage = ({ data }) => { ${tell} };
await navigator.serviceWorker.register('${script}', { type: '${type}' });
(await navigator.serviceWorker.ready).active.postMessage(0);`,
};

/**
 * Returns the page and the script of a worker. `text` is code that imports the entries and defines
 * `run`.
 */
const inWorker = (name, kind, text, type = 'module') => ({
  [`${name}.html`]: page(asks[kind](`${name}.js`, type)),
  [`${name}.js`]: `${text}\n${answer[kind]}`,
});

/** An audio worklet, to which the page passes a loaded model. */
const worklet = {
  'worklet.html': page(`import * as mf from './maskflow/dist/index.js';
const context = new OfflineAudioContext(1, 128, 44100);
await context.audioWorklet.addModule('worklet.js');
const model = await mf.loadModel('brackets.keras');
const weights = model.getWeights().map((weight) => weight.data());
const given = { json: JSON.stringify(model), weights };
const node = new AudioWorkletNode(context, 'asked', { processorOptions: given });
node.port.onmessage = ({ data }) => { ${tell} };
node.connect(context.destination);
context.startRendering();`),
  'worklet.js': `import * as mf from './maskflow/dist/single.js';
import { check } from './check.mjs';
class Asked extends AudioWorkletProcessor {
  constructor({ processorOptions: { json, weights } }) {
    super();
    const loadModel = async (source) => {
      const told = await mf.loadModel(source).catch((error) => error.name);
      if (told !== 'UnsupportedError') throw new Error('loadModel: ' + told);
      const model = mf.Model.fromConfig(json);
      model.setWeights(weights);
      return model;
    };
    check({ mf: { ...mf, loadModel } }, { ${alone} }).then((result) => this.port.postMessage(result));
  }
  process = () => true;
}
registerProcessor('asked', Asked);`,
};

/** Returns a page that starts its own workers. */
const ownWorker = (name, settings, script) => ({
  [`${name}.html`]: page(pageModule('.', `, workers: { ${settings} }`)),
  ...(script && { [`${name}.js`]: script }),
});
const trusted = (path) =>
  `trustedTypes.createPolicy('workers', { createScriptURL: (url) => url }).createScriptURL('${path}')`;

const modules = imports();
const threaded = ", ready: { threads: 2 }, only: ['core', 'load']";
const mapped = imports()
  .replace("'./maskflow/dist/index.js'", "'maskflow'")
  .replaceAll("'./maskflow/dist/", "'maskflow/");

export const pageFiles = {
  'main.js': pageModule(),
  'plain.html': `${head}<script type="module" src="main.js"></script>`,
  'train.html': page(`import * as train from './maskflow/dist/train.js';
import { check } from './check.mjs';
check({ train }).then((data) => { ${tell} });`),
  'threads.html': page(pageModule('.', threaded)),
  ...inWorker('dedicated_threads', 'dedicated', imports('.', threaded)),
  ...ownWorker('worker_threads', 'threads: 2'),
  'map.html': `${head}<script type="importmap">{ "imports": {
    "maskflow": "./maskflow/dist/index.js", "maskflow/": "./maskflow/dist/" } }</script>
<script type="module">${mapped}
run().then((data) => { ${tell} });</script>`,
  ...inWorker('dedicated', 'dedicated', modules),
  ...inWorker('shared', 'shared', modules),
  ...inWorker('service', 'service', modules),
  ...inWorker('service_single', 'service', single),
  ...inWorker('dedicated_classic', 'dedicated', classic, 'classic'),
  ...inWorker('shared_classic', 'shared', classic, 'classic'),
  ...inWorker('service_classic', 'service', classic, 'classic'),
  ...ownWorker(
    'serve_classic',
    "worker: () => new Worker('serve_classic.js')",
    "importScripts('maskflow/dist/maskflow.iife.js'); maskflow.serve(maskflow);",
  ),
  ...ownWorker('trusted_url', `workerUrl: ${trusted('maskflow/dist/worker_main.js')}`),
  ...ownWorker(
    'trusted_own',
    `worker: ((own) => () => new Worker(own, { type: 'module' }))(${trusted('trusted_own.js')})`,
    `import * as mf from './maskflow/dist/index.js';
import { serve } from './maskflow/dist/worker.js';
serve(mf);`,
  ),
  ...worklet,
  'framed.html': page(`${modules} run().then((data) => parent.postMessage(data, '*'));`),
  'sandbox.html': `${head}<iframe sandbox="allow-scripts" src="framed.html"></iframe>
<script>onmessage = ({ data }) => { ${tell} };</script>`,
  'scripts.html': scripts,
};
