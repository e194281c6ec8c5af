// SPDX-License-Identifier: MIT
import { fromResult, isTensorList, type LayerInputs, type LayerOutputs } from '../layers/args.js';
import { isPlain, refuse, checkInteger, checkOptions } from '../base/check.js';
import { checkOwner, Finalizer, isCurrent, native, unwrap } from '../engine/engine.js';
import { ShapeError, StateError, ValueError } from '../base/errors.js';
import { placeFromExchange } from '../engine/exchange.js';
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

export interface StreamOptions {
  /** How many sequences run side by side, default 1. */
  batchSize?: number;
}

export interface StepOptions {
  /** Which rows are data at this step, [batch]; [batch, steps] where several steps are given. A masked row stands still. */
  mask?: MaskLike | boolean | null;
  /** Takes the output, so that nothing has to be made for it; of its size. Needs a model with one output. */
  out?: Float32Array;
}

/**
 * What one layer keeps between steps. A recurrent layer: its states and its last output. Attention: keys and values
 * [batch, kept steps, width], the numbers of their steps [batch, kept steps, 1] (the first is 1; 0: none), the sum of all
 * that values were made of [batch, features], and how many steps there were [1].
 */
export interface KeptState {
  layer: string;
  /** Row by row; what JSON has no number for is 'NaN', 'Infinity' or '-Infinity'. */
  tensors: { shape: number[]; data: (number | string)[] }[];
}

/** All that a stream keeps; plain data, for JSON and `structuredClone`. */
export type StreamState = KeptState[];

// For streams that nobody disposes of.
const lost = new Finalizer<NativeStream>((handle, module) => module.streamFree(handle));

const product = (dims: readonly (number | null)[]) =>
  dims.reduce<number>((size, dim) => size * (dim ?? 1), 1);

/**
 * A model that runs step by step: made by `model.stream()`. What its layers remember is here and not in the model, so
 * that a model can have any number of streams. Weights are the model's, with all later changes.
 *
 * The memory is given back by `dispose()`, by `using`, or when the garbage collector finds the stream.
 */
export class Stream<M extends Runnable = Runnable> {
  /** The model whose layers it runs; kept alive. */
  readonly model: M;
  #handle: NativeStream | null;
  readonly #owner = native();
  readonly #info: NativeStreamInfo;
  /** Elements of one step of the one input that a typed array can be copied to, else 0. */
  readonly #usual: number;

  /** @internal */
  constructor(model: M, handle: NativeStream) {
    this.model = model;
    this.#handle = handle;
    lost.register(this, handle);
    this.#info = unwrap(native().streamInfo(handle));
    const { inputs, outputs, list, keys } = this.#info;
    const [input] = inputs as [NativeStreamValue];
    const plain = inputs.length === 1 && outputs.length === 1 && !list && keys.length === 0;
    this.#usual = plain && outputs[0]?.dtype === 2 && input.dtype > 0 ? product(input.shape) : 0;
  }

  get #native(): NativeStream {
    if (!this.#handle) {
      throw new StateError('this stream was disposed of; make a new one with model.stream()');
    }
    checkOwner(this.#owner, 'stream');
    return this.#handle;
  }

