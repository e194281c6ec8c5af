// SPDX-License-Identifier: MIT
// `maskflow run` on tables of 20 ids a row: rows per second of CPU time, and the peak of memory,
// which must not depend on the number of rows. Prints a table.
//   --rows=100000,1000000,10000000   numbers of rows
//   --threads=1,2                    numbers of threads; default: the usual one
//   --program=dist/cli.js            the command, for comparing versions
//   --requests                       60 single rows by a pool and by batched(), instead
//   --workers                        predict with two workers beside this thread, instead
//   --engines                        Dask and BullMQ beside one process, instead; --rows=1000000
import { spawnSync } from 'node:child_process';
import {
  closeSync,
  mkdtempSync,
  openSync,
  readFileSync,
  rmSync,
  writeFileSync,
  writeSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Input, layers, ready, Sequential, tensor } from '../dist/index.js';
import { batched, openPool } from '../dist/worker.js';
import { findDask, findRedis, installQueue } from '../scripts/lib/engines.mjs';
import { at } from '../scripts/lib/files.mjs';
import { inTurns } from './loop.mjs';
import { table, timeText } from './report.mjs';

export const options = {
  rows: { type: 'string', default: '100000,1000000,10000000' },
  threads: { type: 'string' },
  program: { type: 'string', default: at('dist', 'cli.js') },
  requests: { type: 'boolean' },
  workers: { type: 'boolean' },
  engines: { type: 'boolean' },
};
export const numbers = { rows: 1, threads: 1 };

const seconds = (number) => `${number.toFixed(1)} s`;

