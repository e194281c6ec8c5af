// SPDX-License-Identifier: MIT
// Arguments of calls in a worker: their types, and their conversion to messages without the core.
import { checkGiven, checkSignal, isPlain, optionsOf } from '../base/check.js';
import { ValueError } from '../base/errors.js';
import { sentConfigOf } from '../base/brand.js';
import { checkElements, flatMaskShape, inferDType, isInt32 } from '../tensor/elements.js';
import { checkMaskShape } from '../tensor/mask_shape.js';
import { lookUp } from '../base/names.js';
import {
  type BigIntArray,
  elementsOf,
  isTypedArray,
  type Nested,
  type TypedArray,
} from '../base/nested.js';
import { type DType, isTensor, type Tensor } from '../tensor/tensor.js';
import type { WireCall, WireTensor, WireTree } from './messages.js';
import { WorkerTensor } from './worker_tensor.js';

/** Elements in row-major order with their shape. */
export interface ArrayWithShape {
  /** Elements in row-major order. */
  readonly data: TypedArray;
  /** Sizes of the axes, outermost first. Default: one axis with all elements. */
  readonly shape?: readonly number[];
  /** Element type. Default: int32 for an Int32Array, otherwise float32. */
  readonly dtype?: DType;
}

/** Values that become a tensor in a worker. A `Tensor` of this thread is copied, not disposed. */
export type WorkerInput =
  | Nested
  | TypedArray
  | BigIntArray
  | ArrayWithShape
  | WorkerTensor
  | Tensor;
/** Inputs of a call: one, a list or a dictionary. */
export type WorkerInputs =
  | WorkerInput
  | readonly (ArrayWithShape | WorkerTensor | Tensor)[]
  | { readonly [name: string]: WorkerInput };
/** A mask, true for kept steps. A flat Uint8Array has the leading axes of its input. */
export type WorkerMask = Nested | Uint8Array | ArrayWithShape | WorkerTensor | Tensor;
/** Mask of one input, or a list or dictionary for several; null for an input without a mask. */
export type WorkerMasks =
  | WorkerMask
  | null
  | readonly (WorkerMask | null)[]
  | { readonly [name: string]: WorkerMask | null };

/** Options of calls of a model in a worker; see `CallOptions` for the arguments of layers. */
export interface WorkerCallOptions {
  /** Mask of each input, in the structure of the inputs. It replaces the mask of a tensor. */
  mask?: WorkerMasks;
  /** Whether layers such as dropout behave as in training. Default: false. */
  training?: boolean | null;
  /** Rows of a batch; 0: all rows. Default: 32. A signal takes effect between two batches. */
  batchSize?: number;
  /** Initial states of a recurrent layer. */
  initialState?: WorkerInput | readonly (ArrayWithShape | WorkerTensor | Tensor)[];
  /**
   * Cancels the call: it rejects at once with the reason; the worker stops after the current batch.
   */
  signal?: AbortSignal;
  /** Milliseconds after which the worker of the call is ended. Default: the limit of the worker. */
  timeLimit?: number;
  /** Values of attention, when the first input is `query`. */
  value?: WorkerInput;
  /** Keys of attention. Default: `value`. */
  key?: WorkerInput;
  /** Mask of the queries for GroupQueryAttention, [batch, query steps]. */
  queryMask?: WorkerMask | null;
  /** Mask of `value` for attention with several heads, [batch, key steps]. */
  valueMask?: WorkerMask | null;
  /** Mask of `key` for attention with several heads, [batch, key steps]. */
  keyMask?: WorkerMask | null;
  /** Mask of attention, [batch, query steps, key steps]: whether the query sees the key. */
  attentionMask?: WorkerMask | null;
  /** Whether a query of attention sees only keys up to its own position. Default: false. */
  useCausalMask?: boolean;
  /** Whether attention returns its scores as a second output. Default: false. */
  returnAttentionScores?: boolean;
}

const isTensorLike = (value: unknown): value is WorkerTensor | Tensor =>
  value instanceof WorkerTensor || isTensor(value);

const isShaped = (value: unknown): value is ArrayWithShape =>
  typeof value === 'object' && value !== null && isTypedArray((value as ArrayWithShape).data);

