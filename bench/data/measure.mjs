// SPDX-License-Identifier: MIT
// Runs `maskflow run` on a table with many rows in a process of its own.
import { spawnSync } from 'node:child_process';
import { closeSync, mkdtempSync, openSync, rmSync, writeFileSync, writeSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Input, layers, ready, Sequential } from '../../dist/index.js';
import { at } from '../../scripts/lib/files.mjs';

const kSteps = 20;
const kBlock = 10_000;

/** Writes rows of 20 ids from 1 to 5, each behind its key. */
export function writeRows(path, rows, keyOf = () => '') {
  const file = openSync(path, 'w');
  let random = 1;
  const id = () => {
    random = (Math.imul(random, 1664525) + 1013904223) >>> 0;
    return 1 + ((random >>> 8) % 5);
  };
  for (let row = 0; row < rows; row += kBlock) {
    const count = Math.min(kBlock, rows - row);
    const lines = Array.from(
      { length: count },
      (_, i) => keyOf(row + i) + Array.from({ length: kSteps }, id).join(),
    );
    writeSync(file, `${lines.join('\n')}\n`);
  }
  closeSync(file);
}

/** Writes a masked classifier of `steps` ids. */
export async function writeModel(path, steps = kSteps) {
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
const report = `process.on('exit', () => {
  const { userCPUTime, systemCPUTime, maxRSS } = process.resourceUsage();
  const seconds = (userCPUTime + systemCPUTime) / 1e6;
  process._rawDebug(JSON.stringify({ seconds, megabytes: maxRSS / 1000 }));
});`;

/**
 * Returns CPU seconds and the peak of memory in MB; `program` is the file of the command. Without
 * `threads`, it computes in its usual number of them.
 */
export async function measureRun(rows, program = at('dist', 'cli.js'), threads = undefined) {
  const folder = mkdtempSync(join(tmpdir(), 'maskflow-data-'));
  const [data, model, watch] = ['rows.csv', 'model.keras', 'watch.mjs'].map((name) =>
    join(folder, name),
  );
  try {
    writeRows(data, rows);
    await writeModel(model);
    writeFileSync(watch, report);
    const args = [
      '--import',
      watch,
      program,
      'run',
      model,
      '-i',
      data,
      '-o',
      join(folder, 'o.csv'),
      ...(threads ? ['--threads', String(threads)] : []),
    ];
    const start = performance.now();
    const { status, stderr } = spawnSync(process.execPath, args, { encoding: 'utf8' });
    const elapsed = (performance.now() - start) / 1000;
    if (status !== 0) throw new Error(stderr);
    return { rows, elapsed, ...JSON.parse(stderr.trim().split('\n').at(-1)) };
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}
