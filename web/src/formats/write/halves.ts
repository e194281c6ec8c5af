// SPDX-License-Identifier: MIT
// Floats of 16 bits, for save and saveTfjs.
import { ValueError } from '../../base/errors.js';

const kLargestHalf = 65504;

/** Exponents of normal numbers of 16 bits begin here; below, numbers are multiples of 2 ** -24. */
const kSmallestExponent = -14;
const kFractionBits = 10;

/** Rounds to the nearest integer, and from the middle to the even one. */
function roundEven(value: number): number {
  const below = Math.floor(value);
  const rest = value - below;
  if (rest !== 0.5) return rest < 0.5 ? below : below + 1;
  return below % 2 === 0 ? below : below + 1;
}

/** Returns the bits of the nearest float of 16 bits. */
function halfOf(value: number): number {
  const sign = value < 0 || Object.is(value, -0) ? 0x8000 : 0;
  const size = Math.abs(value);
  if (size === 0) return sign;
  const exponent = Math.max(Math.floor(Math.log2(size)), kSmallestExponent);
  const unit = 2 ** (exponent - kFractionBits);
  // A carry into the exponent adds up to the right bits, as does an exponent that log2 rounds.
  const steps = roundEven(size / unit);
  return sign + (exponent - kSmallestExponent) * 2 ** kFractionBits + steps;
}

/** Throws ValueError for a number that a smaller type cannot hold. */
export function checkNumbers(
  values: Float32Array,
  name: string,
  dtype: string,
  largest: number,
): void {
  const value = values.find((each) => !(Math.abs(each) <= largest));
  if (value === undefined) return;
  throw new ValueError(
    `the weight '${name}' has the number ${value}, which ${dtype} cannot hold; leave the option weights out`,
  );
}

/**
 * Returns the bits of the nearest floats of 16 bits. Throws ValueError for a number that they
 * cannot hold; the message contains the `name` of the weight.
 */
export function halvesOf(values: Float32Array, name: string): Uint16Array {
  checkNumbers(values, name, 'float16', kLargestHalf);
  return Uint16Array.from(values, halfOf);
}
