// SPDX-License-Identifier: MIT
// Converts weights of CuDNNLSTM and CuDNNGRU, which Keras 2 stored in cuDNN's layout, to those of
// LSTM and GRU. The gates have the same order. See the cuDNN developer guide (RNN modes: each gate
// has two biases) and Chetlur et al. 2014.
import { lookUp } from '../../base/names.js';
import type { TypedArray } from '../../base/nested.js';
import type { NamedArray } from '../artifact.js';

type Matrix = readonly [rows: number, columns: number];

/**
 * Rearranges each gate's block of columns, [rows, units]: `sourceOf` returns the index of the
 * element of the block, in row-major order, that moves to [row, unit].
 */
function rearrangeGates(
  array: NamedArray,
  [rows, columns]: Matrix,
  gates: number,
  sourceOf: (row: number, unit: number, units: number) => number,
): NamedArray {
  const units = columns / gates;
  const read = (): TypedArray => {
    const from = array.read();
    const to = new Float32Array(rows * columns);
    for (let gate = 0; gate < gates; ++gate) {
      for (let row = 0; row < rows; ++row) {
        for (let unit = 0; unit < units; ++unit) {
          const inBlock = sourceOf(row, unit, units);
          const source = Math.floor(inBlock / units) * columns + gate * units + (inBlock % units);
          to[row * columns + gate * units + unit] = Number(from[source]);
        }
      }
    }
    return to;
  };
  return { ...withoutData(array), read };
}

const withoutData = ({ name, shape, dtype }: NamedArray) => ({ name, shape, dtype });

/** In memory, each block is [units, input]; the file says [input, units] without transposing it. */
function inputKernel(kernel: NamedArray, gates: number): NamedArray {
  const [rows = 0, columns = 0] = kernel.shape;
  return rearrangeGates(kernel, [rows, columns], gates, (row, unit) => unit * rows + row);
}

function recurrentKernel(kernel: NamedArray, gates: number): NamedArray {
  const [rows = 0, columns = 0] = kernel.shape;
  return rearrangeGates(kernel, [rows, columns], gates, (row, unit, units) => unit * units + row);
}

/** Adds both biases: cuDNN adds one to each of the two products, and an LSTM has only their sum. */
function sumOfBiases(bias: NamedArray): NamedArray {
  const length = (bias.shape[0] ?? 0) / 2;
  return {
    ...withoutData(bias),
    shape: [length],
    read: () => {
      const values = bias.read();
      return Float32Array.from(
        { length },
        (_, i) => Number(values[i]) + Number(values[i + length]),
      );
    },
  };
}

const gatesOf: { [className: string]: number } = { LSTM: 4, GRU: 3 };

/**
 * Returns whether [kernel, recurrent kernel, bias] are of cuDNN: its bias is flat and twice as
 * long.
 */
export function isCudnn(className: string, weights: readonly NamedArray[]): boolean {
  const gates = lookUp(gatesOf, className);
  const [, recurrent, bias] = weights;
  if (!gates || weights.length !== 3 || recurrent?.shape.length !== 2) return false;
  const units = recurrent.shape[0] ?? 0;
  return (
    recurrent.shape[1] === gates * units &&
    bias?.shape.length === 1 &&
    bias.shape[0] === 2 * gates * units
  );
}

/** Weights of an LSTM, or of a GRU with `reset_after`, from those of the cuDNN layer. */
export function fromCudnn(className: string, weights: readonly NamedArray[]): NamedArray[] {
  const gates = lookUp(gatesOf, className) ?? 1;
  const [kernel, recurrent, bias] = weights as [NamedArray, NamedArray, NamedArray];
  const length = (bias.shape[0] ?? 0) / 2;
  return [
    inputKernel(kernel, gates),
    recurrentKernel(recurrent, gates),
    className === 'GRU'
      ? { ...withoutData(bias), shape: [2, length], read: () => bias.read() }
      : sumOfBiases(bias),
  ];
}
