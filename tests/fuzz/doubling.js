// SPDX-License-Identifier: MIT
// Valid structures that grow by doubling. Time and memory of every reader and writer must grow with
// the size: a growth above size^1.3 over the last doublings is a failure that names the structure
// and its figures. Each structure runs in a process of its own, so that its peak of memory is its
// own.
import { fork } from 'node:child_process';
import { structureNames } from './doubling/structures.js';

export { structureNames };

/** Largest exponent of growth. */
const kMaxGrowth = 1.3;
/** Number of doublings that are fitted. */
const kFitted = 3;
/** Times below this many ms, and memory below this many bytes, say nothing. */
const kLeastTime = 150;
const kLeastMemory = 150e6;

const child = new URL('./doubling/measure.js', import.meta.url);

/** Runs one structure, and returns its points: { size, time, memory, outcome }. */
function measure(name, seed) {
  return new Promise((resolve) => {
    const points = [];
    const options = { execArgv: ['--max-old-space-size=6000'], stdio: ['ignore', 1, 2, 'ipc'] };
    const process = fork(child, [name, String(seed)], options);
    let failure;
    process.on('message', (message) => {
      if (message.failure) failure = message.failure;
      else points.push(message);
    });
    process.on('exit', (code, signal) => {
      if (code !== 0 && !failure) failure = `the process ended with ${signal ?? code}`;
      resolve({ points, failure });
    });
  });
}

/** Slope of the logarithms, by least squares, over the last doublings. */
export function growthOf(points, key) {
  const last = points.slice(-kFitted - 1).map((point) => [point.size, point[key]].map(Math.log));
  const mean = (values) => values.reduce((sum, value) => sum + value, 0) / values.length;
  const [x, y] = [mean(last.map(([size]) => size)), mean(last.map(([, value]) => value))];
  const over = last.reduce((sum, [size, value]) => sum + (size - x) * (value - y), 0);
  return over / last.reduce((sum, [size]) => sum + (size - x) ** 2, 0);
}

const kinds = [
  { key: 'time', least: kLeastTime, show: (value) => `${Math.round(value)} ms` },
  { key: 'memory', least: kLeastMemory, show: (value) => `${Math.round(value / 2 ** 20)} MB` },
];

/** Returns a sentence for each measure that grows faster than the size. */
export function findings(points) {
  return kinds.flatMap(({ key, least, show }) => {
    const known = points.filter((point) => point[key] > 0);
    if (known.length <= kFitted || !((known.at(-1)?.[key] ?? 0) >= least)) return [];
    const growth = growthOf(known, key);
    if (growth <= kMaxGrowth) return [];
    const figures = known.slice(-kFitted - 1).map((point) => `${point.size}: ${show(point[key])}`);
    return [`${key} grows as size^${growth.toFixed(2)} (${figures.join(', ')})`];
  });
}

/** The better of two runs at each size: noise only adds. */
function best(a, b) {
  return a.flatMap((point, i) =>
    b[i]
      ? [
          {
            ...point,
            time: Math.min(point.time, b[i].time),
            memory: Math.min(point.memory, b[i].memory),
          },
        ]
      : [],
  );
}

/** Measures a structure; a finding is repeated twice before it counts. */
export async function examine(name, seed) {
  let { points, failure } = await measure(name, seed);
  for (let i = 0; i < 2 && !failure && findings(points).length > 0; i++) {
    const again = await measure(name, seed);
    failure = again.failure;
    points = best(points, again.points);
  }
  const problems = failure ? [failure] : findings(points);
  return { points, problems: problems.map((problem) => `${name} (seed ${seed}): ${problem}`) };
}

/** Examines structures in turn; a case number chooses the structure and is its seed. */
export async function fuzzDoubling(from, to, onCase = () => {}, only = '') {
  const names = structureNames.filter((name) => name.includes(only));
  const failures = [];
  for (let number = from; number < to; number++) {
    const name = names[number % names.length];
    const { points, problems } = await examine(name, number);
    failures.push(...problems);
    onCase({ name, points, problems, done: number - from + 1 });
  }
  return failures;
}
