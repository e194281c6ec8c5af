// SPDX-License-Identifier: MIT
// One table, predicted by one process, by Dask and by BullMQ with two workers each. All must write
// the same lines.
import { spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { at } from '../../scripts/lib/files.mjs';
import { findDask, findRedis, installQueue } from '../../scripts/lib/engines.mjs';
import { writeModel, writeRows } from './measure.mjs';

const command = `${process.execPath} ${at('dist', 'cli.js')}`;
const options = '--no-header --id 1 --format csv --quiet';
const dask = `${findDask()} ${at('examples', 'dask', 'predict.py')} model.keras rows.csv scores.csv`;

const ways = {
  'one process, one thread': `${command} run model.keras -i rows.csv ${options} --threads 1 | tail -n +2 > scores.csv`,
  'one process, two threads': `${command} run model.keras -i rows.csv ${options} --threads 2 | tail -n +2 > scores.csv`,
  'Dask, two workers, a filter for each partition': `${dask} --way filter`,
  'Dask, two workers, a process for each worker': `${dask} --way process`,
  'BullMQ, two consumers': `${process.execPath} start.mjs model.keras rows.csv scores.csv`,
};

/** Runs a command of the shell; returns its elapsed and CPU seconds, children included. */
function timed(line, cwd) {
  const env = { ...process.env, MASKFLOW: command, TIMEFORMAT: 'took %R %U %S' };
  const script = `set -o pipefail; time { ${line}; }`;
  const { status, stderr } = spawnSync('bash', ['-c', script], { cwd, env, encoding: 'utf8' });
  const took = /took ([\d.]+) ([\d.]+) ([\d.]+)/.exec(stderr);
  if (status !== 0 || !took) throw new Error(stderr);
  const [elapsed, user, system] = took.slice(1).map(Number);
  return { elapsed, cpu: user + system };
}

/** Yields the seconds of each way. */
export async function* measureEngines(rows) {
  if (!findDask() || !findRedis()) throw new Error('Dask and Redis are needed');
  const folder = mkdtempSync(join(tmpdir(), 'maskflow-data-'));
  try {
    const reason = installQueue(folder);
    if (reason) throw new Error(reason);
    writeRows(join(folder, 'rows.csv'), rows, (row) => `u${row},`);
    await writeModel(join(folder, 'model.keras'));
    let expected;
    for (const [way, line] of Object.entries(ways)) {
      const seconds = timed(line, folder);
      const scores = readFileSync(join(folder, 'scores.csv'));
      expected ??= scores;
      if (!scores.equals(expected))
        throw new Error(`${way}: the results are not those of one process`);
      yield { way, ...seconds };
    }
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}
