// SPDX-License-Identifier: MIT
// From potentials and transitions, or from the result of a CRF layer, to the scores of lattice.ts.
import { checkOptions, isPlain } from '../base/check.js';
import { ShapeError } from '../base/errors.js';
import {
  add,
  broadcastTo,
  concatenate,
  expandDims,
  maximum,
  reshape,
  where,
} from '../ops/ops.gen.js';
import { asMask, asTensor, type MaskLike, type Tensor, type TensorLike } from '../tensor/tensor.js';
import { kAbsent, type Scores, scoresOf } from './lattice.js';

/** Options of functions that read the scores of a CRF. */
export interface CrfMask {
  /**
   * Steps that count, [batch, steps], true = keep: padding on either side, and holes. Default: the
   * mask of the first argument. Pass null for no mask.
   */
  mask?: MaskLike | null;
}

/** Options of functions that receive potentials and transitions. */
export interface CrfOptions extends CrfMask {
  /** Score of each tag as the first of a sequence, [tags]. Default: zeros. */
  start?: TensorLike | null;
  /** Score of each tag as the last of a sequence, [tags]. Default: zeros. */
  end?: TensorLike | null;
}

/** Throws ShapeError unless the tensor has the shape that the potentials require. */
function checkTable(what: string, value: Tensor, shape: readonly number[]): Tensor {
  const fits = value.rank === shape.length && shape.every((size, i) => value.shape[i] === size);
  if (fits) return value;
  throw new ShapeError(
    `${what} has shape [${value.shape}] but must be [${shape}]: the potentials have ${shape[0]} tags`,
  );
}

/** Puts the scores of all pairs together: [batch, steps, tags + 2, tags]. */
export function pairScores(
  potentials: Tensor,
  transitions: Tensor,
  start: Tensor | null,
  end: Tensor | null,
): Tensor {
  const [batch, steps, tags] = potentials.shape as [number, number, number];
  const own = expandDims(potentials, 2);
  const begin = start ? add(own, start) : own;
  const shape = [batch, steps, 1, tags];
  const ends = end ? broadcastTo(reshape(end, [1, 1, 1, tags]), shape) : null;
  // Without ends, their row is a constant 0.
  const last = ends ?? broadcastTo(asTensor([[[Array.from({ length: tags }, () => 0)]]]), shape);
  return concatenate([begin, add(own, transitions), last], { axis: 2 });
}

/** Marks the masked steps in the scores, which results of `predict` keep without a mask. */
export function markMasked(scores: Tensor, mask: Tensor | null): Tensor {
  const finite = maximum(scores, kAbsent);
  if (mask === null) return finite;
  return where(expandDims(expandDims(mask, -1), -1), finite, kAbsent);
}

/** Arguments of a function: scores and options, or potentials, transitions and options. */
export type CrfArguments =
  | readonly [TensorLike, CrfMask?]
  | readonly [TensorLike, TensorLike, CrfOptions?];

/** Scores as a tensor, which may be recorded, and the mask in place of the tensor's own. */
export interface ScoreTensor {
  readonly scores: Tensor;
  readonly mask: Tensor | null;
}

function maskOf(mask: MaskLike | null | undefined, values: Tensor): Tensor | null {
  if (mask === null) return null;
  if (mask === undefined) return values.mask;
  return asMask(mask, values.shape.slice(0, 2));
}

function fromPotentials(
  name: string,
  potentials: Tensor,
  table: TensorLike,
  options: CrfOptions | undefined,
): ScoreTensor {
  const { mask, start, end } = checkOptions(options ?? {}, { mask: 1, start: 1, end: 1 });
  if (potentials.rank !== 3) {
    throw new ShapeError(
      `${name}: the potentials have shape [${potentials.shape}] but must be [batch, steps, tags]`,
    );
  }
  const tags = potentials.shape[2] as number;
  const vector = (what: string, value: TensorLike | null | undefined) =>
    value === null || value === undefined
      ? null
      : checkTable(`${name}: ${what}`, asTensor(value), [tags]);
  const transitions = checkTable(`${name}: transitions`, asTensor(table), [tags, tags]);
  const keep = maskOf(mask, potentials);
  const bare = potentials.withMask(null);
  const scores = pairScores(bare, transitions, vector('start', start), vector('end', end));
  return { scores: markMasked(scores, null), mask: keep };
}

/** Converts the arguments of a function. Call it in `tidy`. */
export function scoreTensor(name: string, args: CrfArguments): ScoreTensor {
  const [first, second, third] = args;
  const values = asTensor(first);
  if (second !== undefined && !isOptions(second)) {
    return fromPotentials(name, values, second as TensorLike, third);
  }
  const { mask } = checkOptions((second ?? {}) as CrfMask, { mask: 1 });
  const [, , rows, tags] = values.shape;
  if (values.rank !== 4 || rows !== (tags as number) + 2) {
    throw new ShapeError(
      `${name}: the scores have shape [${values.shape}] but must be [batch, steps, tags + 2, tags], as the layer CRF returns them; with potentials [batch, steps, tags], pass the transitions, too: ${name}(potentials, transitions)`,
    );
  }
  return { scores: values.withMask(null), mask: maskOf(mask, values) };
}

const isOptions = (value: unknown): boolean => isPlain(value);

/** Reads the numbers of the scores. */
export function readScores({ scores, mask }: ScoreTensor): Scores {
  const kept = mask === null ? null : (mask.data() as Uint8Array);
  const shape = scores.shape as [number, number, number, number];
  return scoresOf(scores.data() as Float32Array, shape, kept);
}
