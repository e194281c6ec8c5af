// SPDX-License-Identifier: MIT
// Runs a fuzzer for long: node scripts/fuzz.mjs [files] [cases = 20000] [first = 0]. Case numbers are seeds.
const fuzzers = { files: ['../tests/fuzz/fuzz.js', 'damaged files'] };

const [name, ...numbers] =
  process.argv[2] in fuzzers ? process.argv.slice(2) : ['files', ...process.argv.slice(2)];
const [path, what] = fuzzers[name];
const { fuzz } = await import(path);
const [cases = 20_000, first = 0] = numbers.map(Number);
const start = performance.now();
const report = await fuzz(first, first + cases, ({ cases: done }) => {
  if (done % 1000 === 0)
    console.error(`${done} cases, ${Math.round((performance.now() - start) / 1000)} s`);
});
console.log(`${report.cases} ${what} in ${Math.round((performance.now() - start) / 1000)} s`);
for (const [outcome, count] of Object.entries(report.counts))
  console.log(`  ${String(count).padStart(6)}  ${outcome}`);
console.log(
  `slowest: ${Math.round(report.slowest.time)} ms (case ${report.slowest.number}); wasm memory at most ${Math.round(report.heapBytes / 2 ** 20)} MB, JavaScript's at most ${Math.round(report.jsBytes / 2 ** 20)} MB`,
);
console.log(`failures: ${report.failures.length}`);
for (const failure of report.failures.slice(0, 20)) console.log(failure);
process.exitCode = report.failures.length > 0 ? 1 : 0;
