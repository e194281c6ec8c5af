// SPDX-License-Identifier: MIT
// How the package starts where something is missing: each way in a process of its own.
import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { cpSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { fresh } from '../support/fresh.js';

const run = promisify(execFile);
const dist = fileURLToPath(new URL('../../dist/', import.meta.url));
/** A copy without the wasm files, as in a bundle. */
let without;
before(() => {
  without = mkdtempSync(join(tmpdir(), 'maskflow-start-'));
  cpSync(dist, without, {
    recursive: true,
    filter: (path) => !/\.(wasm|map)$|\/(page|types|types-cjs)$/.test(path),
  });
});
after(() => rmSync(without, { recursive: true }));

const program = `
  const told = ({ name, message }) => name + ': ' + message;
  const start = async (mf) => {
    await mf.ready();
    const sum = mf.ops.add([1, 2], 1).array().join();
    return sum + ' ' + (mf.runtimeInfo().wasmBytes > 100000);
  };
  load().then(start).then(console.log, (error) => console.log(told(error)));`;

/** What a program prints that begins with these lines, in Node with these flags. */
async function printed({ folder = dist, first = '', flags = [], commonJs = false } = {}) {
  const load = commonJs
    ? `const load = async () => require(${JSON.stringify(join(folder, 'index.cjs'))});`
    : `const load = () => import(${JSON.stringify(join(folder, 'index.js'))});`;
  const { stdout } = await run(process.execPath, [...flags, '-e', first + load + program]);
  return stdout.trim();
}

const bare = 'delete globalThis.Response; delete globalThis.DecompressionStream;';

test('from the file beside it, in both kinds of modules', async () => {
  assert.equal(await printed(), '2,3 true');
  assert.equal(await printed({ commonJs: true }), '2,3 true');
  // Sandboxes of test runners have few globals.
  assert.equal(await printed({ first: bare, commonJs: true }), '2,3 true');
});

test('from the text in its chunk, where there is no file; with what the engine has to unpack it', async () => {
  assert.equal(await printed({ folder: without }), '2,3 true');
  assert.equal(await printed({ folder: without, first: bare }), '2,3 true');
  assert.equal(await printed({ folder: without, commonJs: true }), '2,3 true');
});

test('not from the file of another version', async () => {
  const file = readFileSync(join(dist, 'maskflow-simd.wasm'));
  const mark = file.lastIndexOf('maskflow');
  assert.match(file.subarray(mark).toString(), /^maskflow\d+\.\d+\.\d+ simd \d+$/);
  const other = Buffer.from(file);
  other[mark + 'maskflow'.length] += 1;
  // It would compute all the same: that it is not taken shows in what stands in its place.
  const path = join(without, 'maskflow-simd.wasm');
  writeFileSync(path, Buffer.concat([other, Buffer.from([0, 2, 1, 97])]));
  const size =
    "const load0 = load; load = async () => { const mf = await load0(); await mf.ready({ variant: 'simd' }); console.log(mf.runtimeInfo().wasmBytes); return mf; };";
  try {
    const said = await run(process.execPath, [
      '-e',
      `let load = () => import(${JSON.stringify(join(without, 'index.js'))});${size}${program}`,
    ]);
    assert.equal(said.stdout.split('\n')[0], String(file.length));
  } finally {
    rmSync(path);
  }
});

test('without WebAssembly, and where a policy forbids it, it says so, and what to do', async () => {
  const missing = /^UnsupportedError: there is no WebAssembly here.*--jitless/;
  assert.match(await printed({ flags: ['--jitless', '--no-warnings'] }), missing);
  assert.match(await printed({ folder: without, flags: ['--jitless'] }), missing);
  const refuse = (message) => `
    const no = function () { throw new WebAssembly.CompileError(${JSON.stringify(message)}); };
    WebAssembly.Module = no; WebAssembly.compile = async () => no(); WebAssembly.compileStreaming = async () => no();`;
  const chrome =
    "WebAssembly.compile(): Compiling or instantiating WebAssembly module violates the following Content Security policy directive because neither 'wasm-eval' nor 'unsafe-eval' is an allowed source";
  const firefox = 'call to WebAssembly.compile() blocked by CSP';
  const workerd = 'WebAssembly.compile(): Wasm code generation disallowed by embedder';
  for (const folder of [dist, without]) {
    for (const policy of [chrome, firefox]) {
      assert.match(
        await printed({ folder, first: bare + refuse(policy) }),
        /^UnsupportedError: .*Content-Security-Policy.*'wasm-unsafe-eval'/,
      );
    }
    assert.match(
      await printed({ folder, first: bare + refuse(workerd) }),
      /^UnsupportedError: .*import wasm from 'maskflow\/maskflow-simd\.wasm'.*ready\(\{ wasm \}\)/,
    );
  }
});

test('a wasm that is given says which variant it is', async () => {
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

test('CommonJS imports nothing but the text of the wasm', () => {
  // With an argument: without one it is in a message, about service workers.
  const imports = readdirSync(dist)
    .filter((name) => name.endsWith('.cjs'))
    .flatMap((name) => readFileSync(join(dist, name), 'utf8').match(/\bimport\([^)]+\)/g) ?? []);
  assert.ok(imports.length >= 2);
  // (And, in Node alone, the entry of the workers.)
  for (const text of imports)
    assert.match(
      text,
      /chunks\/(((recurrent|train)-)?(simd|relaxed)|worker_(train_)?script)\.js|webpackIgnore: true/,
    );
});

test('a sandbox whose setImmediate and MessageChannel throw loads a model', () => {
  const path = fileURLToPath(new URL('../fixtures/trained/brackets.keras', import.meta.url));
  const [score] = fresh(`
    const fail = () => { throw new Error('not supported'); };
    Object.assign(globalThis, { setImmediate: fail, MessageChannel: class { constructor() { fail(); } } });
    const model = await mf.loadModel(${JSON.stringify(path)});
    say(model.predict([[1, 3, 2, 4]]).item());`);
  assert.ok(score < 0.01);
});
