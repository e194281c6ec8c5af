// SPDX-License-Identifier: MIT
// kill -9 at random moments leaves the old file or the new one. `node scripts/kills.mjs` kills more
// often.
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { suite, test } from 'node:test';
import { killKinds, killOnce } from '../support/kills.js';

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
});
