// SPDX-License-Identifier: MIT
// The work of maskflow/port grows in proportion to its source. The test counts how often functions
// and loops run, so its result does not depend on the load of the machine.
import assert from 'node:assert/strict';
import { Session } from 'node:inspector/promises';
import { test } from 'node:test';
import { setFlagsFromString } from 'node:v8';
import { growing } from '../fuzz/port_damage.js';

// Optimized code does not count.
for (const flag of ['--no-opt', '--no-maglev', '--no-sparkplug']) setFlagsFromString(flag);
const { port } = await import('../../dist/port.js');

const session = new Session();
session.connect();

/** Counts the runs of all functions and loops of the package while a source is ported. */
async function workOf(source) {
  await session.post('Profiler.enable');
  await session.post('Profiler.startPreciseCoverage', { callCount: true, detailed: true });
  try {
    port(source);
  } catch (error) {
    assert.equal(error.name, 'PortError');
  }
  const { result } = await session.post('Profiler.takePreciseCoverage');
  await session.post('Profiler.stopPreciseCoverage');
  let count = 0;
  for (const { url, functions } of result) {
    if (!url.includes('/dist/')) continue;
    for (const { ranges } of functions) for (const range of ranges) count += range.count;
  }
  return count;
}

const kSmall = 250;
/** A source that is k times as long may take k to this power of work. */
const kPower = 1.3;

for (const name of Object.keys(growing)) {
  test(`takes work in proportion to the size: ${name}`, async () => {
    const [short, long] = [growing[name](kSmall), growing[name](2 * kSmall)];
    const [small, large] = [await workOf(short), await workOf(long)];
    const most = small * (long.length / short.length) ** kPower;
    // A few runs are those of the first call.
    assert.ok(large <= most + 1000, `${small} runs, then ${large}`);
  });
}

test('the count of work sees each line', async () => {
  const source = (n) => 'x = 1\n'.repeat(n);
  const [small, large] = [await workOf(source(200)), await workOf(source(800))];
  assert.ok(large > 3.9 * small && large < 4.1 * small, `${small} runs, then ${large}`);
});
