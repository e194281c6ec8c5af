// SPDX-License-Identifier: MIT
/** Numbers in ascending order, and the number of data points that each represents. */
export interface Summary {
  values: number[];
  weights: number[];
}

/** Value at x of the piecewise linear function through (xs, ys); constant outside. */
function interpolate(x: number, xs: readonly number[], ys: readonly number[]): number {
  const at = xs.findIndex((other) => other > x);
  if (at === -1) return ys.at(-1) as number;
  if (at === 0) return ys[0] as number;
  const [x0, x1] = [xs[at - 1] as number, xs[at] as number];
  const [y0, y1] = [ys[at - 1] as number, ys[at] as number];
  return y0 + ((y1 - y0) * (x - x0)) / (x1 - x0);
}

/** Resamples at equal shares of the weight, `epsilon` apart, if that makes the summary shorter. */
function compress(summary: Summary, epsilon: number): Summary {
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
  const cumulative = places.map((place) => interpolate(place, shares, sums));
  return {
    values: places.map((place) => Math.fround(interpolate(place, shares, values))),
    weights: cumulative.map((part, i) => Math.fround(part - (cumulative[i - 1] ?? 0))),
  };
}

/**
 * Adds numbers to the summary of earlier ones. Repeats Keras's estimate step by step: it samples
 * about 1 / epsilon of the sorted numbers at regular distances and interpolates between them.
 */
export function summaryWith(numbers: Float32Array, epsilon: number, earlier?: Summary): Summary {
  const sorted = numbers.slice().sort();
  const step = Math.max(sorted.length / (1 / epsilon), 1);
  const points: [number, number][] = [];
  for (let i = Math.floor(step - 1); i < sorted.length; i += Math.floor(step)) {
    points.push([sorted[i] as number, Math.fround(step)]);
  }
  earlier?.values.forEach((value, i) => {
    points.push([value, earlier.weights[i] as number]);
  });
  points.sort(([a], [b]) => a - b);
  const merged = { values: points.map(([value]) => value), weights: points.map(([, w]) => w) };
  return compress(merged, epsilon);
}

/** Returns the inner boundaries of `bins` bins that hold about equally many of the numbers. */
export const quantiles = (summary: Summary, bins: number): number[] =>
  compress(summary, 1 / bins).values.slice(0, -1);
