// SPDX-License-Identifier: MIT
// The class Tensor. The generated methods of ops are declared in methods.gen.ts and added by
// ops/chain.ts.
import { checkAttached } from '../base/attached.js';
import { type Brand, brand, foreignBrand, kBrand } from '../base/brand.js';
import { checkFunction, checkGiven, checkOptions } from '../base/check.js';
import { checkOwner, Finalizer, isCurrent, native, unwrap } from '../engine/engine.js';
import { ShapeError, StateError, ValueError } from '../base/errors.js';
import { notCloned, primitive } from '../base/identity.js';
import { kInspect } from '../base/inspect.js';
import { createTensor, elementsAt, type TensorPlace } from '../engine/exchange.js';
import { contents, contentsOf } from './contents.js';
import type { DType } from './dtype.js';
import { checkElements, dtypes, flatMaskShape, inferDType, isInt32 } from './elements.js';
import { checkMaskShape } from './mask_shape.js';
import type { SymbolicMethods, TensorMethods } from './methods.gen.js';
import type {
  NativeDType,
  NativeModule,
  NativeTensor,
  NativeTensorInfo,
} from '../engine/native.js';
import {
  type BigIntArray,
  elementsOf,
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
/** Elements of a tensor; bool as bytes 0 and 1. */
export type TensorData = Float32Array | Int32Array | Uint8Array;
/** A mask: non-zero (true) = keep. */
export type MaskLike = Tensor | Nested | Uint8Array;

// Frees tensors that are collected without dispose().
const collected = new Finalizer<NativeTensor>((handle, module) => module._tensor_free(handle));

// Key of the constructor: handles are addresses, so only the package may create a tensor from one.
const kConstruct = Symbol();

/** Creates the tensor of a handle and takes ownership of the handle. @internal */
export const wrapTensor = (handle: NativeTensor, place?: TensorPlace): Tensor =>
  new Tensor(handle, place, kConstruct);

/**
 * Creates a tensor that keeps its elements in JavaScript until the core needs them, so that it can
 * exist before `ready()`. @internal
 */
export function unsentTensor(dtype: DType, shape: number[], elements: TensorData): Tensor {
  const info = { dtype: dtypes.indexOf(dtype) as NativeDType, shape, symbolic: false };
  return new Tensor(null, { info }, kConstruct, elements);
}

/**
 * An immutable array of numbers in wasm memory, with its mask. Symbolic tensors, from `Input`, have
 * a shape (null where unknown) but no data.
 *
 * `dispose()`, `using` or the garbage collector frees the memory.
 */
// biome-ignore lint/suspicious/noUnsafeDeclarationMerging: the ops are added before a tensor exists
export class Tensor {
  #handle: NativeTensor | null;
  #owner: NativeModule | undefined;
  /** Elements that the core does not have yet. */
  #unsent: TensorData | undefined;
  #info: NativeTensorInfo | undefined;
  #address: number | undefined;
  #keeps: unknown;
  // Libraries that compare and clone objects see these two properties alone. A getter in place of
  // the Proxy would make each tensor cost 0.2 µs more.
  /** Makes `structuredClone` throw. @internal */
  notCloned = notCloned;
  /** Numbers, shape, dtype and mask. @internal */
  contents: object = new Proxy(this, contents);

  /** @internal */
  constructor(
    handle: NativeTensor | null,
    place?: Partial<TensorPlace>,
    key?: symbol,
    unsent?: TensorData,
  ) {
    if (key !== kConstruct) {
      throw new ValueError('a Tensor cannot be created directly; call tensor(values)');
    }
    this.#handle = null;
    this.#unsent = unsent;
    this.#info = place?.info;
    if (handle) this.#own(handle, place?.address);
    track(this);
  }

  #own(handle: NativeTensor, address: number | undefined): void {
    this.#owner = native();
    this.#handle = handle;
    this.#address = address;
    collected.register(this, handle);
  }

  /** Copies the elements to the core. Throws StateError before `ready()`. */
  #send(unsent: TensorData): void {
    const { dtype, shape } = this.#info as NativeTensorInfo;
    const { handle, place } = createTensor(dtype, shape as number[]);
    this.#own(handle, place?.address);
    this.#unsent = undefined;
    const { heap, start } = this.place;
    heap.set(unsent, start);
  }

  /** @internal */
  get [kBrand](): Brand {
    return brand('tensor');
  }
  /**
   * Layer and inputs that computed a symbolic tensor; they live as long as the tensor. @internal
   */
  get keeps(): unknown {
    return this.#keeps;
  }
  set keeps(keeps: unknown) {
    this.#keeps = keeps;
  }
  /** @internal */
  get handle(): NativeTensor {
    if (!(#handle in this)) throw notReal('tensor');
    if (this.#unsent) this.#send(this.#unsent);
    if (!this.#handle)
      throw new StateError(
        'this tensor was disposed of; make a new one, or keep it: keep(x) in tidy(), hasAux in valueAndGradients()',
        'ERR_DISPOSED',
      );
    checkOwner(this.#owner, 'tensor');
    return this.#handle;
  }
  /** @internal */
  get info(): NativeTensorInfo {
    if (!this.unsent) {
      const { handle } = this;
      this.#info ??= unwrap(native().tensorInfo(handle));
    }
    return this.#info as NativeTensorInfo;
  }
  /** Elements that the core does not have yet. @internal */
  get unsent(): TensorData | undefined {
    return #unsent in this ? this.#unsent : undefined;
  }
  /** Whether the elements can be read. */
  get #isReadable(): boolean {
    return this.#unsent !== undefined || isCurrent(this.#owner);
  }

  /** Sizes of the axes, outermost first; null where unknown, in symbolic tensors. */
  get shape(): number[] {
    return [...(this.info.shape as number[])];
  }
  /** Element type. */
  get dtype(): DType {
    return dtypes[this.info.dtype] as DType;
  }
  /** Number of axes. */
  get rank(): number {
    return this.info.shape.length;
  }
  /** Number of elements. */
  get size(): number {
    let product = 1;
    for (const dim of this.info.shape) product *= dim as number;
    return product;
  }
  /** Whether the tensor is part of a graph and has no data. */
  get isSymbolic(): boolean {
    return this.info.symbolic;
  }
  /** Whether `dispose()` was called. */
  get isDisposed(): boolean {
    return !(#handle in this && (this.#handle || this.#unsent));
  }

  /** Mask as a bool tensor (true = keep), or null. Each read returns a new tensor. */
  get mask(): Tensor | null {
    if (this.unsent) return null;
    const handle = unwrap(native().tensorMask(this.handle));
    if (!handle) return null;
    const mask = wrapTensor(handle);
    mask.keeps = this.keeps;
    return mask;
  }

  /**
   * Returns a tensor with the same data and another mask, or without a mask for null. On a symbolic
   * tensor it is a part of the graph. Throws ShapeError if the mask does not fit.
   */
  withMask(mask: MaskLike | SymbolicTensor | null): Tensor {
    const attached = mask === null ? null : asMask(mask as MaskLike, this.shape);
    try {
      const handle = unwrap(native().tensorWithMask(this.handle, attached?.handle ?? null));
      const result = wrapTensor(handle);
      if (result.isSymbolic) result.keeps = [this.keeps, attached?.keeps];
      return result;
    } finally {
      if (attached && attached !== mask) attached.dispose();
    }
  }

  /**
   * Calls `f` with a view of the elements in wasm memory and returns its result. Do not keep the
   * view: the memory may move.
   */
  read<R>(f: (view: TensorData) => R): R {
    checkFunction(f, 'the argument of read()');
    const { heap, start } = this.place;
    return f(heap.subarray(start, start + this.size));
  }

  /** Returns a copy of the elements in row-major order. */
  data(): TensorData {
    const { heap, start } = this.place;
    return heap.slice(start, start + this.size);
  }

  /**
   * The view's array and start. Buffers do not move, but the memory object may change. @internal
   */
  get place(): { heap: TensorData; start: number } {
    if (this.unsent) return { heap: this.unsent, start: 0 };
    // Read the handle first: it throws if the tensor was disposed of.
    const { handle } = this;
    this.#address ??= unwrap(native().tensorPointer(handle));
    return elementsAt(this.info.dtype, this.#address);
  }

  /**
   * Returns nested arrays of numbers, or of booleans for bool. In TypeScript, name their type:
   * `x.array<number[][]>()`.
   */
  array<T = NestedArray<number | boolean>>(): T {
    const { dtype, shape } = this;
    return this.read((view) =>
      nest<number | boolean>(dtype === 'bool' ? Array.from(view, (x) => x !== 0) : view, shape),
    ) as T;
  }

  /**
   * Returns nested arrays for JSON and snapshots. Numbers that JSON lacks are 'NaN', 'Infinity' or
   * '-Infinity'.
   */
  toJSON(): NestedArray<number | boolean | string> {
    const items = [...this.data()].map((x) => (Number.isFinite(x) ? x : String(x)));
    return this.dtype === 'bool' ? this.array() : nest(items, this.shape);
  }

  /** Returns the only element. Throws ShapeError unless the size is 1. */
  item(): number {
    if (this.size !== 1)
      throw new ShapeError(`item() needs one element, but the shape is [${this.shape}]`);
    return this.read((view) => view[0] as number);
  }

  /** Prints like NumPy: elements, shape, dtype and, if there is one, the mask. */
  toString(): string {
    if (this.isDisposed) return 'Tensor(disposed)';
    return print(this);
  }
  /** @internal */
  [kInspect](): string {
    return this.isDisposed || this.#isReadable ? String(this) : 'Tensor(of a lost wasm instance)';
  }

  /** Keeps Vue from wrapping the tensor in a Proxy, which has no private members. @internal */
  get __v_skip(): true {
    return true;
  }

  /** @internal */
  [Symbol.toPrimitive](hint: string): string {
    return primitive(
      this,
      hint,
      'call x.add(1), x.greater(1) …, or x.item() for the number of one element; for text, String(x)',
    );
  }
  /** All that makes two tensors equal; without elements, a value that equals no other. @internal */
  get comparable(): object {
    if (this.isDisposed || !this.#isReadable || this.isSymbolic) {
      return { identity: Symbol(this[kInspect]()) };
    }
    return contentsOf(this);
  }
  /** Some libraries compare what this method returns. @internal */
  valueOf(): this {
    return this;
  }

  /** Frees the memory. Calling it twice is allowed. */
  dispose(): void {
    if (!(#handle in this)) return;
    this.#unsent = undefined;
    const handle = this.#handle;
    if (!handle) return;
    this.#handle = null;
    collected.unregister(this);
    if (isCurrent(this.#owner)) this.#owner._tensor_free(handle);
  }
  /** Calls `dispose()`; for `using`. */
  [Symbol.dispose](): void {
    this.dispose();
  }
}

/**
 * The ops as methods; see ops/chain.ts. A name that the class also has does not compile here,
 * unless both have the same signature.
 */
export interface Tensor extends TensorMethods<Tensor, TensorLike, SymbolicTensor, Operand> {}

/**
 * Error for an object that is not a real instance. Vue and other frameworks put Proxies around the
 * objects that they watch, and private members are not reachable through a Proxy. @internal
 */
export const notReal = (what: string): ValueError =>
  new ValueError(
    `this is a Proxy around a ${what}, or its prototype; keep it out of reactive state (in Vue: markRaw() or shallowRef())`,
  );

/** Returns whether the value is a tensor, of this or another copy of the package. */
export const isTensor = (value: unknown): value is Tensor =>
  value instanceof Tensor || foreignBrand(value)?.kind === 'tensor';

/** Copies a tensor of another copy of the package, which has its own memory. */
function copyForeign(foreign: Tensor): Tensor {
  if (foreign.isDisposed || foreign.isSymbolic) {
    throw new StateError(
      `${foreign.isDisposed ? 'a tensor that was disposed of' : 'a symbolic tensor'} cannot come from another copy of maskflow; load the package once, by import or by require`,
    );
  }
  const { shape, dtype, mask } = foreign;
  const plain = tensor(foreign.data(), { shape, dtype });
  if (!mask) return plain;
  const own = copyForeign(mask);
  try {
    return plain.withMask(own);
  } finally {
    for (const temporary of [plain, own, mask]) temporary.dispose();
  }
}

/** Frees results of the core that are not used. */
export function freeTensors(...lists: (readonly NativeTensor[])[]): void {
  for (const handle of lists.flat()) native()._tensor_free(handle);
}

/** Options of {@link tensor}. */
export interface TensorOptions {
  /**
   * Element type. Default: bool for booleans; int32 for an Int32Array, and for 64-bit integers that
   * fit in int32; otherwise float32.
   */
  dtype?: DType;
  /** Shape of a flat typed array. Default: one axis. */
  shape?: readonly number[];
}

/**
 * Creates a tensor from nested arrays, a typed array (with `shape`) or a number. 64-bit integers
 * (BigInt64Array) must be at most 2⁵³ - 1 in size.
 *
 * Throws ShapeError if rows differ in length or the shape does not fit, ValueError for elements
 * that the dtype cannot hold, and StateError before `ready()`.
 *
 * @param values Nested lists of numbers or booleans, a typed array, or one number.
 * @returns A tensor with a copy of the values, without a mask.
 */
export function tensor(
  values: Nested | TypedArray | BigIntArray | readonly (TypedArray | BigIntArray)[],
  settings: TensorOptions | readonly number[] | DType = {},
  type?: DType,
): Tensor {
  let named = settings as TensorOptions;
  if (Array.isArray(settings)) named = { shape: settings };
  if (typeof settings === 'string') named = { dtype: settings };
  if (type !== undefined) named = { ...named, dtype: type };
  // `data` is ignored, to allow `tensor(array.data, array)`.
  const options = checkOptions<TensorOptions & { data?: unknown }>(named, {
    dtype: 1,
    shape: 1,
    data: 1,
  });
  const typed = isTypedArray(values);
  if (typed) checkAttached(values);
  const { shape, items } = typed ? { shape: [values.length], items: values } : elementsOf(values);
  const dtype = options.dtype ?? inferDType(items);
  const dims = options.shape ?? shape;
  checkElements(items, dtype, dims);
  const result = emptyTensor(dtype, [...dims]);
  result.read((view) => {
    if (dtype === 'bool') {
      for (let i = 0; i < items.length; i++) view[i] = items[i] ? 1 : 0;
    } else {
      view.set(items as ArrayLike<number>);
    }
  });
  return result;
}

/** Creates a tensor with uninitialised elements. Write them before any other call. */
export function emptyTensor(dtype: DType, shape: readonly number[]): Tensor {
  const { handle, place } = createTensor(dtypes.indexOf(dtype) as NativeDType, shape);
  return wrapTensor(handle, place);
}

/**
 * A tensor of a graph: the result of `Input`, or of layers and ops applied to it. It has a shape
 * but no data. Every {@link Tensor} is also a SymbolicTensor.
 */
export interface SymbolicTensor extends SymbolicMethods<SymbolicTensor, Operand> {
  /** Sizes of the axes, outermost first; null where unknown. */
  readonly shape: (number | null)[];
  /** Element type. */
  readonly dtype: DType;
  /** Number of axes. */
  readonly rank: number;
  /** Whether the tensor is part of a graph and has no data. */
  readonly isSymbolic: boolean;
  /** Whether `dispose()` was called. */
  readonly isDisposed: boolean;
  /** Mask as a symbolic bool tensor, or null. */
  readonly mask: SymbolicTensor | null;
  /** Returns a tensor with the same values and another mask, or without a mask for null. */
  withMask(mask: MaskLike | SymbolicTensor | null): SymbolicTensor;
  /** Frees the memory. Calling it twice is allowed. */
  dispose(): void;
  /** Calls `dispose()`; for `using`. */
  [Symbol.dispose](): void;
}

/**
 * Returns a mask as a bool tensor for data of this shape. A flat Uint8Array receives the leading
 * dimensions of the data that it fills.
 *
 * @param ofCall See {@link checkMaskShape}.
 */
export function asMask(mask: MaskLike, shape: readonly number[], ofCall = false): Tensor {
  if (isTensor(mask)) {
    checkMaskShape(mask.shape, shape, ofCall);
    return asTensor(mask);
  }
  if (!(mask instanceof Uint8Array)) {
    checkMaskShape(flatten(mask).shape, shape, ofCall);
    return tensor(mask, { dtype: 'bool' });
  }
  return tensor(mask, { dtype: 'bool', shape: flatMaskShape(mask.length, shape) });
}

/** A tensor, numbers in arrays, or a weight: all that layers accept as a tensor. */
export type TensorLike = Tensor | Nested | TypedArray | BigIntArray | { readonly value: Tensor };

/** All that ops accept as a tensor. */
export type Operand = TensorLike | SymbolicTensor;

/** Returns whether the value is a weight of a custom layer. */
export const isWeight = (value: unknown): value is { readonly value: Tensor } =>
  (value as { [kBrand]?: Brand } | null)?.[kBrand]?.kind === 'weight';

/**
 * Converts a value to a tensor. A single integer becomes int32, so that int32 results stay int32.
 */
export function asTensor(value: Operand): Tensor {
  if (value instanceof Tensor) return value;
  checkGiven(value);
  if (typeof value === 'object') {
    const source = isWeight(value) ? value.value : value;
    if (source instanceof Tensor) return source;
    if (isTensor(source)) return copyForeign(source);
  }
  if (isInt32(value)) {
    return tensor(value, { dtype: 'int32' });
  }
  return tensor(value as Nested);
}
