// SPDX-License-Identifier: MIT
// The package starts in environments that lack something; each case runs in its own process.
import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { cpSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { fresh } from '../support/fresh.js';

const run = promisify(execFile);
const dist = fileURLToPath(new URL('../../dist/', import.meta.url));
/** A copy of the package without the wasm files, as in a bundle. */
let withoutWasm;
before(() => {
  withoutWasm = mkdtempSync(join(tmpdir(), 'maskflow-start-'));
  cpSync(dist, withoutWasm, {
    recursive: true,
    filter: (path) => !/\.(wasm|map)$|\/(page|types|types-cjs)$/.test(path),
  });
});
after(() => rmSync(withoutWasm, { recursive: true }));

const program = `
  const told = ({ name, message }) => name + ': ' + message;
  const start = async (mf) => {
    await mf.ready();
    const sum = mf.ops.add([1, 2], 1).array().join();
    return sum + ' ' + (mf.runtimeInfo().wasmBytes > 100000);
  };
  load().then(start).then(console.log, (error) => console.log(told(error)));`;

/** Returns the output of a program that starts with `first`, in Node with these flags. */
async function outputOf({ folder = dist, first = '', flags = [], commonJs = false } = {}) {
  const load = commonJs
    ? `const load = async () => require(${JSON.stringify(join(folder, 'index.cjs'))});`
    : `const load = () => import(${JSON.stringify(join(folder, 'index.js'))});`;
  const { stdout } = await run(process.execPath, [...flags, '-e', first + load + program]);
  return stdout.trim();
}

const bare = 'delete globalThis.Response; delete globalThis.DecompressionStream;';

test('loads the wasm file beside it, in both kinds of modules', async () => {
  assert.equal(await outputOf(), '2,3 true');
  assert.equal(await outputOf({ commonJs: true }), '2,3 true');
  // Test runners with a sandbox have few globals.
  assert.equal(await outputOf({ first: bare, commonJs: true }), '2,3 true');
});

test('loads the wasm from the text in its chunk if there is no file, with any decompression that the engine has', async () => {
  assert.equal(await outputOf({ folder: withoutWasm }), '2,3 true');
  assert.equal(await outputOf({ folder: withoutWasm, first: bare }), '2,3 true');
  assert.equal(await outputOf({ folder: withoutWasm, commonJs: true }), '2,3 true');
});

test('ignores the file of another version', async () => {
  const file = readFileSync(join(dist, 'maskflow-simd.wasm'));
  const mark = file.lastIndexOf('maskflow');
  assert.match(file.subarray(mark).toString(), /^maskflow\d+\.\d+\.\d+ simd \d+ all$/);
  const otherVersion = Buffer.from(file);
  otherVersion[mark + 'maskflow'.length] += 1;
  // A modified file still computes; its reported size shows whether it was used.
  const path = join(withoutWasm, 'maskflow-simd.wasm');
  writeFileSync(path, Buffer.concat([otherVersion, Buffer.from([0, 2, 1, 97])]));
  const size =
    "const load0 = load; load = async () => { const mf = await load0(); await mf.ready({ variant: 'simd' }); console.log(mf.runtimeInfo().wasmBytes); return mf; };";
  try {
    const result = await run(process.execPath, [
      '-e',
      `let load = () => import(${JSON.stringify(join(withoutWasm, 'index.js'))});${size}${program}`,
    ]);
    assert.equal(result.stdout.split('\n')[0], String(file.length));
  } finally {
    rmSync(path);
  }
});

test('without WebAssembly, or if a policy forbids it, the error names the cause and the remedy', async () => {
  const message = /^UnsupportedError: WebAssembly is missing.*--jitless/;
  assert.match(await outputOf({ flags: ['--jitless', '--no-warnings'] }), message);
  assert.match(await outputOf({ folder: withoutWasm, flags: ['--jitless'] }), message);
  const refuse = (message) => `
    const no = function () { throw new WebAssembly.CompileError(${JSON.stringify(message)}); };
    WebAssembly.Module = no; WebAssembly.compile = async () => no(); WebAssembly.compileStreaming = async () => no();`;
  const chrome =
    "WebAssembly.compile(): Compiling or instantiating WebAssembly module violates the following Content Security policy directive because neither 'wasm-eval' nor 'unsafe-eval' is an allowed source";
  const firefox = 'call to WebAssembly.compile() blocked by CSP';
  const workerd = 'WebAssembly.compile(): Wasm code generation disallowed by embedder';
  for (const folder of [dist, withoutWasm]) {
    for (const policy of [chrome, firefox]) {
      assert.match(
        await outputOf({ folder, first: bare + refuse(policy) }),
        /^UnsupportedError: .*Content-Security-Policy.*'wasm-unsafe-eval'/,
      );
    }
    assert.match(
      await outputOf({ folder, first: bare + refuse(workerd) }),
      /^UnsupportedError: .*import wasm from 'maskflow\/maskflow-simd\.wasm'.*ready\(\{ wasm \}\)/,
    );
  }
});

test('a wasm passed to ready() determines the variant', async () => {
  const { stdout } = await run(process.execPath, [
    '-e',
    `import(${JSON.stringify(join(dist, 'index.js'))}).then(async (mf) => {
      const bytes = require('fs').readFileSync(${JSON.stringify(join(dist, 'maskflow-simd.wasm'))});
      await mf.ready({ wasm: await WebAssembly.compile(bytes) });
      console.log(mf.runtimeInfo().variant);
    })`,
  ]);
  assert.equal(stdout.trim(), 'simd');
});

test('the stack of an error in CommonJS names the functions of the package', async () => {
  const { loadModel } = createRequire(import.meta.url)(join(dist, 'index.cjs'));
  const { stack } = await loadModel(new Uint8Array(50)).catch((error) => error);
  assert.match(stack, /^FormatError: /);
  for (const name of ['readContainer', 'readArtifact', 'readModel'])
    assert.match(stack, new RegExp(`at (?:async )?(?:\\w+\\.)?${name} \\(.*\\.cjs:\\d+:\\d+\\)`));
});

test('CommonJS dynamically imports only the text of the wasm', () => {
  // The pattern requires an argument, because a message about service workers contains "import()".
  const imports = readdirSync(dist)
    .filter((name) => name.endsWith('.cjs'))
    .flatMap((name) => readFileSync(join(dist, name), 'utf8').match(/\bimport\([^)]+\)/g) ?? []);
  assert.ok(imports.length >= 2);
  for (const text of imports)
    assert.match(
      text,
      /chunks\/(((recurrent|train)-)?(simd|relaxed|threads|simd_threads)|worker_(train_)?script)\.js/,
    );
});

test('a model loads in a sandbox whose setImmediate and MessageChannel throw', () => {
  const path = fileURLToPath(new URL('../fixtures/trained/brackets.keras', import.meta.url));
  const [score] = fresh(`
    const fail = () => { throw new Error('not supported'); };
    Object.assign(globalThis, { setImmediate: fail, MessageChannel: class { constructor() { fail(); } } });
    const model = await mf.loadModel(${JSON.stringify(path)});
    say(model.predict([[1, 3, 2, 4]]).item());`);
  assert.ok(score < 0.01);
});
