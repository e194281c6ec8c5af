// SPDX-License-Identifier: MIT
// One process of `npm run bench:load`: prints its figures as JSON.
//   node.mjs speed FORMAT LOADS | memory FORMAT | predict FORMAT
import { readFileSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import * as mf from '../../dist/index.js';
import { at } from '../../scripts/lib/files.mjs';
import { timesOf } from './loads.mjs';
import { formats } from './model.mjs';
import { course } from './predicting.mjs';

const [what, number, loads] = process.argv.slice(2);
const { path, architecture, parts } = formats[Number(number)];
const place = (file) => at('build', 'load', file);

const load = () =>
  architecture
    ? mf.loadModel(place(architecture), { weights: place(path) })
    : mf.loadModel(place(path));

/** All bytes of the files, one after the other. */
const read = () => Promise.all(parts().map((part) => readFile(place(part))));

async function memory() {
  const settled = () => {
    for (let i = 0; i < 4; i++) globalThis.gc();
    return process.memoryUsage();
  };
  const before = settled();
  const model = await load();
  const after = settled();
  return {
    weights: mf.memory().bytes,
    heap: mf.memory().heapBytes,
    resting: after.rss - before.rss,
    // Of the process since it began, in kB.
    peak: 1024 * process.resourceUsage().maxRSS - before.rss,
    buffers: after.arrayBuffers - before.arrayBuffers,
    layers: model.layers.length,
  };
}

const tasks = {
  speed: () => timesOf({ load, read }, Number(loads)),
  memory,
  predict: async () => course(mf, await load()),
};

// (Files that were just written are in the system's cache; this makes sure of the others.)
for (const part of parts()) readFileSync(place(part));
await mf.ready();
console.log(JSON.stringify(await tasks[what]()));
