// SPDX-License-Identifier: MIT
import { ShapeError } from '../base/errors.js';
import { type Tensor, tensor } from '../tensor/tensor.js';
import { type Rows, zeros } from './rows.js';

/** Vectors of `depth` numbers for each index, or for each row of them. Index -1 leaves no trace. */
export function encode(
  { shape, tokens, positions }: Rows<number>,
  mode: 'one_hot' | 'multi_hot' | 'count' | 'tf_idf',
  depth: number,
  weightOf: (index: number) => number,
  who: string,
): Tensor {
  const sums = mode === 'count' || mode === 'tf_idf';
  if (sums && shape.length > 2) {
    throw new ShapeError(
      `'${mode}' takes rows of tokens, rank 2 at most, but the data has shape [${shape}]`,
    );
  }
  // One vector for each token, or for each row; a single token in a row is the row.
  const each = mode === 'one_hot' && !(shape.length > 1 && shape.at(-1) === 1);
  const outer = each ? shape : shape.slice(0, -1);
  const width = each ? 1 : (shape.at(-1) ?? 1);
  const out = zeros(Float32Array, [...outer, depth], who);
  tokens.forEach((index, i) => {
    if (index < 0) return;
    const at = Math.floor((positions[i] as number) / width) * depth + index;
    out[at] = sums ? (out[at] as number) + (mode === 'count' ? 1 : weightOf(index)) : 1;
  });
  return tensor(out, { shape: [...outer, depth] });
}
