// SPDX-License-Identifier: MIT
// Checks of masks that users attach or pass to a call, also to a worker, where no core is loaded.
import { ShapeError } from '../base/errors.js';

type Dims = readonly (number | null)[];

const agree = (a: number | null, b: number | null): boolean =>
  a === b || a === 1 || a === null || b === null;

/**
 * Throws ShapeError unless the mask fits a tensor of this shape. A mask has the tensor's batch
 * axis, then some of its other axes in their order (or 1): [batch, time] fits both [batch, time,
 * features] and [batch, features, time].
 *
 * @param ofCall Whether the mask is an argument of a call. It may then also broadcast from the last
 *   axes (as for Softmax) or have more axes per step (as for TimeDistributed); the layer checks it.
 */
export function checkMaskShape(mask: Dims, shape: Dims, ofCall = false): void {
  let next = 1;
  const fits = mask.every((dim, i) => {
    if (i === 0) return agree(dim, shape[0] ?? null);
    while (next < shape.length && !agree(dim, shape[next] as number | null)) next++;
    return next++ < shape.length;
  });
  const skipped = shape.length - mask.length;
  const isAllowed =
    fits ||
    (ofCall &&
      (mask.every((dim, i) => agree(dim, shape[skipped + i] as number | null)) ||
        (mask[0] === shape[0] && mask[1] === shape[1])));
  if (isAllowed && mask.length > 0 && skipped >= 0) return;
  const text = (dims: Dims) => `(${dims.map((dim) => dim ?? 'None').join(', ')})`;
  throw new ShapeError(
    `a mask of shape ${text(mask)} does not fit a tensor of shape ${text(shape)}; give one boolean per step: ${text(shape.slice(0, 2))}`,
  );
}
