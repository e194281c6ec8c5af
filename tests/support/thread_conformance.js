// SPDX-License-Identifier: MIT
// A program: runs all recorded layers and gradients with a number of threads in a variant, and
// prints what differs.   node thread_conformance.js THREADS VARIANT
import './relaxed.js';

const [, , threads, variant] = process.argv;
const { ready, runtimeInfo } = await import('../../dist/train.js');
await ready({ threads: Number(threads), variant });
const { families, runFamily } = await import('./families.js');
const { gradientFamilies, runGradients } = await import('./gradients.js');
const layers = families.map((family) => runFamily(family, 'keras-3.15'));
await ready({ onMaskDropped: 'silent' });
const results = [...layers, ...gradientFamilies.map(runGradients)];
console.log(
  JSON.stringify({
    threads: runtimeInfo().threads,
    variant: runtimeInfo().variant,
    total: results.reduce((sum, { total }) => sum + total, 0),
    problems: results.flatMap(({ problems }) => problems),
  }),
);
