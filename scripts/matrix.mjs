// SPDX-License-Identifier: MIT
// Packs the package, installs it beside each tool and in each engine that it supports, and compares
// its results there.
//   npm run matrix                     all cells
//   npm run matrix -- --only vite      cells whose name or versions contain this text
//   npm run matrix -- --list           names of the cells
//   npm run matrix -- --write          also writes docs/compatibility.md from the last result of every cell
import { parseArgs } from 'node:util';
import { cells } from '../tests/matrix/cells/index.js';
import { runCells } from '../tests/matrix/lib/run.js';
import { keep, writeTable } from '../tests/matrix/lib/table.js';
import { Failure, main } from './lib/process.mjs';

const options = {
  only: { type: 'string', default: '' },
  list: { type: 'boolean' },
  write: { type: 'boolean' },
};

function tell({ name, versions }, { status, failures, expected, seconds, absent }) {
  console.log(`${name} (${versions}): ${status}, ${seconds.toFixed(1)} s`);
  if (absent) console.log(`    ${absent}`);
  for (const { name: part, error } of expected) console.log(`    ${part}, as known: ${error}`);
  for (const { name: part, error } of failures) console.log(`    ${part}: ${error}`);
}

await main(async () => {
  const { values } = parseArgs({ options });
  const text = values.only.toLowerCase();
  const chosen = cells.filter((cell) =>
    `${cell.name} (${cell.versions})`.toLowerCase().includes(text),
  );
  if (chosen.length === 0) throw new Failure(`--only ${values.only}: no such cell; see --list`);
  if (values.list) {
    for (const { name, versions } of chosen) console.log(`${name} (${versions})`);
    return 0;
  }
  const results = await runCells(chosen, (cell, result) => {
    keep(cell, result);
    tell(cell, result);
  });
  if (values.write) writeTable();
  const failed = [...results].filter(([, { status }]) => status === 'fails');
  console.log(`\n${results.size - failed.length} of ${results.size} cells are as they should be.`);
  if (failed.length > 0) console.log(`Others: ${failed.map(([name]) => name).join('; ')}`);
  return failed.length > 0 ? 1 : 0;
});
