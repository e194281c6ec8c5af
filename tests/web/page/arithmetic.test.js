// SPDX-License-Identifier: MIT
// Sums that the page shows: their two sides are equal, and they begin with numbers on view.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { pageModule, runChapter } from '../../support/page.js';

const { losing, arithmetic, padding, steps, cost } = await pageModule(`
  export * as losing from './chapters/losing/sums.ts';
  export * as cost from './chapters/cost/words.ts';
  export * as arithmetic from './shared/arithmetic.ts';
  export { padding } from './chapters/padding/chapter.ts';
  export { steps } from './chapters/steps/chapter.ts';`);

/** Evaluates one side of a sum as the page writes it. */
const resultOf = (side) =>
  Function(
    `return ${side
      .replaceAll('−', '-')
      .replaceAll('|', (_, at) => (at === 0 ? 'Math.abs(' : ')'))
      .replace(/ln (\(.*?\)|[\d.]+)/, 'Math.log($1)')}`,
  )();

/** Asserts that all sides of a sum that can be evaluated are equal. */
function assertEqualSides(sum, within = 0.0003) {
  const sides = sum
    .replace(/, .*$/, '')
    .split(' = ')
    .filter((side) => !side.includes('…'));
  assert.ok(sides.length > 0, sum);
  const values = sides.map(resultOf);
  for (const value of values) assert.ok(Math.abs(value - values[0]) < within, sum);
  return values.at(-1);
}

const batches = [
  {},
  { batch: { text: 'a b c d e f g\nh\ni j', padding: 'pre' } },
  { batch: { text: 'one two\nthree' } },
];

for (const more of batches) {
  test(`sums of losses are true: ${JSON.stringify(more)}`, async () => {
    const { data } = await runChapter('losing', { set: { case: 'loss' }, ...more });
    const seen = data.each.flatMap((row, b) => row.map((_, t) => losing.lossOfStep(data, b, t)));
    assert.ok(seen.every(Boolean));
    const values = seen.map((sum) => assertEqualSides(sum));
    data.each.flat().forEach((loss, index) => {
      assert.ok(Math.abs(values[index] - loss) < 0.0003);
    });
    for (const [number, sum] of losing.sumsOf(data))
      assert.ok(Math.abs(assertEqualSides(sum) - Number(number)) < 0.0003, `${number}: ${sum}`);
  });

  test(`sums of attention are true: ${JSON.stringify(more)}`, async () => {
    const { data } = await runChapter('losing', { set: { case: 'attention' }, ...more });
    data.mask.forEach((keep, row) => {
      keep.forEach((isWord, query) => {
        keep.forEach((isKey, key) => {
          if (!isWord || !isKey) return;
          const sum = losing.shareOfKey(data, row, query, key);
          assert.ok(Math.abs(assertEqualSides(sum) - data.masked[row][query][key]) < 0.0003);
        });
      });
    });
    for (const [number, sum] of losing.sumsOf(data))
      assert.equal(`${Math.round(100 * assertEqualSides(sum))} %`, number);
  });
}

for (const more of batches) {
  test(`the sum of packed words is true: ${JSON.stringify(more)}`, async () => {
    const { data, says } = await runChapter('losing', { set: { case: 'packed' }, ...more });
    const [[number, sum]] = losing.sumsOf(data);
    assert.ok(says.startsWith(`${number} word`), says);
    assert.equal(data.mask.flat().filter(Boolean).length, Number(number));
    if (sum.includes('…')) return;
    assert.equal(assertEqualSides(sum), Number(number));
  });
}

