// SPDX-License-Identifier: MIT
// Arrays and numbers of NumPy in pickles, of all versions.
import { elementCount } from '../../base/array.js';
import { FormatError } from '../../base/errors.js';
import type { TypedArray } from '../../base/nested.js';
import { decodeUtf8 } from '../../engine/utf8.js';
import { decode } from '../hdf5/decode.js';
import type { Budget } from '../open/budget.js';
import { rowMajor } from '../row_major.js';
import { PythonObject } from './python_values.js';

const kArrays = 'the arrays of the pickle';
/** Largest number of axes in NumPy. */
const kMaxRank = 64;

const damaged = (what: string): FormatError => new FormatError(`the pickle is damaged: ${what}`);

/** Names without their size of the kinds of numbers, by letter. */
const numeric: { readonly [kind: string]: string } = {
  b: 'bool',
  i: 'int',
  u: 'uint',
  f: 'float',
};

/** A dtype, such as 'f8'. Its byte order is set when its state is. */
export class NumpyDtype {
  readonly kind: string;
  /** Bytes of an element. */
  readonly size: number;
  bigEndian = false;
  /** Whether elements are records with fields. */
  hasFields = false;

  constructor(code: unknown) {
    const [, order, kind = '', digits = ''] =
      (typeof code === 'string' && /^([<>=|]?)([A-Za-z])(\d*)$/.exec(code)) || [];
    this.kind = kind === '?' ? 'b' : kind || 'V';
    this.size = kind === 'U' ? 4 * Number(digits) : Number(digits);
    this.bigEndian = order === '>';
  }

  setState(state: unknown): void {
    const [, order, , , fields] = Array.isArray(state) ? state : [];
    this.bigEndian = order === '>';
    this.hasFields = fields instanceof Map;
  }

  /** Name in NumPy: 'float64'; for other kinds the letter and the size. */
  get name(): string {
    const word = Object.hasOwn(numeric, this.kind) ? numeric[this.kind] : undefined;
    if (word === undefined) return `${this.kind}${this.size}`;
    return word === 'bool' ? word : `${word}${8 * this.size}`;
  }

  /** Whether the elements are numbers or booleans. */
  get isNumeric(): boolean {
    const sizes = this.kind === 'b' ? '1' : this.kind === 'f' ? '248' : '1248';
    return Object.hasOwn(numeric, this.kind) && sizes.includes(String(this.size));
  }
}

/** Elements of an array in row-major order. */
export type HostElements = TypedArray | readonly unknown[];

/** An array for classes with a meaning: its shape, and its elements in row-major order. */
export interface HostArray {
  readonly shape: readonly number[];
  readonly dtype: string;
  readonly data: HostElements;
}

const isShape = (value: unknown): value is number[] =>
  Array.isArray(value) &&
  value.length <= kMaxRank &&
  value.every((dim) => Number.isSafeInteger(dim) && dim >= 0) &&
  Number.isSafeInteger(elementCount(value));

/** Returns bytes that Python 2 wrote as text, one byte in each character. */
function bytesOf(value: unknown, budget: Budget): unknown {
  if (typeof value !== 'string') return value;
  budget.unpack(value.length, kArrays);
  return Uint8Array.from(value, (char) => char.charCodeAt(0));
}

/** An array whose content may follow in the pickle. */
export class NumpyArray {
  shape: readonly number[] = [];
  dtype = new NumpyDtype('V0');
  #isFortran = false;
  #content: Uint8Array | readonly unknown[] = new Uint8Array();

  /** Sets the content. Throws FormatError if it does not fit the shape. */
  set({ dtype, shape, content, isFortran }: { [key: string]: unknown }, budget: Budget): this {
    if (!(dtype instanceof NumpyDtype) || !isShape(shape)) {
      throw damaged('an array has no dtype or shape');
    }
    budget.spend('entries', 1, kArrays);
    const data = bytesOf(content, budget);
    const count = elementCount(shape);
    const isList = Array.isArray(data);
    const fits = isList
      ? data.length === count
      : data instanceof Uint8Array && data.length === count * dtype.size;
    if (!fits) {
      const length = isList || data instanceof Uint8Array ? data.length : 'no';
      const unit = isList ? 'items' : 'bytes';
      throw damaged(`an array of shape [${shape}] and dtype ${dtype.name} has ${length} ${unit}`);
    }
    this.dtype = dtype;
    this.shape = shape;
    this.#isFortran = isFortran === true || isFortran === 1;
    this.#content = data as Uint8Array | readonly unknown[];
    return this;
  }

