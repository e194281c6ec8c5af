// SPDX-License-Identifier: MIT
// The recordings of `verify`: objects, JSON and `.npz` files become arrays of one form.
import { elementCount } from '../../base/array.js';
import { FormatError } from '../../base/errors.js';
import { flatten, type Nested, type TypedArray } from '../../base/nested.js';
import { Budget } from '../open/budget.js';
import { parseJson, parseJsonBytes } from '../json_text.js';
import { isNpy } from '../numpy/npy.js';
import { readNpz } from '../numpy/npz.js';

/** An array with its shape. */
export interface ShapedArray {
  /** Sizes of the axes, outermost first. */
  shape: readonly number[];
  /** NumPy's name of the type. Default: float32. */
  dtype?: string;
  /** Elements in row-major order: numbers, or little-endian bytes in base64. */
  data: string | ArrayLike<number>;
}
/** An array with its shape, or nested arrays. */
export type RecordedArray = ShapedArray | Nested;
/** A list, or a dictionary by name. */
export type PerName<T> = readonly T[] | { readonly [name: string]: T };

/** Inputs and results of a model that Python recorded. */
export interface Recorded {
  /** Inputs of the model, in order or by name. */
  inputs: PerName<RecordedArray>;
  /** Results that Python computed from these inputs, in order or by name. */
  outputs: PerName<RecordedArray>;
  /**
   * Masks of the outputs, true for kept steps; null for an output without a mask. If left out,
   * masks are not compared.
   */
  masks?: PerName<RecordedArray | null> | null;
}

/** An array whose elements are checked and in row-major order. */
export interface PlainArray {
  shape: number[];
  dtype: string;
  data: ArrayLike<number>;
}
export interface PlainRecorded {
  inputs: PerName<PlainArray>;
  outputs: PerName<PlainArray>;
  masks: PerName<PlainArray | null> | null;
}

const typedArrays: { [dtype: string]: new (buffer: ArrayBuffer) => TypedArray } = {
  float32: Float32Array,
  float64: Float64Array,
  int32: Int32Array,
  bool: Uint8Array,
  uint8: Uint8Array,
  int8: Int8Array,
};

function fromBase64(text: string, dtype: string, what: string): TypedArray {
  const Typed = Object.hasOwn(typedArrays, dtype) ? typedArrays[dtype] : undefined;
  if (!Typed) {
    throw new FormatError(
      `${what} has the dtype ${dtype} in base64; the dtypes are ${Object.keys(typedArrays).join(', ')}`,
    );
  }
  try {
    return new Typed(Uint8Array.from(atob(text), (character) => character.charCodeAt(0)).buffer);
  } catch {
    throw new FormatError(`the data of ${what} is not base64 of whole ${dtype} elements`);
  }
}

const isShaped = (value: object): value is ShapedArray => 'shape' in value && 'data' in value;

/** Checks a recorded array. FormatError, which names `what`, if it is invalid. */
export function plainArray(
  value: RecordedArray,
  what: string,
  tick: () => void = () => {},
): PlainArray {
  tick();
  if (typeof value !== 'object' || value === null || !isShaped(value)) {
    const { shape, items } = flatten(value as Nested, tick);
    const areBools = items.length > 0 && items.every((item) => typeof item === 'boolean');
    return { shape, dtype: areBools ? 'bool' : 'float32', data: items.map(Number) };
  }
  const { dtype = 'float32', data } = value;
  const isValid =
    Array.isArray(value.shape) &&
    value.shape.every((dim) => Number.isInteger(dim) && dim >= 0) &&
    typeof dtype === 'string' &&
    (typeof data === 'string' || typeof Object(data).length === 'number');
  if (!isValid) {
    throw new FormatError(`${what} needs a shape (a list of sizes), data and the name of a dtype`);
  }
  const shape = [...value.shape];
  const elements = typeof data === 'string' ? fromBase64(data, dtype, what) : data;
  const count = elementCount(shape);
  if (count === elements.length) return { shape, dtype, data: elements };
  throw new FormatError(
    `${what} of shape [${shape}] needs ${count} elements, but has ${elements.length}`,
  );
}

