// SPDX-License-Identifier: MIT
import type { TypedArray } from '../nested.js';

/** The value of an attribute: strings as text, one number as a number, more as an array. */
export type AttributeValue = string | number | string[] | TypedArray;

export interface Hdf5Group {
  readonly kind: 'group';
  /** From the root, without a leading slash; '' for the root. */
  readonly path: string;
  /** Read on first use; what the reader cannot understand is left out. */
  readonly attributes: ReadonlyMap<string, AttributeValue>;
  /** Names of what is inside, in the file's order. */
  keys(): string[];
  /** What lies at a path from here (`a/b`); undefined when there is nothing. */
  get(path: string): Hdf5Group | Hdf5Dataset | undefined;
}

export interface Hdf5Dataset {
  readonly kind: 'dataset';
  readonly path: string;
  readonly shape: readonly number[];
  /** float16, float32, float64, int8 … uint64, bool, string. */
  readonly dtype: string;
  readonly attributes: ReadonlyMap<string, AttributeValue>;
  /**
   * The elements, row by row. float16 as Float32Array, bool as Uint8Array, 64-bit integers as Float64Array.
   * FormatError where the file is damaged, UnsupportedError for strings and foreign compression.
   */
  read(): TypedArray;
}