  /** Sets the state of `__setstate__`: (version, shape, dtype, is Fortran, content). */
  setState(state: unknown, budget: Budget): void {
    const [shape, dtype, isFortran, content] = Array.isArray(state) ? state.slice(-4) : [];
    this.set({ dtype, shape, content, isFortran }, budget);
  }

  /** Returns the elements in row-major order; undefined for a dtype that cannot be read. */
  elements(budget: Budget): HostElements | undefined {
    const { dtype, shape } = this;
    const elements = elementsOf(this.#content, dtype, budget);
    if (!elements || !this.#isFortran || shape.length < 2) return elements;
    let stride = 1;
    const strides = shape.map((dim) => {
      const here = stride;
      stride *= dim;
      return here;
    });
    budget.unpack(stride * 8, kArrays);
    return rowMajor(elements as TypedArray, shape, strides);
  }
}

function elementsOf(
  content: Uint8Array | readonly unknown[],
  dtype: NumpyDtype,
  budget: Budget,
): HostElements | undefined {
  if (!(content instanceof Uint8Array)) return dtype.hasFields ? undefined : content;
  const { kind, size, bigEndian, name } = dtype;
  if (dtype.isNumeric) {
    // Views of the same bytes may be far larger than the file.
    budget.unpack(Math.max(content.length, (content.length / size) * 8), kArrays);
    return size === 8 && kind !== 'f'
      ? integersOf(content, dtype)
      : decode(content, { kind: name, size, bigEndian });
  }
  if (kind !== 'U' && kind !== 'S') return undefined;
  budget.spend('text', content.length, kArrays);
  const count = size === 0 ? 0 : content.length / size;
  return Array.from({ length: count }, (_, i) =>
    textOf(content.subarray(i * size, (i + 1) * size), dtype),
  );
}

/**
 * Returns 64-bit integers as numbers if these can hold all of them, else as a list with bigints.
 */
function integersOf(content: Uint8Array, { kind, bigEndian }: NumpyDtype): HostElements {
  const view = new DataView(content.buffer, content.byteOffset, content.byteLength);
  const read = kind === 'u' ? 'getBigUint64' : 'getBigInt64';
  const items = Array.from({ length: content.length / 8 }, (_, i) => {
    const value = view[read](8 * i, !bigEndian);
    const number = Number(value);
    return Number.isSafeInteger(number) ? number : value;
  });
  return items.every((item) => typeof item === 'number') ? Float64Array.from(items) : items;
}

/** Largest code point. */
const kMaxCode = 0x10ffff;

/** Returns a text without the zeros that fill it up. */
function textOf(bytes: Uint8Array, { kind, bigEndian }: NumpyDtype): string {
  if (kind === 'S') return decodeUtf8(bytes).replace(/\0+$/, '');
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  let text = '';
  for (let at = 0; at < bytes.length; at += 4) {
    const code = view.getUint32(at, !bigEndian);
    if (code > kMaxCode) throw damaged('a text has a character that Unicode does not have');
    text += String.fromCodePoint(code);
  }
  return text.replace(/\0+$/, '');
}

/** Returns a single number or text of an array's dtype. */
export function scalarOf(dtype: unknown, content: unknown, budget: Budget): unknown {
  if (!(dtype instanceof NumpyDtype)) throw damaged('a scalar has no dtype');
  if (dtype.kind === 'O') return content;
  const array = new NumpyArray().set({ dtype, shape: [], content }, budget);
  const value = array.elements(budget)?.[0];
  if (value === undefined) return new PythonObject('numpy.generic', [dtype.name, content]);
  return dtype.kind === 'b' ? Boolean(value) : value;
}
