// SPDX-License-Identifier: MIT
// The tags of sentences as texts, from ids, probabilities, or the scores of a CRF.
import { checkList, describe } from '../base/check.js';
import { ConfigError, ShapeError, ValueError } from '../base/errors.js';
import { asTensor, type MaskLike, Tensor, type TensorLike, tensor } from '../tensor/tensor.js';
import { keptMask } from './crf_functions.js';
import { readScores } from './crf_scores.js';
import { bestPaths } from './lattice.js';

/**
 * Tags of sentences: lists of texts, such as [['B-PER', 'O'], ['O']]; or with `names` ids [batch,
 * steps], one-hot rows or probabilities [batch, steps, tags], or the scores of a CRF [batch, steps,
 * tags + 2, tags].
 */
export type TagRows = readonly (readonly string[])[] | TensorLike;

/** The kept steps of a sentence: their positions and their tags. */
export interface TagRow {
  readonly steps: readonly number[];
  readonly tags: readonly string[];
  /** Number of all steps. */
  readonly length: number;
}

const isTexts = (rows: TagRows): rows is readonly (readonly string[])[] =>
  Array.isArray(rows) && rows.flat().some((tag) => typeof tag === 'string');

/** Reads a mask as a function of sentence and step. */
function keptBy(mask: MaskLike | null | undefined): (row: number, step: number) => boolean {
  if (mask === null || mask === undefined) return () => true;
  if (Array.isArray(mask)) {
    return (row, step) => Boolean((mask as unknown[][])[row]?.[step]);
  }
  const { shape } = mask as Tensor;
  if (shape?.length !== 2) {
    throw new ShapeError(
      `the mask has shape [${shape ?? (mask as Uint8Array).length}] but must be [batch, steps]`,
    );
  }
  const data = (mask as Tensor).data();
  return (row, step) => Boolean(data[row * (shape[1] as number) + step]);
}

/** Returns the index of the largest value of each of the rows of `count` values. */
function largestIn(data: ArrayLike<number>, rows: number, count: number): Int32Array {
  return Int32Array.from({ length: rows }, (_, row) => {
    let best = 0;
    for (let i = 1; i < count; i++) {
      if (Number(data[row * count + i]) > Number(data[row * count + best])) best = i;
    }
    return best;
  });
}

interface Ids {
  readonly shape: readonly [number, number];
  readonly ids: ArrayLike<number>;
  /** Kept steps that the scores of a CRF mark. */
  readonly kept?: readonly Int32Array[];
}

function idsIn(values: Tensor, what: string): Ids {
  const [batch = 0, steps = 0, third = 1, tags = 1] = values.shape;
  const shape = [batch, steps] as const;
  if (values.rank === 4 && third === tags + 2) {
    const scores = readScores({ scores: values.withMask(null), mask: values.mask });
    const paths = bestPaths(scores).paths;
    const ids = paths.flatMap((path) => Array.from(path));
    return { shape, ids, kept: scores.kept };
  }
  if (values.rank === 3 && third > 1) {
    return { shape, ids: largestIn(values.data() as Float32Array, batch * steps, third) };
  }
  if (values.rank === 2 || values.rank === 3) return { shape, ids: values.data() as Float32Array };
  throw new ShapeError(
    `${what} has shape [${values.shape}] but must be [batch, steps], [batch, steps, tags], or the scores of a CRF`,
  );
}

/** Converts ids to tags. Call it in `tidy`. */
function named(
  value: TensorLike,
  names: readonly string[] | undefined,
  isKept: (row: number, step: number) => boolean,
  what: string,
): TagRow[] {
  if (!names) {
    throw new ConfigError(
      `${what} has ids, which need names: { names: ['O', 'B-PER', …] }, a tag for each id`,
    );
  }
  const values = asTensor(value);
  const { shape, ids, kept } = idsIn(values, what);
  return Array.from({ length: shape[0] }, (_, row) => {
    const all = kept?.[row] ?? Int32Array.from({ length: shape[1] }, (_, step) => step);
    const steps = [...all].filter((step) => isKept(row, step));
    const tags = steps.map((step) => {
      const id = Number(ids[row * shape[1] + step]);
      const name = names[id];
      if (typeof name === 'string') return name;
      throw new ValueError(
        `${what}: id ${id} of sentence ${row}, step ${step}, has no name; there are ${names.length} names`,
      );
    });
    return { steps, tags, length: shape[1] };
  });
}

/** Returns the tags of the kept steps of each sentence. Call it in `tidy`. */
export function tagRows(
  rows: TagRows,
  names: readonly string[] | undefined,
  isKept: (row: number, step: number) => boolean,
  what: string,
): TagRow[] {
  if (names !== undefined) checkList(names, 'names');
  if (!isTexts(rows) && !(Array.isArray(rows) && rows.flat().length === 0)) {
    return named(rows, names, isKept, what);
  }
  return (rows as readonly (readonly string[])[]).map((tags, row) => {
    const steps = tags.map((_, step) => step).filter((step) => isKept(row, step));
    for (const step of steps) {
      if (typeof tags[step] === 'string') continue;
      throw new ValueError(
        `${what}: step ${step} of sentence ${row} is ${describe(tags[step])}, not a text`,
      );
    }
    return { steps, tags: steps.map((step) => tags[step] as string), length: tags.length };
  });
}

/**
 * Returns which steps count: those of the mask, or of the masks that tensors carry. Masked steps of
 * the scores of a CRF never count. Call it in `tidy`.
 */
export function keptIn(
  all: readonly TagRows[],
  mask: MaskLike | null | undefined,
): (row: number, step: number) => boolean {
  const masks = all.map((rows) => {
    if (!(rows instanceof Tensor)) return null;
    if (rows.rank !== 4) return mask === undefined ? rows.mask : null;
    const scores = readScores({ scores: rows.withMask(null), mask: rows.mask });
    const shape = rows.shape.slice(0, 2);
    return tensor(keptMask(scores), { shape, dtype: 'bool' });
  });
  const kept = [mask ?? null, ...masks].map(keptBy);
  return (row, step) => kept.every((isKept) => isKept(row, step));
}
