// SPDX-License-Identifier: MIT
// The loop of all benchmarks, and the sections of docs/performance.md, which are those that the
// kept figures give.
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import { inTurns, median } from '../../bench/loop.mjs';
import { table, timeText } from '../../bench/report.mjs';
import { at } from '../../scripts/lib/files.mjs';

const wait = (ms) => new Promise((done) => setTimeout(done, ms));
/** Returns a function that notes its name in `calls`. */
const noting = (calls, name) => () => {
  calls.push(name);
};

test('functions run in turns, and the rounds of the warm-up do not count', async () => {
  const calls = [];
  const runs = { a: noting(calls, 'a'), b: noting(calls, 'b') };
  const { a, b } = await inTurns(runs, { rounds: 3, warmUp: 2 });
  assert.equal(calls.join(''), 'ababababab');
  assert.deepEqual([a.times.length, b.times.length], [3, 3]);
  assert.equal(a.median, median(a.times));
  assert.equal(a.least, Math.min(...a.times));
});

test('a ratio compares calls of the same round, so slow phases cancel out', async () => {
  let phase = 0;
  const lasting = (ms) => () => wait(ms * (phase < 3 ? 1 : 4));
  const after = () => {
    phase += 1;
  };
  const runs = { one: lasting(20), two: { run: lasting(40), after } };
  const { one, two } = await inTurns(runs, { rounds: 6, warmUp: 0 });
  assert.equal(one.ratio, 1);
  assert.ok(two.ratio > 1, String(two.ratio));
  const paired = two.times.map((time, round) => time / one.times[round]);
  assert.equal(two.ratio, median(paired));
});

test('a turn takes samples for its time; a sample is the mean of calls, of one step each', async () => {
  const calls = [];
  const quick = { run: noting(calls, 'quick'), steps: 2 };
  const turns = await inTurns({ quick }, { rounds: 2, turn: 10, warmUp: 0 });
  assert.ok(turns.quick.times.length > 2);
  calls.length = 0;
  const sampled = await inTurns({ quick }, { rounds: 3, sample: 1 });
  assert.equal(sampled.quick.times.length, 3);
  assert.ok(calls.length > 100, `${calls.length} calls fill three samples of a millisecond`);
});

test('without --expose-gc, a loop that collects garbage says so', async () => {
  if (globalThis.gc) return;
  await assert.rejects(inTurns({ a() {} }, { rounds: 1, collects: true }), /--expose-gc/);
});

test('tables and times have one form', () => {
  assert.equal(table(['a', 'b'], [[1, undefined]]), '| a | b |\n|---|---|\n| 1 |  |');
  assert.deepEqual([0.0078, 0.65, 4.8, 558.28].map(timeText), [
    '7.8 µs',
    '650 µs',
    '4.80 ms',
    '558.3 ms',
  ]);
});

const page = readFileSync(at('docs', 'performance.md'), 'utf8');

for (const name of ['cold', 'load', 'threads', 'train', 'visit'])
  test(`docs/performance.md has the section of bench/figures/${name}.json`, async () => {
    const { title, section } = await import(`../../bench/${name}.mjs`);
    const figures = JSON.parse(readFileSync(at('bench', 'figures', `${name}.json`), 'utf8'));
    assert.ok(page.includes(`\n${title}\n\n${section(figures)}`), title);
  });
