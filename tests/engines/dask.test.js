// SPDX-License-Identifier: MIT
// examples/dask on a scheduler and two worker processes.
import { existsSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { after, before, suite, test } from 'node:test';
import { setTimeout } from 'node:timers/promises';
import { at } from '../../scripts/lib/files.mjs';
import { output } from '../../scripts/lib/process.mjs';
import { findDask } from '../../scripts/lib/engines.mjs';
import { program } from '../support/command.js';
import { checkScores, makeRows, model, oneProcess, start } from './support.js';

const python = findDask();
const skip = python
  ? false
  : "no Dask on this machine (Debian's python3-distributed, or DASK_PYTHON names a Python with it)";
const script = at('examples', 'dask', 'predict.py');

/** Returns the process of maskflow that a worker keeps. */
function commandOf(worker) {
  const children = output('ps', ['-o', 'pid=,comm=', '--ppid', worker]) ?? '';
  return /(\d+) node/.exec(children)?.[1];
}

suite('Dask', { skip }, () => {
  let rows;
  let expected;
  before(() => {
    rows = makeRows(20_000);
    expected = oneProcess(rows.folder);
  });
  after(() => rows?.remove());

  const predict = (...options) =>
    start(python, [script, model, 'rows.csv', 'scores.csv', ...options], {
      cwd: rows.folder,
      env: { MASKFLOW: `${process.execPath} ${program}` },
    });

  test('predicts each partition with a command, each row once and in order', async () => {
    await predict('--way', 'filter', '--block', '100kB').end();
    checkScores(rows.folder, 'scores.csv', expected);
  });

  test('loses nothing if a worker and the process of another are killed', async () => {
    const run = predict('--way', 'process', '--block', '4kB');
    const [, first, second] = await run.line(/^workers: (\d+) (\d+)$/m);
    // Kills them in the middle: after the first partitions were written.
    const isUnderWay = () =>
      readdirSync(rows.folder).some(
        (name) => existsSync(join(rows.folder, name, '05.csv')) && commandOf(second),
      );
    while (!isUnderWay()) await setTimeout(10);
    process.kill(Number(commandOf(second)), 'SIGKILL');
    process.kill(Number(first), 'SIGKILL');
    await run.end();
    checkScores(rows.folder, 'scores.csv', expected);
  });
});
