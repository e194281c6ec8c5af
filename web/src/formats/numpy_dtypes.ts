// SPDX-License-Identifier: MIT
import { FormatError } from '../errors.js';
import type { TypedArray } from '../nested.js';

interface Decoder {
  /** NumPy's name. */
  dtype: string;
  /** Bytes of an element. */
  size: number;
  decode(bytes: Uint8Array, count: number): TypedArray;
}

type Read = (view: DataView, at: number, little: boolean) => number;
type Make = new (count: number) => TypedArray;

/** 64-bit integers: as numbers, where they are numbers. */
function whole(value: bigint): number {
  const number = Number(value);
  if (Number.isSafeInteger(number)) return number;
  throw new FormatError(`the 64-bit integer ${value} is beyond 2^53, where numbers have gaps`);
}

function half(bits: number): number {
  const sign = bits & 0x8000 ? -1 : 1;
  const exponent = (bits >> 10) & 31;
  const fraction = bits & 1023;
  if (exponent === 31) return fraction ? Number.NaN : sign * Number.POSITIVE_INFINITY;
  return sign * (exponent ? (1024 + fraction) * 2 ** (exponent - 25) : fraction * 2 ** -24);
}

const decoders: { [code: string]: [dtype: string, make: Make, read: Read] } = {
  b1: ['bool', Uint8Array, (view, at) => (view.getUint8(at) ? 1 : 0)],
  f2: ['float16', Float32Array, (view, at, little) => half(view.getUint16(at, little))],
  f4: ['float32', Float32Array, (view, at, little) => view.getFloat32(at, little)],
  f8: ['float64', Float64Array, (view, at, little) => view.getFloat64(at, little)],
  i1: ['int8', Int8Array, (view, at) => view.getInt8(at)],
  i2: ['int16', Int16Array, (view, at, little) => view.getInt16(at, little)],
  i4: ['int32', Int32Array, (view, at, little) => view.getInt32(at, little)],
  i8: ['int64', Float64Array, (view, at, little) => whole(view.getBigInt64(at, little))],
  u1: ['uint8', Uint8Array, (view, at) => view.getUint8(at)],
  u2: ['uint16', Uint16Array, (view, at, little) => view.getUint16(at, little)],
  u4: ['uint32', Uint32Array, (view, at, little) => view.getUint32(at, little)],
  u8: ['uint64', Float64Array, (view, at, little) => whole(view.getBigUint64(at, little))],
};

/** How elements of a NumPy type such as `<f4` are read. FormatError for those that are no numbers or booleans. */
export function decoderOf(descr: string, what: string): Decoder {
  const code = descr.slice(1);
  const found = /^[<>|=]/.test(descr) && Object.hasOwn(decoders, code) ? decoders[code] : undefined;
  if (!found) {
    const remedy = code.startsWith('O')
      ? 'make all rows equally long first (pad them)'
      : "convert them with astype('float32') before saving";
    throw new FormatError(
      `${what} has elements of NumPy type '${descr}', not numbers or booleans; ${remedy}`,
    );
  }
  const [dtype, Typed, read] = found;
  const size = Number(code[1]);
  const decode = (bytes: Uint8Array, count: number): TypedArray => {
    const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
    const data = new Typed(count);
    for (let i = 0; i < count; i++) data[i] = read(view, i * size, descr[0] !== '>');
    return data;
  };
  return { dtype, size, decode };
}
