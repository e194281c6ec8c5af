// SPDX-License-Identifier: MIT
import { FormatError } from '../../base/errors.js';
import { ByteWriter } from './bytes.js';

/** Class and version, bits, size, properties; see "Datatype Message" in the HDF5 file format specification. */
type Writer = (out: ByteWriter) => unknown;

const integer =
  (size: number, signed: boolean): Writer =>
  (out) =>
    out
      .u8(0x10, signed ? 8 : 0, 0, 0)
      .u32(size)
      .u16(0, 8 * size);

/** IEEE numbers, implied leading bit, sign on top. */
const float =
  (size: number, exponent: number, mantissa: number): Writer =>
  (out) =>
    out
      .u8(0x11, 0x20, 8 * size - 1, 0)
      .u32(size)
      .u16(0, 8 * size)
      .u8(mantissa, exponent, 0, mantissa)
      .u32(2 ** (exponent - 1) - 1);

/** As h5py does it: an enumeration over int8. */
const bool: Writer = (out) => {
  out.u8(0x18, 2, 0, 0).u32(1);
  integer(1, true)(out);
  for (const name of ['FALSE', 'TRUE']) out.text(name).zeros(8 - name.length);
  out.u8(0, 1);
};

const datatypes: { [dtype: string]: { size: number; write: Writer } } = {
  bool: { size: 1, write: bool },
  float16: { size: 2, write: float(2, 5, 10) },
  float32: { size: 4, write: float(4, 8, 23) },
  float64: { size: 8, write: float(8, 11, 52) },
};
for (const size of [1, 2, 4, 8]) {
  datatypes[`int${8 * size}`] = { size, write: integer(size, true) };
  datatypes[`uint${8 * size}`] = { size, write: integer(size, false) };
}

function known(dtype: string): { size: number; write: Writer } {
  const found = Object.hasOwn(datatypes, dtype) ? datatypes[dtype] : undefined;
  if (found) return found;
  throw new FormatError(
    `no HDF5 type for dtype '${dtype}'; there are ${Object.keys(datatypes).join(', ')}`,
  );
}

/** Bytes of one element. */
export const sizeOf = (dtype: string): number => known(dtype).size;

export function datatype(dtype: string): Uint8Array {
  const out = new ByteWriter();
  known(dtype).write(out);
  return out.done();
}

/** UTF-8 of any length, in the global heap: a `str` of Python. */
export function variableString(): Uint8Array {
  const out = new ByteWriter().u8(0x19, 1, 1, 0).u32(16);
  integer(1, false)(out);
  return out.done();
}

/** ASCII of a given width, padded with zeros: NumPy's `S`. */
export function fixedString(width: number): Uint8Array {
  return new ByteWriter().u8(0x13, 1, 0, 0).u32(width).done();
}

/** Dimensions; of datasets also the largest ones, which are the same. */
export function dataspace(shape: readonly number[], withMaxima: boolean): Uint8Array {
  const maxima = withMaxima && shape.length > 0;
  const out = new ByteWriter().u8(1, shape.length, maxima ? 1 : 0).zeros(5);
  out.u64(...shape);
  if (maxima) out.u64(...shape);
  return out.done();
}
