// SPDX-License-Identifier: MIT
// Weights in 16 or 8 bits, for saveTfjs. TensorFlow.js reads them as floats of 32 bits.
import type { TfjsWeights } from '../../model/load_options.js';
import { checkNumbers, halvesOf } from '../write/halves.js';

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

const kLargestByte = 255;

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
  checkNumbers(values, name, kind, Number.MAX_VALUE);
  return toBytes(values);
}

/** A weight of a model for TensorFlow.js. */
export interface Weight {
  readonly name: string;
  readonly shape: readonly number[];
  readonly dtype: string;
  readonly bytes: Uint8Array;
}
