// SPDX-License-Identifier: MIT
// Measures `maskflow run` on tables of 20 ids a row: rows per second of CPU time, and the peak of
// memory, which must not depend on the number of rows. Prints a table.
//   --rows=100000,1000000,10000000   numbers of rows
//   --threads=1,2                    numbers of threads; default: the usual one
//   --program=dist/cli.js            the command, for comparing versions
//   --requests                       60 single rows by a pool and by batched(), instead
//   --workers                        predict with two workers beside this thread, instead
//   --engines                        Dask and BullMQ beside one process, instead; --rows=1000000
import { parseArgs } from 'node:util';
import { measureEngines } from '../../bench/data/engines.mjs';
import { measureRun } from '../../bench/data/measure.mjs';
import { measureRequests } from '../../bench/data/requests.mjs';
import { measureWorkers } from '../../bench/data/workers.mjs';
import { at } from '../lib/files.mjs';
import { Failure, main } from '../lib/process.mjs';

async function requests() {
  const { single, joined } = await measureRequests();
  console.log(
    '| 60 rows | single calls of the pool | batched() | times as fast |\n|---|---|---|---|',
  );
  const gain = (single / joined).toFixed(1);
  console.log(`| | ${single.toFixed(1)} ms | ${joined.toFixed(1)} ms | ${gain} |`);
}

async function engines(rows) {
  console.log(`| ${rows} rows | elapsed | CPU |\n|---|---|---|`);
  for await (const { way, elapsed, cpu } of measureEngines(rows)) {
    console.log(`| ${way} | ${elapsed.toFixed(1)} s | ${cpu.toFixed(1)} s |`);
  }
}

async function workers() {
  console.log('| rows | this thread | two workers | times as fast |\n|---|---|---|---|');
  for await (const { rows, here, workers } of measureWorkers()) {
    const gain = (here / workers).toFixed(2);
    console.log(`| ${rows} | ${here.toFixed(1)} ms | ${workers.toFixed(1)} ms | ${gain} |`);
  }
}

/** Measures `maskflow run`: each number of rows with each number of threads. */
async function tables(counts, threads, program) {
  console.log(
    '| rows | threads | CPU | rows per CPU second | elapsed | memory |\n|---|---|---|---|---|---|',
  );
  for (const count of counts) {
    for (const number of threads) {
      const { rows, seconds, elapsed, megabytes } = await measureRun(count, program, number);
      const rate = Math.round(rows / seconds / 1000);
      console.log(
        `| ${rows} | ${number ?? 'usual'} | ${seconds.toFixed(1)} s | ${rate},000 | ${elapsed.toFixed(1)} s | ${megabytes.toFixed(0)} MB |`,
      );
    }
  }
}

function listOf(name, text) {
  const numbers = text.split(',').map(Number);
  if (numbers.every((number) => Number.isInteger(number) && number > 0)) return numbers;
  throw new Failure(`--${name}=${text} has to be a list of integers above 0`);
}

await main(async () => {
  const { values } = parseArgs({
    options: {
      threads: { type: 'string' },
      workers: { type: 'boolean' },
      rows: { type: 'string', default: '100000,1000000,10000000' },
      program: { type: 'string', default: at('dist', 'cli.js') },
      requests: { type: 'boolean' },
      engines: { type: 'boolean' },
    },
  });
  const counts = listOf('rows', values.rows);
  if (values.requests) return requests();
  if (values.workers) return workers();
  if (values.engines) return engines(counts.at(counts.length > 1 ? 1 : 0));
  const threads = values.threads ? listOf('threads', values.threads) : [undefined];
  return tables(counts, threads, values.program);
});
