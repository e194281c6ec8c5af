// SPDX-License-Identifier: MIT
// Numbers of the binomial distribution, each in a time that does not grow with the trials.
import type { RandomSource } from './random_source.js';

/** Up to this many trials are made one by one. */
const kFewTrials = 16;
/** Expected successes from which rejection costs less than counting. */
const kFewSuccesses = 10;

/** Draws the number of successes. */
type Draw = (source: RandomSource) => number;

/** Makes each trial. */
const byTrials =
  (trials: number, probability: number): Draw =>
  (source) => {
    let successes = 0;
    for (let i = 0; i < trials; i++) successes += Number(source.uniform() < probability);
    return successes;
  };

/**
 * Adds the gaps between successes, which have the geometric distribution, until they exceed the
 * trials (Devroye 1986, page 525). The expected time grows with the expected successes.
 */
function byGaps(trials: number, probability: number): Draw {
  const scale = Math.log1p(-probability);
  return (source) => {
    let passed = Math.ceil(Math.log(source.uniform()) / scale);
    let successes = 0;
    for (; passed <= trials; successes++) passed += Math.ceil(Math.log(source.uniform()) / scale);
    return successes;
  };
}

/** Error of Stirling's approximation: log(k!) - log(sqrt(2π) (k + 1)^(k + 1/2) e^-(k + 1)). */
function stirlingError(k: number): number {
  const inverse = 1 / (k + 1);
  if (k > 9) {
    const square = inverse * inverse;
    return (1 / 12 - (1 / 360 - square / 1260) * square) * inverse;
  }
  let factorial = 0;
  for (let i = 2; i <= k; i++) factorial += Math.log(i);
  return factorial - Math.log(2 * Math.PI) / 2 - (k + 0.5) * Math.log(k + 1) + k + 1;
}

/** log(a / b), exact where a is close to b. */
const logRatio = (a: number, b: number): number => Math.log1p((a - b) / b);

/**
 * Draws from a hat function and rejects what is above the distribution (Hörmann 1993, algorithm
 * BTRS). The probability is at most 1/2.
 */
function byRejection(trials: number, probability: number): Draw {
  const deviation = Math.sqrt(trials * probability * (1 - probability));
  const b = 1.15 + 2.53 * deviation;
  const a = -0.0873 + 0.0248 * b + 0.01 * probability;
  const centre = trials * probability + 0.5;
  const sure = 0.92 - 4.2 / b;
  const odds = probability / (1 - probability);
  const alpha = (2.83 + 5.1 / b) * deviation;
  const mode = Math.floor((trials + 1) * probability);
  const ofMode =
    (mode + 0.5) * logRatio(mode + 1, odds * (trials - mode + 1)) +
    stirlingError(mode) +
    stirlingError(trials - mode);
  return (source) => {
    for (;;) {
      const u = source.uniform() - 0.5;
      const v = source.uniform();
      const margin = 0.5 - Math.abs(u);
      const k = Math.floor(((2 * a) / margin + b) * u + centre);
      if (margin >= 0.07 && v <= sure) return k;
      if (k < 0 || k > trials) continue;
      const height = Math.log((v * alpha) / (a / (margin * margin) + b));
      const bound =
        ofMode +
        (trials + 1) * logRatio(trials - mode + 1, trials - k + 1) +
        (k + 0.5) * logRatio(odds * (trials - k + 1), k + 1) -
        stirlingError(k) -
        stirlingError(trials - k);
      if (height <= bound) return k;
    }
  };
}

/** Returns the function that draws the number of successes among trials with a probability. */
export function binomialDraw(trials: number, probability: number): Draw {
  if (trials <= kFewTrials) return byTrials(trials, probability);
  if (probability > 0.5) {
    const failures = binomialDraw(trials, 1 - probability);
    return (source) => trials - failures(source);
  }
  if (probability === 0) return () => 0;
  const isRare = trials * probability < kFewSuccesses;
  return (isRare ? byGaps : byRejection)(trials, probability);
}