function perName<T, R>(values: PerName<T>, convert: (value: T, name: string) => R): PerName<R> {
  if (Array.isArray(values)) return values.map((value, i) => convert(value, String(i)));
  const entries = Object.entries(values as { [name: string]: T });
  return Object.fromEntries(entries.map(([name, value]) => [name, convert(value, name)]));
}

function fromObject(value: unknown, budget: Budget): PlainRecorded {
  const { inputs, outputs, masks } = (value ?? {}) as Partial<Recorded>;
  if (typeof inputs !== 'object' || typeof outputs !== 'object' || !inputs || !outputs) {
    throw new FormatError(
      'a recording needs "inputs" and "outputs", each a list or a dictionary of arrays; the documentation shows how Python records one',
    );
  }
  const plain = (side: string) => (array: RecordedArray, name: string) =>
    plainArray(array, `${side} ${name}`, () => budget.tick());
  return {
    inputs: perName(inputs, plain('input')),
    outputs: perName(outputs, plain('output')),
    masks: masks
      ? perName(masks, (mask, name) => (mask === null ? null : plain('mask')(mask, name)))
      : null,
  };
}

/** A list if the names are the numbers from 0, else a dictionary. */
function listOrNames<T>(named: Map<string, T>): PerName<T> {
  const numbered = Array.from({ length: named.size }, (_, i) => named.get(String(i)));
  return numbered.every((value) => value !== undefined)
    ? (numbered as T[])
    : Object.fromEntries(named);
}

/** Reads a recording whose arrays are named `input_0`, `input_words`, `output_0`, `mask_0` … */
function fromNpz(bytes: Uint8Array, budget: Budget): PlainRecorded {
  const sides: { [side: string]: Map<string, PlainArray> } = {};
  for (const [name, array] of readNpz(bytes, budget)) {
    const at = name.indexOf('_');
    const [side, rest] = [name.slice(0, Math.max(0, at)), name.slice(at + 1)];
    if (!['input', 'output', 'mask'].includes(side) || rest === '') {
      throw new FormatError(
        `the recording contains '${name}', but the names of its arrays must be input_…, output_… or mask_…`,
      );
    }
    sides[side] ??= new Map();
    sides[side].set(rest, array);
  }
  const { input, output, mask } = sides;
  if (!input || !output) {
    throw new FormatError('the recording needs arrays with the names input_… and output_…');
  }
  const outputs = listOrNames(output);
  if (!mask) return { inputs: listOrNames(input), outputs, masks: null };
  // An output without a mask has no mask_… array.
  const masks = perName(outputs, (_, name) => mask.get(name) ?? null);
  return { inputs: listOrNames(input), outputs, masks };
}

/**
 * Reads a recording: an object, JSON as text or bytes, or an `.npz` file. Throws FormatError for
 * others.
 */
export function readRecorded(
  recorded: Recorded | string | Uint8Array | ArrayBuffer,
  budget = Budget.ofData(),
): PlainRecorded {
  if (typeof recorded === 'string') {
    return fromObject(parseJson(recorded, 'the recording', budget), budget);
  }
  if (!(recorded instanceof ArrayBuffer) && !ArrayBuffer.isView(recorded)) {
    return fromObject(recorded, budget);
  }
  const bytes = recorded instanceof ArrayBuffer ? new Uint8Array(recorded) : recorded;
  if (isNpy(bytes)) {
    throw new FormatError('a recording needs inputs and outputs: save them with np.savez as .npz');
  }
  if (bytes[0] === 0x50 && bytes[1] === 0x4b) return fromNpz(bytes, budget);
  return fromObject(parseJsonBytes(bytes, 'the recording', budget), budget);
}
