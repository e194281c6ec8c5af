// SPDX-License-Identifier: MIT
// The binomial distribution: exact for all sizes, in a time that does not grow with the trials.
import assert from 'node:assert/strict';
import { before, describe, test } from 'node:test';
import { random, ready, ShapeError, ValueError } from '../../dist/index.js';

before(() => ready());

/** Returns log(k!) for 0 to n. */
function logFactorials(n) {
  const logs = [0];
  for (let k = 1; k <= n; k++) logs.push(logs[k - 1] + Math.log(k));
  return logs;
}

/** Returns the exact probabilities of 0 to n successes. */
function probabilities(n, p) {
  const logs = logFactorials(n);
  return logs.map((_, k) => {
    const ways = logs[n] - logs[k] - logs[n - k];
    return Math.exp(ways + k * Math.log(p) + (n - k) * Math.log1p(-p));
  });
}

/** Returns chi-square over cells of at least 20 expected draws, and the number of cells. */
function chiSquare(draws, exact) {
  const counted = new Float64Array(exact.length);
  for (const k of draws) counted[k]++;
  let [sum, cells, seen, expected] = [0, 0, 0, 0];
  let rest = 1;
  for (const [k, share] of exact.entries()) {
    seen += counted[k];
    expected += share * draws.length;
    rest -= share;
    if (k < exact.length - 1 && (expected < 20 || rest * draws.length < 20)) continue;
    sum += (seen - expected) ** 2 / expected;
    cells++;
    [seen, expected] = [0, 0];
  }
  return { sum, cells };
}

const kDraws = 60_000;

describe('the distribution', () => {
  // By trials, by gaps, by rejection; each also with more successes than failures.
  for (const [n, p] of [
    [16, 0.3],
    [17, 0.02],
    [40, 0.2],
    [40, 0.8],
    [21, 0.5],
    [100, 0.1],
    [1000, 0.004],
    [1000, 0.35],
    [1000, 0.996],
    [5000, 0.5],
  ]) {
    test(`of ${n} trials with the probability ${p} is exact`, () => {
      const exact = probabilities(n, p);
      for (const seed of [1, 2, 3]) {
        const draws = random.binomial([kDraws], n, p, { seed }).data();
        const mean = draws.reduce((sum, k) => sum + k, 0) / kDraws;
        const variance = draws.reduce((sum, k) => sum + (k - mean) ** 2, 0) / kDraws;
        const expected = n * p * (1 - p);
        assert.ok(Math.abs(mean - n * p) < 5 * Math.sqrt(expected / kDraws), `mean ${mean}`);
        const error = 5 * expected * Math.sqrt((2 + 1 / expected) / kDraws);
        assert.ok(Math.abs(variance - expected) < error, `variance ${variance}`);
        const { sum, cells } = chiSquare(draws, exact);
        const freedom = cells - 1;
        assert.ok(sum < freedom + 5 * Math.sqrt(2 * freedom) + 5, `${sum} for ${cells} cells`);
      }
    });
  }
});

test('the time does not grow with the trials', () => {
  for (const [n, p] of [
    [2 ** 53 - 1, 0.25],
    [2 ** 53 - 1, 1e-15],
    [1e12, 0.999],
  ]) {
    const draws = random.binomial([2000], n, p, { seed: 4 }).data();
    const mean = draws.reduce((sum, k) => sum + k, 0) / 2000;
    const error = 5 * Math.sqrt((n * p * (1 - p)) / 2000);
    // The draws are float32.
    assert.ok(Math.abs(mean - n * p) < error + n * p * 2 ** -24, `${mean}, not ${n * p}`);
  }
});

test('few trials are made one by one, so seeds repeat their numbers', () => {
  assert.deepEqual(random.binomial([8], 9, 0.3, { seed: 7 }).array(), [2, 4, 3, 4, 3, 2, 1, 2]);
});

test('certain and impossible successes, and no trials', () => {
  for (const n of [0, 5, 1000]) {
    assert.deepEqual(random.binomial([2], n, 0).array(), [0, 0]);
    assert.deepEqual(random.binomial([2], n, 1).array(), [n, n]);
  }
  assert.deepEqual(random.binomial([1], 0, 0.5).array(), [0]);
  for (const p of [5e-324, 1 - 2 ** -53]) {
    const [k] = random.binomial([1], 1000, p).array();
    assert.equal(k, p < 0.5 ? 0 : 1000);
  }
});

test('trials that are not whole numbers are refused', () => {
  for (const n of [-1, 2.5, Number.NaN, Infinity, '3', null]) {
    assert.throws(() => random.binomial([1], n, 0.5), ValueError);
  }
  assert.throws(() => random.binomial([-1], 3, 0.5), ShapeError);
});
