// SPDX-License-Identifier: MIT
// ready(): one load for all calls, wasm from any source, settings that later calls may change.
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import { relaxedFlag } from '../../scripts/lib/relaxed-flag.mjs';
import { entry, fresh } from '../support/fresh.js';
import { emptyModule } from '../support/marked_wasm.js';

const wasm = (variant) => new URL(`maskflow-${variant}.wasm`, entry);
const bytes = (variant) => readFileSync(wasm(variant)).length;
const { version } = JSON.parse(readFileSync(new URL('../package.json', entry), 'utf8'));

/** Without files of Node, as on a page, the wasm comes from its JavaScript chunk. */
const page = 'process.getBuiltinModule = undefined;';

test('concurrent and later calls share one promise and load one module', () => {
  const [sharesPromise, compilations] = fresh(`${page}
    let compiled = 0;
    const { compile, compileStreaming } = WebAssembly;
    // Small modules do not count, because Node itself compiles one for fetch.
    WebAssembly.compile = (bytes) => ((compiled += bytes.byteLength > 100000), compile(bytes));
    WebAssembly.compileStreaming = (answer) => (compiled++, compileStreaming(answer));
    const first = mf.ready();
    const same = [first === mf.ready()];
    await Promise.all([mf.ready({ seed: 1 }), mf.ready({ onMaskDropped: 'silent' }), first]);
    same.push(first === mf.ready());
    say(same);
    say(compiled);`);
  assert.deepEqual(sharesPromise, [true, true]);
  assert.equal(compilations, 1);
});

const engines = {
  'without compileStreaming': 'delete WebAssembly.compileStreaming;',
  'that streams from the network alone':
    "WebAssembly.compileStreaming = async () => { throw new TypeError('no response of fetch'); };",
  'without fromBase64': 'delete Uint8Array.fromBase64;',
};

for (const [title, change] of Object.entries(engines)) {
  test(`an engine ${title} loads the same wasm`, () => {
    const [info, sum] = fresh(`${page}${change}
      await mf.ready({ variant: 'simd' });
      say(mf.runtimeInfo());
      say(mf.ops.sum(mf.tensor([1, 2, 3])).item());`);
    assert.equal(info.wasmBytes, bytes('simd'));
    assert.equal(sum, 6);
  });
}

test('an engine with fromBase64 uses it', () => {
  const [decoded, size] = fresh(`${page}
    let decoded = 0;
    Uint8Array.fromBase64 = (text) => (decoded++, new Uint8Array(Buffer.from(text, 'base64')));
    globalThis.atob = () => { throw new Error('atob was called'); };
    await mf.ready({ variant: 'simd' });
    say(decoded);
    say(mf.runtimeInfo().wasmBytes);`);
  // The difference and the module that it changes.
  assert.deepEqual([decoded, size], [2, bytes('simd')]);
});

test('wasm that the engine cannot compile is a FormatError with the reason', () => {
  const [[name, message]] = fresh(`${page}
    const { compile } = WebAssembly;
    const refuse = async () => { throw new WebAssembly.CompileError('not here'); };
    // Small modules are compiled as usual, because Node itself needs one for fetch.
    WebAssembly.compile = (bytes) => (bytes.byteLength > 100000 ? refuse() : compile(bytes));
    WebAssembly.compileStreaming = refuse;
    await mf.ready({ variant: 'simd' }).catch((error) => say([error.name, error.message]));`);
  assert.equal(name, 'FormatError');
  assert.match(message, new RegExp(`the ${bytes('simd')} bytes .*not here`));
});

test('an unknown variant is refused whenever ready() is called', () => {
  const ask = `await mf.ready({ variant: Symbol('s') }).catch((error) => say([error.name, error.message]));`;
  const messages = fresh(`${ask} await mf.ready(); ${ask}`);
  assert.equal(messages.length, 2);
  for (const [name, message] of messages) {
    assert.equal(name, 'ValueError');
    assert.match(message, /variant .*'auto', 'simd' or 'relaxed'/);
  }
});

test('runtimeInfo has version, variant, semantics, settings and size', () => {
  const [info] = fresh(`await mf.ready({ variant: 'simd' }); say(mf.runtimeInfo());`);
  assert.deepEqual(info, {
    version,
    variant: 'simd',
    layers: 'all',
    kerasSemantics: '3.15',
    maskPropagation: 'keras-3.15',
    onMaskDropped: 'warn',
    wasmBytes: bytes('simd'),
    threads: 1,
    threadsReason: null,
  });
});

