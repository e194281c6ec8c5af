// SPDX-License-Identifier: MIT
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { pageModule, programOf, runChapter } from '../../support/page.js';

const run = (options) => runChapter('learning', { flow: 'train', ...options });
const epochs = (count) => (text) => text.replace('epoch < 24', `epoch < ${count}`);
const measure = () => pageModule("export * from './chapters/learning/measure.ts'");

test('the model trained with the mask is right for any padding; without it, only for the padding used in training', async () => {
  const { verdictOf } = await measure();
  const { data, says } = await run();
  const [mask, bare] = [0, 1].map((model) => verdictOf(data, model));
  assert.equal(data.curve.length, 24);
  assert.ok(mask.worst > 0.97, `${mask.worst}`);
  assert.ok(mask.moved < 1e-6, `${mask.moved}`);
  assert.ok(bare.trained > 0.97, `${bare.trained}`);
  assert.ok(bare.alone < 0.7, `${bare.alone}`);
  assert.match(says, /alone and not padded, (9\d|100) % and [1-6]\d %(, which is guessing)?\./);
  assert.match(says, /^After 24 epochs, on \d+ rows that neither model saw: padded to 14/);
  assert.match(says, /the model learned from the padding as well/);
});

test('rows have the stated labels, and no test row was trained on', async () => {
  const { isClosed } = await measure();
  const edit = (text) => epochs(1)(text).replace('let says', 'globalThis.rows = rows; let says');
  const { data } = await run({ edit });
  const { rows } = globalThis;
  delete globalThis.rows;
  const isBalanced = (row) => {
    let open = 0;
    for (const id of row) {
      open += id === 1 ? 1 : -1;
      if (open < 0) return false;
    }
    return open === 0;
  };
  for (const [i, row] of rows.entries()) {
    assert.ok(row.length >= 2 && row.length <= 12 && row.length % 2 === 0);
    assert.ok(row.every((id) => id === 1 || id === 2));
    assert.equal(isBalanced(row), i % 2 === 0, 'every other row is closed');
    assert.equal(isClosed(row), isBalanced(row));
  }
  const trainingRows = new Set(rows.slice(0, 800).map(String));
  assert.ok(data.held.length > 50);
  assert.ok(data.held.every((row) => !trainingRows.has(String(row))));
});

test('the same seed gives the same numbers, another seed others', async () => {
  const small = { edit: epochs(2) };
  const [firstRun, sameSeed, otherSeed] = [
    await run(small),
    await run(small),
    await run({ ...small, set: { seed: '2' } }),
  ];
  assert.deepEqual(firstRun.data, sameSeed.data);
  assert.notDeepEqual(firstRun.data.curve, otherSeed.data.curve);
});

test('each epoch is shown, and a stop takes effect', async () => {
  const epochsShown = [];
  let turns = 0;
  const { data } = await run({
    show: (value) => epochsShown.push(structuredClone(value)),
    turn: async () => ++turns < 3,
  });
  assert.deepEqual(
    epochsShown.map(({ curve }) => curve.length),
    [1, 2, 3],
  );
  assert.deepEqual(epochsShown.at(-1), data);
});

test('the verdict is counted from the answers', async () => {
  const { shareRight, verdictOf } = await measure();
  const { chapter } = await pageModule(
    "export { learning as chapter } from './chapters/learning/chapter.ts'",
  );
  const data = {
    held: [
      [1, 2],
      [1, 1],
    ],
    widths: [0, 14],
    curve: [[0.5, 0.5]],
    says: [
      [
        [0.9, 0.9],
        [0.9, 0.1],
      ],
      [
        [0.9, 0.1],
        [0.9, 0.1],
      ],
    ],
  };
  assert.equal(shareRight(data, 0, 0), 0.5);
  assert.deepEqual(verdictOf(data, 0), { trained: 1, alone: 0.5, worst: 0.5, moved: 0.8 });
  assert.match(chapter.summarize(data), /alone and not padded, 50 % and 100 %\./);
  assert.match(chapter.summarize(data), /After 1 epoch, on 2 rows/);
  assert.doesNotMatch(chapter.summarize(data), /learned from the padding/);
});

test('programs: the choices of the form, and what it refuses', async () => {
  assert.match(await programOf('learning', { epochs: '48', seed: '5' }), /epoch < 48;/);
  assert.match(await programOf('learning', { epochs: '1e9' }), /epoch < 24;/);
  await assert.rejects(programOf('learning', { seed: '' }), /Type a seed/);
  const edit = (text) => epochs(1)(text).replace('show({', 'held.pop(); show({');
  await assert.rejects(run({ edit }), { name: 'Advice' });
});

test('a program can be paused, run for one turn, and ended', async () => {
  const { Turns } = await pageModule("export * from './engine/turns.ts'");
  const turns = new Turns();
  assert.equal(await turns.turn(), true);
  const stateOf = async (promise) =>
    Promise.race([promise, new Promise((resolve) => setTimeout(resolve, 30, 'held'))]);
  turns.command('pause');
  const first = turns.turn();
  assert.equal(await stateOf(first), 'held');
  turns.command('step');
  assert.equal(await first, true);
  const second = turns.turn();
  assert.equal(await stateOf(second), 'held');
  turns.command('pause');
  assert.equal(await stateOf(second), 'held');
  turns.command('go');
  assert.equal(await second, true);
  assert.equal(await turns.turn(), true);
  turns.command('pause');
  const third = turns.turn();
  turns.command('end');
  assert.equal(await third, false);
  assert.equal(await turns.turn(), false);
});
