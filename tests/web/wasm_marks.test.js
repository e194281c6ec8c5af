// SPDX-License-Identifier: MIT
// ready({ wasm }) and openWorker({ wasm }) accept only the module of their own version and entry,
// from any source.
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { suite, test } from 'node:test';
import * as mf from '../../dist/index.js';
import * as recurrent from '../../dist/recurrent.js';
import * as train from '../../dist/train.js';
import { openPool, openWorker } from '../../dist/worker.js';
import { fresh } from '../support/fresh.js';
import { bytesOf, emptyModule, fileOf, markIn, withMark } from '../support/marked_wasm.js';

const { version } = JSON.parse(readFileSync(new URL('../../package.json', import.meta.url)));
const simd = bytesOf('simd');
const wasmType = { headers: { 'content-type': 'application/wasm' } };

/** The same wasm as every kind of source that ready() accepts. */
const sources = {
  bytes: (bytes) => bytes,
  'an ArrayBuffer': (bytes) =>
    bytes.buffer.slice(bytes.byteOffset, bytes.byteOffset + bytes.length),
  'a module': (bytes) => new WebAssembly.Module(bytes),
  'a response': (bytes) => new Response(bytes, wasmType),
  'a response of another type': (bytes) => new Response(bytes),
  'an address': (bytes) => `data:application/wasm;base64,${Buffer.from(bytes).toString('base64')}`,
};

const size = simd.length;
/** Marks of other modules, with the words that describe them in the error. */
const marks = {
  'an older version': [`0.0.9 simd ${size} all`, 'maskflow-simd.wasm of maskflow 0.0.9'],
  'a newer version': [`99.0.0-rc.1 simd ${size} all`, 'maskflow-simd.wasm of maskflow 99.0.0-rc.1'],
  'the recurrent module': [
    `${version} simd ${size} recurrent`,
    `maskflow-recurrent-simd.wasm of maskflow ${version}`,
  ],
  'the module that trains': [
    `${version} simd ${size} train`,
    `maskflow-train-simd.wasm of maskflow ${version}`,
  ],
  'no mark': [null, 'without the mark of a build of maskflow'],
  'a mark without layers': [`${version} simd ${size}`, 'without the mark of a build of maskflow'],
  'a mark of unknown layers': [`${version} simd ${size} more`, 'without the mark'],
  'a mark with control characters': [`${version}\x1b[31m simd ${size} all`, 'without the mark'],
  'a mark of many letters': ['9'.repeat(100), 'without the mark'],
};

const isRefusal =
  (description, expectedFile = 'maskflow-simd.wasm') =>
  (error) => {
    assert.equal(error.name, 'FormatError', error.message);
    const remedy = 'take all files of the package from one release';
    const how = expectedFile.endsWith('relaxed.wasm') ? ', passed as { relaxed }' : '';
    const ending = `but must be ${expectedFile} of maskflow ${version}${how}; ${remedy}`;
    assert.ok(error.message.startsWith(`the wasm is ${description}`), error.message);
    assert.ok(error.message.endsWith(ending), error.message);
    return true;
  };

/** Files that the error asks for in place of a wasm of `simd`: the package has one file of it. */
const fileFor = {
  '': 'maskflow-simd.wasm',
  'recurrent-': 'maskflow-recurrent-relaxed.wasm',
  'train-': 'maskflow-train-relaxed.wasm',
};

