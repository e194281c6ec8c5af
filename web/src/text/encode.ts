// SPDX-License-Identifier: MIT
// The output modes of vocabulary layers that are vectors. bins.ts uses it for layers that hash.
import { ShapeError } from '../base/errors.js';
import { type Tensor, tensor } from '../tensor/tensor.js';
import { type Rows, zeros } from './rows.js';

/**
 * Encodes indices as vectors of `depth` numbers, one for each index ('one_hot') or for each row.
 * Ignores the index -1.
 */
export function encode(
  { shape, tokens, positions }: Rows<number>,
  mode: 'one_hot' | 'multi_hot' | 'count' | 'tf_idf',
  depth: number,
  weightOf: (index: number) => number,
  label: string,
): Tensor {
  const isSum = mode === 'count' || mode === 'tf_idf';
  if (isSum && shape.length > 2) {
    throw new ShapeError(
      `'${mode}' needs rows of tokens, of rank 2 at most, but the data has shape [${shape}]`,
    );
  }
  // As in Keras, rows of one token have one vector each, even with 'one_hot'.
  const perToken = mode === 'one_hot' && !(shape.length > 1 && shape.at(-1) === 1);
  const outer = perToken ? shape : shape.slice(0, -1);
  const width = perToken ? 1 : (shape.at(-1) ?? 1);
  const out = zeros(Float32Array, [...outer, depth], label);
  tokens.forEach((index, i) => {
    if (index < 0) return;
    const offset = Math.floor((positions[i] as number) / width) * depth + index;
    out[offset] = isSum ? (out[offset] as number) + (mode === 'count' ? 1 : weightOf(index)) : 1;
  });
  return tensor(out, { shape: [...outer, depth] });
}
