// SPDX-License-Identifier: MIT
import { isDigits } from '../src/base/numbered.js';
import { writeNpy } from '../src/formats/numpy/npy.js';
import { writeNpz } from '../src/formats/numpy/npz.js';
import { nest } from '../src/base/nested.js';
import type { DType, TensorData } from '../src/tensor/tensor.js';
import { writeCsv } from './csv.js';
import type { Format } from './formats.js';
import { jsonText } from './print.js';
import { UsageError } from './usage.js';

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

/** Predictions as the bytes of a file. Only JSON and npz can contain several outputs. */
export function writeOutputs(outputs: readonly Output[], format: Format): Uint8Array {
  const keyed = outputs.some(({ name }) => !isDigits(name));
  if (format === 'json') return new TextEncoder().encode(toJson(outputs, keyed));
  if (format === 'npz') {
    const arrays = outputs.map((output) => [`output_${output.name}`, output] as const);
    return writeNpz(new Map(arrays));
  }
  const [only, ...others] = outputs;
  if (!only || others.length > 0) {
    throw new UsageError(
      `the model has ${outputs.length} outputs, but ${format} can contain one; use json or npz`,
    );
  }
  if (format === 'npy') return writeNpy(only.shape, only.dtype, only.data);
  return new TextEncoder().encode(writeCsv(only.shape, only.data));
}
