// SPDX-License-Identifier: MIT
// The generator behind `random` of maskflow and maskflow/train, and the seeds that users pass to
// it.
import { refuse } from '../base/check.js';

/** Draws 32 random bits, by xoshiro128** (Blackman and Vigna 2018). */
export class RandomSource {
  private readonly state: Uint32Array;

  constructor(seed: number) {
    // Splitmix spreads the seed over the state.
    let mixed = seed >>> 0;
    this.state = Uint32Array.from({ length: 4 }, () => {
      mixed = (mixed + 0x9e3779b9) >>> 0;
      let x = Math.imul(mixed ^ (mixed >>> 16), 0x85ebca6b);
      x = Math.imul(x ^ (x >>> 13), 0xc2b2ae35);
      return x ^ (x >>> 16);
    });
  }

  next(): number {
    const [a, b, c, d] = this.state as unknown as [number, number, number, number];
    const product = Math.imul(b, 5);
    const result = Math.imul((product << 7) | (product >>> 25), 9) >>> 0;
    const third = c ^ a;
    const last = d ^ b;
    this.state[1] = b ^ third;
    this.state[0] = a ^ last;
    this.state[2] = third ^ (b << 9);
    this.state[3] = (last << 11) | (last >>> 21);
    return result;
  }

  /** A number in (0, 1) with 52 random bits. */
  uniform(): number {
    return ((this.next() >>> 6) * 0x4000000 + (this.next() >>> 6) + 0.5) / 2 ** 52;
  }

  /** A number of the standard normal distribution (Box and Muller 1958). */
  normal(): number {
    return Math.sqrt(-2 * Math.log(this.uniform())) * Math.cos(2 * Math.PI * this.uniform());
  }

  /** A number of the gamma distribution with scale 1 (Marsaglia and Tsang 2000). */
  gamma(shape: number): number {
    if (shape < 1) return this.gamma(shape + 1) * this.uniform() ** (1 / shape);
    const d = shape - 1 / 3;
    for (;;) {
      const x = this.normal();
      const v = (1 + x / Math.sqrt(9 * d)) ** 3;
      if (v > 0 && Math.log(this.uniform()) < (x * x) / 2 + d - d * v + d * Math.log(v))
        return d * v;
    }
  }
}

/**
 * Random numbers that continue from call to call. Two generators with the same seed draw the same
 * numbers, which are not those of Keras.
 */
export class SeedGenerator {
  /** An integer. */
  readonly seed: number;
  private readonly source: RandomSource;

  /**
   * Throws ValueError unless the seed is an integer.
   *
   * @param seed An integer; by default a random one.
   */
  constructor(seed: number = Math.floor(Math.random() * 2 ** 32)) {
    if (!Number.isInteger(seed)) refuse('the seed', 'an integer', seed);
    this.seed = seed;
    this.source = new RandomSource(seed);
  }

  /** @internal */
  static sourceOf(seed: RandomSeed | undefined): RandomSource {
    if (seed instanceof SeedGenerator) return seed.source;
    if (typeof seed === 'number') return new SeedGenerator(seed).source;
    shared ??= new SeedGenerator();
    return shared.source;
  }
}

/** Restarts the draws of calls without a seed, for `ready({ seed })`. */
export function reseed(seed: number): void {
  shared = new SeedGenerator(seed);
}

/** Returns a seed for a call without one; `ready({ seed })` determines it. */
export const drawSeed = (): number => SeedGenerator.sourceOf(null).next();

/** Draws for calls without a seed. */
let shared: SeedGenerator | undefined;

/** An integer, with which each call draws the same numbers, or a generator; null: a random one. */
export type RandomSeed = number | SeedGenerator | null;