/** Calls `body` with a new folder, which is removed afterwards. */
async function inFolder(body) {
  const folder = mkdtempSync(join(tmpdir(), 'maskflow-data-'));
  try {
    return await body((name) => join(folder, name), folder);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

/** Writes rows of 20 ids from 1 to 5, each behind its key. */
function writeRows(path, rows, keyOf = () => '') {
  const [file, block] = [openSync(path, 'w'), 10_000];
  let random = 1;
  const id = () => {
    random = (Math.imul(random, 1664525) + 1013904223) >>> 0;
    return 1 + ((random >>> 8) % 5);
  };
  const line = (row) => keyOf(row) + Array.from({ length: 20 }, id).join();
  for (let row = 0; row < rows; row += block) {
    const length = Math.min(block, rows - row);
    writeSync(file, `${Array.from({ length }, (_, i) => line(row + i)).join('\n')}\n`);
  }
  closeSync(file);
}

/** Writes a masked classifier of `steps` ids. */
async function writeModel(path, steps = 20) {
  await ready();
  const model = new Sequential([
    Input({ shape: [steps] }),
    layers.embedding({ inputDim: 10, outputDim: 8, maskZero: true }),
    layers.lstm({ units: 16 }),
    layers.dense({ units: 1, activation: 'sigmoid' }),
  ]);
  writeFileSync(path, await model.save());
}

// Prints what the process needed, behind everything else on standard error.
const watch = `process.on('exit', () => {
  const { userCPUTime, systemCPUTime, maxRSS } = process.resourceUsage();
  const seconds = (userCPUTime + systemCPUTime) / 1e6;
  process._rawDebug(JSON.stringify({ seconds, megabytes: maxRSS / 1000 }));
});`;

/** Runs the command on one table; returns a row of the printed table. */
const measureRun = (rows, program, threads) =>
  inFolder(async (place) => {
    writeRows(place('rows.csv'), rows);
    await writeModel(place('model.keras'));
    writeFileSync(place('watch.mjs'), watch);
    const files = [place('model.keras'), '-i', place('rows.csv'), '-o', place('o.csv')];
    const args = ['--import', place('watch.mjs'), program, 'run', ...files];
    if (threads) args.push('--threads', threads);
    const start = performance.now();
    const { status, stderr } = spawnSync(process.execPath, args, { encoding: 'utf8' });
    const elapsed = (performance.now() - start) / 1000;
    if (status !== 0) throw new Error(stderr);
    const used = JSON.parse(stderr.trim().split('\n').at(-1));
    const rate = `${Math.round(rows / used.seconds / 1000)},000`;
    const memory = `${used.megabytes.toFixed(0)} MB`;
    return [rows, threads ?? 'usual', seconds(used.seconds), rate, seconds(elapsed), memory];
  });

/** Measures `maskflow run`: each number of rows with each number of threads. */
async function* tables({ rows, threads, program }) {
  yield ['rows', 'threads', 'CPU', 'rows per CPU second', 'elapsed', 'memory'];
  for (const count of rows.split(','))
    for (const number of threads?.split(',') ?? [undefined])
      yield await measureRun(Number(count), program, number);
}

/** Returns runs for `inTurns` that must return the same numbers. */
function agreeing(ways, numbersOf) {
  let expected;
  const after = (result) => {
    const found = String(numbersOf(result));
    expected ??= found;
    if (found !== expected) throw new Error('numbers differ');
  };
  return Object.fromEntries(Object.entries(ways).map(([name, run]) => [name, { run, after }]));
}

/** 60 requests with one ragged row each: single calls of a pool of two, and batched() over it. */
async function* requests() {
  yield ['60 rows', 'single calls of the pool', 'batched()', 'times as fast'];
  const rows = Array.from({ length: 60 }, (_, row) =>
    Array.from({ length: 1 + ((row * 7) % 20) }, (_, step) => 1 + ((row + step) % 5)),
  );
  const pool = await openPool({ size: 2 });
  try {
    const model = await inFolder(async (place) => {
      await writeModel(place('model.keras'), null);
      return pool.loadModel(place('model.keras'));
    });
    const joined = batched(model);
    const ways = {
      joined: () => Promise.all(rows.map((row) => joined.predict(row))),
      single: () => Promise.all(rows.map((row) => model.predict([row]))),
    };
    const numbersOf = (results) => results.map((result) => result.item());
    const times = await inTurns(agreeing(ways, numbersOf), { rounds: 41, warmUp: 3 });
    const { single, joined: both } = times;
    yield ['', timeText(single.median), timeText(both.median), single.ratio.toFixed(1)];
  } finally {
    pool.close();
  }
}

/** `predict(x, { workers: 2 })` beside `predict(x)` in this thread, by the number of rows. */
async function* workers() {
  yield ['rows', 'this thread', 'two workers', 'times as fast'];
  await ready({ seed: 1 });
  const [steps, features] = [50, 16];
  const model = new Sequential([
    Input({ shape: [steps, features] }),
    layers.lstm({ units: 32 }),
    layers.dense({ units: 1 }),
  ]);
  const numbersOf = (result) => {
    const values = result.data();
    result.dispose();
    return values;
  };
  for (const rows of [8, 32, 128, 512, 2048]) {
    const length = rows * steps * features;
    const x = tensor(
      Float32Array.from({ length }, (_, i) => Math.sin(i)),
      {
        shape: [rows, steps, features],
      },
    );
    const ways = { workers: () => model.predict(x, { workers: 2 }), here: () => model.predict(x) };
    const times = await inTurns(agreeing(ways, numbersOf), { rounds: 15, warmUp: 2 });
    x.dispose();
    const { here, workers: shared } = times;
    yield [rows, timeText(here.median), timeText(shared.median), here.ratio.toFixed(2)];
  }
}

/** Runs a command of the shell; returns its elapsed and CPU seconds, children included. */
function timed(command, line, cwd) {
  const env = { ...process.env, MASKFLOW: command, TIMEFORMAT: 'took %R %U %S' };
  const script = `set -o pipefail; time { ${line}; }`;
  const { status, stderr } = spawnSync('bash', ['-c', script], { cwd, env, encoding: 'utf8' });
  const took = /took ([\d.]+) ([\d.]+) ([\d.]+)/.exec(stderr);
  if (status !== 0 || !took) throw new Error(stderr);
  const [elapsed, user, system] = took.slice(1).map(Number);
  return [elapsed, user + system];
}

function waysOf(command) {
  const options = '-i rows.csv --no-header --id 1 --format csv --quiet';
  const alone = (threads) =>
    `${command} run model.keras ${options} --threads ${threads} | tail -n +2 > scores.csv`;
  const script = at('examples', 'dask', 'predict.py');
  const dask = `${findDask()} ${script} model.keras rows.csv scores.csv --way`;
  return {
    'one process, one thread': alone(1),
    'one process, two threads': alone(2),
    'Dask, two workers, a filter for each partition': `${dask} filter`,
    'Dask, two workers, a process for each worker': `${dask} process`,
    'BullMQ, two consumers': `${process.execPath} start.mjs model.keras rows.csv scores.csv`,
  };
}

/** One table, predicted by one process, by Dask and by BullMQ. All must write the same lines. */
async function engines({ rows: text }) {
  if (!findDask() || !findRedis()) throw new Error('Dask and Redis are needed');
  const counts = text.split(',').map(Number);
  const count = counts[counts.length > 1 ? 1 : 0];
  const command = `${process.execPath} ${at('dist', 'cli.js')}`;
  return inFolder(async (place, folder) => {
    const reason = installQueue(folder);
    if (reason) throw new Error(reason);
    writeRows(place('rows.csv'), count, (row) => `u${row},`);
    await writeModel(place('model.keras'));
    const rows = [[`${count} rows`, 'elapsed', 'CPU']];
    let expected;
    for (const [way, line] of Object.entries(waysOf(command))) {
      rows.push([way, ...timed(command, line, folder).map(seconds)]);
      const scores = readFileSync(place('scores.csv'));
      expected ??= scores;
      if (!scores.equals(expected)) throw new Error(`${way}: the results differ from the first`);
    }
    return rows;
  });
}

export async function measure(values) {
  const kind = ['requests', 'workers', 'engines'].find((name) => values[name]);
  const rows = { requests, workers, engines }[kind] ?? tables;
  const found = [];
  for await (const row of await rows(values)) found.push(row);
  console.log(table(found[0], found.slice(1)));
}
