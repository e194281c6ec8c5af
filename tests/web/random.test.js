// SPDX-License-Identifier: MIT
// Random functions: their distributions, and reproducible seeds.
import assert from 'node:assert/strict';
import { before, test } from 'node:test';
import * as mf from '../../dist/train.js';

before(() => mf.ready());
const { ops, random, tensor } = mf;
const count = 40_000;

const moments = (x) => [ops.mean(x).item(), ops.variance(x).item()];
/** Asserts mean and variance within five standard errors. */
function hasMoments(x, mean, variance, kurtosis = 3) {
  const [m, v] = moments(x);
  const size = x.size;
  assert.ok(Math.abs(m - mean) < 5 * Math.sqrt(variance / size), `mean ${m}, not ${mean}`);
  const error = 5 * variance * Math.sqrt(kurtosis / size);
  assert.ok(Math.abs(v - variance) < error, `variance ${v}, not ${variance}`);
}

test('distributions have their means and variances', () => {
  hasMoments(random.normal([count], { mean: 2, stddev: 3, seed: 1 }), 2, 9);
  hasMoments(random.truncatedNormal([count], { seed: 2 }), 0, 0.7737);
  hasMoments(random.uniform([count], { minval: -1, maxval: 3, seed: 3 }), 1, 16 / 12);
  hasMoments(random.gamma([count], 0.5, { seed: 4 }), 0.5, 0.5, 20);
  hasMoments(random.gamma([count], 7, { seed: 5 }), 7, 7, 6);
  hasMoments(random.beta([count], 2, 3, { seed: 6 }), 0.4, 0.04);
  hasMoments(random.binomial([count], 9, 0.3, { seed: 7 }), 2.7, 1.89);
});

test('the normal distribution has its quantiles', () => {
  const x = random.normal([count], { seed: 11 });
  const expected = [-1.2816, 0, 0.6745, 2.3263];
  ops
    .quantile(x, [0.1, 0.5, 0.75, 0.99])
    .array()
    .forEach((q, i) => {
      assert.ok(Math.abs(q - expected[i]) < 0.06, `${q}, not ${expected[i]}`);
    });
  const bounded = random.truncatedNormal([count], { seed: 12 });
  assert.ok(ops.max(ops.absolute(bounded)).item() <= 2);
});

test('integers are equally frequent', () => {
  const x = random.randint([count], -2, 3, { seed: 8 });
  assert.equal(x.dtype, 'int32');
  const counts = [-2, -1, 0, 1, 2].map((n) => ops.countNonzero(ops.equal(x, n)).item());
  for (const n of counts) assert.ok(Math.abs(n - count / 5) < 5 * Math.sqrt(count * 0.16), `${n}`);
  assert.equal(
    counts.reduce((a, b) => a + b),
    count,
  );
  const drawn = random.uniform([3], { minval: 4, maxval: 5, dtype: 'int32' });
  assert.deepEqual([drawn.dtype, drawn.array()], ['int32', [4, 4, 4]]);
});

test('categorical draws classes with the probabilities of the logits', () => {
  const p = [0.1, 0, 0.6, 0.3];
  const logits = [p.map(Math.log), [0, 1000, 0, 0]];
  const x = random.categorical(logits, count, { seed: 9 });
  assert.deepEqual([x.shape, x.dtype], [[2, count], 'int32']);
  const [first, second] = ops.unstack(x);
  p.forEach((share, i) => {
    const n = ops.countNonzero(ops.equal(first, i)).item();
    const error = 5 * Math.sqrt(count * share * (1 - share));
    assert.ok(Math.abs(n - share * count) <= error, `class ${i}: ${n}`);
  });
  assert.equal(ops.countNonzero(ops.equal(second, 1)).item(), count);
  assert.throws(() => random.categorical([1, 2], 1), mf.ValueError);
  assert.throws(() => random.categorical([[Number.NaN, 2]], 1), mf.ValueError);
});

test('dropout keeps the mean, and shuffle the elements', () => {
  const x = random.dropout(ops.ones([count]), 0.25, { seed: 1 });
  assert.ok(Math.abs(ops.mean(x).item() - 1) < 0.02);
  assert.deepEqual(ops.sort(x).array().slice(-1), [Math.fround(1 / 0.75)]);
  const rows = tensor([
    [1, 2, 3],
    [4, 5, 6],
  ]);
  const y = random.shuffle(rows, { axis: 1, seed: 3 });
  assert.deepEqual(ops.sort(y, { axis: 1 }).array(), rows.array());
  assert.deepEqual(ops.diff(y, { axis: 0 }).array(), [[3, 3, 3]]);
  const first = Array.from(
    { length: 600 },
    (_, i) => random.shuffle([0, 1, 2], { seed: i }).array()[0],
  );
  for (const n of [0, 1, 2]) {
    const times = first.filter((x) => x === n).length;
    assert.ok(Math.abs(times - 200) < 60, `${times}`);
  }
});

test('a seed repeats its numbers; a generator continues', () => {
  const draw = (seed) => random.normal([4], { seed }).array();
  assert.deepEqual(draw(5), draw(5));
  assert.notDeepEqual(draw(5), draw(6));
  const one = new random.SeedGenerator(5);
  const other = new random.SeedGenerator(5);
  const numbers = [draw(one), draw(one)];
  assert.notDeepEqual(numbers[0], numbers[1]);
  assert.deepEqual([draw(other), draw(other)], numbers);
  assert.notDeepEqual(draw(), draw());
  assert.throws(() => new random.SeedGenerator(0.5), mf.ValueError);
});

test('wrong arguments are refused', () => {
  for (const call of [
    () => random.randint([1], 3, 3),
    () => random.dropout([1], 2),
    () => random.gamma([1], 0),
    () => random.beta([1], 1, -1),
    () => random.binomial([1], 3, 1.5),
  ]) {
    assert.throws(call, mf.ValueError);
  }
});
