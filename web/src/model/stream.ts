// SPDX-License-Identifier: MIT
// The class Stream of `Model.stream`: docs/internals/streams.md.
import { Identity } from '../base/identity.js';
import { fromResult, isTensorList, type LayerInputs, type LayerOutputs } from '../layers/args.js';
import { elementCount } from '../base/array.js';
import { isPlain, refuse, checkInteger, checkOptions } from '../base/check.js';
import { checkOwner, Finalizer, isCurrent, native, unwrap } from '../engine/engine.js';
import { ShapeError, StateError, ValueError } from '../base/errors.js';
import { lookUp } from '../base/names.js';
import { placeFromExchange } from '../engine/exchange.js';
import type { DType } from '../tensor/dtype.js';
import { dtypes } from '../tensor/elements.js';
import type { Shape } from '../layers/layer.js';
import type { Runnable } from './runnable.js';
import type { NativeStream, NativeStreamInfo, NativeStreamValue } from '../engine/native.js';
import { isTypedArray, type TypedArray } from '../base/nested.js';
import {
  asMask,
  asTensor,
  type MaskLike,
  Tensor,
  type TensorLike,
  tensor,
  wrapTensor,
} from '../tensor/tensor.js';
import { WindowStream, type WindowStreamOptions } from './window_stream.js';

/** Options of `Model.stream`. */
export interface StreamOptions {
  /** Number of sequences that run side by side. Default: 1. */
  batchSize?: number;
}

/** Options of `Stream.step`. */
export interface StepOptions {
  /**
   * Rows that are data at this step, [batch], or [batch, steps] for several steps; true = keep. The
   * state of a masked row does not change.
   */
  mask?: MaskLike | boolean | null;
  /**
   * Array for the output, of its size, in place of a new tensor. The model must have one float32
   * output.
   */
  out?: Float32Array;
}

/**
 * State of one layer between steps. For a recurrent layer: its states and its last output. For
 * attention: keys and values [batch, kept steps, width], the step numbers of these [batch, kept
 * steps, 1] (from 1; 0 for an unused place), the sum of all inputs of the values [batch, features],
 * and the number of steps [1].
 */
export interface KeptState {
  /** Name of the layer. */
  layer: string;
  /** Elements in row-major order; numbers that JSON lacks are 'NaN', 'Infinity' or '-Infinity'. */
  tensors: { shape: number[]; data: (number | string)[] }[];
}

/** State of a stream as plain data, for JSON and `structuredClone`. */
export type StreamState = KeptState[];

// Frees streams that are collected without dispose().
const collected = new Finalizer<NativeStream>((handle, module) => module.streamFree(handle));

/** Number of elements of one step. */
const stepSize = (dims: readonly (number | null)[]) => elementCount(dims.map((dim) => dim ?? 1));

/**
 * Runs a model one timestep at a time; created by `model.stream()`. The stream, not the model,
 * keeps the state of the layers, so a model can have any number of streams. They use the model's
 * weights, with all later changes.
 *
 * Attention keeps the keys and values of all kept steps: at most 65,536 per row, or
 * `slidingWindow` if it is set. The cost of a step grows with their number. In Keras, some
 * queries receive the mean of the values of all steps, later ones too; in a stream, the mean of
 * the steps so far. These are masked queries of MultiHeadAttention or GroupQueryAttention without
 * dropout and scores, and queries of Attention that see no key. Kept steps are not affected if
 * the mask reaches the attention layers.
 *
 * If a key or value of attention is not finite (NaN, an infinity), masked or not, the results are
 * NaN from that step on. In `predict`, where it is multiplied by a weight of 0, the steps before
 * are NaN, too. Without attention, a masked step never affects the results.
 *
 * `dispose()`, `using` or the garbage collector frees the memory.
 */
export class Stream<M extends Runnable = Runnable> extends Identity {
  /** The model, which the stream keeps alive. */
  readonly model: M;
  #handle: NativeStream | null;
  readonly #owner = native();
  readonly #info: NativeStreamInfo;
  /**
   * Elements of one step, if the model has one input and output that allow direct copies; else 0.
   */
  readonly #directSize: number;

