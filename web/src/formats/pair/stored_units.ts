// SPDX-License-Identifier: MIT
// Converts the stored weights of one layer from Keras 1, Keras 2 and cuDNN layers.
import { elementCount, sum } from '../../base/array.js';
import { lookUp } from '../../base/names.js';
import type { TypedArray } from '../../base/nested.js';
import type { NamedArray } from '../artifact.js';
import { fromCudnn, isCudnn } from './cudnn.js';
import type { WeightUnit } from './weight_units.js';

// Keras 1 stored three arrays for each gate: kernel, recurrent kernel and bias. These are the
// positions of its gates in the order of Keras 2 and 3.
const keras1Gates: { [className: string]: number[] } = { LSTM: [0, 2, 1, 3], GRU: [0, 1, 2] };

/**
 * Number of arrays of a unit in files of Keras 1: three for each gate of a recurrent layer, as in
 * Keras 3 for other layers.
 */
export function keras1Count({ className, weights }: WeightUnit): number {
  const gates = weights.length === 3 ? lookUp(keras1Gates, className) : undefined;
  return gates ? gates.length * 3 : weights.length;
}

/** Converts the arrays to the shapes and order of the unit's weights, where a rule is known. */
export function convertArrays(
  unit: WeightUnit,
  arrays: readonly NamedArray[],
  backend: string,
): readonly NamedArray[] {
  const gates = lookUp(keras1Gates, unit.className);
  if (gates && arrays.length === gates.length * 3 && unit.weights.length === 3) {
    return [0, 1, 2].map((part) =>
      joinColumns(gates.map((gate) => arrays[gate * 3 + part] as NamedArray)),
    );
  }
  if (isCudnn(unit.className, arrays)) return fromCudnn(unit.className, arrays);
  if (unit.className === 'Conv1D') return convertConvolution(unit, arrays, backend);
  return arrays;
}

const elements = ({ shape }: NamedArray): number => elementCount(shape);

/** Joins arrays along the last axis. */
function joinColumns(parts: readonly NamedArray[]): NamedArray {
  const [first] = parts as [NamedArray];
  const widths = parts.map(({ shape }) => shape.at(-1) ?? 1);
  const width = sum(widths);
  const rows = elements(first) / (widths[0] || 1);
  const read = (): TypedArray => {
    const result = new Float32Array(rows * width);
    let column = 0;
    parts.forEach((part, i) => {
      const values = part.read();
      const partWidth = widths[i] ?? 0;
      for (let row = 0; row < rows; ++row) {
        for (let k = 0; k < partWidth; ++k)
          result[row * width + column + k] = Number(values[row * partWidth + k]);
      }
      column += partWidth;
    });
    return result;
  };
  const name = parts.map((part) => part.name).join(' + ');
  return { name, shape: [...first.shape.slice(0, -1), width], dtype: first.dtype, read };
}

/**
 * Converts a kernel of Keras 1, [steps, 1, in, out] or [out, in, steps, 1]. Theano applied kernels
 * from their end, so its kernels are reversed.
 */
function convertConvolution(
  unit: WeightUnit,
  arrays: readonly NamedArray[],
  backend: string,
): readonly NamedArray[] {
  const [kernel, ...others] = arrays;
  const shape = unit.weights[0]?.shape;
  if (!kernel || shape?.length !== 3) return arrays;
  const converted = withThreeAxes(kernel, shape);
  return [backend === 'theano' ? reverseSteps(converted) : converted, ...others];
}

function withThreeAxes(
  kernel: NamedArray,
  [steps = 0, inputs = 0, filters = 0]: readonly number[],
): NamedArray {
  const shape = [steps, inputs, filters];
  const hasShape = (...dims: number[]): boolean => String(kernel.shape) === String(dims);
  if (hasShape(steps, 1, inputs, filters)) return { ...kernel, shape };
  if (!hasShape(filters, inputs, steps, 1)) return kernel;
  const read = (): TypedArray => {
    const from = kernel.read();
    return Float32Array.from({ length: steps * inputs * filters }, (_, index) => {
      const filter = index % filters;
      const input = Math.floor(index / filters) % inputs;
      const step = Math.floor(index / (filters * inputs));
      return Number(from[(filter * inputs + input) * steps + step]);
    });
  };
  return { name: kernel.name, shape, dtype: kernel.dtype, read };
}

function reverseSteps(kernel: NamedArray): NamedArray {
  const [steps = 0, inputs = 0, filters = 0] = kernel.shape;
  const size = inputs * filters;
  const read = (): TypedArray => {
    const from = kernel.read();
    return Float32Array.from({ length: steps * size }, (_, index) =>
      Number(from[(steps - 1 - Math.floor(index / size)) * size + (index % size)]),
    );
  };
  return { name: kernel.name, shape: kernel.shape, dtype: kernel.dtype, read };
}
