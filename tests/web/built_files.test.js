// SPDX-License-Identifier: MIT
import assert from 'node:assert/strict';
import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';
import { after, test } from 'node:test';
import { at, builtFiles } from '../../scripts/lib/files.mjs';

const folder = at('dist', 'site', 'test-of-names');
after(() => rmSync(folder, { recursive: true, force: true }));

test('the built package has no file of the docs, whatever its name', () => {
  mkdirSync(folder, { recursive: true });
  // The page was built again, beside its tests, for each new file of this kind.
  for (const name of ['cdist.html', 'cdist.chunks.js']) writeFileSync(`${folder}/${name}`, '');
  const files = builtFiles();
  assert.ok(files.includes(at('dist', 'index.js')));
  const folders = new Set(files.map((path) => dirname(path)));
  assert.deepEqual([...folders].sort(), [at('dist'), at('dist', 'chunks')]);
});
