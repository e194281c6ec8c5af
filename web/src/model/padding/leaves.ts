// SPDX-License-Identifier: MIT
// The inputs of a model as a list of tensors, and padding for them.
import { elementCount } from '../../base/array.js';
import { isPlain, refuse } from '../../base/check.js';
import type { TypedArray } from '../../base/nested.js';
import {
  inOrder,
  isSeveral,
  isSingle,
  type kInputCount,
  type LayerInputs,
} from '../../layers/args.js';
import { asTensor, Tensor, type TensorLike, tensor } from '../../tensor/tensor.js';

/** A mask [row][step]; true = keep. */
export type Rows = readonly (readonly boolean[])[];

/** One input tensor. */
export interface Leaf {
  readonly tensor: Tensor;
  /** Key in a dictionary of inputs, or position in a list; '' for the only input. */
  readonly key: string;
  /** Mask that the tensor carries. */
  readonly mask: Rows | null;
  /** Whether axis 1 is time. */
  timed: boolean;
  /** The features of a step of padding. */
  fill: ArrayLike<number>;
}

/** The tensors of inputs, and how to put others in their places. */
export interface Inputs {
  readonly leaves: Leaf[];
  rebuild(tensors: readonly Tensor[]): LayerInputs;
}

/** The mask of a tensor as rows; null without one, or if it has more axes. */
export function rowsOf(mask: Tensor | null): Rows | null {
  return mask?.rank === 2 ? (mask.array() as unknown as Rows) : null;
}

const isLeaf = (value: unknown): value is TensorLike =>
  value instanceof Tensor || isSingle(value as LayerInputs);

const kInputs = 'a tensor or an array, or a list or dictionary of these';

/** Reads inputs in the order in which Keras flattens them. */
export function readInputs(model: { readonly [kInputCount]: number }, inputs: LayerInputs): Inputs {
  const leaves: Leaf[] = [];
  const visit = (value: unknown, name = ''): ((tensors: readonly Tensor[]) => unknown) => {
    const isList = value === inputs && isSeveral(value, model);
    if (isLeaf(value) && !isList) {
      const index = leaves.length;
      const leaf = asTensor(value);
      const mask = rowsOf(leaf.mask);
      leaves.push({ tensor: leaf, key: name, mask, timed: false, fill: [] });
      return (tensors) => tensors[index];
    }
    if (!Array.isArray(value) && !isPlain(value)) refuse('the input', kInputs, value);
    const items = inOrder(value).map(([key, item]) => [key, visit(item, String(key))] as const);
    return (tensors) => {
      const entries = items.map(([key, item]) => [key, item(tensors)] as const);
      return Array.isArray(value) ? entries.map(([, item]) => item) : Object.fromEntries(entries);
    };
  };
  const rebuild = visit(inputs);
  return { leaves, rebuild: (tensors) => rebuild(tensors) as LayerInputs };
}

/** A part of the rows and steps of an input, and steps of padding around them. */
export interface Part {
  readonly rows: readonly number[];
  readonly from: number;
  readonly to: number;
  readonly before: number;
  readonly after: number;
}

/** Returns the part of an input with a time axis; other inputs keep all but their rows. */
export function partOf({ tensor: whole, mask, timed, fill }: Leaf, part: Part): Tensor {
  const { rows, before, after } = part;
  const [, steps = 1, ...features] = whole.shape;
  const [from, to] = timed ? [part.from, part.to] : [0, steps];
  const [head, tail] = timed ? [before, after] : [0, 0];
  const width = elementCount(features);
  const data = whole.data();
  const length = head + to - from + tail;
  const rank1 = whole.rank === 1;
  const result: TypedArray = new (data.constructor as Float32ArrayConstructor)(
    rows.length * (rank1 ? 1 : length * width),
  );
  rows.forEach((row, at) => {
    if (rank1) {
      result[at] = data[row] as number;
      return;
    }
    const start = at * length * width;
    const steps0 = row * steps * width;
    result.set(data.subarray(steps0 + from * width, steps0 + to * width), start + head * width);
    for (let step = 0; step < length; step++) {
      if (step >= head && step < head + to - from) continue;
      for (let i = 0; i < width; i++) result[start + step * width + i] = fill[i] ?? 0;
    }
  });
  const shape = rank1 ? [rows.length] : [rows.length, length, ...features];
  const made = tensor(result, { shape, dtype: whole.dtype });
  return mask ? made.withMask(maskPart(mask, part, timed)) : made;
}

/** Returns the part of a mask; padding is masked. */
export function maskPart(mask: Rows, { rows, from, to, before, after }: Part, timed = true): Rows {
  const padding = (count: number): boolean[] => Array.from({ length: count }, () => false);
  return rows.map((row) => {
    const all = mask[row] ?? [];
    return timed ? [...padding(before), ...all.slice(from, to), ...padding(after)] : all;
  });
}