for (const more of batches) {
  test(`positions of words and rows that end in padding: ${JSON.stringify(more)}`, async () => {
    const { data, says } = await runChapter('losing', { set: { case: 'decoder' }, ...more });
    for (const side of data.sides)
      side.mask.forEach((row, b) => {
        row.forEach((keep, t) => {
          const sum = losing.positionOf(side, b, t);
          assert.equal(sum !== undefined, keep);
          if (sum) assert.equal(assertEqualSides(sum), side.positions[b][t]);
        });
      });
    for (const [number, sum] of losing.sumsOf(data)) {
      assert.equal(assertEqualSides(sum), Number(number));
      assert.match(says, new RegExp(`padding in ${number} of`));
    }
    const other = {
      ...data.sides[0],
      positions: data.sides[0].positions.map((row) => row.map(() => 9)),
    };
    assert.equal(losing.positionOf(other, 0, 0), undefined);
  });

  test(`changes without a mask are those of two numbers: ${JSON.stringify(more)}`, async () => {
    const { data } = await runChapter('losing', { set: { case: 'care' }, ...more });
    for (const change of data.changes) {
      const sum = losing.sumOfChange(change);
      assert.equal(sum === undefined, change[1] < 0.0001, change[0]);
      if (sum) assert.ok(Math.abs(assertEqualSides(sum) - change[1]) < 0.0002, sum);
    }
    assert.equal(losing.sumOfChange(['Dense', 0.5]), undefined);
    assert.equal(losing.sumOfChange(['Dense', 0.5, 1, 2]), undefined);
  });
}

test('chapter 3 shows the two numbers of each difference in its sentence', async () => {
  for (const set of [{ model: 'e.p.l' }, { model: 'e.t.g' }]) {
    const { says, sums } = await runChapter('flow', { set: { ...set, data: 'pairs' } });
    assert.ok(sums.length > 0, says);
    for (const [number, sum] of sums) {
      assert.ok(says.includes(`up to ${number}`), `${says} ${number}`);
      assert.ok(Math.abs(assertEqualSides(sum) - Number(number)) < 0.0002, sum);
    }
  }
});

test('the sum of saved time is that of the times in the sentence', () => {
  const times = (median) => ({ median, low: median, high: median });
  const row = { kept: times(7.86), ratio: times(2.07), keptSteps: 960, share: 0.5 };
  const [steps, [number, sum]] = cost.sumsOf(row, times(16.3));
  const says = cost.comparison(row, times(16.3));
  assert.match(says, new RegExp(`: ${number} of the time is saved`));
  assert.equal(sum, '1 − 7.86 ms / 16.3 ms = 0.52');
  assert.ok(Math.abs(assertEqualSides(sum.replaceAll(' ms', ''), 0.005) - 0.52) < 0.005);
  assert.deepEqual(steps, ['50 %', '960 / 1920 = 0.5000']);
  const noise = { ...row, kept: times(16.3), ratio: times(1) };
  assert.deepEqual(cost.sumsOf(noise, times(16.3)), [steps]);
});

test('a loss by another formula has no sum', async () => {
  const { data } = await runChapter('losing', { set: { case: 'loss' } });
  const other = { ...data, each: data.each.map((row) => row.map((value) => value * 2)) };
  assert.equal(losing.lossOfStep(other, 0, 0), undefined);
  assert.equal(losing.lossOfStep({ ...data, predictions: undefined }, 0, 0), undefined);
});

test('a number is found as a whole only', () => {
  const { placeOf } = arithmetic;
  assert.equal(placeOf('122 % and 22 %', '22 %'), 10);
  assert.equal(placeOf('0.27981 is not it, −0.2798 is not', '0.2798'), -1);
  assert.equal(placeOf('up to 0.2798.', '0.2798'), 6);
});

test('long sums are shortened, negative numbers have brackets', () => {
  const { written, meanOf, distanceOf, shareOf } = arithmetic;
  assert.equal(written([1, -2, 3], 0), '1 + (−2) + 3');
  assert.equal(written([1, 2, 3, 4, 5], 0), '1 + 2 + … + 5');
  assert.equal(meanOf([1, 2]), '(1.0000 + 2.0000) / 2 = 3.0000 / 2 = 1.5000');
  assert.equal(distanceOf(0.5, -0.25), '|0.5000 − (−0.2500)|');
  assert.equal(shareOf(4, 18), '4 / 18 = 0.2222');
  assert.ok(padding.sums && steps.sums);
});
