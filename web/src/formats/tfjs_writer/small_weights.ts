// SPDX-License-Identifier: MIT
// Weights in 16 or 8 bits, for saveTfjs, and in 16 bits for save. Readers make floats of 32 bits of
// them.
import { ValueError } from '../../base/errors.js';
import type { TfjsWeights } from '../../model/load_options.js';

/** How a weight is stored, as `model.json` says it. */
export interface Quantization {
  readonly dtype: string;
  readonly original_dtype: 'float32';
  readonly scale?: number;
  readonly min?: number;
}

/** Bytes of a weight, and how they are to be read; undefined for plain floats. */
export interface SmallWeight {
  readonly bytes: Uint8Array;
  readonly quantization: Quantization;
}

const kLargestHalf = 65504;
const kLargestByte = 255;

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

/** Throws ValueError for a number that 16 or 8 bits cannot hold. */
function checkNumbers(values: Float32Array, name: string, dtype: TfjsWeights): void {
  const largest = dtype === 'float16' ? kLargestHalf : Number.MAX_VALUE;
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
  checkNumbers(values, name, 'float16');
  return Uint16Array.from(values, halfOf);
}

function toHalves(values: Float32Array, name: string): SmallWeight {
  return {
    bytes: new Uint8Array(halvesOf(values, name).buffer),
    quantization: { dtype: 'float16', original_dtype: 'float32' },
  };
}

/** Stores q for each number, which stands for q * scale + min. 0 stays 0. */
function toBytes(values: Float32Array): SmallWeight {
  let [least, most] = [0, 0];
  for (const value of values) {
    least = Math.min(least, value);
    most = Math.max(most, value);
  }
  const scale = (most - least) / kLargestByte || 1;
  const zero = Math.round(-least / scale);
  const bytes = Uint8Array.from(values, (value) =>
    Math.min(Math.max(Math.round(value / scale) + zero, 0), kLargestByte),
  );
  const quantization = { dtype: 'uint8', original_dtype: 'float32', scale, min: -zero * scale };
  return { bytes, quantization: quantization as Quantization };
}

/**
 * Returns a weight in fewer bits; undefined for one that stays as it is. Those with one axis, such
 * as biases and statistics, stay: they are few, and results depend on each of them.
 */
export function smallWeight(
  { name, shape, dtype, bytes }: Weight,
  kind: TfjsWeights,
): SmallWeight | undefined {
  if (kind === 'float32' || dtype !== 'float32' || shape.length < 2) return undefined;
  const values = new Float32Array(bytes.slice().buffer);
  if (kind === 'float16') return toHalves(values, name);
  checkNumbers(values, name, kind);
  return toBytes(values);
}

/** A weight of a model for TensorFlow.js. */
export interface Weight {
  readonly name: string;
  readonly shape: readonly number[];
  readonly dtype: string;
  readonly bytes: Uint8Array;
}
