// SPDX-License-Identifier: MIT
// maskflow/single: the package in one file.
import assert from 'node:assert/strict';
import { after, before, suite, test } from 'node:test';
import { build } from 'esbuild';
import { makeConsumer, node } from './support/consumer.js';

const compute = `
  const x = mf.tensor([[[1, 2], [9, 9]]]);
  const y = mf.layers.lstm({ units: 2, returnSequences: true }).apply(x, { mask: [[true, false]] });
  const [[kept, masked]] = y.array();
  console.log(mf.runtimeInfo().variant, String(kept) === String(masked), kept.some(Boolean));`;
const expected = 'simd true true';
const fromEsm = `import * as mf from 'maskflow/single'; await mf.ready(); ${compute}`;
const fromCjs = `const mf = require('maskflow/single'); mf.ready().then(() => {${compute}});`;

const compare = `import * as mf from 'maskflow';
import * as single from 'maskflow/single';
const without = (other) => (name) => !(name in other);
const added = Object.keys(single).filter(without(mf));
console.log(JSON.stringify([added, Object.keys(mf).filter(without(single))]));`;

/**
 * A program with two copies of the package: they can exchange tensors, but refuse each other's
 * layers with a message.
 */
const twoCopies = `import * as mf from 'maskflow';
import * as single from 'maskflow/single';
await Promise.all([mf.ready(), single.ready()]);
const said = [mf, single].map((one) => {
  const other = one === mf ? single : mf;
  const sum = one.ops.add(other.tensor([1]), 1).array();
  try {
    new one.Sequential([other.layers.dense({ units: 1 })]);
  } catch (error) {
    return [sum, error instanceof other.ConfigError, /another copy of maskflow/.test(error.message)];
  }
});
console.log(JSON.stringify([...said, globalThis.maskflow.ready === single.ready]));`;

suite('the package in one file', () => {
  let consumer;
  before(() => {
    consumer = makeConsumer();
  });
  after(() => consumer?.remove());
  const run = (text, type = 'module') =>
    node(consumer.folder, `--input-type=${type}`, '-e', text).trim();

  test('computes from ESM', () => assert.equal(run(fromEsm), expected));
  test('computes from CommonJS', () => assert.equal(run(fromCjs, 'commonjs'), expected));
  test('exports the names of the main entry, and serve', () =>
    assert.deepEqual(JSON.parse(run(compare)), [['serve'], []]));
  test('works beside the main entry', () =>
    assert.deepEqual(JSON.parse(run(twoCopies)), [[[2], true, true], [[2], true, true], true]));

  test('computes without codecs, as in audio worklets', () => {
    const output = run(`import { readFileSync } from 'node:fs';
      import { createContext, runInContext } from 'node:vm';
      const script = new URL('./maskflow.iife.js', import.meta.resolve('maskflow/single'));
      const context = createContext({ atob });
      runInContext(readFileSync(script, 'utf8'), context);
      const program = \`maskflow.ready().then(() => {
        const layer = maskflow.layers.dense({ units: 1, name: 'Größe ✓ 😀', useBias: false });
        const y = layer.apply([[2]]);
        layer.setWeights([[[3]]]);
        return [typeof TextEncoder, layer.name, layer.apply([[2]]).item()].join(' ');
      })\`;
      console.log(await runInContext(program, context));`);
    assert.equal(output, 'undefined Größe ✓ 😀 6');
  });

  test('names the entry of text layers', () => {
    const text = { class_name: 'TextVectorization', config: { name: 'text', vocabulary: ['a'] } };
    const config = { name: 'model', layers: [{ module: 'keras.layers', ...text }] };
    const model = JSON.stringify({ module: 'keras', class_name: 'Sequential', config });
    const output = run(`import { loadModel } from 'maskflow/single';
      const bytes = new TextEncoder().encode(${JSON.stringify(model)});
      loadModel(bytes, { weights: null }).catch((error) => console.log(String(error)));`);
    assert.match(
      output,
      /^UnsupportedError: .*import 'maskflow\/text'.* and 'maskflow' in place of/,
    );
  });

  const bundle = async (contents) => {
    const { outputFiles, warnings } = await build({
      stdin: { contents, resolveDir: consumer.folder },
      ...{ bundle: true, write: false, splitting: true, format: 'esm', outdir: consumer.folder },
      logLevel: 'silent',
    });
    assert.deepEqual([warnings, outputFiles.length], [[], 1]);
    return outputFiles[0].text;
  };
  test('can be bundled into one file', async () => {
    const text = await bundle(
      `import { loadModel, ready, serve } from 'maskflow/single'; serve({ loadModel, ready });`,
    );
    // Does not use assert.doesNotMatch, whose message would contain the whole file.
    assert.equal(/\bimport\b *[({*."']/.test(text.replaceAll(/`[^`]*`/g, '')), false);
  });
  test('is kept by a bundler if imported only for its global', async () =>
    assert.ok((await bundle(`import 'maskflow/single';`)).length > 400_000));
});
