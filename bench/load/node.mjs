// SPDX-License-Identifier: MIT
// One process of `npm run bench:load`; prints its figures as JSON.
//   node.mjs speed FORMAT LOADS | memory FORMAT | predict FORMAT
import { readFileSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import * as mf from '../../dist/index.js';
import { at } from '../../scripts/lib/files.mjs';
import { timesOf } from './loads.mjs';
import { formats } from './model.mjs';
import { course } from './predicting.mjs';

const [task, number, loads] = process.argv.slice(2);
const { path, architecture, parts } = formats[Number(number)];
const place = (file) => at('build', 'load', file);

const load = () =>
  architecture
    ? mf.loadModel(place(architecture), { weights: place(path) })
    : mf.loadModel(place(path));

/** Reads the bytes of all files, in their order. */
const read = () => Promise.all(parts().map((part) => readFile(place(part))));

async function memory() {
  const memoryAfterCollection = () => {
    for (let i = 0; i < 4; i++) globalThis.gc();
    return process.memoryUsage();
  };
  const memoryBefore = memoryAfterCollection();
  const model = await load();
  const memoryAfter = memoryAfterCollection();
  return {
    weights: mf.memory().bytes,
    heap: mf.memory().heapBytes,
    resting: memoryAfter.rss - memoryBefore.rss,
    // Peak of the process since its start; maxRSS is in kB.
    peak: 1024 * process.resourceUsage().maxRSS - memoryBefore.rss,
    buffers: memoryAfter.arrayBuffers - memoryBefore.arrayBuffers,
    layers: model.layers.length,
  };
}

const tasks = {
  speed: () => timesOf({ load, read }, Number(loads)),
  memory,
  predict: async () => course(mf, await load()),
};

// Reads each file once, so that it is in the system's cache, as a file that was just written is.
for (const part of parts()) readFileSync(place(part));
await mf.ready();
console.log(JSON.stringify(await tasks[task]()));
