// SPDX-License-Identifier: MIT
// The stream of models that need several steps at once: it keeps the last steps, and predicts them.
import { elementCount } from '../base/array.js';
import { checkInteger, checkOptions, isPlain } from '../base/check.js';
import { ShapeError, StateError, ValueError } from '../base/errors.js';
import { Identity } from '../base/identity.js';
import { lookUp } from '../base/names.js';
import { isTypedArray, type TypedArray } from '../base/nested.js';
import { isTensorList, type LayerInputs, type LayerOutputs } from '../layers/args.js';
import type { Layer } from '../layers/layer.js';
import type { DType } from '../tensor/dtype.js';
import {
  asMask,
  asTensor,
  type MaskLike,
  type SymbolicTensor,
  Tensor,
  type TensorLike,
  tensor,
} from '../tensor/tensor.js';
import { tidy } from '../tensor/tidy.js';
import { inputCountOf } from './built_for.js';
import type { Runnable } from './runnable.js';

/** Options of `Model.stream` with windows. */
export interface WindowStreamOptions {
  /** Number of steps that each prediction is for: the last ones. */
  window: number;
  /** Number of steps between predictions. Default: 1. */
  hop?: number;
  /**
   * Whether shorter windows are predicted before `window` steps have run. The model must accept any
   * number of steps. Default: false.
   */
  partial?: boolean;
  /** Number of sequences that run side by side. Default: 1. */
  batchSize?: number;
}

/** Options of `WindowStream.step`. */
export interface WindowStepOptions {
  /** Rows that are data at this step, [batch], or [batch, steps] for `steps`; true = keep. */
  mask?: MaskLike | boolean | null;
}

/** A step of one input: its elements, row by row, and the shape of a row. */
interface InputStep {
  readonly data: TypedArray;
  readonly shape: readonly number[];
  readonly dtype: DType;
}

/** A step: its inputs, and which rows the mask keeps; null without a mask. */
interface Step {
  readonly inputs: readonly InputStep[];
  readonly keep: Uint8Array | null;
}

type Values = { readonly [key: string]: TensorLike };
/** How a step was passed: one value, a list, or a dictionary with these keys. */
type Form = 'one' | 'list' | readonly string[];

function formOf(model: Layer, x: LayerInputs): Form {
  if (isTensorList(x) || (Array.isArray(x) && inputCountOf(model) > 1)) return 'list';
  return isPlain(x) ? Object.keys(x).sort() : 'one';
}

/** Copies rows of `size` elements, `count` apart, into an array without gaps. */
function every(data: TypedArray, [first, count, size]: readonly [number, number, number]) {
  const rows = data.length / (count * size);
  const copy = data.slice(0, rows * size);
  for (let row = 0; row < rows; row++) {
    const start = (row * count + first) * size;
    copy.set(data.subarray(start, start + size) as never, row * size);
  }
  return copy;
}

/**
 * Runs a model on the last steps of a stream; created by `model.stream({ window, hop })`. The model
 * need not be causal: each result is that of `predict` for these steps alone. The stream keeps only
 * the steps of one window.
 */
export class WindowStream<M extends Runnable = Runnable> extends Identity {
  /** The model. */
  readonly model: M;
  /** Number of steps of a prediction. */
  readonly window: number;
  /** Number of steps between predictions. */
  readonly hop: number;
  /** Number of sequences that run side by side. */
  readonly batchSize: number;
  readonly #partial: boolean;
  #form: Form | null = null;
  #kept: readonly Step[] = [];
  #count = 0;
  #isDisposed = false;

  /** @internal */
  constructor(model: M, options: WindowStreamOptions) {
    super();
    const { window, hop, partial, batchSize } = {
      hop: 1,
      partial: false,
      batchSize: 1,
      ...checkOptions(options, { window: 1, hop: 1, partial: 1, batchSize: 1 }),
    };
    checkInteger('window', window, 1);
    checkInteger('hop', hop, 1);
    checkInteger('batchSize', batchSize, 1);
    this.model = model;
    this.window = window;
    this.hop = hop;
    this.batchSize = batchSize;
    this.#partial = Boolean(partial);
  }

  /** Number of steps that have run. */
  get count(): number {
    return this.#count;
  }

  /**
   * Adds a step, and returns the prediction of the last `window` steps if one is due: after the
   * first `window` steps, and then after each `hop` steps. Otherwise it returns null. `x` is
   * [batch, ...features] (ids: [batch]): a tensor, nested lists or a typed array. Several inputs
   * are a list, or a dictionary by name; an input without a time axis is passed at every step.
   *
   * Masked steps remain in the window, with their mask. Dispose of the result.
   *
   * Throws ShapeError for another shape, and what `predict` throws; the step then does not count.
   */
  step<T extends LayerOutputs = Tensor>(x: LayerInputs, options?: WindowStepOptions): T | null {
    return this.#run<T>(x, options, true)[0] ?? null;
  }

