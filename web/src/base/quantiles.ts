// SPDX-License-Identifier: MIT
/** Numbers in rising order and how many of the data each stands for. */
interface Summary {
  values: number[];
  weights: number[];
}

/** The piecewise linear function through (xs, ys) at x; constant outside. */
function interpolated(x: number, xs: readonly number[], ys: readonly number[]): number {
  const at = xs.findIndex((other) => other > x);
  if (at === -1) return ys.at(-1) as number;
  if (at === 0) return ys[0] as number;
  const [x0, x1] = [xs[at - 1] as number, xs[at] as number];
  const [y0, y1] = [ys[at - 1] as number, ys[at] as number];
  return y0 + ((y1 - y0) * (x - x0)) / (x1 - x0);
}

/** At equal shares of the weight instead, `epsilon` apart; as it is when that is no fewer. */
function compressed(summary: Summary, epsilon: number): Summary {
  const { values, weights } = summary;
  if (values.length * epsilon < 1) return summary;
  let sum = 0;
  const sums = weights.map((weight) => {
    sum += weight;
    return sum;
  });
  const shares = sums.map((part) => part / sum);
  const count = Math.ceil(1 / epsilon);
  const places = Array.from({ length: count }, (_, i) => epsilon + i * epsilon);
  const reached = places.map((place) => interpolated(place, shares, sums));
  return {
    values: places.map((place) => Math.fround(interpolated(place, shares, values))),
    weights: reached.map((part, i) => Math.fround(part - (i > 0 ? (reached[i - 1] as number) : 0))),
  };
}

/**
 * The inner boundaries of `bins` bins of about equally many numbers. Keras's estimate, step by step: it takes every so
 * many-th number, such that there are about 1 / epsilon, and interpolates between those.
 */
export function quantiles(numbers: Float32Array, bins: number, epsilon: number): number[] {
  const sorted = numbers.slice().sort();
  const share = sorted.length / (1 / epsilon);
  const step = Math.max(share, 1);
  const values: number[] = [];
  for (let i = Math.floor(share); i < sorted.length; i += Math.floor(step)) {
    values.push(sorted[i] as number);
  }
  const summary = compressed({ values, weights: values.map(() => Math.fround(step)) }, epsilon);
  return compressed(summary, 1 / bins).values.slice(0, -1);
}
