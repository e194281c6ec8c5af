// SPDX-License-Identifier: MIT
// The files that an entry imports statically, which each of its pages fetches.
import assert from 'node:assert/strict';
import { readdirSync, readFileSync, statSync } from 'node:fs';
import { test } from 'node:test';
import { builds } from '../../scripts/build/entries.mjs';
import { at, filesUnder } from '../../scripts/lib/files.mjs';

/** Returns the names of an entry and of the files that it imports, without their hashes. */
function filesOf(name, seen = new Set()) {
  seen.add(name);
  const text = readFileSync(at('dist', name), 'utf8');
  for (const [, next] of text.matchAll(/(?:from|import)\s*"\.\/([^"]+)"/g))
    if (!seen.has(next)) filesOf(next, seen);
  return [...seen].map((file) => file.replace(/-[\w-]{8}\.js$/, '')).sort();
}

const expected = {
  recurrent: ['core', 'tensor'],
  index: ['all_layers', 'core', 'ready', 'tensor', 'wasm_chunks'],
  train: ['all_layers', 'batches', 'core', 'tensor', 'training'],
  text: ['all_layers', 'core', 'pickled_classes', 'scaler', 'tensor'],
  worker: ['core', 'other_starts', 'pool', 'tensor', 'threads', 'wasm_chunks', 'wire'],
};

for (const [entry, files] of Object.entries(expected))
  test(`${entry}.js imports few files, and neither readers nor writers of models`, () => {
    const found = filesOf(`${entry}.js`).filter((name) => !name.endsWith('.js'));
    assert.deepEqual(found, files);
  });

test('each build of the wasm is a script; all but relaxed are differences, and small', () => {
  const names = readdirSync(at('dist', 'chunks')).filter((name) => !/^(glue|worker)/.test(name));
  assert.deepEqual(names.sort(), builds.map(({ name }) => `${name}.js`).sort());
  for (const { name, variant } of builds) {
    const { size } = statSync(at('dist', 'chunks', `${name}.js`));
    const limit = { relaxed: 440_000, threads: 68_000 }[variant] ?? 40_000;
    assert.ok(size < limit, `${name}.js has ${size} bytes`);
  }
});

test('a page with figures does not fetch the layers', () => {
  assert.deepEqual(
    filesOf('draw.js').filter((name) => !name.endsWith('.js')),
    ['tensor'],
  );
});

test('Vite 6 reads no import of the package wrongly', () => {
  // Vite 5 and 6 take the names in `{a} = await import(…)` as those of the imported file, also
  // where `.then()` gives other names to its exports.
  const misread = /\}\s*=\s*await\s+import\([^)]*\)\s*\.then/;
  const files = filesUnder('dist', /\.js$/).filter((path) => !path.includes('/page/'));
  const found = files.filter((path) => misread.test(readFileSync(path, 'utf8')));
  assert.deepEqual(found, []);
});

for (const name of ['worker_main', 'worker_train'])
  test(`the text of ${name}.js is its code, which it shares with the other script`, async () => {
    const chunk = (file) => import(at('dist', 'chunks', file));
    const { shared } = await chunk('worker_script.js');
    const own = await chunk(`${name.replace('_main', '')}_script.js`);
    // The file has other line breaks, and a notice at its end.
    const statements = (code) => code.replaceAll(/[;\n]/g, '').replace(/\/\*!.*$/, '');
    const file = readFileSync(at('dist', `${name}.js`), 'utf8');
    assert.equal(statements(shared + own.default) === statements(file), true, name);
    assert.ok(own.default.length < shared.length / 4, `${own.default.length} of ${shared.length}`);
  });
