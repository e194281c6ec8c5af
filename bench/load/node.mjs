// SPDX-License-Identifier: MIT
// One process of `npm run bench:load` in Node.
import { readFileSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import * as mf from '../../dist/index.js';
import { placeOf } from './files.mjs';
import { course, timesOf } from './loads.mjs';

async function memoryOf(load) {
  const memoryAfterCollection = () => {
    for (let i = 0; i < 4; i++) globalThis.gc();
    return process.memoryUsage();
  };
  const before = memoryAfterCollection();
  const model = await load();
  const after = memoryAfterCollection();
  return {
    weights: mf.memory().bytes,
    heap: mf.memory().heapBytes,
    resting: after.rss - before.rss,
    // Peak of the process since its start; maxRSS is in kB.
    peak: 1024 * process.resourceUsage().maxRSS - before.rss,
    buffers: after.arrayBuffers - before.arrayBuffers,
    layers: model.layers.length,
  };
}

/** Measures the `speed` of loads, `memory`, or the course of a `predict`. */
export async function measure({ task, loads, format: { path, architecture, parts } }) {
  const place = placeOf(architecture ?? path);
  const load = () => mf.loadModel(place, architecture && { weights: placeOf(path) });
  const read = () => Promise.all(parts.map((part) => readFile(placeOf(part))));
  // Reads each file once, so that it is in the system's cache, as a file that was just written is.
  for (const part of parts) readFileSync(placeOf(part));
  await mf.ready();
  if (task === 'speed') return timesOf({ load, read }, loads);
  return task === 'memory' ? memoryOf(load) : course(mf, await load());
}
