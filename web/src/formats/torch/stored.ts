// SPDX-License-Identifier: MIT
// Tensors as a file stores them, before any of their bytes is decoded. Every offset and stride is
// checked here.
import { elementCount } from '../../base/array.js';
import { FormatError, UnsupportedError, ValueError } from '../../base/errors.js';
import type { TypedArray } from '../../base/nested.js';
import { visible } from '../../base/visible.js';
import { decode } from '../hdf5/decode.js';
import { rowMajor } from '../row_major.js';

/** Bytes of an element of each dtype, by PyTorch's name. */
export const elementSizes: { readonly [dtype: string]: number } = {
  float32: 4,
  float64: 8,
  float16: 2,
  bfloat16: 2,
  int64: 8,
  int32: 4,
  int16: 2,
  int8: 1,
  uint8: 1,
  bool: 1,
};

/** Bytes that tensors share. */
export interface Buffer {
  /** Undefined until the reader has found them. */
  bytes: Uint8Array | undefined;
  bigEndian: boolean;
  /** Number of bytes that the file states. */
  readonly size: number;
  /** Number of bytes of an element, by which old files count. */
  readonly elementSize: number;
  /** Name in the file, for messages. */
  readonly key: string;
}

/** A tensor of the file: a view of shared bytes. Positions and strides count elements. */
export interface StoredTensor {
  readonly dtype: string;
  readonly buffer: Buffer;
  readonly offset: number;
  readonly shape: readonly number[];
  readonly strides: readonly number[];
  /** Why its numbers cannot be read; undefined if they can. */
  readonly problem?: string | undefined;
}

/** A buffer whose bytes the reader has not found yet. */
export const bufferOf = (
  key: string,
  size: number,
  elementSize: number,
  bytes?: Uint8Array,
): Buffer => ({ bytes, bigEndian: false, size, elementSize, key });

const noBuffer = bufferOf('', 0, 1, new Uint8Array());

export const isCount = (value: unknown): value is number =>
  Number.isSafeInteger(value) && (value as number) >= 0;

/** A tensor whose numbers cannot be read: quantized, sparse, complex … */
export const unreadable = (problem: string, shape: readonly unknown[] = []): StoredTensor => ({
  dtype: problem,
  buffer: noBuffer,
  offset: 0,
  shape: isRank(shape) ? shape.filter(isCount) : [],
  strides: [],
  problem,
});

export const isTensor = (value: unknown): value is StoredTensor =>
  typeof value === 'object' && value !== null && 'buffer' in value && 'strides' in value;

export const isFloat = ({ dtype }: StoredTensor): boolean => /^b?float/.test(dtype);

/** Largest number of axes. */
const kMaxRank = 32;

/** Returns whether the number of axes is one that a tensor can have. */
export const isRank = (shape: readonly unknown[]): boolean => shape.length <= kMaxRank;

/** Strides of rows without gaps, of a shape whose rank was checked. */
export function denseStrides(shape: readonly number[]): number[] {
  const strides: number[] = [];
  shape.reduceRight((stride, dim) => {
    strides.unshift(stride);
    return stride * dim;
  }, 1);
  return strides;
}

/** Number of elements from the first one of the view to its last one. */
const spanOf = ({ shape, strides }: StoredTensor): number =>
  elementCount(shape) === 0
    ? 0
    : shape.reduce((span, dim, axis) => span + (dim - 1) * (strides[axis] as number), 1);

/** Returns the tensor. Throws FormatError if it leaves its bytes or has invalid sizes. */
export function checkTensor(tensor: StoredTensor): StoredTensor {
  const { shape, strides, offset, dtype, buffer } = tensor;
  const isView =
    shape.length === strides.length &&
    isRank(shape) &&
    [offset, ...shape, ...strides].every(isCount) &&
    isCount(elementCount(shape));
  if (!isView) {
    throw new FormatError(
      'the file is damaged: the sizes, strides or offset of a tensor are not whole numbers from 0 on, or too many',
    );
  }
  const end = (offset + spanOf(tensor)) * (elementSizes[dtype] ?? 1);
  if (end <= buffer.size) return tensor;
  throw new FormatError(
    `the file is damaged: a tensor of shape [${shape}] needs ${end} bytes of storage '${visible(buffer.key)}', which has ${buffer.size}`,
  );
}

/** Returns the elements in row-major order; 64-bit integers as Float64Array. */
export function elementsOf(tensor: StoredTensor, name: string): TypedArray {
  const { problem, dtype, buffer, offset, shape, strides } = tensor;
  const size = elementSizes[dtype];
  if (problem !== undefined || size === undefined) {
    throw new UnsupportedError(
      `'${visible(name)}' is ${problem ?? `a tensor of dtype ${dtype}`}, which cannot be read; save it as float32`,
    );
  }
  if (!buffer.bytes) throw new FormatError(`the data of '${visible(name)}' is missing`);
  const from = offset * size;
  const bytes = buffer.bytes.subarray(from, from + spanOf(tensor) * size);
  const elements = decode(bytes, { kind: dtype, size, bigEndian: buffer.bigEndian });
  const isDense = String(strides) === String(denseStrides(shape));
  return isDense ? elements : rowMajor(elements, shape, strides);
}

/** Returns the elements as float32. */
export function floatsOf(tensor: StoredTensor, name: string): Float32Array {
  return Float32Array.from(elementsOf(tensor, name));
}

const kLargest = 2 ** 31;

/** Returns the elements and the dtype of a tensor that can hold them. Throws ValueError. */
export function hostElements(
  tensor: StoredTensor,
  name: string,
): { dtype: 'float32' | 'int32' | 'bool'; data: TypedArray } {
  const elements = elementsOf(tensor, name);
  if (isFloat(tensor)) return { dtype: 'float32', data: Float32Array.from(elements) };
  if (tensor.dtype === 'bool')
    return { dtype: 'bool', data: Uint8Array.from(elements, (value) => (value ? 1 : 0)) };
  for (const value of elements) {
    if (value >= -kLargest && value < kLargest) continue;
    throw new ValueError(
      `'${visible(name)}' has the ${tensor.dtype} ${value}, outside the range of int32, -2147483648 to 2147483647`,
    );
  }
  return { dtype: 'int32', data: Int32Array.from(elements) };
}
