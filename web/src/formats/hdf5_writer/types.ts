// SPDX-License-Identifier: MIT
// Types and shapes as HDF5 messages; hdf5/datatype.ts reads them.
import { FormatError } from '../../base/errors.js';
import { ByteWriter } from '../byte_writer.js';

/**
 * Writes a datatype: class and version, bits, size, properties. See "Datatype Message" in the HDF5
 * File Format Specification.
 */
type Writer = (out: ByteWriter) => unknown;

const integer =
  (size: number, signed: boolean): Writer =>
  (out) =>
    out
      .u8(0x10, signed ? 8 : 0, 0, 0)
      .u32(size)
      .u16(0, 8 * size);

/** IEEE floats with an implied leading bit and the sign in the highest bit. */
const float =
  (size: number, exponent: number, mantissa: number): Writer =>
  (out) =>
    out
      .u8(0x11, 0x20, 8 * size - 1, 0)
      .u32(size)
      .u16(0, 8 * size)
      .u8(mantissa, exponent, 0, mantissa)
      .u32(2 ** (exponent - 1) - 1);

/** Writes an enumeration over int8, as h5py does for bool. */
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

function entryOf(dtype: string): { size: number; write: Writer } {
  const entry = Object.hasOwn(datatypes, dtype) ? datatypes[dtype] : undefined;
  if (entry) return entry;
  throw new FormatError(
    `unknown dtype '${dtype}'; the dtypes are ${Object.keys(datatypes).join(', ')}`,
  );
}

/** Number of bytes of an element. */
export const sizeOf = (dtype: string): number => entryOf(dtype).size;

/** The datatype message of a NumPy dtype. */
export function datatype(dtype: string): Uint8Array {
  const out = new ByteWriter();
  entryOf(dtype).write(out);
  return out.done();
}

/** The datatype of UTF-8 strings in the global heap, like Python's `str`. */
export function variableString(): Uint8Array {
  const out = new ByteWriter().u8(0x19, 1, 1, 0).u32(16);
  integer(1, false)(out);
  return out.done();
}

/** The datatype of strings of a fixed width, padded with zeros, like NumPy's `S`. */
export function fixedString(width: number): Uint8Array {
  return new ByteWriter().u8(0x13, 1, 0, 0).u32(width).done();
}

/** The dataspace of a shape; datasets also have the maximal dimensions, which are equal. */
export function dataspace(shape: readonly number[], withMaxima: boolean): Uint8Array {
  const maxima = withMaxima && shape.length > 0;
  const out = new ByteWriter().u8(1, shape.length, maxima ? 1 : 0).zeros(5);
  out.u64(...shape);
  if (maxima) out.u64(...shape);
  return out.done();
}
