// SPDX-License-Identifier: MIT
// The wasm as a file in place of the script that contains it: from the installed package, and from
// a Vite project without configuration, under a policy that allows only the page's own origin.
import assert from 'node:assert/strict';
import { symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { after, before, suite, test } from 'node:test';
import { at } from '../../scripts/lib/files.mjs';
import { serve } from '../../scripts/lib/serve.mjs';
import { launchChrome, skip } from '../browser/support/browser.js';
import { complaintsOf, makeConsumer, node } from './support/consumer.js';

const use = (entry) => `import * as mf from '${entry}';
import { wasm } from '${entry}/wasm';`;
const program = `
  await mf.ready({ wasm, variant: 'simd' });
  const model = new mf.Sequential([mf.Input({ shape: [null, 1] }), mf.layers.lstm({ units: 2 })]);
  const { shape } = model.predict([[[1], [2]]]);
  const { layers, variant, wasmBytes } = mf.runtimeInfo();`;
const expected = { shape: [1, 2], variant: 'simd' };
const script = (imports) => `${imports}
const run = async () => {${program}
  return { shape, layers, variant, wasmBytes };
};
run().then((result) => { window.result = result; }, (error) => { window.result = { error: String(error) }; });`;

const page = (src) =>
  `<!doctype html><meta charset="utf-8"><title>wasm</title><link rel="icon" href="data:,"><script type="module" src="${src}"></script>`;
const policy = "default-src 'self'; script-src 'self' 'wasm-unsafe-eval'; img-src data:";

const dist = '/node_modules/maskflow/dist';
/** Pairs of an entry as bare imports name it and its file on a server. */
const entries = {
  'maskflow/recurrent': 'recurrent',
  maskflow: 'all',
  'maskflow/train': 'train',
};
const sub = (entry) => entry.split('/')[1];
const imports = (entry) => {
  const name = sub(entry);
  return `import * as mf from '${dist}/${name ?? 'index'}.js';
import { wasm } from '${dist}/${name ? `${name}_` : ''}wasm.js';`;
};

suite('the wasm as a file', () => {
  let consumer;
  let browser;
  before(async () => {
    const files = { 'index.html': page('/main.js'), 'main.js': script(use('maskflow/recurrent')) };
    for (const [entry, name] of Object.entries(entries)) {
      files[`${name}.html`] = page(`${name}.js`);
      files[`${name}.js`] = script(imports(entry));
    }
    consumer = makeConsumer(files);
    symlinkSync(at('node_modules', 'vite'), join(consumer.folder, 'node_modules', 'vite'), 'dir');
    if (!skip) browser = await launchChrome();
  });
  after(async () => {
    await browser?.close();
    consumer?.remove();
  });

  /**
   * Returns the result of a page, and the further files that it fetches, without the bundler's
   * hashes.
   */
  async function visit(folder, path) {
    const server = await serve(folder, { headers: { 'content-security-policy': policy } });
    try {
      const tab = await browser.newPage();
      const requests = [];
      const faults = [];
      tab.on('console', (message) => faults.push(message.text()));
      tab.on('request', (request) => requests.push(new URL(request.url()).pathname));
      await tab.goto(server.url + path);
      await tab.waitForFunction(() => 'result' in window);
      const result = await tab.evaluate(() => window.result);
      await tab.close();
      assert.deepEqual([result.error, faults], [undefined, []]);
      const names = requests.map((file) => file.replace(/.*\//, '').replace(/-[\w-]{8}\./, '.'));
      return { result, names: names.slice(2).sort() };
    } finally {
      await server.close();
    }
  }

  const perEntry = {
    recurrent: [
      'core.js',
      'glue.js',
      'maskflow-recurrent-relaxed.wasm',
      'other_wasm.js',
      'recurrent-simd.js',
      'recurrent.js',
      'recurrent_wasm.js',
      'tensor.js',
    ],
    all: [
      'all_layers.js',
      'core.js',
      'glue.js',
      'index.js',
      'maskflow-simd.wasm',
      'tensor.js',
      'wasm.js',
    ],
    train: ['glue.js', 'maskflow-train-relaxed.wasm', 'train-simd.js', 'train.js', 'train_wasm.js'],
  };
  for (const [name, files] of Object.entries(perEntry)) {
    test(`a page without a bundler fetches one wasm, and no script that contains it: ${name}`, {
      skip,
    }, async () => {
      const { result, names } = await visit(consumer.folder, `${name}.html`);
      const { wasmBytes, ...facts } = result;
      assert.deepEqual(facts, { ...expected, layers: name });
      assert.ok(wasmBytes > 300_000, `${wasmBytes}`);
      const missing = files.filter((file) => !names.includes(file));
      assert.deepEqual(missing, []);
      // maskflow and maskflow/train share more files, all of which are small.
      assert.deepEqual(
        names.filter((file) => /simd|relaxed|wasm$/.test(file)),
        files.filter((file) => /simd|relaxed|wasm$/.test(file)),
      );
      if (name === 'recurrent') assert.deepEqual(names, files);
    });
  }

  test('Vite emits both as assets, of which a page fetches one', { skip }, async () => {
    const vite = join('node_modules', 'vite', 'bin', 'vite.js');
    const buildOutput = node(consumer.folder, vite, 'build', '--logLevel', 'info');
    assert.deepEqual(complaintsOf(buildOutput), []);
    const { result, names } = await visit(join(consumer.folder, 'dist'), '');
    assert.deepEqual(result.shape, expected.shape);
    // Vite adds a hash of its own to the names of chunks.
    const chunks = names.map((name) => name.replace(/-[\w-]{8}\./, '.'));
    const parts = ['other_wasm.js', 'recurrent-simd.js'];
    assert.deepEqual(chunks, ['maskflow-recurrent-relaxed.wasm', ...parts]);
  });

  test('Node reads it, from ESM and CommonJS', () => {
    for (const entry of Object.keys(entries)) {
      const say = 'console.log(JSON.stringify({ shape, variant, layers }));';
      const esm = `${use(entry)}${program}${say}`;
      const cjs = `const mf = require('${entry}'); const { wasm } = require('${entry}/wasm'); (async () => {${program}${say}})();`;
      for (const flags of [
        ['--input-type=module', '-e', esm],
        ['--input-type=commonjs', '-e', cjs],
      ]) {
        const result = JSON.parse(node(consumer.folder, ...flags));
        assert.deepEqual(result, { ...expected, layers: entries[entry] });
      }
    }
  });
});