test('before ready() every call is a StateError', () => {
  const calls = ['tensor([1])', 'memory()', 'runtimeInfo()', 'Input({ shape: [1] })'];
  const [names] = fresh(`say([${calls.map((call) => `() => mf.${call}`)}].map((f) => {
    try { f(); return 'no error'; } catch (error) { return error.name + ' ' + /ready\\(\\)/.test(error.message); }
  }));`);
  assert.deepEqual(
    names,
    calls.map(() => 'StateError true'),
  );
});

test("an engine without relaxed SIMD loads the other variant, and an explicit 'relaxed' is refused", () => {
  const body = `const { validate } = WebAssembly;
    const relaxedMadd = 133;
    WebAssembly.validate = (bytes) => !bytes.includes(relaxedMadd) && validate(bytes);
    await mf.ready({ variant: 'relaxed' }).catch((error) => say([error.name, error.message]));
    await mf.ready();
    say(mf.runtimeInfo().variant);`;
  const [refusal, variant] = fresh(body);
  assert.equal(refusal[0], 'UnsupportedError');
  assert.match(refusal[1], /relaxed SIMD.*'simd' or 'auto'/);
  assert.equal(variant, 'simd');
});

test('an engine without SIMD is named as the reason', () => {
  const [[name, message]] = fresh(`WebAssembly.validate = () => false;
    await mf.ready().catch((error) => say([error.name, error.message]));`);
  assert.equal(name, 'UnsupportedError');
  assert.match(message, /no WebAssembly SIMD.*Chrome 95/);
});

const sources = {
  'a file: URL': 'new URL(address)',
  'an address as text': 'address',
  'a Response': `new Response(await read(), { headers: { 'content-type': 'application/wasm' } })`,
  'an ArrayBuffer': '(await read()).buffer.slice(0)',
  'a view on bytes': 'new Uint8Array([0, ...await read()]).subarray(1)',
  'a data: URL': `new URL('data:application/wasm;base64,' + (await read()).toString('base64'))`,
  'a WebAssembly.Module': 'new WebAssembly.Module(await read())',
  'a WebAssembly.Module of another realm':
    "new (process.getBuiltinModule('vm').runInNewContext('WebAssembly.Module'))(await read())",
};

for (const [title, source] of Object.entries(sources)) {
  test(`loads the wasm from ${title}`, () => {
    const [size, sum] = fresh(`
      const { readFileSync } = await import('node:fs');
      const address = '${wasm('simd')}';
      const read = async () => Buffer.from(new Uint8Array(readFileSync(new URL(address))));
      await mf.ready({ variant: 'simd', wasm: ${source} });
      say(mf.runtimeInfo().wasmBytes);
      say(mf.ops.sum(mf.tensor([1, 2, 3])).item());`);
    assert.equal(size, title.includes('Module') ? 0 : bytes('simd'));
    assert.equal(sum, 6);
  });
}

for (const [title, change, options, variant] of [
  ['the one that is asked for', '', "{ variant: 'simd', wasm }", 'simd'],
  [
    'simd in an engine without relaxed SIMD',
    'const { validate } = WebAssembly; WebAssembly.validate = (bytes) => !bytes.includes(133) && validate(bytes);',
    '{ wasm }',
    'simd',
  ],
  ['relaxed if the engine has it', '', '{ wasm }', 'relaxed'],
]) {
  test(`of the wasm of both variants, ready() chooses ${title}`, () => {
    const [info] = fresh(
      `${change}
      const { wasm } = await import('${new URL('wasm.js', entry)}');
      await mf.ready(${options});
      say(mf.runtimeInfo());`,
      { flags: relaxedFlag(process.execPath) },
    );
    assert.deepEqual([info.variant, info.wasmBytes], [variant, bytes(variant)]);
  });
}

