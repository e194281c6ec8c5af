// SPDX-License-Identifier: MIT
// Measures `maskflow run` on tables of 20 ids a row: rows per second of CPU time, and the peak of
// memory, which must not depend on the number of rows. Prints a table.
//   --rows=100000,1000000,10000000   numbers of rows
//   --program=dist/cli.js            the command, for comparing versions
import { parseArgs } from 'node:util';
import { measureRun } from '../bench/data/measure.mjs';
import { at } from './lib/files.mjs';
import { Failure, main } from './lib/process.mjs';

await main(async () => {
  const { values } = parseArgs({
    options: {
      rows: { type: 'string', default: '100000,1000000,10000000' },
      program: { type: 'string', default: at('dist', 'cli.js') },
    },
  });
  const counts = values.rows.split(',').map(Number);
  if (!counts.every((count) => Number.isInteger(count) && count > 0)) {
    throw new Failure(`--rows=${values.rows} has to be a list of integers above 0`);
  }
  console.log('| rows | CPU | rows per CPU second | elapsed | memory |\n|---|---|---|---|---|');
  for (const count of counts) {
    const { rows, seconds, elapsed, megabytes } = await measureRun(count, values.program);
    const rate = Math.round(rows / seconds / 1000);
    console.log(
      `| ${rows} | ${seconds.toFixed(1)} s | ${rate},000 | ${elapsed.toFixed(1)} s | ${megabytes.toFixed(0)} MB |`,
    );
  }
});
