// SPDX-License-Identifier: MIT
// `npm test -- --for FILE` runs the tests that are near a file first.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { filesUnder, short } from '../../scripts/lib/files.mjs';
import { filesNaming, partOf, planFor } from '../../scripts/test/near.mjs';
import { runsOf, testOptions } from '../../scripts/test/some.mjs';

const runs = (...args) => runsOf(testOptions(args));
const firstFile = (path) => planFor([path])[0].files[0];

const nearest = {
  'web/src/worker/shards.ts': 'tests/web/pool.test.js',
  'web/src/engine/wasm_patch.ts': 'tests/web/wasm_patch.test.js',
  'web/src/draw/chart.ts': 'tests/web/draw.test.js',
  'web/src/formats/read/tfjs_arrays.ts': 'tests/web/formats/tfjs.test.js',
  'src/tensor/plan.cpp': 'tests/core/plan_test.cpp',
  'src/ops/einsum.cpp': 'tests/core/einsum_test.cpp',
  'page/chapters/padding/chapter.ts': 'tests/web/page/padding.test.js',
  'scripts/build/wasm_patch.mjs': 'tests/web/wasm_patch.test.js',
  'tests/web/cli.test.js': 'tests/web/cli.test.js',
};

for (const [path, expected] of Object.entries(nearest)) {
  test(`the test nearest to ${path} is ${expected}`, () => {
    assert.equal(firstFile(path), expected);
  });
}

test('files of the core run native tests first, then tests of the package', () => {
  const [native, ...others] = planFor(['src/rnn/kv_cache.cpp']);
  assert.equal(native.part, 'core');
  assert.match(native.filter, /(^|:)StreamAttention\.\*(:|$)/);
  assert.ok(others.some(({ files }) => files[0] === 'tests/web/stream_attention.test.js'));
});

test('a layer runs its own recorded families and its cases of tests for all layers', () => {
  const [{ filter }] = planFor(['src/layers/core/masking.cpp']);
  const names = filter.split(':');
  assert.ok(names.includes('*/Conformance.*/masking_keras*'), filter);
  assert.ok(names.includes('Classes/*.*/Masking'), filter);
  assert.ok(!names.some((name) => name.startsWith('*/Conformance.*/pooling')), filter);
});

test('every source has a nearest test', () => {
  const sources = [...filesUnder('web/src', /(?<!\.gen|\.d)\.ts$/), ...filesUnder('src', /\.cpp$/)];
  assert.ok(sources.length > 500);
  for (const path of sources.filter((_, index) => index % 90 === 0)) {
    assert.ok(planFor([short(path)]).length > 0, path);
  }
});

test('tests are found by their name, and also by the name of a test made of parts', () => {
  const name = ['the built package has no file', 'of the docs'].join(' ');
  assert.deepEqual(filesNaming(name), ['tests/web/built_files.test.js']);
  assert.ok(filesNaming('no test has exactly this' + ' name').length > 200);
  assert.deepEqual(runs('-t', name), [
    { part: 'web', files: ['tests/web/built_files.test.js'], name },
  ]);
});

test('a filter of GoogleTest runs native tests alone', () => {
  assert.deepEqual(runs('--gtest_filter=Plan*.*'), [
    { part: 'core', files: [], filter: 'Plan*.*' },
  ]);
});

test('--only leaves other parts out, --count limits the files', () => {
  const near = runs('--for', 'src/rnn/kv_cache.cpp', '--only=web', '--count', '2');
  assert.deepEqual(
    near.map(({ part }) => part),
    ['web', 'web'],
  );
});

test('mistakes are named with a remedy', () => {
  assert.throws(() => runs('--for', 'src/no.cpp'), /--for src\/no\.cpp: there is no such file/);
  assert.throws(() => runs('tests/web/no.test.js'), /tests\/web\/no\.test\.js: there is no such/);
  assert.throws(() => testOptions(['--for', 'a', '--count', '0']), /--count takes a positive/);
});

test('every test file belongs to a part of npm test', () => {
  for (const path of filesUnder('tests', /\.test\.js$/).map(short)) {
    assert.match(partOf(path), /^(web|browser|package|docs|engines)$/, path);
  }
});