function typed(items: ArrayLike<number | boolean>, dtype: DType): TypedArray {
  if (dtype === 'bool') return Uint8Array.from(items, (x) => (x ? 1 : 0));
  const numbers = items as ArrayLike<number>;
  return dtype === 'int32' ? new Int32Array(numbers) : new Float32Array(numbers);
}

function shaped({ data, shape = [data.length], dtype }: ArrayWithShape): WireTensor {
  const type = dtype ?? inferDType(data);
  checkElements(data, type, shape);
  return { dtype: type, shape: [...shape], data: typed(data, type) };
}

/** Throws ValueError for a text, or a list of at most two levels that begins with one. */
function refuseText(value: unknown): void {
  let first = value;
  for (let level = 0; level < 2 && Array.isArray(first); level++) first = first[0];
  if (typeof first !== 'string') return;
  throw new ValueError(
    'an input is a text, which workers do not read; load the model with loadModel in this thread, and call predict(texts, { workers: 2 })',
  );
}

/** Copies a value, because its buffer is transferred; a view would transfer its whole buffer. */
export function toWire(value: WorkerInput): WireTensor {
  if (isTensorLike(value)) {
    const data = value instanceof WorkerTensor ? value.data().slice() : value.data();
    const { dtype, shape } = value;
    const mask: WorkerTensor | Tensor | null = value.mask;
    const wire: WireTensor = { dtype, shape: [...shape], data, mask: mask && toWire(mask) };
    if (mask && !(mask instanceof WorkerTensor)) mask.dispose();
    return wire;
  }
  if (isTypedArray(value)) return shaped({ data: value });
  if (isShaped(value)) return shaped(value);
  refuseText(value);
  const { shape, items } = elementsOf(value as Nested | readonly TypedArray[]);
  const dtype = shape.length === 0 && isInt32(items[0]) ? 'int32' : inferDType(items);
  return shaped({ data: typed(items, dtype), shape, dtype });
}

const isAbsent = (value: unknown): boolean => value === null || value === undefined;

/** Numbers of inputs and outputs of a model; 0 if they are not known. */
export interface Counts {
  readonly inputs: number;
  readonly outputs: number;
}

/** Gives the arrays in a list their shapes, if a model has `count` inputs or outputs. */
function separated(value: unknown, count: number): unknown {
  if (count < 2 || !Array.isArray(value) || value.length !== count) return value;
  const isItem = (item: unknown) =>
    isAbsent(item) || (typeof item === 'object' && (!isPlain(item) || isShaped(item)));
  if (!value.every(isItem)) return value;
  return value.map((item) => (Array.isArray(item) || isTypedArray(item) ? toWire(item) : item));
}

/**
 * Converts targets or sample weights, of which some outputs may have none.
 *
 * @param count Number of outputs; 0 if it is not known.
 */
export function toTreeOfSome(some: unknown, count = 0): WireTree {
  const value = separated(some, count);
  if (isPlain(value) && !isShaped(value)) {
    return toTree(Object.fromEntries(Object.entries(value).filter(([, item]) => !isAbsent(item))));
  }
  if (!Array.isArray(value) || !value.some(isAbsent)) return toTree(value);
  const absent = value.flatMap((item, i) => (isAbsent(item) ? [i] : []));
  const items = value.filter((item) => !isAbsent(item)).map(toWire);
  return { form: 'list', keys: [], items, absent };
}

/**
 * Converts inputs: one tensor, a list, or a dictionary.
 *
 * @param count Number of inputs; 0 if it is not known.
 */
export function toTree(inputs: unknown, count = 0): WireTree {
  const value = separated(inputs, count);
  checkGiven(value);
  const isList = Array.isArray(value) && value.length > 0;
  if (isList && value.every((item) => isTensorLike(item) || isShaped(item))) {
    return { form: 'list', keys: [], items: value.map(toWire) };
  }
  if (isPlain(value) && !isShaped(value)) {
    const items = Object.values(value as { [name: string]: WorkerInput }).map(toWire);
    return { form: 'keys', keys: Object.keys(value), items };
  }
  return { form: 'one', keys: [], items: [toWire(value as WorkerInput)] };
}

