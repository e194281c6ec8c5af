// SPDX-License-Identifier: MIT
// kill -9 at random moments leaves the old file or the new one. `node scripts/kills.mjs` kills more
// often.
import assert from 'node:assert/strict';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { suite, test } from 'node:test';
import { killKinds, killOnce, killTfjsEverywhere } from '../support/kills.js';

const kKills = 6;

suite('files are whole after kill -9', () => {
  for (const kind of killKinds) {
    test(kind, { timeout: 120_000 }, async () => {
      const folder = mkdtempSync(join(tmpdir(), 'maskflow-kills-'));
      try {
        for (let number = 0; number < kKills; number++) await killOnce(kind, folder, number);
      } finally {
        rmSync(folder, { recursive: true, force: true });
      }
    });
  }

  test('tfjs, at each call of the file system', { timeout: 120_000 }, async () => {
    const folder = mkdtempSync(join(tmpdir(), 'maskflow-kills-'));
    try {
      const { found, names } = await killTfjsEverywhere(folder);
      // Two files are opened and renamed, and the old shard is removed.
      assert.ok(found.length > 5, `${found.length} moments`);
      const first = found.indexOf(2);
      assert.ok(found.slice(0, first).every((value) => value === 1) && found.at(-1) === 2);
      assert.ok(found.slice(first).every((value) => value === 2));
      // The last save removed the old shard, and the temporary files of killed processes.
      assert.equal(names.filter((name) => name.endsWith('.bin')).length, 1, names.join());
      assert.equal(names.length, 2, names.join());
    } finally {
      rmSync(folder, { recursive: true, force: true });
    }
  });
});
