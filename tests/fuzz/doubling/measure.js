// SPDX-License-Identifier: MIT
// Measures one structure at doubling sizes: node measure.js NAME SEED. Reports each size to its
// parent.
import * as mf from '../../../dist/train.js';
import { cpuTime } from '../../support/cpu_time.js';
import { generator } from '../../support/random.js';
import { structures } from './structures.js';

/** A structure stops growing when it takes this many ms, or the whole measurement does. */
const kLongest = 1500;
const kTotal = 10_000;
const kFirst = 32;
/** Most parts; limits refuse more than a million. */
const kMaxParts = 2 ** 18;

for (const method of ['warn', 'log']) console[method] = () => {};
await mf.ready({ onMaskDropped: 'silent' });

const [name, seed] = [process.argv[2], Number(process.argv[3])];
const { make, run, first = kFirst, max = kMaxParts, isMeasured } = structures[name];

async function outcomeOf(input, random) {
  try {
    const result = await run(input, random);
    return { outcome: 'result', result, release: () => result?.dispose?.() };
  } catch (error) {
    if (!(error instanceof mf.MaskflowError)) throw error;
    return { outcome: `${error.name}: ${error.message.slice(0, 100)}`, release: () => {} };
  }
}

const peak = () => process.resourceUsage().maxRSS * 1024;

async function measureAll() {
  const begin = cpuTime();
  let base;
  let inProcesses = 0;
  for (let size = first; size <= max; size *= 2) {
    const random = generator(seed * 7919 + 1);
    const input = await make(size, random);
    base ??= peak();
    const start = cpuTime();
    const { outcome, result, release } = await outcomeOf(input, random);
    const own = { time: cpuTime() - start, memory: Math.max(1, peak() - base) };
    const { time, memory } = isMeasured && result ? result : own;
    if (isMeasured) inProcesses += time;
    // Beyond a limit, nothing of the structure is read.
    if (outcome.includes('limits.') || outcome.includes('; pass fewer')) break;
    process.send({ size, time, memory, outcome });
    release();
    if (time > kLongest || cpuTime() - begin + inProcesses > kTotal) break;
  }
}

try {
  await measureAll();
  process.exitCode = 0;
} catch (error) {
  process.send({ failure: String(error?.stack ?? error).slice(0, 2000) });
}
process.disconnect();
