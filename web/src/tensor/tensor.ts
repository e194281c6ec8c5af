// SPDX-License-Identifier: MIT
import { elementCount } from '../base/array.js';
import { type Brand, brand, foreignBrand, kBrand } from '../base/brand.js';
import { checkFunction, checkShape, refuse, checkOptions } from '../base/check.js';
import { checkOwner, Finalizer, isCurrent, native, unwrap } from '../engine/engine.js';
import { ShapeError, StateError, ValueError } from '../base/errors.js';
import { createTensor, type TensorPlace } from '../engine/exchange.js';
import type { DType } from './dtype.js';
import { checkMaskShape } from './mask_shape.js';
import type { SymbolicMethods, TensorMethods } from './methods.gen.js';
import type {
  NativeDType,
  NativeModule,
  NativeTensor,
  NativeTensorInfo,
} from '../engine/native.js';
import {
  flatten,
  isTypedArray,
  nest,
  type Nested,
  type NestedArray,
  type TypedArray,
} from '../base/nested.js';
import { print } from './print.js';
import { track } from './scope.js';

export type { DType };
/** A copy of the elements; bool as bytes 0 and 1. */
export type TensorData = Float32Array | Int32Array | Uint8Array;
/** What can stand for a mask: non-zero (true) = keep. */
export type MaskLike = Tensor | Nested | Uint8Array;

const dtypes: DType[] = ['bool', 'int32', 'float32'];

// For tensors that nobody disposes of.
const lost = new Finalizer<NativeTensor>((handle, module) => module._tensor_free(handle));

// Handles are addresses: only the package may make a tensor of one.
const kMade = Symbol();
/** What console.log of Node, Deno and Bun asks an object for. */
const kInspect = Symbol.for('nodejs.util.inspect.custom');

/** The tensor of a handle, which it takes over. @internal */
export const wrapTensor = (handle: NativeTensor, place?: TensorPlace): Tensor =>
  new Tensor(handle, place, kMade);

/**
 * An immutable array of numbers in the wasm memory, with the mask that travels with it. Symbolic tensors,
 * from `Input`, have a shape (null where unknown) but no data.
 *
 * The memory is given back by `dispose()`, by `using`, or when the garbage collector finds the tensor.
 */
// biome-ignore lint/suspicious/noUnsafeDeclarationMerging: the ops are there before a tensor can be
export class Tensor {
  #handle: NativeTensor | null;
  readonly #owner: NativeModule = native();
  #info: NativeTensorInfo | undefined;
  #address: number | undefined;
  /** What a symbolic tensor was made by: kept alive with it. @internal */
  keeps: readonly unknown[] = [];

  /** @internal */
  constructor(handle: NativeTensor, place?: TensorPlace, key?: symbol) {
    if (key !== kMade) throw new ValueError('tensors are made by tensor(values)');
    this.#handle = handle;
    this.#info = place?.info;
    this.#address = place?.address;
    lost.register(this, handle);
    track(this);
  }

