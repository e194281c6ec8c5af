// SPDX-License-Identifier: MIT
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import { Input, layers, ready, Sequential, tensor } from '../../../dist/index.js';
import { chapterOf, pageModule, programOf, runChapter } from '../../support/page.js';

const quick = (text) => text.replace('round <= 9', 'round <= 2').replace('from < 4', 'from < 0');
const run = (set) => runChapter('cost', { set: { rows: '2', ...set }, edit: quick });

test('multiply-adds equal the profile of the package for the same batch', async () => {
  await ready({ seed: 7 });
  const gates = { lstm: 4, gru: 3, simpleRNN: 1 };
  for (const layer of Object.keys(gates)) {
    const { data } = await run({ layer });
    const model = new Sequential([Input({ shape: [60, 32] }), layers[layer]({ units: 64 })]);
    const x = tensor(new Float32Array(2 * 60 * 32), { shape: [2, 60, 32] });
    assert.deepEqual(data.shape, [2, 60, 32]);
    assert.equal(data.rows.length, 10);
    for (const [index, { share, keptSteps, multiplyAdds }] of data.rows.entries()) {
      const steps = 60 - 6 * index;
      assert.equal(keptSteps, 2 * steps);
      assert.equal(share, steps / 60);
      const mask = [0, 1].map(() => Array.from({ length: 60 }, (_, t) => t < steps));
      const { rows } = await model.profile(x, { mask, repeats: 1 });
      const { flops } = rows.find(({ depth }) => depth === 0);
      // The profile does not count the product with the zeros of the initial state.
      const atFirst = 2 * gates[layer] * 64 * 64;
      assert.equal(flops / 2, multiplyAdds - atFirst, `${layer}, ${share}`);
    }
    x.dispose();
    model.dispose();
  }
});

test('the number of masked steps does not depend on their place', async () => {
  for (const where of ['end', 'start', 'holes']) {
    const { data } = await run({ where });
    assert.deepEqual(
      data.rows.map(({ keptSteps }) => keptSteps),
      [120, 108, 96, 84, 72, 60, 48, 36, 24, 12],
      where,
    );
  }
});

test('every share is timed in every round, with its mask and without one', async () => {
  const { data, says, judged, text } = await run({});
  assert.equal(data.rounds, 2);
  for (const { low, median, high } of [
    data.every,
    ...data.rows.flatMap(({ kept, ratio }) => [kept, ratio]),
  ])
    assert.ok(0 < low && low <= median && median <= high);
  assert.match(says, /^With 50 % of the steps kept, (the batch takes|the difference)/);
  assert.match(says, /It needs 50 % of the multiply-adds\.$/);
  assert.ok(['nothing', 'little', 'half', 'most'].includes(judged.right));
  assert.ok(text.trim().split('\n').length <= 18);
});

test('stops between two rounds, and says so if no round ended', async () => {
  let turns = 0;
  const stop = (after) => ({ edit: quick, set: { rows: '1' }, turn: async () => turns++ < after });
  const { data } = await runChapter('cost', stop(1));
  assert.equal(data.rounds, 1);
  turns = 0;
  await assert.rejects(runChapter('cost', stop(0)), { name: 'Advice' });
});

test('the sentence claims what the numbers show, and nothing else', async () => {
  const { comparison } = await pageModule("export * from './chapters/cost/words.ts'");
  const at = (median, spread = 0.1) => ({ median, low: median - spread, high: median + spread });
  const told = (kept, ratio) => comparison({ kept: at(kept), ratio: at(ratio) }, at(3));
  assert.equal(
    told(1, 3),
    'the batch takes 1.00 ms in place of 3.00 ms: 67 % of the time is saved.',
  );
  assert.match(told(6, 0.5), /skipping is 100 % slower/);
  assert.match(told(2.9, 1.05), /the difference is within the noise/);
});

test('sentence and verdict have one statistic: the medians that the figure shows', async () => {
  const { chapter, Settings } = await chapterOf('cost');
  const quartiles = (median, spread) => ({ median, low: median - spread, high: median + spread });
  // The median of the ratios is another number than the ratio of the medians.
  const row = { share: 0.5, keptSteps: 960, kept: quartiles(1.3, 0.1), ratio: quartiles(2.9, 0.2) };
  const data = {
    every: quartiles(3, 0.2),
    rows: [
      { ...row, share: 1, multiplyAdds: 200 },
      { ...row, multiplyAdds: 100 },
    ],
  };
  const scene = { settings: new Settings(new Map([['share', '50']])) };
  const says = chapter.summarize(data, scene);
  assert.match(says, /takes 1\.30 ms in place of 3\.00 ms: 57 % of the time is saved/);
  assert.match(chapter.judge(data).because, /^With 50 % of the steps kept, 57 % of the time is/);
});

test('the verdict explains times only if they follow the kept steps', async () => {
  const { chapter } = await chapterOf('cost');
  const times = (median) => ({ median, low: median, high: median });
  const because = (kept) => {
    const rows = [{ share: 0.5, keptSteps: 960, kept: times(kept), ratio: times(2 / kept) }];
    return chapter.judge({ every: times(2), rows }).because;
  };
  for (const kept of [0.8, 1, 1.3]) assert.match(because(kept), /time follows the kept steps/);
  for (const kept of [0.3, 2.2]) assert.match(because(kept), /disturb the clock.*measure again/);
});

test('the text says what is timed: one runtime, with the mask and without', () => {
  const html = readFileSync(
    new URL('../../../page/chapters/cost/chapter.html', import.meta.url),
    'utf8',
  );
  assert.doesNotMatch(html, /another skips|Both are timed/);
  assert.match(html, /the batch with its mask, and the same batch with every step kept/);
});

test('the engine is shown by its common name', async () => {
  const { engineName } = await pageModule("export * from './shared/machine.ts'");
  const names = {
    'Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/126.0.0.0 Safari/537.36':
      'Chromium 126',
    'Mozilla/5.0 (X11; Linux x86_64; rv:127.0) Gecko/20100101 Firefox/127.0': 'Firefox 127',
    'Mozilla/5.0 (Macintosh) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/17.4 Safari/605.1.15':
      'Safari 17',
    'something else': 'this engine',
  };
  for (const [agent, name] of Object.entries(names)) assert.equal(engineName(agent), name);
});

test('a batch without rows leads to a question', async () => {
  await assert.rejects(programOf('cost', { rows: '' }), /Type the number of rows/);
  assert.match(await programOf('cost', { rows: '-3' }), /\[1, 60, 32\]/);
  assert.match(await programOf('cost', { rows: '1e9' }), /\[128, 60, 32\]/);
});
