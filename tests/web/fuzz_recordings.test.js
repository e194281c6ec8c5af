// SPDX-License-Identifier: MIT
// Recordings of the fuzzers beside Keras are replayed while others are still written, so a reader
// must never see half of one.
import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import { test } from 'node:test';

const folder = new URL('../fuzz/', import.meta.url);

test('all recorders write under another name and rename the complete file', () => {
  const recorders = readdirSync(folder).filter((name) => name.endsWith('.py'));
  assert.ok(recorders.length > 20, `${recorders.length} recorders`);
  const writing = recorders.filter((name) =>
    /\bopen\([^)]*,\s*"[wax]"/.test(readFileSync(new URL(name, folder), 'utf8')),
  );
  assert.deepEqual(writing, ['recorded_file.py']);
});