for (const [title, type, streamedModules] of [
  ['with the content type of wasm is compiled while it arrives', 'application/wasm', 1],
  ['with another content type is compiled afterwards', 'application/octet-stream', 0],
]) {
  test(`a response ${title}`, () => {
    const [info, count] = fresh(`
      const { readFileSync } = await import('node:fs');
      let count = 0;
      const { compileStreaming } = WebAssembly;
      WebAssembly.compileStreaming = (response) => (count++, compileStreaming(response));
      const headers = { 'content-type': '${type}' };
      globalThis.fetch = async () => new Response(readFileSync(new URL('${wasm('simd')}')), { headers });
      await mf.ready({ variant: 'simd', wasm: 'https://example.com/maskflow-simd.wasm' });
      say(mf.runtimeInfo());
      say(count);`);
    assert.deepEqual([info.wasmBytes, count], [bytes('simd'), streamedModules]);
  });
}

const invalidSources = {
  'a number': ['5', 'ValueError', /wasm is 5 but must be an address.*\{ relaxed \}/],
  'an object without variants': [
    '{}',
    'ValueError',
    /wasm\.relaxed is undefined but must be an address/,
  ],
  'a single variant': [
    "{ simd: new URL('file:///nowhere.wasm') }",
    'ValueError',
    /wasm\.relaxed is undefined/,
  ],
  'an unknown variant': [
    "{ simd: '', relaxed: '', fast: '' }",
    'ConfigError',
    /unknown option 'fast'; the options are simd, relaxed, threads/,
  ],
  'a variant that is not wasm': [
    "{ simd: '', relaxed: [] }",
    'ValueError',
    /wasm\.relaxed is a list/,
  ],
  'a page in place of the wasm': [
    "new Response('<!doctype html>', { headers: { 'content-type': 'text/html' } })",
    'FormatError',
    /15 bytes.*not WebAssembly/,
  ],
  'damaged wasm': [
    "new Response('no', { headers: { 'content-type': 'application/wasm' } })",
    'FormatError',
    /given or fetched as wasm is not WebAssembly.*maskflow-simd\.wasm/,
  ],
  'bytes that are not wasm': [
    'new Uint8Array([1, 2, 3])',
    'FormatError',
    /3 bytes.*not WebAssembly/,
  ],
  // The bytes of (module), and of (module (import "env" "absent" (func))).
  'an empty module': [
    'new Uint8Array([0, 97, 115, 109, 1, 0, 0, 0])',
    'FormatError',
    /without the mark of a build .*must be maskflow-\w+\.wasm of maskflow \d/,
  ],
  'a module of something else': [
    `new Uint8Array([${emptyModule(`${version} simd 99 all`)}, 1, 4, 1, 96, 0, 0, 2, 14, 1, 3, 101, 110, 118, 6, 97, 98,
      115, 101, 110, 116, 0, 0])`,
    'FormatError',
    /not that of maskflow .*absent/,
  ],
  'an HTTP error': [
    `new Response('', { status: 404, statusText: 'Not Found' })`,
    'StateError',
    /404 Not Found/,
  ],
  'a file that does not exist': [
    "new URL('file:///nowhere.wasm')",
    'StateError',
    /'file:\/\/\/nowhere\.wasm'.*ENOENT/,
  ],
};

for (const [title, [source, name, message]] of Object.entries(invalidSources)) {
  test(`${title} is an error, after which ready() works`, () => {
    const [[errorName, text], sum] = fresh(`
      await mf.ready({ wasm: ${source} }).catch((error) => say([error.name, error.message]));
      await mf.ready();
      say(mf.ops.sum(mf.tensor([1, 2, 3])).item());`);
    assert.equal(errorName, name);
    assert.match(text, message);
    assert.equal(sum, 6);
  });
}

test('a seed determines the initial weights', () => {
  const [first, second, third] = fresh(`
    const kernel = async (seed) => {
      await mf.ready({ seed });
      const layer = mf.layers.dense({ units: 3 });
      layer.build([null, 4]);
      say(layer.getWeights()[0].array());
    };
    await kernel(7);
    await kernel(7);
    await kernel(8);`);
  assert.deepEqual(first, second);
  assert.notDeepEqual(first, third);
});

test('an unknown variant is a ValueError that names the known ones', () => {
  const [[name, message]] = fresh(
    `await mf.ready({ variant: 'threads' }).catch((error) => say([error.name, error.message]));`,
  );
  assert.equal(name, 'ValueError');
  assert.match(message, /threads.*'auto', 'simd' or 'relaxed'/);
});
