// SPDX-License-Identifier: MIT
// `Model.quantize`. The core rounds the weights; the report and the comparison on samples are made
// here.
import { sum } from '../base/array.js';
import type { CallOptions, LayerInputs, LayerOutputs } from '../layers/args.js';
import { show, checkOptions, ignorePromise } from '../base/check.js';
import { native, unwrap } from '../engine/engine.js';
import type { NativeLayer } from '../engine/native.js';
import { ConfigError, StateError, UnsupportedError } from '../base/errors.js';
import type { Runnable } from './runnable.js';
import { Tensor } from '../tensor/tensor.js';

/** Options of `Model.quantize`. */
export interface QuantizeOptions {
  /**
   * Type of the inputs of products. 'float32' (default): only the weights are rounded. 'int8': each
   * row is rounded to 7 bits at run time, and integers are multiplied.
   */
  activations?: 'float32' | 'int8';
  /**
   * Inputs as for `predict`. The model runs on them before and after the conversion, to report
   * errors.
   */
  samples?: LayerInputs;
  /** Mask and other arguments of these runs. */
  call?: CallOptions;
}

/** A kernel or table in 8 bits. */
export interface QuantizedWeight {
  /** Name with the names of the enclosing layers. */
  path: string;
  /** Sizes of the axes, outermost first. */
  shape: number[];
  /** Bytes as floats. */
  bytesBefore: number;
  /** Bytes in 8 bits, with scales. */
  bytes: number;
  /** Largest change of an element. */
  maxError: number;
}

/** A weight that stays float: a bias, a scale, or a kernel that is not used in a matrix product. */
export interface FloatWeight {
  /** Name with the names of the enclosing layers. */
  path: string;
  /** Sizes of the axes, outermost first. */
  shape: number[];
  /** Size in bytes. */
  bytes: number;
}

/** Change of one output on the samples. */
export interface OutputError {
  /** Index of the output. */
  output: number;
  /** Largest |after − before|. */
  maxError: number;
  /** Root mean square of after − before. */
  rmsError: number;
  /** Root mean square of the outputs before. */
  rms: number;
  /**
   * Share of rows (along the last axis) whose largest element stays at the same index; null for
   * rows of one element.
   */
  sameArgmax: number | null;
}

/** Report of `Model.quantize`. */
export interface Quantization {
  /** Mode of the call of `quantize`. */
  mode: 'int8';
  /** Type of the inputs of products; see {@link QuantizeOptions.activations}. */
  activations: 'float32' | 'int8';
  /** Weights that are now in 8 bits. */
  weights: QuantizedWeight[];
  /** Weights that stay float. */
  floats: FloatWeight[];
  /** Bytes of all weights as floats. */
  bytesBefore: number;
  /** Bytes of all weights now, with scales. */
  bytes: number;
  /** Change of each output; empty without samples. */
  outputs: OutputError[];
}

/** See `Model.quantize`. @internal */
export function quantizeModel(
  model: Runnable,
  mode: string,
  options: QuantizeOptions,
): Quantization {
  const { activations = 'float32', samples, call = {} } = checked(options);
  checkMode(model, mode, activations);
  const before = samples === undefined ? null : outputsOf(model, samples, call);
  const all = unwrap(available(native().layerQuantize)(model.handle, activations === 'int8'));
  const after = before && samples !== undefined ? outputsOf(model, samples, call) : [];
  return {
    mode: 'int8',
    activations,
    weights: all.filter(({ quantized }) => quantized).map(({ quantized, ...weight }) => weight),
    floats: all
      .filter(({ quantized }) => !quantized)
      .map(({ path, shape, bytes }) => ({ path, shape, bytes })),
    bytesBefore: sum(all.map((weight) => weight.bytesBefore)),
    bytes: sum(all.map((weight) => weight.bytes)),
    outputs: (before ?? []).map((output, i) => compare(i, output, after[i] as Rows)),
  };
}

/**
 * Returns a function that converts single weights of a model to 8 bits, for loading without all
 * floats in memory. Throws the errors of `quantizeModel`. @internal
 */
export function weightQuantizer(
  model: Runnable,
  options: QuantizeOptions,
): (layer: NativeLayer, index: number) => void {
  const { activations = 'float32' } = checked(options);
  checkMode(model, 'int8', activations);
  const quantize = available(native().layerQuantizeWeight);
  return (layer, index) => {
    unwrap(quantize(layer, index, activations === 'int8'));
  };
}

const checked = (options: QuantizeOptions): QuantizeOptions =>
  checkOptions(options, { activations: 1, samples: 1, call: 1 });

function available<F>(binding: F | undefined): F {
  if (binding) return binding;
  throw new UnsupportedError(
    "'maskflow/recurrent' has no quantize(); import from 'maskflow' instead",
  );
}

function checkMode(model: Runnable, mode: string, activations: string): void {
  if (mode !== 'int8') {
    throw new ConfigError(`the mode of quantization is ${show(mode)} but must be 'int8'`);
  }
  if (activations !== 'float32' && activations !== 'int8') {
    throw new ConfigError(`activations is ${show(activations)} but must be 'float32' or 'int8'`);
  }
  if (model.weights.length === 0) {
    throw new StateError(`'${model.name}' has no weights to quantize; build it or load it first`);
  }
}

interface Rows {
  data: Float64Array;
  width: number;
}

function outputsOf(model: Runnable, samples: LayerInputs, call: CallOptions): Rows[] {
  const result: LayerOutputs = model.predict<LayerOutputs>(samples, call);
  if (ignorePromise(result)) {
    throw new ConfigError(
      'predict() of `samples` returned a Promise; pass arrays or tensors, and no workers',
    );
  }
  const tensors = result instanceof Tensor ? [result] : Object.values(result).flat();
  return (tensors as Tensor[]).map((tensor) => {
    const rows = { data: Float64Array.from(tensor.data()), width: tensor.shape.at(-1) ?? 1 };
    tensor.dispose();
    return rows;
  });
}

function compare(output: number, before: Rows, after: Rows): OutputError {
  let [worst, squares, power] = [0, 0, 0];
  before.data.forEach((value, i) => {
    const difference = Math.abs((after.data[i] as number) - value);
    worst = Math.max(worst, difference);
    squares += difference ** 2;
    power += value ** 2;
  });
  const count = Math.max(1, before.data.length);
  return {
    output,
    maxError: worst,
    rmsError: Math.sqrt(squares / count),
    rms: Math.sqrt(power / count),
    sameArgmax: before.width > 1 ? sameArgmax(before, after) : null,
  };
}

function sameArgmax(before: Rows, after: Rows): number {
  const { width } = before;
  const count = before.data.length / width;
  let unchanged = 0;
  for (let row = 0; row < count; row++) {
    const part = (rows: Rows) => rows.data.subarray(row * width, (row + 1) * width);
    if (argmax(part(before)) === argmax(part(after))) unchanged++;
  }
  return count === 0 ? 1 : unchanged / count;
}

const argmax = (values: Float64Array): number =>
  values.reduce((best, value, i) => (value > (values[best] as number) ? i : best), 0);
