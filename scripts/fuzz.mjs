// SPDX-License-Identifier: MIT
// Loads damaged model files: node scripts/fuzz.mjs [cases = 20000] [first = 0]. Case numbers are seeds.
import { fuzz } from '../tests/fuzz/fuzz.js';

const cases = Number(process.argv[2] ?? 20_000);
const first = Number(process.argv[3] ?? 0);
const start = performance.now();
const report = await fuzz(first, first + cases, ({ cases: done }) => {
  if (done % 1000 === 0)
    console.error(`${done} cases, ${Math.round((performance.now() - start) / 1000)} s`);
});
console.log(`${report.cases} damaged files in ${Math.round((performance.now() - start) / 1000)} s`);
for (const [outcome, count] of Object.entries(report.counts))
  console.log(`  ${String(count).padStart(6)}  ${outcome}`);
console.log(
  `slowest: ${Math.round(report.slowest.time)} ms (case ${report.slowest.number}); wasm memory at most ${Math.round(report.heapBytes / 2 ** 20)} MB`,
);
console.log(`failures: ${report.failures.length}`);
for (const failure of report.failures.slice(0, 20)) console.log(failure);
process.exitCode = report.failures.length > 0 ? 1 : 0;
