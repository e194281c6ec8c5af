// SPDX-License-Identifier: MIT
// Measures `maskflow run` on tables of 20 ids a row: rows per second of CPU time, and the peak of
// memory, which must not depend on the number of rows. Prints a table.
//   --rows=100000,1000000,10000000   numbers of rows
//   --program=dist/cli.js            the command, for comparing versions
//   --requests                       60 single rows by a pool and by batched(), instead
//   --engines                        Dask and BullMQ beside one process, instead; --rows=1000000
import { parseArgs } from 'node:util';
import { measureEngines } from '../../bench/data/engines.mjs';
import { measureRun } from '../../bench/data/measure.mjs';
import { measureRequests } from '../../bench/data/requests.mjs';
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

await main(async () => {
  const { values } = parseArgs({
    options: {
      rows: { type: 'string', default: '100000,1000000,10000000' },
      program: { type: 'string', default: at('dist', 'cli.js') },
      requests: { type: 'boolean' },
      engines: { type: 'boolean' },
    },
  });
  const counts = values.rows.split(',').map(Number);
  if (!counts.every((count) => Number.isInteger(count) && count > 0)) {
    throw new Failure(`--rows=${values.rows} has to be a list of integers above 0`);
  }
  if (values.requests) return requests();
  if (values.engines) return engines(counts.at(counts.length > 1 ? 1 : 0));
  console.log('| rows | CPU | rows per CPU second | elapsed | memory |\n|---|---|---|---|---|');
  for (const count of counts) {
    const { rows, seconds, elapsed, megabytes } = await measureRun(count, values.program);
    const rate = Math.round(rows / seconds / 1000);
    console.log(
      `| ${rows} | ${seconds.toFixed(1)} s | ${rate},000 | ${elapsed.toFixed(1)} s | ${megabytes.toFixed(0)} MB |`,
    );
  }
});