  /** How many sequences run side by side. */
  get batchSize(): number {
    return (this.#info.inputs[0] as NativeStreamValue).shape[0] as number;
  }

  /**
   * The next step: `x` is [batch, ...features] (ids: [batch]), and so is the result; or several steps,
   * [batch, steps, ...features], and the results of them all. A model that returns the last step alone gives the
   * result of the sequence so far. Several inputs are a list or, as names in a dictionary, in the model's order;
   * one without time is given at every step.
   *
   * The numbers are those of `predict` on the whole sequence. ShapeError for other shapes, StateError for more steps than
   * attention keeps: the state is then as before. Scores of attention have a column for each step so far.
   * Of a step that ends in another error (code of yours in a cell threw) the layers before it have remembered something:
   * set `state` back to go on.
   */
  step<T extends LayerOutputs = Tensor>(x: LayerInputs, options?: StepOptions & { out?: never }): T;
  step(x: LayerInputs, options: StepOptions & { out: Float32Array }): Float32Array;
  step(x: LayerInputs, options: StepOptions = {}): LayerOutputs | Float32Array {
    const { mask, out } = checkOptions(options, { mask: 1, out: 1 });
    const usual = (mask === undefined || mask === null) && this.#isUsual(x);
    if (usual) return this.#stepOne(x, out);
    return this.#stepAny(x, mask ?? null, out);
  }

  #isUsual(x: LayerInputs): x is Float32Array | Int32Array {
    if (this.#usual === 0) return false;
    const { dtype } = this.#info.inputs[0] as NativeStreamValue;
    const fits = dtype === 2 ? x instanceof Float32Array : x instanceof Int32Array;
    return fits && ArrayBuffer.isView(x) && (x as Float32Array).length === this.#usual;
  }

  // One crossing, and nothing made but the result.
  #stepOne(x: Float32Array | Int32Array, out: Float32Array | undefined): Tensor | Float32Array {
    const module = native();
    const handle = this.#native;
    const { address } = this.#info;
    if (out) this.#checkOut(out, 1);
    (x instanceof Float32Array ? module.HEAPF32 : module.HEAP32).set(x, address / 4);
    if (!out) {
      const made = unwrap(module.streamStepOne(handle, true));
      return wrapTensor(made as Tensor['handle'], placeFromExchange());
    }
    unwrap(module.streamStepOne(handle, false));
    const from = placeFromExchange().address / 4;
    out.set(native().HEAPF32.subarray(from, from + out.length));
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
      const single = inputs.every(({ one }) => one);
      if (out) this.#checkOut(out, single ? 1 : steps);
      const given = inputs.map(({ value }, i) =>
        this.#info.inputs[i]?.timed ? this.#masked(value, mask, steps, temporary) : value,
      );
      const handles = given.map((value) => value.handle);
      const result = fromResult(unwrap(native().streamStep(this.#native, handles, single)));
      if (!out) return result;
      const made = result as Tensor;
      made.read((view) => out.set(view));
      made.dispose();
      return out;
    } finally {
      for (const made of temporary) made.dispose();
    }
  }

  #inputsOf(x: LayerInputs, temporary: Tensor[]): { value: Tensor; steps: number; one: boolean }[] {
    const { inputs } = this.#info;
    const given = listOf(x, inputs);
    if (given.length !== inputs.length) {
      throw new ShapeError(`the model has ${inputs.length} inputs but was given ${given.length}`);
    }
    return given.map((value, i) => {
      const wanted = inputs[i] as NativeStreamValue;
      const size = product(wanted.shape);
      if (isTypedArray(value)) {
        const steps = wanted.timed ? value.length / size : 1;
        const shape = shaped(wanted, steps, value.length);
        const dtype = (['bool', 'int32', 'float32'] as const)[wanted.dtype];
        const made = tensor(value as TypedArray, { shape, dtype });
        temporary.push(made);
        return { value: made, steps, one: !wanted.timed || steps === 1 };
      }
      const made = asTensor(value);
      if (made !== value) temporary.push(made);
      if (!wanted.timed) return { value: made, steps: 1, one: true };
      const { shape } = made;
      const one = shape.length < wanted.shape.length;
      const whole = one ? shaped(wanted, 1, made.size) : shape;
      if (!one) return { value: made, steps: shape[1] ?? 0, one };
      const step = made.read((view) => tensor(view, { shape: whole, dtype: made.dtype }));
      temporary.push(step);
      const { mask } = made;
      if (mask === null) return { value: step, steps: 1, one };
      const bools = mask.read((view) =>
        tensor(view, { shape: [whole[0] as number, 1], dtype: 'bool' }),
      );
      const masked = step.withMask(bools);
      mask.dispose();
      temporary.push(bools, masked);
      return { value: masked, steps: 1, one };
    });
  }

  #masked(value: Tensor, mask: StepOptions['mask'], steps: number, temporary: Tensor[]): Tensor {
    if (mask === null || mask === undefined) return value;
    const batch = this.batchSize;
    const given = typeof mask === 'boolean' ? [mask] : mask;
    const flat = given instanceof Tensor ? given : asMask(given, [batch, steps]);
    if (flat !== given) temporary.push(flat);
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
        `'out' needs a model with one output of float32, but this one has ${outputs.length}; leave it out`,
      );
    }
    if (output.shape.filter((dim) => dim === null).length > Number(output.timed)) {
      throw new ValueError(
        `'out' needs an output of one size, but that of '${output.name}' grows with every step: [${output.shape.map((dim) => dim ?? 'null')}]; leave it out`,
      );
    }
    const size = product(output.shape) * (output.timed ? steps : 1);
    if (!(out instanceof Float32Array) || out.length !== size) {
      throw new ShapeError(
        `'out' has ${out.length} elements but the output has ${size}; it is a Float32Array of that length`,
      );
    }
  }

  /** Back to the beginning: nothing has been seen. */
  reset(): void {
    unwrap(native().streamReset(this.#native));
  }

  /** Another stream of the same model that goes on from here, with a state of its own. */
  clone(): Stream<M> {
    return new Stream(this.model, unwrap(native().streamClone(this.#native)));
  }

  /**
   * What the layers keep, in the order in which they run. A copy; set it to go on from there, here or in another stream
   * of the same model and batch size. ShapeError or ValueError for what does not fit: the state is then as before.
   */
  get state(): StreamState {
    return unwrap(native().streamGetState(this.#native)).map(({ layer, tensors }) => ({
      layer,
      tensors: tensors.map((handle) => {
        const made = wrapTensor(handle);
        const data = Array.from(made.data(), (x) => (Number.isFinite(x) ? x : String(x)));
        const { shape } = made;
        made.dispose();
        return { shape, data };
      }),
    }));
  }
  set state(state: StreamState) {
    checkState(state);
    const made: Tensor[] = [];
    try {
      const handles = state.map(({ tensors }) =>
        tensors.map(({ shape, data }) => {
          const one = tensor(Float32Array.from(data, Number), { shape });
          made.push(one);
          return one.handle;
        }),
      );
      unwrap(native().streamSetState(this.#native, handles));
    } finally {
      for (const one of made) one.dispose();
    }
  }

  /** Gives the memory back. Twice is fine. */
  dispose(): void {
    const handle = this.#handle;
    if (!handle) return;
    this.#handle = null;
    lost.unregister(this);
    if (isCurrent(this.#owner)) this.#owner.streamFree(handle);
  }
  [Symbol.dispose](): void {
    this.dispose();
  }
}

function checkState(state: unknown): void {
  const isKept = (kept: unknown) =>
    isPlain(kept) && Array.isArray(kept['tensors']) && Array.from(kept['tensors']).every(isPlain);
  if (Array.isArray(state) && Array.from(state).every(isKept)) return;
  refuse('a state', 'what `stream.state` gave', state);
}

function listOf(x: LayerInputs, inputs: readonly NativeStreamValue[]): readonly TensorLike[] {
  if (inputs.length > 1 && Array.isArray(x)) return x as TensorLike[];
  if (isTensorList(x)) return x;
  if (!isPlain(x)) return [x as TensorLike];
  const given = x as { readonly [name: string]: TensorLike };
  return inputs.map(({ name }) => {
    const value = Object.hasOwn(given, name) ? given[name] : undefined;
    if (value === undefined) throw new ValueError(`the input '${name}' is missing`);
    return value;
  });
}

function shaped(wanted: NativeStreamValue, steps: number, length: number): number[] {
  const shape = wanted.shape.map((dim) => dim ?? steps);
  if (Number.isInteger(steps) && product(shape) === length) return shape;
  const one = wanted.shape.filter((dim) => dim !== null);
  throw new ShapeError(
    `${length} elements were given for a step of input '${wanted.name}', which has the shape [${one}]: ${product(one)} elements`,
  );
}

/** `Model.stream`. @internal */
export function streamOf<M extends Runnable>(model: M, options: StreamOptions): Stream<M> {
  const { batchSize = 1 } = checkOptions(options, { batchSize: 1 });
  checkInteger('batchSize', batchSize, 1);
  // A Sequential without Input knows what it was called with.
  const { builtFor } = model;
  const isShape = Array.isArray(builtFor) && !Array.isArray(builtFor[0]);
  const shapes = isShape ? [builtFor as Shape] : [];
  return new Stream(model, unwrap(native().streamCreate(model.handle, batchSize, shapes)));
}
