// SPDX-License-Identifier: MIT
// Results of the layers that hash: the number of a bin for each value, or vectors of bins.
import { elementCount } from '../base/array.js';
import { refuse } from '../base/check.js';
import { ConfigError, ShapeError } from '../base/errors.js';
import { type Tensor, tensor } from '../tensor/tensor.js';
import { encode } from './encode.js';
import { type Rows, zeros } from './rows.js';

/**
 * Result of a hash. 'int': the bin of each value. The other modes return vectors of `numBins`
 * numbers: 'one_hot' for each value, the others for each row of values. 'multi_hot' marks the bins
 * that occur, 'count' counts them.
 */
export type BinsMode = 'int' | 'one_hot' | 'multi_hot' | 'count';

/** Largest number of bins: results are int32. */
const kMaxBins = 2 ** 31 - 1;

/** Throws ConfigError unless the number of bins is valid. */
export function checkBins(className: string, bins: unknown): void {
  if (Number.isInteger(bins) && (bins as number) > 0 && (bins as number) <= kMaxBins) return;
  refuse(`${className}: numBins`, `a whole number, 1 to ${kMaxBins}`, bins, ConfigError);
}

/** Throws ShapeError unless all rows have one length. */
export function checkEqualRows({ shape, tokens, positions }: Rows<unknown>, label: string): void {
  if (tokens.length === elementCount(shape)) return;
  const gap = positions.findIndex((position, i) => position !== i);
  const width = shape.at(-1) as number;
  const missing = gap < 0 ? tokens.length : gap;
  throw new ShapeError(
    `${label}: row ${Math.floor(missing / width)} has ${missing % width} values where the longest has ${width}; make them equally long`,
  );
}

/** Returns the bins as int32 in their shape, or encoded as float32 vectors. */
export function encodeBins(
  bins: Rows<number>,
  mode: BinsMode,
  depth: number,
  label: string,
): Tensor {
  const { shape, tokens } = bins;
  if (mode === 'int') {
    const out = zeros(Int32Array, shape, label);
    out.set(tokens);
    return tensor(out, { shape });
  }
  if (mode !== 'one_hot' && shape.length > 2) {
    throw new ShapeError(
      `${label}: '${mode}' needs rows of values, of rank 2 at most, but the data has shape [${shape}]`,
    );
  }
  // As in Keras, a single value is a row of one.
  const rows = shape.length === 0 ? { ...bins, shape: [1] } : bins;
  return encode(rows, mode, depth, () => 1, label);
}
