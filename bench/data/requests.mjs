// SPDX-License-Identifier: MIT
// 60 requests with one ragged row each: single calls of a pool of two, and batched() over it.
import { batched, openPool } from '../../dist/worker.js';
import { median } from '../samples.mjs';
import { writeModel } from './measure.mjs';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

const rows = Array.from({ length: 60 }, (_, row) =>
  Array.from({ length: 1 + ((row * 7) % 20) }, (_, step) => 1 + ((row + step) % 5)),
);

async function timeOf(run) {
  const start = performance.now();
  const numbers = await run();
  return { milliseconds: performance.now() - start, numbers };
}

/** Returns the median milliseconds of both ways, which take turns. */
export async function measureRequests(samples = 41) {
  const folder = mkdtempSync(join(tmpdir(), 'maskflow-data-'));
  const pool = await openPool({ size: 2 });
  try {
    const path = join(folder, 'model.keras');
    await writeModel(path, null);
    const model = await pool.loadModel(path);
    const joined = batched(model);
    const ways = {
      single: async () => {
        const all = await Promise.all(rows.map((row) => model.predict([row])));
        return all.map((result) => result.item());
      },
      joined: async () => {
        const all = await Promise.all(rows.map((row) => joined.predict(row)));
        return all.map((result) => result.item());
      },
    };
    const times = { single: [], joined: [] };
    for (let sample = 0; sample < samples + 3; sample++) {
      const single = await timeOf(ways.single);
      const both = await timeOf(ways.joined);
      if (String(single.numbers) !== String(both.numbers)) throw new Error('numbers differ');
      // The first three samples warm up and do not count.
      if (sample < 3) continue;
      times.single.push(single.milliseconds);
      times.joined.push(both.milliseconds);
    }
    return { single: median(times.single), joined: median(times.joined) };
  } finally {
    pool.close();
    rmSync(folder, { recursive: true, force: true });
  }
}
