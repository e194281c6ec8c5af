// SPDX-License-Identifier: MIT
// A program: runs all recorded layers and gradients with a number of threads, and prints
// what differs.   node thread_conformance.js THREADS
import './relaxed.js';

const threads = Number(process.argv[2]);
const { ready, runtimeInfo } = await import('../../dist/train.js');
await ready({ threads });
const { families, runFamily } = await import('./families.js');
const { gradientFamilies, runGradients } = await import('./gradients.js');
const layers = families.map((family) => runFamily(family, 'keras-3.15'));
await ready({ onMaskDropped: 'silent' });
const results = [...layers, ...gradientFamilies.map(runGradients)];
console.log(
  JSON.stringify({
    threads: runtimeInfo().threads,
    total: results.reduce((sum, { total }) => sum + total, 0),
    problems: results.flatMap(({ problems }) => problems),
  }),
);
