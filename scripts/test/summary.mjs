// SPDX-License-Identifier: MIT
// The last lines of `npm test`, and of scripts/cpus.mjs.

/**
 * Prints the result of each part, the names of failed tests, the reasons of skipped tests, and, as
 * the last line, the totals.
 * A part is { name, passed, failed, skipped, reasons, failures, seconds }.
 * @returns the exit code
 */
export function summarize(parts) {
  const total = (key) => parts.reduce((sum, part) => sum + part[key], 0);
  const line = (part) => `${part.passed} passed, ${part.failed} failed, ${part.skipped} skipped`;
  console.log('\n── summary');
  for (const part of parts) {
    console.log(`${part.name.padEnd(8)} ${line(part)} (${part.seconds.toFixed(0)} s)`);
    for (const failure of part.failures) console.log(`         failed: ${failure}`);
    for (const reason of part.reasons) console.log(`         skipped: ${reason}`);
  }
  const all = { passed: total('passed'), failed: total('failed'), skipped: total('skipped') };
  console.log(`\n${line(all)}`);
  return all.failed > 0 || all.passed === 0 ? 1 : 0;
}
