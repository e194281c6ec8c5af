// SPDX-License-Identifier: MIT
import { ShapeError } from '../base/errors.js';

type Dims = readonly (number | null)[];

const agree = (a: number | null, b: number | null): boolean =>
  a === b || a === 1 || a === null || b === null;

/**
 * A mask says of each step whether it counts: it has the tensor's batch axis, then some of its other axes in their
 * order (1 for any size), as [batch, time] for [batch, time, features] and for [batch, features, time]. One that is an
 * argument of a call may also broadcast from the last axes, as Softmax's, or say more of each step, as
 * TimeDistributed's: the layer knows.
 */
export function checkMaskShape(mask: Dims, shape: Dims, ofCall = false): void {
  let next = 1;
  const fits = mask.every((dim, i) => {
    if (i === 0) return agree(dim, shape[0] ?? null);
    while (next < shape.length && !agree(dim, shape[next] as number | null)) next++;
    return next++ < shape.length;
  });
  const skipped = shape.length - mask.length;
  const may =
    fits ||
    (ofCall &&
      (mask.every((dim, i) => agree(dim, shape[skipped + i] as number | null)) ||
        (mask[0] === shape[0] && mask[1] === shape[1])));
  if (may && mask.length > 0 && skipped >= 0) return;
  const text = (dims: Dims) => `(${dims.map((dim) => dim ?? 'None').join(', ')})`;
  throw new ShapeError(
    `a mask of shape ${text(mask)} does not fit a tensor of shape ${text(shape)}; give one boolean per step: ${text(shape.slice(0, 2))}`,
  );
}