suite('a wasm of another version, entry or variant', () => {
  for (const [kind, sourceOf] of Object.entries(sources)) {
    for (const [title, [mark, description]] of Object.entries(marks)) {
      test(`${title} is refused, as ${kind}`, async () => {
        const wasm = sourceOf(withMark(simd, mark));
        await assert.rejects(mf.ready({ wasm }), isRefusal(description));
      });
    }
  }
  test('is refused if it is the chosen one of two variants, and the other is not compiled instead', async () => {
    const older = withMark(simd, `0.0.9 simd ${size} all`);
    const description = 'maskflow-simd.wasm of maskflow 0.0.9';
    const wasm = { simd: older, relaxed: older };
    await assert.rejects(mf.ready({ variant: 'simd', wasm }), isRefusal(description));
  });
  test('is refused by each entry, which accepts only its own', async () => {
    const entries = { '': mf, 'recurrent-': recurrent, 'train-': train };
    for (const [ownPrefix, entry] of Object.entries(entries)) {
      for (const otherPrefix of Object.keys(entries)) {
        if (otherPrefix === ownPrefix) continue;
        const layers = otherPrefix.slice(0, -1) || 'all';
        const wasm = withMark(simd, `${version} simd ${size} ${layers}`);
        const description = `maskflow-${otherPrefix}simd.wasm of maskflow ${version}`;
        await assert.rejects(entry.ready({ wasm }), isRefusal(description, fileFor[ownPrefix]));
      }
    }
  });
  test('is refused if the variants are swapped, or another variant is requested', async () => {
    const relaxed = withMark(simd, `${version} relaxed ${size} all`);
    const description = `maskflow-relaxed.wasm of maskflow ${version}`;
    const swapped = { simd: relaxed, relaxed: simd };
    await assert.rejects(mf.ready({ variant: 'simd', wasm: swapped }), isRefusal(description));
    await assert.rejects(mf.ready({ variant: 'simd', wasm: relaxed }), isRefusal(description));
  });
  test('is refused by openWorker and openPool, with and without a custom script', async () => {
    const { Worker } = await import('node:worker_threads');
    const script = new URL('../support/own_worker.js', import.meta.url);
    for (const options of [{}, { worker: () => new Worker(script) }]) {
      for (const [mark, description] of [marks['an older version'], marks['no mark']]) {
        const wasm = withMark(simd, mark);
        await assert.rejects(openWorker({ wasm, ...options }), isRefusal(description));
        await assert.rejects(openPool({ size: 2, wasm, ...options }), isRefusal(description));
      }
      const wasm = withMark(simd, `${version} simd ${size} recurrent`);
      const description = `maskflow-recurrent-simd.wasm of maskflow ${version}`;
      await assert.rejects(openWorker({ wasm, ...options }), isRefusal(description));
    }
    const description = `maskflow-simd.wasm of maskflow ${version}`;
    const training = openWorker({ wasm: simd, train: true });
    await assert.rejects(training, isRefusal(description, fileFor['train-']));
  });
});

test('a marked module with other exports is a FormatError that says so', async () => {
  const mark = `${version} simd 30 all`;
  await assert.rejects(mf.ready({ wasm: emptyModule(mark) }), {
    name: 'FormatError',
    message: /not that of maskflow \d/,
  });
});

test('runtimeInfo describes the module that runs, for each file of the package', () => {
  for (const [name, entry, layers] of [
    ['simd', 'index', 'all'],
    ['relaxed', 'index', 'all'],
    ['recurrent-relaxed', 'recurrent', 'recurrent'],
    ['train-relaxed', 'train', 'train'],
  ]) {
    const variant = name.replace(/.*-/, '');
    assert.equal(markIn(bytesOf(name)), `${version} ${variant} ${bytesOf(name).length} ${layers}`);
    const wasm = variant === 'simd' ? `'${fileOf(name)}'` : `{ relaxed: '${fileOf(name)}' }`;
    const [info] = fresh(`
      const entry = await import('${new URL(`../../dist/${entry}.js`, import.meta.url)}');
      await entry.ready({ wasm: ${wasm}, variant: 'simd' });
      say(entry.runtimeInfo());`);
    assert.deepEqual([info.layers, info.variant, info.version], [layers, 'simd', version]);
  }
});

test('after all refusals ready() works', async () => {
  await mf.ready({ wasm: simd });
  assert.equal(mf.runtimeInfo().variant, 'simd');
  assert.equal(mf.ops.sum(mf.tensor([1, 2, 3])).item(), 6);
});
