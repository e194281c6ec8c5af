// SPDX-License-Identifier: MIT
// Random wrong input, in numbers: node scripts/fuzz.mjs [files | api] [cases] [first = 0]. Case numbers are seeds.
import { fuzz } from '../tests/fuzz/fuzz.js';

const programs = {
  files: { what: 'damaged files', cases: 20_000, module: './case.js' },
  api: { what: 'cases of random calls', cases: 40_000, module: './api.js' },
};
const [kind, ...numbers] = /^\d*$/.test(process.argv[2] ?? '')
  ? ['files', ...process.argv.slice(2)]
  : process.argv.slice(2);
if (!Object.hasOwn(programs, kind)) {
  throw new Error(`there is no '${kind}'; there are ${Object.keys(programs).join(', ')}`);
}
const { what, cases: usual, module } = programs[kind];
const [cases = usual, first = 0] = numbers.map(Number);
const start = performance.now();
const seconds = () => Math.round((performance.now() - start) / 1000);
const onCase = ({ cases: done }) => {
  if (done % 1000 === 0) console.error(`${done} cases, ${seconds()} s`);
};
const report = await fuzz(first, first + cases, onCase, module);
console.log(`${report.cases} ${what} in ${seconds()} s`);
for (const [outcome, count] of Object.entries(report.counts))
  console.log(`  ${String(count).padStart(6)}  ${outcome}`);
console.log(
  `slowest: ${Math.round(report.slowest.time)} ms (case ${report.slowest.number}); wasm memory at most ${Math.round(report.heapBytes / 2 ** 20)} MB`,
);
console.log(`failures: ${report.failures.length}`);
for (const failure of report.failures.slice(0, 20)) console.log(failure);
process.exitCode = report.failures.length > 0 ? 1 : 0;
