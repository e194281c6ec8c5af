// SPDX-License-Identifier: MIT
import { ShapeError } from './errors.js';

type Dims = readonly (number | null)[];

const agree = (a: number | null, b: number | null): boolean =>
  a === b || a === 1 || a === null || b === null;

/**
 * A mask says of each step whether it counts: it has the tensor's batch axis, then some of its other axes in their
 * order (1 for any size), as [batch, time] for [batch, time, features] and for [batch, features, time].
 */
export function checkMaskShape(mask: Dims, shape: Dims): void {
  let next = 1;
  const fits = mask.every((dim, i) => {
    if (i === 0) return agree(dim, shape[0] ?? null);
    while (next < shape.length && !agree(dim, shape[next] as number | null)) next++;
    return next++ < shape.length;
  });
  if (fits && mask.length > 0 && mask.length <= shape.length) return;
  const text = (dims: Dims) => `(${dims.map((dim) => dim ?? 'None').join(', ')})`;
  throw new ShapeError(
    `a mask of shape ${text(mask)} does not fit a tensor of shape ${text(shape)}; give one boolean per step: ${text(shape.slice(0, 2))}`,
  );
}
