// SPDX-License-Identifier: MIT
// examples/bullmq on a real Redis: a producer and two consumers.
import assert from 'node:assert/strict';
import { existsSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { after, before, suite, test } from 'node:test';
import { setTimeout } from 'node:timers/promises';
import { findRedis, installQueue } from '../../scripts/lib/engines.mjs';
import { checkScores, makeRows, model, oneProcess, start } from './support.js';

const rows = makeRows(20_000);
const skip = findRedis()
  ? installQueue(rows.folder)
  : "no Redis on this machine (Debian's package redis-server)";
after(() => rows.remove());

suite('BullMQ', { skip }, () => {
  let expected;
  before(() => {
    expected = oneProcess(rows.folder);
  });

  const run = (scores, data = 'rows.csv') =>
    start(process.execPath, ['start.mjs', model, data, scores], {
      cwd: rows.folder,
      env: { ROWS: '100' },
    });

  test('predicts all rows, each row once and in order', async () => {
    await run('scores.csv').end();
    checkScores(rows.folder, 'scores.csv', expected);
  });

  test('loses nothing if a consumer is killed', async () => {
    const running = run('killed.csv');
    const [, consumer] = await running.line(/^consumers: (\d+)/m);
    const file = join(rows.folder, 'killed.csv');
    while (!existsSync(file) || statSync(file).size === 0) await setTimeout(5);
    process.kill(Number(consumer), 'SIGKILL');
    await running.end();
    checkScores(rows.folder, 'killed.csv', expected);
  });

  test('a row that the model refuses fails its job after three attempts, with its error', async () => {
    writeFileSync(join(rows.folder, 'bad.csv'), 'u1,1,2\nu2,1,99\n');
    await assert.rejects(run('bad_scores.csv', 'bad.csv').end(), /99/);
  });
});
