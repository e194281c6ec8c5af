// SPDX-License-Identifier: MIT
// Dtypes of NumPy that tensors lack, for `padSequences` only: these functions convert the items.
import { show, checkText } from '../base/check.js';
import { lookUp } from '../base/names.js';
import { ValueError } from '../base/errors.js';
import { exactNumber, nest, type NestedArray } from '../base/nested.js';

/** The result of padding with a dtype that tensors do not have. */
export interface PaddedArray {
  /** Sizes of the axes, outermost first: [sequences, maxlen, …]. */
  shape: number[];
  /** NumPy's name of the dtype. */
  dtype: string;
  /**
   * The items in row-major order. int8, uint8, int16, uint16, uint32 and float64: the typed array
   * of that name. float16: a Float32Array of rounded values. int64, uint64, bool, strings and
   * objects: an Array.
   */
  data: ArrayLike<unknown>;
  /** The items as nested arrays. */
  array(): NestedArray<unknown>;
}

export type Parsed = ArrayLike<unknown>;

/** A NumPy dtype, and how its items are read. */
export interface HostDType {
  /** The dtype of tensors with the same name; null if tensors lack it. */
  tensor: 'float32' | 'int32' | 'bool' | null;
  cast(item: unknown, what: string): unknown;
}

function toNumber(item: unknown, what: string): number {
  const number = typeof item === 'string' && item.trim() !== '' ? Number(item) : item;
  if (typeof number === 'boolean') return Number(number);
  if (typeof number === 'bigint') return exactNumber(number, `the ${what}`);
  if (typeof number !== 'number' || (typeof item === 'string' && Number.isNaN(number))) {
    throw new ValueError(
      `the ${what} ${show(item)} is not a number; use dtype 'object' for other values`,
    );
  }
  return number;
}

function integer(name: string, low: number, high: number): (item: unknown, what: string) => number {
  return (item, what) => {
    const number = Math.trunc(toNumber(item, what)) + 0;
    if (!(number >= low && number <= high)) {
      throw new ValueError(
        `the ${what} ${show(item)} is outside the range of ${name}, ${low} to ${high}`,
      );
    }
    return number;
  };
}

/** Rounds to float16: 11 significant bits, ties to even, subnormals in steps of 2^-24. */
function roundToHalf(x: number): number {
  const size = Math.abs(x);
  if (!Number.isFinite(x) || size === 0) return x;
  if (size >= 65520) return x > 0 ? Number.POSITIVE_INFINITY : Number.NEGATIVE_INFINITY;
  const exponent = Math.max(Math.floor(Math.log2(size)), -14);
  const step = 2 ** (exponent - 10);
  const steps = size / step;
  const floor = Math.floor(steps);
  const rest = steps - floor;
  const roundsUp = rest > 0.5 || (rest === 0.5 && floor % 2 === 1);
  return Math.sign(x) * (floor + (roundsUp ? 1 : 0)) * step;
}

const dtypes: { [name: string]: HostDType } = {
  float32: { tensor: 'float32', cast: toNumber },
  int32: { tensor: 'int32', cast: integer('int32', -2147483648, 2147483647) },
  bool: { tensor: 'bool', cast: (item, what) => toNumber(item, what) !== 0 },
  float64: { tensor: null, cast: toNumber },
  float16: { tensor: null, cast: (item, what) => roundToHalf(toNumber(item, what)) },
  int8: { tensor: null, cast: integer('int8', -128, 127) },
  uint8: { tensor: null, cast: integer('uint8', 0, 255) },
  int16: { tensor: null, cast: integer('int16', -32768, 32767) },
  uint16: { tensor: null, cast: integer('uint16', 0, 65535) },
  uint32: { tensor: null, cast: integer('uint32', 0, 4294967295) },
  int64: {
    tensor: null,
    cast: integer('int64', -Number.MAX_SAFE_INTEGER, Number.MAX_SAFE_INTEGER),
  },
  uint64: { tensor: null, cast: integer('uint64', 0, Number.MAX_SAFE_INTEGER) },
  object: { tensor: null, cast: (item) => item },
};

/** Number of characters of a string dtype: 1 for 'str', 3 for '<U3'. */
const stringWidth = (name: string): number | null =>
  name === 'str' ? 1 : (/^<?U(\d+)$/.exec(name)?.slice(1).map(Number)[0] ?? null);

export function parseDType(name: string): HostDType {
  checkText(name, 'dtype');
  const known = lookUp(dtypes, name);
  if (known) return known;
  const width = stringWidth(name);
  if (width !== null)
    return { tensor: null, cast: (item) => [...String(item)].slice(0, width).join('') };
  throw new ValueError(
    `dtype '${name}' is unknown; known are ${Object.keys(dtypes).join(', ')}, str and <U…`,
  );
}

export function parse(items: unknown[], dtype: HostDType, what: string): Parsed {
  // As in Keras, a padding string needs text, even if it looks like a number.
  if (
    what === 'value' &&
    dtype.cast !== dtypes.object?.cast &&
    items.some((item) => typeof item === 'string')
  ) {
    if (typeof dtype.cast('1', what) !== 'string') {
      throw new ValueError(
        `value is the string '${items[0]}'; strings need dtype 'object' or 'str'`,
      );
    }
  }
  return items.map((item) => dtype.cast(item, what));
}

const arrays: { [name: string]: { from(items: ArrayLike<number>): ArrayLike<unknown> } } = {
  int8: Int8Array,
  uint8: Uint8Array,
  int16: Int16Array,
  uint16: Uint16Array,
  uint32: Uint32Array,
  float64: Float64Array,
  float16: Float32Array,
};

export function hostArray(items: unknown[], shape: number[], name: string): PaddedArray {
  const data = lookUp(arrays, name)?.from(items as number[]) ?? items;
  const dtype = name === 'str' ? '<U1' : name.startsWith('U') ? `<${name}` : name;
  return { shape, dtype, data, array: () => nest(data, shape) };
}
