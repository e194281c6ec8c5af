// SPDX-License-Identifier: MIT
// Outputs of a model as files that are written at once.
import { isDigits } from '../src/base/numbered.js';
import { writeNpz } from '../src/formats/numpy/npz.js';
import { nest } from '../src/base/nested.js';
import type { DType, TensorData } from '../src/tensor/tensor.js';
import { jsonText } from './print.js';

/** One output of the model, for all rows. */
export interface Output {
  /** Index or key of the output. */
  name: string;
  shape: number[];
  dtype: DType;
  data: TensorData;
}

/** Returns the outputs as JSON. NaN and infinities become null, because JSON lacks them. */
function toJson(outputs: readonly Output[], keyed: boolean): string {
  const plain = outputs.map(({ name, shape, data }) => [name, nest(data, shape)] as const);
  if (keyed) return `${jsonText(Object.fromEntries(plain))}\n`;
  const values = plain.map(([, value]) => value);
  return `${JSON.stringify(values.length === 1 ? values[0] : values)}\n`;
}

/** Predictions for all rows as the bytes of a file of a format that is not written row by row. */
export function writeOutputs(outputs: readonly Output[], format: 'json' | 'npz'): Uint8Array {
  const keyed = outputs.some(({ name }) => !isDigits(name));
  if (format === 'json') return new TextEncoder().encode(toJson(outputs, keyed));
  const arrays = outputs.map((output) => [`output_${output.name}`, output] as const);
  return writeNpz(new Map(arrays));
}
