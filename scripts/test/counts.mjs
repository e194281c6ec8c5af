// SPDX-License-Identifier: MIT
// The counts of a part of `npm test`: { passed, failed, skipped, reasons, failures }, where reasons
// and failures are texts.

/** Returns counts; those that are not given are zero. */
export const countsOf = (counts = {}) => ({
  passed: 0,
  failed: 0,
  skipped: 0,
  reasons: [],
  failures: [],
  ...counts,
});

/** Returns the sums of counts. */
export const sumOf = (results) =>
  results.reduce(
    (sum, result) => ({
      passed: sum.passed + result.passed,
      failed: sum.failed + result.failed,
      skipped: sum.skipped + result.skipped,
      reasons: [...sum.reasons, ...result.reasons],
      failures: [...sum.failures, ...result.failures],
    }),
    countsOf(),
  );

/**
 * Prints the result of each part, the files that took longest, the names of failed tests, the
 * reasons of skipped tests, and, as the last line, the totals. A part is counts with `name` and
 * `seconds`.
 * @returns the exit code
 */
export function summarize(parts) {
  const line = ({ passed, failed, skipped }) =>
    `${passed} passed, ${failed} failed, ${skipped} skipped`;
  console.log('\n── summary');
  for (const part of parts) {
    console.log(`${part.name.padEnd(8)} ${line(part)} (${part.seconds.toFixed(0)} s)`);
    if (part.slowest?.length > 1) console.log(`         longest: ${part.slowest.join(', ')}`);
    for (const failure of part.failures) console.log(`         failed: ${failure}`);
    for (const reason of part.reasons) console.log(`         skipped: ${reason}`);
  }
  const all = sumOf(parts);
  console.log(`\n${line(all)}`);
  return all.failed > 0 || all.passed === 0 ? 1 : 0;
}