  /**
   * Adds several steps and returns the predictions that are due among them, in order. `x` is
   * [batch, steps, ...features].
   *
   * Throws ShapeError for another shape, and what `predict` throws; no step counts then.
   */
  steps<T extends LayerOutputs = Tensor>(x: LayerInputs, options?: WindowStepOptions): T[] {
    return this.#run<T>(x, options, false);
  }

  #run<T extends LayerOutputs>(
    x: LayerInputs,
    options: WindowStepOptions | undefined,
    isOne: boolean,
  ): T[] {
    if (this.#isDisposed) {
      throw new StateError(
        'this stream was disposed of; make a new one with model.stream({ window })',
        'ERR_DISPOSED',
      );
    }
    const { mask } = checkOptions(options ?? {}, { mask: 1 });
    const before = [this.#form, this.#kept, this.#count] as const;
    const results: T[] = [];
    try {
      for (const step of tidy(() => this.#stepsOf(x, mask, isOne))) {
        this.#kept = [...this.#kept, step].slice(-this.window);
        this.#count += 1;
        if (this.#isDue()) results.push(this.#predict<T>());
      }
    } catch (error) {
      [this.#form, this.#kept, this.#count] = before;
      for (const result of results) disposeAll(result);
      throw error;
    }
    return results;
  }

  #isDue(): boolean {
    const distance = this.#count - this.window;
    return (this.#partial || distance >= 0) && distance % this.hop === 0;
  }

  /** Symbolic input that a value is for; undefined if the model does not know its inputs. */
  #inputAt(index: number): SymbolicTensor | undefined {
    const form = this.#form;
    try {
      const { inputs, layers } = this.model as M & { inputs: SymbolicTensor[]; layers: Layer[] };
      if (typeof form !== 'object' || form === null) return inputs[index];
      return layers.find(({ name }) => name === form[index])?.output as SymbolicTensor | undefined;
    } catch {
      return undefined; // A custom model, or one without an Input.
    }
  }

  /** Whether a value has a time axis. Of several inputs, those of another fixed size have none. */
  #isTimed(index: number, count: number): boolean {
    const size = this.#inputAt(index)?.shape[1];
    return count === 1 || size === undefined || size === null || size === this.window;
  }

  #stepsOf(x: LayerInputs, mask: WindowStepOptions['mask'], isOne: boolean): Step[] {
    const form = formOf(this.model, x);
    this.#form ??= form;
    if (String(form) !== String(this.#form)) {
      throw new ValueError(
        `a step has the inputs ${String(form)}, but the first one had ${String(this.#form)}; pass them in the same form`,
      );
    }
    const values = this.#valuesOf(x);
    const timed = values.map((_, i) => this.#isTimed(i, values.length));
    const tensors = values.map((value, i) => this.#tensorOf(value, i, isOne || !timed[i]));
    const first = tensors[timed.indexOf(true)];
    const count = isOne ? 1 : (first?.shape[1] ?? 1);
    const keep = this.#keptOf(mask, first, count, isOne);
    return Array.from({ length: count }, (_, step) => ({
      inputs: tensors.map((value, i) => {
        const isWhole = isOne || !timed[i];
        if (!isWhole && value.shape[1] !== count) {
          throw new ShapeError(
            `the inputs have ${count} and ${value.shape[1]} steps; pass the same steps of each`,
          );
        }
        const shape = value.shape.slice(isWhole ? 1 : 2);
        const size = elementCount(shape);
        const data = value.data() as TypedArray;
        const place = isWhole ? ([0, 1, size] as const) : ([step, count, size] as const);
        return { data: every(data, place), shape, dtype: value.dtype };
      }),
      keep: keep && (every(keep, [step, count, 1]) as Uint8Array),
    }));
  }

  #valuesOf(x: LayerInputs): readonly TensorLike[] {
    if (this.#form === 'list') return x as TensorLike[];
    if (this.#form === 'one') return [x as TensorLike];
    return (this.#form as readonly string[]).map((key) => lookUp(x as Values, key) as TensorLike);
  }

  #tensorOf(value: TensorLike, index: number, isWhole: boolean): Tensor {
    const input = this.#inputAt(index);
    const batch = this.batchSize;
    const result =
      isTypedArray(value) && isWhole
        ? this.#fromArray(value, this.#featuresOf(value, index), input?.dtype)
        : asTensor(value);
    const least = isWhole ? 1 : 2;
    if (result.shape[0] !== batch || result.rank < least) {
      const form = isWhole ? `[${batch}, ...features]` : `[${batch}, steps, ...features]`;
      throw new ShapeError(
        `a step has shape [${result.shape}] but must be ${form}, for batchSize ${batch}`,
      );
    }
    return result;
  }

  /** Shape of a row of a typed array: that of the input. Ids have none, other numbers one axis. */
  #featuresOf(value: TypedArray, index: number): readonly number[] {
    const input = this.#inputAt(index);
    const isStatic = this.#form !== 'one' && !this.#isTimed(index, 2);
    const shape = input?.shape.slice(isStatic ? 1 : 2);
    if (shape?.every((size) => size !== null)) return shape as number[];
    const isIds = value instanceof Int32Array && value.length === this.batchSize;
    return isIds ? [] : [value.length / this.batchSize];
  }

  #fromArray(value: TypedArray, features: readonly number[], dtype: DType | undefined): Tensor {
    const shape = [this.batchSize, ...features];
    const size = elementCount(shape);
    if (size !== value.length) {
      throw new ShapeError(`a step has ${value.length} elements but must have ${size}: [${shape}]`);
    }
    return tensor(value, dtype ? { shape, dtype } : { shape });
  }

  /** Returns the kept rows of each step, [batch, steps]; null without a mask. */
  #keptOf(
    mask: WindowStepOptions['mask'],
    first: Tensor | undefined,
    count: number,
    isOne: boolean,
  ): Uint8Array | null {
    const size = this.batchSize * count;
    const value = mask ?? (isOne ? null : first?.mask);
    if (value === null || value === undefined) return null;
    const shape = isOne ? [this.batchSize] : [this.batchSize, count];
    const kept = typeof value === 'boolean' ? null : asMask(value, shape);
    if (kept && kept.size !== size) {
      throw new ShapeError(`the mask has shape [${kept.shape}] but must be [${shape}]`);
    }
    return kept ? (kept.data() as Uint8Array) : new Uint8Array(size).fill(Number(value));
  }

  /** Puts the last steps of an input together: [batch, steps, ...features]. */
  #windowOf(index: number, count: number): Tensor {
    const steps = this.#kept.map(({ inputs }) => inputs[index] as InputStep);
    const { shape, dtype, data: last } = steps.at(-1) as InputStep;
    const { batchSize } = this;
    if (!this.#isTimed(index, count)) return tensor(last, { shape: [batchSize, ...shape], dtype });
    const size = elementCount(shape);
    const data = new (last.constructor as Float32ArrayConstructor)(batchSize * steps.length * size);
    steps.forEach((step, at) => {
      if (step.data.length !== batchSize * size) {
        throw new ShapeError(
          `a step has rows of shape [${shape}], but an earlier one had [${step.shape}]; call reset() first`,
        );
      }
      for (let row = 0; row < batchSize; row++) {
        const values = step.data.subarray(row * size, (row + 1) * size);
        data.set(values as Float32Array, (row * steps.length + at) * size);
      }
    });
    const whole = tensor(data, { shape: [batchSize, steps.length, ...shape], dtype });
    const mask = this.#maskOf();
    return mask ? whole.withMask(mask) : whole;
  }

  #maskOf(): Tensor | null {
    const steps = this.#kept;
    if (steps.every(({ keep }) => keep === null)) return null;
    const mask = new Uint8Array(this.batchSize * steps.length);
    for (let row = 0; row < this.batchSize; row++) {
      steps.forEach(({ keep }, at) => {
        mask[row * steps.length + at] = keep?.[row] ?? 1;
      });
    }
    return tensor(mask, { shape: [this.batchSize, steps.length], dtype: 'bool' });
  }

  #predict<T extends LayerOutputs>(): T {
    return tidy(() => {
      const count = (this.#kept[0] as Step).inputs.length;
      const values = Array.from({ length: count }, (_, i) => this.#windowOf(i, count));
      const form = this.#form;
      if (form === 'one') return this.model.predict<T>(values[0] as Tensor);
      if (form === 'list') return this.model.predict<T>(values);
      const keys = form as readonly string[];
      return this.model.predict<T>(
        Object.fromEntries(keys.map((key, i) => [key, values[i] as Tensor])),
      );
    });
  }

  /** Forgets all steps. */
  reset(): void {
    this.#form = null;
    this.#kept = [];
    this.#count = 0;
  }

  /** Returns another stream of the same model, with the same steps. */
  clone(): WindowStream<M> {
    const { model, window, hop, batchSize } = this;
    const copy = new WindowStream(model, { window, hop, batchSize, partial: this.#partial });
    copy.#form = this.#form;
    copy.#kept = this.#kept;
    copy.#count = this.#count;
    return copy;
  }

  /** Forgets the steps and refuses others. Calling it twice is allowed. */
  dispose(): void {
    this.reset();
    this.#isDisposed = true;
  }
  /** Calls `dispose()`; for `using`. */
  [Symbol.dispose](): void {
    this.dispose();
  }
}

/** Disposes of the tensors of a result. */
function disposeAll(result: LayerOutputs): void {
  const values: unknown[] = result instanceof Tensor ? [result] : Object.values(result);
  for (const value of values) {
    if (value instanceof Tensor) value.dispose();
    else if (typeof value === 'object' && value !== null) disposeAll(value as LayerOutputs);
  }
}
