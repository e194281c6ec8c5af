// SPDX-License-Identifier: MIT
// `predict(x, { workers: 2 })` beside `predict(x)` in this thread, by the number of rows.
import { Input, layers, ready, Sequential, tensor } from '../../dist/index.js';
import { median } from '../samples.mjs';

const kSteps = 50;
const kFeatures = 16;

async function timeOf(run) {
  const start = performance.now();
  const result = await run();
  const milliseconds = performance.now() - start;
  const numbers = result.data();
  result.dispose();
  return { milliseconds, numbers };
}

/** Yields the median milliseconds of both ways, which take turns, for each number of rows. */
export async function* measureWorkers(counts = [8, 32, 128, 512, 2048], samples = 15) {
  await ready({ seed: 1 });
  const model = new Sequential([
    Input({ shape: [kSteps, kFeatures] }),
    layers.lstm({ units: 32 }),
    layers.dense({ units: 1 }),
  ]);
  for (const rows of counts) {
    const numbers = Float32Array.from({ length: rows * kSteps * kFeatures }, (_, i) => Math.sin(i));
    const x = tensor(numbers, { shape: [rows, kSteps, kFeatures] });
    const times = { here: [], workers: [] };
    for (let sample = -2; sample < samples; sample++) {
      const here = await timeOf(async () => model.predict(x));
      const workers = await timeOf(() => model.predict(x, { workers: 2 }));
      if (String(here.numbers) !== String(workers.numbers)) throw new Error('numbers differ');
      // The first two samples start the workers and do not count.
      if (sample < 0) continue;
      times.here.push(here.milliseconds);
      times.workers.push(workers.milliseconds);
    }
    x.dispose();
    yield { rows, here: median(times.here), workers: median(times.workers) };
  }
}