  /** @internal */
  constructor(model: M, handle: NativeStream) {
    super();
    this.model = model;
    this.#handle = handle;
    collected.register(this, handle);
    this.#info = unwrap(native().streamInfo(handle));
    const { inputs, outputs, list, keys } = this.#info;
    const [input] = inputs as [NativeStreamValue];
    const isSingle = inputs.length === 1 && outputs.length === 1 && !list && keys.length === 0;
    this.#directSize =
      isSingle && outputs[0]?.dtype === 2 && input.dtype > 0 ? stepSize(input.shape) : 0;
  }

  get #native(): NativeStream {
    if (!this.#handle) {
      throw new StateError(
        'this stream was disposed of; make a new one with model.stream()',
        'ERR_DISPOSED',
      );
    }
    checkOwner(this.#owner, 'stream');
    return this.#handle;
  }

  /** Number of sequences that run side by side. */
  get batchSize(): number {
    return (this.#info.inputs[0] as NativeStreamValue).shape[0] as number;
  }

  /**
   * Runs the next step and returns its result. `x` and the result are [batch, ...features] (ids:
   * [batch]), or [batch, steps, ...features] for several steps. A model that returns only its last
   * step returns the result of the sequence so far. Several inputs are a list in the model's order,
   * or a dictionary by name; an input without a time axis is passed at every step.
   *
   * The numbers equal those of `predict` on the whole sequence. Scores of attention have a column
   * for each step so far.
   *
   * Throws ShapeError for other shapes, and StateError for more steps than attention keeps; the
   * state then stays as it was. After another error, such as one thrown by a custom cell, earlier
   * layers have already taken the step: set `state` to an earlier value to continue.
   */
  step<T extends LayerOutputs = Tensor>(x: LayerInputs, options?: StepOptions & { out?: never }): T;
  /** With `out`, writes the elements of the result to this array and returns it. */
  step(x: LayerInputs, options: StepOptions & { out: Float32Array }): Float32Array;
  step(x: LayerInputs, options: StepOptions = {}): LayerOutputs | Float32Array {
    const { mask, out } = checkOptions(options, { mask: 1, out: 1 });
    if ((mask === undefined || mask === null) && this.#isDirect(x)) return this.#stepDirect(x, out);
    return this.#stepAny(x, mask ?? null, out);
  }

  #isDirect(x: LayerInputs): x is Float32Array | Int32Array {
    if (this.#directSize === 0) return false;
    const { dtype } = this.#info.inputs[0] as NativeStreamValue;
    const fits = dtype === 2 ? x instanceof Float32Array : x instanceof Int32Array;
    return fits && ArrayBuffer.isView(x) && (x as Float32Array).length === this.#directSize;
  }

  // Copies a typed array into wasm memory: one call, which creates only the result.
  #stepDirect(x: Float32Array | Int32Array, out: Float32Array | undefined): Tensor | Float32Array {
    const module = native();
    const handle = this.#native;
    const { address } = this.#info;
    if (out) this.#checkOut(out, 1);
    (x instanceof Float32Array ? module.HEAPF32 : module.HEAP32).set(x, address / 4);
    if (!out) {
      const result = unwrap(module.streamStepOne(handle, true));
      return wrapTensor(result as Tensor['handle'], placeFromExchange());
    }
    unwrap(module.streamStepOne(handle, false));
    const start = placeFromExchange().address / 4;
    out.set(native().HEAPF32.subarray(start, start + out.length));
    return out;
  }

  #stepAny(
    x: LayerInputs,
    mask: StepOptions['mask'],
    out?: Float32Array,
  ): LayerOutputs | Float32Array {
    const temporary: Tensor[] = [];
    try {
      const inputs = this.#inputsOf(x, temporary);
      const timed = inputs.find((_, i) => this.#info.inputs[i]?.timed);
      const steps = timed?.steps ?? 1;
      const isOneStep = inputs.every(({ isStep }) => isStep);
      if (out) this.#checkOut(out, isOneStep ? 1 : steps);
      const masked = inputs.map(({ value }, i) =>
        this.#info.inputs[i]?.timed ? this.#masked(value, mask, steps, temporary) : value,
      );
      const handles = masked.map((value) => value.handle);
      const result = fromResult(unwrap(native().streamStep(this.#native, handles, isOneStep)));
      if (!out) return result;
      const output = result as Tensor;
      output.read((view) => out.set(view));
      output.dispose();
      return out;
    } finally {
      for (const tensor of temporary) tensor.dispose();
    }
  }

  #inputsOf(
    x: LayerInputs,
    temporary: Tensor[],
  ): { value: Tensor; steps: number; isStep: boolean }[] {
    const { inputs } = this.#info;
    const values = listOf(x, inputs);
    if (values.length !== inputs.length) {
      throw new ShapeError(`the model has ${inputs.length} inputs but was given ${values.length}`);
    }
    return values.map((value, i) => {
      const input = inputs[i] as NativeStreamValue;
      const size = stepSize(input.shape);
      if (isTypedArray(value)) {
        const steps = input.timed ? value.length / size : 1;
        const shape = shapeOf(input, steps, value.length);
        const dtype = dtypes[input.dtype] as DType;
        const data = tensor(value as TypedArray, { shape, dtype });
        temporary.push(data);
        return { value: data, steps, isStep: !input.timed || steps === 1 };
      }
      const data = asTensor(value);
      if (data !== value) temporary.push(data);
      if (!input.timed) return { value: data, steps: 1, isStep: true };
      const { shape, dtype } = data;
      if (shape.length >= input.shape.length) {
        return { value: data, steps: shape[1] ?? 0, isStep: false };
      }
      const timedShape = shapeOf(input, 1, data.size);
      const step = data.read((view) => tensor(view, { shape: timedShape, dtype }));
      temporary.push(step);
      const { mask } = data;
      if (mask === null) return { value: step, steps: 1, isStep: true };
      const bools = mask.read((view) =>
        tensor(view, { shape: [timedShape[0] as number, 1], dtype: 'bool' }),
      );
      const masked = step.withMask(bools);
      mask.dispose();
      temporary.push(bools, masked);
      return { value: masked, steps: 1, isStep: true };
    });
  }

  #masked(value: Tensor, mask: StepOptions['mask'], steps: number, temporary: Tensor[]): Tensor {
    if (mask === null || mask === undefined) return value;
    const batch = this.batchSize;
    const list = typeof mask === 'boolean' ? [mask] : mask;
    const flat = list instanceof Tensor ? list : asMask(list, [batch, steps]);
    if (flat !== list) temporary.push(flat);
    if (flat.size !== batch * steps) {
      throw new ShapeError(
        `the mask has shape [${flat.shape}] but must be [${steps === 1 ? batch : `${batch}, ${steps}`}]: a boolean for each row${steps === 1 ? '' : ' and step'}`,
      );
    }
    const bools = flat.read((view) => tensor(view, { shape: [batch, steps], dtype: 'bool' }));
    const masked = value.withMask(bools);
    temporary.push(bools, masked);
    return masked;
  }

  #checkOut(out: Float32Array, steps: number): void {
    const { outputs, list, keys } = this.#info;
    const [output] = outputs as [NativeStreamValue];
    if (outputs.length !== 1 || list || keys.length > 0 || output.dtype !== 2) {
      throw new ValueError(
        `'out' needs a model with one float32 output, but this one has ${outputs.length}; leave it out`,
      );
    }
    if (output.shape.filter((dim) => dim === null).length > Number(output.timed)) {
      throw new ValueError(
        `'out' needs an output of fixed size, but that of '${output.name}' grows with every step: [${output.shape.map((dim) => dim ?? 'null')}]; leave it out`,
      );
    }
    const size = stepSize(output.shape) * (output.timed ? steps : 1);
    if (!(out instanceof Float32Array) || out.length !== size) {
      throw new ShapeError(
        `'out' has ${out.length} elements but the output has ${size}; give a Float32Array of that length`,
      );
    }
  }

  /** Resets the state, as if no step had run. */
  reset(): void {
    unwrap(native().streamReset(this.#native));
  }

  /** Returns another stream of the same model, with a copy of the state. */
  clone(): Stream<M> {
    return new Stream(this.model, unwrap(native().streamClone(this.#native)));
  }

  /**
   * A copy of the state of all layers, in the order in which they run. Set it to continue from
   * there, in this or another stream of the same model and batch size.
   *
   * Setting throws ShapeError or ValueError for a state that does not fit, and then changes
   * nothing.
   */
  get state(): StreamState {
    return unwrap(native().streamGetState(this.#native)).map(({ layer, tensors }) => ({
      layer,
      tensors: tensors.map((handle) => {
        const values = wrapTensor(handle);
        const data = Array.from(values.data(), (x) => (Number.isFinite(x) ? x : String(x)));
        const { shape } = values;
        values.dispose();
        return { shape, data };
      }),
    }));
  }
  set state(state: StreamState) {
    checkState(state);
    const temporary: Tensor[] = [];
    try {
      const handles = state.map(({ tensors }) =>
        tensors.map(({ shape, data }) => {
          const values = tensor(Float32Array.from(data, Number), { shape });
          temporary.push(values);
          return values.handle;
        }),
      );
      unwrap(native().streamSetState(this.#native, handles));
    } finally {
      for (const values of temporary) values.dispose();
    }
  }

  /** Frees the memory. Calling it twice is allowed. */
  dispose(): void {
    const handle = this.#handle;
    if (!handle) return;
    this.#handle = null;
    collected.unregister(this);
    if (isCurrent(this.#owner)) this.#owner.streamFree(handle);
  }
  /** Calls `dispose()`; for `using`. */
  [Symbol.dispose](): void {
    this.dispose();
  }
}

function checkState(state: unknown): void {
  const isLayerState = (item: unknown) =>
    isPlain(item) && Array.isArray(item['tensors']) && Array.from(item['tensors']).every(isPlain);
  if (Array.isArray(state) && Array.from(state).every(isLayerState)) return;
  refuse('a state', 'a value of `stream.state`', state);
}

function listOf(x: LayerInputs, inputs: readonly NativeStreamValue[]): readonly TensorLike[] {
  if (inputs.length > 1 && Array.isArray(x)) return x as TensorLike[];
  if (isTensorList(x)) return x;
  if (!isPlain(x)) return [x as TensorLike];
  return inputs.map(({ name }) => {
    const value = lookUp(x, name) as TensorLike | undefined;
    if (value === undefined) throw new ValueError(`the input '${name}' is missing`);
    return value;
  });
}

/** Shape of `steps` steps of an input. Throws ShapeError unless it has `length` elements. */
function shapeOf(input: NativeStreamValue, steps: number, length: number): number[] {
  const shape = input.shape.map((dim) => dim ?? steps);
  if (Number.isInteger(steps) && elementCount(shape) === length) return shape;
  const stepShape = input.shape.filter((dim) => dim !== null);
  throw new ShapeError(
    `${length} elements were given for a step of input '${input.name}', which has the shape [${stepShape}]: ${elementCount(stepShape)} elements`,
  );
}

/** `Model.stream`. @internal */
export function streamOf<M extends Runnable>(
  model: M,
  options: StreamOptions | WindowStreamOptions,
): Stream<M> | WindowStream<M> {
  if ('window' in Object(options) || 'hop' in Object(options)) {
    return new WindowStream(model, options as WindowStreamOptions);
  }
  const { batchSize = 1 } = checkOptions(options as StreamOptions, { batchSize: 1 });
  checkInteger('batchSize', batchSize, 1);
  // A Sequential without an Input knows the shape of its first call.
  const { builtFor } = model;
  const isShape = Array.isArray(builtFor) && !Array.isArray(builtFor[0]);
  const shapes = isShape ? [builtFor as Shape] : [];
  return new Stream(model, unwrap(native().streamCreate(model.handle, batchSize, shapes)));
}