function maskToWire(mask: WorkerMask | null | undefined, of: WireTensor): WireTensor | null {
  if (mask === null || mask === undefined) return null;
  if (mask instanceof Uint8Array) {
    const shape = [...flatMaskShape(mask.length, of.shape)];
    return { dtype: 'bool', shape, data: typed(mask, 'bool') };
  }
  const { shape, data } = toWire(mask as WorkerInput);
  checkMaskShape(shape, of.shape);
  return { dtype: 'bool', shape, data: typed(data, 'bool') };
}

function masksToWire(masks: WorkerMasks, x: WireTree): (WireTensor | null)[] {
  let list: readonly unknown[] = [masks];
  if (x.form === 'list' && Array.isArray(masks)) list = masks;
  if (x.form === 'keys') {
    const byName = Array.isArray(masks)
      ? {}
      : optionsOf(masks as { [name: string]: WorkerMask }, 'mask');
    const unknown = Object.keys(byName).find((key) => !x.keys.includes(key));
    if (unknown) {
      throw new ValueError(`mask names '${unknown}', but the inputs are ${x.keys}`);
    }
    list = Array.isArray(masks) ? masks : x.keys.map((key) => lookUp(byName, key));
  }
  if (list.length > x.items.length) {
    throw new ValueError(`there are ${x.items.length} inputs but ${list.length} masks`);
  }
  return x.items.map((item, i) => maskToWire(list[i] as WorkerMask, item));
}

const hasOnlyTensors = (value: unknown): boolean =>
  isTensorLike(value) ||
  isTypedArray(value) ||
  isShaped(value) ||
  (Array.isArray(value) && value.length > 0 && value.every(hasOnlyTensors));

/** Converts a call to plain data. Throws ValueError for a function among the options. */
export function toCall(
  inputs: unknown,
  options: WorkerCallOptions,
  counts: Counts = { inputs: 0, outputs: 0 },
): WireCall {
  const { mask, signal, timeLimit: _, ...rest } = optionsOf(options);
  checkSignal(signal);
  const call: WireCall = {
    x: toTree(inputs, counts.inputs),
    masks: null,
    options: {},
    tensors: {},
  };
  if (!isAbsent(mask)) call.masks = masksToWire(mask as WorkerMasks, call.x);
  for (const [name, value] of Object.entries(rest)) {
    if (name === 'callbacks' || name === 'verbose') {
      if (value) throw ownWorkerNeeded(`${name} runs functions of this thread`);
      continue;
    }
    if (name === 'sampleWeight' && !isAbsent(value))
      call.tensors[name] = toTreeOfSome(value, counts.outputs);
    else if (hasOnlyTensors(value)) call.tensors[name] = toTree(value);
    else call.options[name] = checkClonable(value, name);
  }
  return call;
}

/** The error for user code, which cannot leave its thread. */
export const ownWorkerNeeded = (what: string): ValueError =>
  new ValueError(
    `${what}, which cannot be sent to a worker; pass names, or open a worker of your own that calls serve()`,
  );

/** Returns plain data as it is; throws for values that cannot be sent to a worker. */
export function checkClonable(value: unknown, name: string, depth = 0): unknown {
  if (typeof value === 'symbol' || depth > 100)
    throw ownWorkerNeeded(`${name} is ${depth > 100 ? 'nested without end' : 'a symbol'}`);
  if (sentConfigOf(value) !== undefined) {
    throw new ValueError(
      `${name} is an object of the page; only compile() sends such objects: open the worker with openWorker({ train: true }), compile the model with it, and call evaluate(x, y)`,
    );
  }
  if (typeof value === 'function') throw ownWorkerNeeded(`${name} is a function`);
  if (typeof value !== 'object' || value === null || ArrayBuffer.isView(value)) return value;
  if (!Array.isArray(value) && !isPlain(value)) {
    throw ownWorkerNeeded(`${name} is an object of a class`);
  }
  for (const [key, item] of Object.entries(value))
    checkClonable(item, depth > 2 ? name : `${name}.${key}`, depth + 1);
  return value;
}

/** The buffers of a call, which are transferred with it. */
export function buffersOf(value: unknown): ArrayBuffer[] {
  if (ArrayBuffer.isView(value)) return [value.buffer as ArrayBuffer];
  if (typeof value !== 'object' || value === null) return [];
  return [...new Set(Object.values(value).flatMap(buffersOf))];
}
