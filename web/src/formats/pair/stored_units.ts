// SPDX-License-Identifier: MIT
// One layer's weights from what Keras 1, Keras 2 and cuDNN layers had for it.
import { elementCount, sum } from '../../base/array.js';
import { lookUp } from '../../base/names.js';
import type { TypedArray } from '../../base/nested.js';
import type { NamedArray } from '../artifact.js';
import { fromCudnn, isCudnn } from './cudnn.js';
import type { WeightUnit } from './weight_units.js';

// Keras 1 kept a kernel, recurrent kernel and bias for each gate, by default; these are the gates in today's order.
const oldGates: { [className: string]: number[] } = { LSTM: [0, 2, 1, 3], GRU: [0, 1, 2] };

/** How many arrays a file of Keras 1 may have for the unit, by gate; as many as today for other layers. */
export function oldCount({ className, weights }: WeightUnit): number {
  const gates = weights.length === 3 ? lookUp(oldGates, className) : undefined;
  return gates ? gates.length * 3 : weights.length;
}

/** The arrays in the shapes and the order of the unit's weights, as far as they can be brought there. */
export function converted(
  unit: WeightUnit,
  arrays: readonly NamedArray[],
  backend: string,
): readonly NamedArray[] {
  const gates = lookUp(oldGates, unit.className);
  if (gates && arrays.length === gates.length * 3 && unit.weights.length === 3) {
    return [0, 1, 2].map((which) =>
      joined(gates.map((gate) => arrays[gate * 3 + which] as NamedArray)),
    );
  }
  if (isCudnn(unit.className, arrays)) return fromCudnn(unit.className, arrays);
  if (unit.className === 'Conv1D') return convolution(unit, arrays, backend);
  return arrays;
}

const elements = ({ shape }: NamedArray): number => elementCount(shape);

/** Arrays side by side, along the last axis. */
function joined(parts: readonly NamedArray[]): NamedArray {
  const [first] = parts as [NamedArray];
  const widths = parts.map(({ shape }) => shape.at(-1) ?? 1);
  const width = sum(widths);
  const rows = elements(first) / (widths[0] || 1);
  const read = (): TypedArray => {
    const result = new Float32Array(rows * width);
    let column = 0;
    parts.forEach((part, i) => {
      const values = part.read();
      const own = widths[i] ?? 0;
      for (let row = 0; row < rows; ++row) {
        for (let k = 0; k < own; ++k)
          result[row * width + column + k] = Number(values[row * own + k]);
      }
      column += own;
    });
    return result;
  };
  const name = parts.map((part) => part.name).join(' + ');
  return { name, shape: [...first.shape.slice(0, -1), width], dtype: first.dtype, read };
}

/** A kernel of Keras 1, [steps, 1, in, out] or [out, in, steps, 1], and one of Theano, which ran it from the end. */
function convolution(
  unit: WeightUnit,
  arrays: readonly NamedArray[],
  backend: string,
): readonly NamedArray[] {
  const [kernel, ...others] = arrays;
  const wanted = unit.weights[0]?.shape;
  if (!kernel || wanted?.length !== 3) return arrays;
  const flat = threeAxes(kernel, wanted);
  return [backend === 'theano' ? backwards(flat) : flat, ...others];
}

function threeAxes(
  kernel: NamedArray,
  [steps = 0, inputs = 0, filters = 0]: readonly number[],
): NamedArray {
  const shape = [steps, inputs, filters];
  const is = (...dims: number[]): boolean => String(kernel.shape) === String(dims);
  if (is(steps, 1, inputs, filters)) return { ...kernel, shape };
  if (!is(filters, inputs, steps, 1)) return kernel;
  const read = (): TypedArray => {
    const from = kernel.read();
    return Float32Array.from({ length: steps * inputs * filters }, (_, at) => {
      const filter = at % filters;
      const input = Math.floor(at / filters) % inputs;
      const step = Math.floor(at / (filters * inputs));
      return Number(from[(filter * inputs + input) * steps + step]);
    });
  };
  return { name: kernel.name, shape, dtype: kernel.dtype, read };
}

function backwards(kernel: NamedArray): NamedArray {
  const [steps = 0, inputs = 0, filters = 0] = kernel.shape;
  const size = inputs * filters;
  const read = (): TypedArray => {
    const from = kernel.read();
    return Float32Array.from({ length: steps * size }, (_, at) =>
      Number(from[(steps - 1 - Math.floor(at / size)) * size + (at % size)]),
    );
  };
  return { name: kernel.name, shape: kernel.shape, dtype: kernel.dtype, read };
}
