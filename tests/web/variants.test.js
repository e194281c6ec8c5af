// SPDX-License-Identifier: MIT
// Variants that the package has as differences from `relaxed`: from files, from scripts, and from
// wasm that the program passes.
import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { cpSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, suite, test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { gunzipSync, gzipSync } from 'node:zlib';
import { needsBuild } from '../support/built.js';

const dist = fileURLToPath(new URL('../../dist/', import.meta.url));
const isScript = (path) => !/\.(wasm|map)$|\/(page|site|types)$/.test(path);

/** Returns a copy of the package; `filter` chooses its files. */
function copyOf(filter) {
  const folder = mkdtempSync(join(tmpdir(), 'maskflow-variants-'));
  cpSync(dist, folder, { recursive: true, filter });
  return folder;
}

/** Runs a program on an entry of the package in a folder; returns what it says. */
function run(folder, entry, body, flags = []) {
  const code = `const mf = await import(${JSON.stringify(join(folder, `${entry}.js`))});
    const fs = await import('node:fs');
    const url = (name) => new URL(name, ${JSON.stringify(`file://${dist}`)});
    const bytes = (name) => fs.readFileSync(url(name));
    const result = (promise) => promise.then(() => mf.runtimeInfo(), ({ name, message }) => ({ name, message }));
    const say = (value) => console.log(JSON.stringify(value));
    const computed = () => {
      const model = new mf.Sequential([mf.Input({ shape: [null, 2] }), mf.layers.lstm({ units: 3 })]);
      model.setWeights(model.getWeights().map((w, k) => mf.tensor(w.data().map((_, i) => Math.sin(k + i)), { shape: w.shape })));
      return model.predict([[[1, 2], [3, 4]]]).array();
    };
    ${body}`;
  const output = execFileSync(process.execPath, [...flags, '--input-type=module', '-e', code], {
    encoding: 'utf8',
  });
  return output.trim().split('\n').filter(Boolean).map(JSON.parse);
}

const prefixes = { index: '', recurrent: 'recurrent-', train: 'train-' };

suite('a variant that is a difference', () => {
  let scripts;
  before(() => {
    scripts = copyOf(isScript);
  });
  after(() => rmSync(scripts, { recursive: true }));

  for (const [entry, prefix] of Object.entries(prefixes)) {
    for (const threads of [1, 2])
      test(`is the same from files, scripts and given wasm: ${entry}, ${threads} threads`, () => {
        const start = (wasm) =>
          `const info = await result(mf.ready({ variant: 'simd', threads: ${threads}${wasm} })); say([info.variant, info.threads, info.wasmBytes, computed()]);`;
        const relaxed = `maskflow-${prefix}relaxed.wasm`;
        const [[expected], ...others] = [
          run(dist, entry, start('')),
          run(scripts, entry, start('')),
          run(scripts, entry, `delete globalThis.DecompressionStream; ${start('')}`),
          run(scripts, entry, start(`, wasm: { relaxed: url('${relaxed}') }`)),
          run(scripts, entry, start(`, wasm: { relaxed: bytes('${relaxed}') }`)),
          run(scripts, entry, start(`, wasm: { relaxed: new Response(bytes('${relaxed}')) }`)),
          run(
            dist,
            entry,
            `if (!WebAssembly.validate(bytes('${relaxed}'))) { ${start('')} } else { const relaxed = new WebAssembly.Module(bytes('${relaxed}')); ${start(', wasm: { relaxed }')} }`,
          ),
        ];
        assert.deepEqual(expected.slice(0, 2), ['simd', threads]);
        assert.ok(expected[2] > 300_000);
        for (const [other] of others) assert.deepEqual(other, expected);
      });
  }

  test('is refused for given wasm of other layers, and for damaged wasm', {
    skip: needsBuild,
  }, () => {
    const wrong = (wasm) =>
      `say(await result(mf.ready({ variant: 'simd', wasm: { relaxed: ${wasm} } })));`;
    const damaged = `(() => { const all = bytes('maskflow-recurrent-relaxed.wasm'); const at = all.lastIndexOf('units'); all[at] ^= 1; return all; })()`;
    const answers = run(
      dist,
      'recurrent',
      [
        wrong(`url('maskflow-relaxed.wasm')`),
        wrong(damaged),
        wrong(`new Uint8Array(100)`),
        wrong(`new URL('data:application/wasm,nothing')`),
        wrong(`url('maskflow-recurrent-relaxed.wasm')`),
      ].join('\n'),
      ['--experimental-wasm-relaxed-simd'],
    );
    const messages = answers.slice(0, 4).map(({ name, message }) => `${name}: ${message}`);
    assert.match(
      messages[0],
      /^FormatError: the wasm is maskflow-relaxed\.wasm of .* must be maskflow-recurrent-relaxed\.wasm/,
    );
    assert.match(messages[1], /^FormatError: the wasm that was passed as relaxed is damaged/);
    assert.match(messages[2], /^FormatError: .*not WebAssembly/);
    assert.match(messages[3], /^FormatError: .*not WebAssembly/);
    assert.equal(answers[4].variant, 'simd');
  });

  test('with damaged scripts is a StateError, after which ready() works', {
    skip: needsBuild,
  }, () => {
    const folder = copyOf((path) => isScript(path) || path.endsWith('recurrent-relaxed.wasm'));
    try {
      const path = join(folder, 'chunks', 'recurrent-simd.js');
      const whole = readFileSync(path, 'utf8');
      const packed = Buffer.from(/"(.*)"/.exec(whole)[1], 'base64');
      const scriptOf = (bytes) => `export default "${bytes.toString('base64')}";\n`;
      const changed = gunzipSync(packed);
      changed[changed.length >> 1] ^= 1;
      const damages = {
        'cut off': scriptOf(packed.subarray(0, packed.length >> 1)),
        'without text': 'export default "";\n',
        'not base64': 'export default "#";\n',
        'not gzip': scriptOf(Buffer.alloc(5000)),
        'a changed byte': scriptOf(gzipSync(changed)),
        'a huge number': scriptOf(gzipSync(Buffer.alloc(50, 255))),
        'an empty difference': scriptOf(gzipSync(Buffer.alloc(0))),
      };
      for (const [title, text] of Object.entries(damages)) {
        writeFileSync(path, text);
        const again = `fs.writeFileSync(${JSON.stringify(path)}, ${JSON.stringify(whole)}); say(await result(mf.ready({ variant: 'simd' })));`;
        const answers = run(
          folder,
          'recurrent',
          `say(await result(mf.ready({ variant: 'simd' })));${again}`,
        );
        assert.equal(answers[0].name, 'StateError', `${title}: ${answers[0].message}`);
        assert.match(answers[0].message, /damaged or come from different releases/);
        assert.equal(answers[1].variant, 'simd');
      }
      writeFileSync(path, scriptOf(Buffer.alloc(5000)));
      const relaxed = "url('maskflow-recurrent-relaxed.wasm')";
      const start = `say(await result(mf.ready({ variant: 'simd', wasm: { relaxed: ${relaxed} } })));`;
      assert.equal(run(folder, 'recurrent', start)[0].name, 'StateError');
    } finally {
      rmSync(folder, { recursive: true });
    }
  });

  test('does not use the file of another version beside a bundle', () => {
    const folder = copyOf(isScript);
    try {
      const file = readFileSync(join(dist, 'maskflow-recurrent-relaxed.wasm'));
      file[file.lastIndexOf('maskflow') + 'maskflow'.length] += 1;
      writeFileSync(join(folder, 'maskflow-recurrent-relaxed.wasm'), file);
      const [info] = run(folder, 'recurrent', "say(await result(mf.ready({ variant: 'simd' })));");
      assert.equal(info.variant, 'simd');
    } finally {
      rmSync(folder, { recursive: true });
    }
  });
});
