// SPDX-License-Identifier: MIT
// Weights of CuDNNLSTM and CuDNNGRU, which Keras 2 kept as cuDNN lays them out, for LSTM and GRU. All gates come in the
// same order in both. See the cuDNN developer guide (RNN modes: each gate has two biases) and Chetlur et al. 2014.
import { lookUp } from '../../base/names.js';
import type { TypedArray } from '../../base/nested.js';
import type { NamedArray } from '../artifact.js';

type Matrix = readonly [rows: number, columns: number];

/**
 * Each gate's block of columns, [rows, units], on its own: `place` says which of the block's elements, counted row by
 * row, comes to [row, unit].
 */
function byGate(
  array: NamedArray,
  [rows, columns]: Matrix,
  gates: number,
  place: (row: number, unit: number, units: number) => number,
): NamedArray {
  const units = columns / gates;
  const read = (): TypedArray => {
    const from = array.read();
    const to = new Float32Array(rows * columns);
    for (let gate = 0; gate < gates; ++gate) {
      for (let row = 0; row < rows; ++row) {
        for (let unit = 0; unit < units; ++unit) {
          const at = place(row, unit, units);
          const source = Math.floor(at / units) * columns + gate * units + (at % units);
          to[row * columns + gate * units + unit] = Number(from[source]);
        }
      }
    }
    return to;
  };
  return { ...named(array), read };
}

const named = ({ name, shape, dtype }: NamedArray) => ({ name, shape, dtype });

/** The block in memory is [units, input]; it was filed as [input, units] without being transposed. */
function inputKernel(kernel: NamedArray, gates: number): NamedArray {
  const [rows = 0, columns = 0] = kernel.shape;
  return byGate(kernel, [rows, columns], gates, (row, unit) => unit * rows + row);
}

function recurrentKernel(kernel: NamedArray, gates: number): NamedArray {
  const [rows = 0, columns = 0] = kernel.shape;
  return byGate(kernel, [rows, columns], gates, (row, unit, units) => unit * units + row);
}

/** cuDNN adds a bias to each of the two products, where LSTM has one bias: their sum. */
function summed(bias: NamedArray): NamedArray {
  const length = (bias.shape[0] ?? 0) / 2;
  return {
    ...named(bias),
    shape: [length],
    read: () => {
      const both = bias.read();
      return Float32Array.from({ length }, (_, i) => Number(both[i]) + Number(both[i + length]));
    },
  };
}

const gatesOf: { [className: string]: number } = { LSTM: 4, GRU: 3 };

/** Are these [kernel, recurrent kernel, bias] those of a cuDNN layer? Its bias is twice as long, and flat. */
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

/** The weights of an LSTM, or of a GRU with `reset_after`, from those of the cuDNN layer. */
export function fromCudnn(className: string, weights: readonly NamedArray[]): NamedArray[] {
  const gates = lookUp(gatesOf, className) ?? 1;
  const [kernel, recurrent, bias] = weights as [NamedArray, NamedArray, NamedArray];
  const length = (bias.shape[0] ?? 0) / 2;
  return [
    inputKernel(kernel, gates),
    recurrentKernel(recurrent, gates),
    className === 'GRU'
      ? { ...named(bias), shape: [2, length], read: () => bias.read() }
      : summed(bias),
  ];
}
