// SPDX-License-Identifier: MIT
// Kills processes that write files, at random moments: node scripts/kills.mjs [KILLS] [KIND].
// After each kill, the old file or the new one must be there, whole, with few temporary files.
// KIND is one of killKinds; all of them by default.
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { killKinds, killOnce } from '../tests/support/kills.js';
import { main } from './lib/process.mjs';

const [kills = 300, only] = [Number(process.argv[2] ?? 300), process.argv[3]];

await main(async () => {
  for (const kind of only ? [only] : killKinds) {
    const folder = mkdtempSync(join(tmpdir(), 'maskflow-kills-'));
    try {
      for (let number = 0; number < kills; number++) await killOnce(kind, folder, number);
      console.log(`${kind}: ${kills} kills, all files whole`);
    } finally {
      rmSync(folder, { recursive: true, force: true });
    }
  }
});