  /** @internal */
  get [kBrand](): Brand {
    return brand('tensor');
  }
  /** @internal */
  get handle(): NativeTensor {
    if (!(#handle in this)) throw notReal('tensor');
    if (!this.#handle) throw new StateError('this tensor was disposed of; make a new one');
    checkOwner(this.#owner, 'tensor');
    return this.#handle;
  }
  /** @internal */
  get info(): NativeTensorInfo {
    const { handle } = this;
    this.#info ??= unwrap(native().tensorInfo(handle));
    return this.#info;
  }

  /** Dimensions, outermost first; null where a symbolic tensor does not know yet. */
  get shape(): number[] {
    return [...(this.info.shape as number[])];
  }
  get dtype(): DType {
    return dtypes[this.info.dtype] as DType;
  }
  get rank(): number {
    return this.info.shape.length;
  }
  /** Number of elements. */
  get size(): number {
    let product = 1;
    for (const dim of this.info.shape) product *= dim as number;
    return product;
  }
  get isSymbolic(): boolean {
    return this.info.symbolic;
  }
  get isDisposed(): boolean {
    return !(#handle in this && this.#handle);
  }

  /** The mask as a bool tensor, or null. A new tensor at each reading. */
  get mask(): Tensor | null {
    const handle = unwrap(native().tensorMask(this.handle));
    return handle ? wrapTensor(handle) : null;
  }

  /** The same data with another mask, or with none. */
  withMask(mask: MaskLike | null): Tensor {
    const given = mask === null ? null : asMask(mask, this.shape);
    try {
      return wrapTensor(unwrap(native().tensorWithMask(this.handle, given?.handle ?? null)));
    } finally {
      if (given && given !== mask) given.dispose();
    }
  }

  /** Calls `f` with the elements in place. The view must not be kept: the memory may move. */
  read<R>(f: (view: TensorData) => R): R {
    checkFunction(f, 'what read() calls');
    const { heap, start } = this.place;
    return f(heap.subarray(start, start + this.size));
  }

  /** A copy of the elements in row-major order. */
  data(): TensorData {
    const { heap, start } = this.place;
    return heap.slice(start, start + this.size);
  }

  /** Buffers stay where they are, and the memory is looked up anew each time. @internal */
  get place(): { heap: TensorData; start: number } {
    // (The handle first: it knows whether the tensor was disposed of.)
    const { handle } = this;
    this.#address ??= unwrap(native().tensorPointer(handle));
    return placeIn(this.info.dtype, this.#address);
  }

  /** Nested arrays; booleans for bool. */
  array(): NestedArray<number | boolean> {
    const { dtype, shape } = this;
    return this.read((view) =>
      nest<number | boolean>(dtype === 'bool' ? Array.from(view, (x) => x !== 0) : view, shape),
    );
  }

  /** The only element of a tensor of size 1. */
  item(): number {
    if (this.size !== 1)
      throw new ShapeError(`item() needs one element, but the shape is [${this.shape}]`);
    return this.read((view) => view[0] as number);
  }

  /** Like NumPy, with shape and dtype, and the mask when there is one. */
  toString(): string {
    if (this.isDisposed) return 'Tensor(disposed)';
    return print(this);
  }
  /** @internal */
  [kInspect](): string {
    return this.isDisposed || isCurrent(this.#owner)
      ? String(this)
      : 'Tensor(of an instance that is gone)';
  }

  /** Gives the memory back. Twice is fine. */
  dispose(): void {
    if (!(#handle in this && this.#handle)) return;
    const handle = this.#handle;
    this.#handle = null;
    lost.unregister(this);
    if (isCurrent(this.#owner)) this.#owner._tensor_free(handle);
  }
  [Symbol.dispose](): void {
    this.dispose();
  }
}

/** The ops, see ops/chain.ts. A name that the class has too would not compile here, unless both are called alike. */
export interface Tensor extends TensorMethods<Tensor, TensorLike, SymbolicTensor, Operand> {}

/** Vue and others put Proxies around what they watch; private members are not behind those. @internal */
export const notReal = (what: string): ValueError =>
  new ValueError(
    `this is a Proxy of a ${what} or its mere prototype: keep it out of reactive state, in Vue by markRaw() or shallowRef()`,
  );

/** Of whichever copy of the package. */
export const isTensor = (value: unknown): value is Tensor =>
  value instanceof Tensor || foreignBrand(value)?.kind === 'tensor';

/** A tensor of another copy of the package, of whose memory this one knows nothing, as one of ours. */
function copied(foreign: Tensor): Tensor {
  if (foreign.isDisposed || foreign.isSymbolic) {
    throw new StateError(
      `${foreign.isDisposed ? 'a tensor that was disposed of' : 'a symbolic tensor'} cannot come from another copy of maskflow; load the package once, by import or by require`,
    );
  }
  const { shape, dtype, mask } = foreign;
  const plain = tensor(foreign.data(), { shape, dtype });
  if (!mask) return plain;
  const own = copied(mask);
  try {
    return plain.withMask(own);
  } finally {
    for (const made of [plain, own, mask]) made.dispose();
  }
}

/** Frees what the core gave and nobody wants. */
export function freeTensors(...lists: (readonly NativeTensor[])[]): void {
  for (const handle of lists.flat()) native()._tensor_free(handle);
}

/** The memory as elements of that type, and the index of the first. */
function placeIn(dtype: NativeDType, address: number): { heap: TensorData; start: number } {
  const module = native();
  if (dtype === 2) return { heap: module.HEAPF32, start: address / 4 };
  if (dtype === 1) return { heap: module.HEAP32, start: address / 4 };
  return { heap: module.HEAPU8, start: address };
}

function check(items: ArrayLike<number | boolean>, dtype: DType): void {
  if (dtype !== 'int32') return;
  for (let i = 0; i < items.length; i++) {
    const x = Number(items[i]);
    if (!Number.isInteger(x) || x > 2147483647 || x < -2147483648) {
      throw new ValueError(
        `element ${i} is ${x}, which is no int32; use dtype 'float32', or round first`,
      );
    }
  }
}

export interface TensorOptions {
  dtype?: DType;
  /** The shape of a flat typed array. */
  shape?: readonly number[];
}

/**
 * Makes a tensor from nested arrays, a typed array (with `shape`) or a number.
 * Without `dtype`: booleans are bool, an Int32Array is int32, everything else float32.
 */
export function tensor(
  values: Nested | TypedArray | readonly TypedArray[],
  settings: TensorOptions = {},
): Tensor {
  // (`tensor(array.data, array)`: what describes an array may have its data, too.)
  const given = checkOptions<TensorOptions & { data?: unknown }>(settings, {
    dtype: 1,
    shape: 1,
    data: 1,
  });
  const typed = isTypedArray(values);
  if (typed) checkAttached(values);
  const { shape, items } = typed ? { shape: [values.length], items: values } : flatten(values);
  const dtype = given.dtype ?? inferred(items);
  if (!dtypes.includes(dtype)) {
    refuse('dtype', "'float32', 'int32' or 'bool'", dtype);
  }
  if (given.shape) checkShape(given.shape);
  const wanted = given.shape ? [...given.shape] : shape;
  const size = elementCount(wanted);
  if (size !== items.length) {
    throw new ShapeError(`shape [${wanted}] has ${size} elements but ${items.length} were given`);
  }
  if (!(typed && items instanceof Int32Array)) check(items, dtype);
  const made = emptyTensor(dtype, wanted);
  made.read((view) => {
    if (dtype === 'bool') {
      for (let i = 0; i < items.length; i++) view[i] = items[i] ? 1 : 0;
    } else {
      view.set(items as ArrayLike<number>);
    }
  });
  return made;
}

/** Uninitialised: to be written before anything else is called. */
export function emptyTensor(dtype: DType, shape: readonly number[]): Tensor {
  const { handle, place } = createTensor(dtypes.indexOf(dtype) as NativeDType, shape);
  return wrapTensor(handle, place);
}

/** StateError for an array whose buffer was posted to a worker, or became shorter than the array. */
function checkAttached(array: TypedArray): void {
  try {
    // Methods of such arrays throw.
    if (array.length === 0) array.keys();
  } catch {
    throw new StateError(
      'the array was handed over to another thread, or its buffer was made shorter; copy it before: slice()',
    );
  }
}

function inferred(items: ArrayLike<number | boolean>): DType {
  if (items instanceof Int32Array) return 'int32';
  return items.length > 0 && Array.isArray(items) && items.every((x) => typeof x === 'boolean')
    ? 'bool'
    : 'float32';
}

/**
 * A tensor of a graph: what `Input` gives, and what layers and ops make of it. It has a shape but no data. Every
 * {@link Tensor} can stand for one.
 */
export interface SymbolicTensor extends SymbolicMethods<SymbolicTensor, Operand> {
  /** Dimensions, outermost first; null where unknown. */
  readonly shape: (number | null)[];
  readonly dtype: DType;
  readonly rank: number;
  readonly isSymbolic: boolean;
  readonly isDisposed: boolean;
  /** The mask as a symbolic bool tensor, or null. */
  readonly mask: SymbolicTensor | null;
  /** The same tensor with another mask, or with none. */
  withMask(mask: MaskLike | SymbolicTensor | null): SymbolicTensor;
  dispose(): void;
  [Symbol.dispose](): void;
}

/** A bool tensor for a mask of a tensor of this shape; a flat Uint8Array takes as many leading dimensions of the data as it fills. */
export function asMask(mask: MaskLike, shape: readonly number[], ofCall = false): Tensor {
  if (isTensor(mask)) {
    checkMaskShape(mask.shape, shape, ofCall);
    return asTensor(mask);
  }
  if (!(mask instanceof Uint8Array)) {
    checkMaskShape(flatten(mask).shape, shape, ofCall);
    return tensor(mask, { dtype: 'bool' });
  }
  let size = 1;
  for (let rank = 1; rank <= shape.length; rank++) {
    size *= shape[rank - 1] as number;
    if (size === mask.length) return tensor(mask, { dtype: 'bool', shape: shape.slice(0, rank) });
  }
  throw new ShapeError(
    `a mask of ${mask.length} elements fits no leading dimensions of [${shape}]`,
  );
}

/** What ops and layers take for a tensor. */
export type TensorLike = Tensor | Nested | TypedArray | { readonly value: Tensor };

/** What ops take for a tensor. */
export type Operand = TensorLike | SymbolicTensor;

/** A weight of a custom layer. */
export const isWeight = (value: unknown): value is { readonly value: Tensor } =>
  (value as { [kBrand]?: Brand } | null)?.[kBrand]?.kind === 'weight';

/** Numbers become int32 when whole, so that they do not turn whole tensors into floats. */
export function asTensor(value: Operand): Tensor {
  if (value instanceof Tensor) return value;
  if (value === null || value === undefined) {
    throw new ValueError(
      `a tensor is needed, but ${value} was given; a mask is null where none came`,
    );
  }
  if (typeof value === 'object') {
    const held = isWeight(value) ? value.value : value;
    if (held instanceof Tensor) return held;
    if (isTensor(held)) return copied(held);
  }
  if (typeof value === 'number' && Number.isInteger(value) && Math.abs(value) < 2147483648) {
    return tensor(value, { dtype: 'int32' });
  }
  return tensor(value as Nested);
}
