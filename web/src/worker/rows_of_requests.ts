// SPDX-License-Identifier: MIT
// Single rows of separate requests, joined to the inputs of one call; its outputs, cut into rows.
import { elementCount } from '../base/array.js';
import type { TypedArray } from '../base/nested.js';
import { ShapeError } from '../base/errors.js';
import type { Prediction, Predictions } from '../model/predictor.js';
import type { WireTensor, WireTree } from './messages.js';

/** Text that is equal for rows that can be joined; with `isRagged`, their lengths may differ. */
export function kindOf({ form, keys, items }: WireTree, isRagged: boolean): string {
  const kinds = items.map(({ dtype, shape }) => [
    dtype,
    isRagged ? ['any', ...shape.slice(1)] : shape,
  ]);
  return JSON.stringify([form, keys, kinds]);
}

/** Whether padding could make rows of other lengths equally long: one input with a time axis. */
export const hasLength = ({ items }: WireTree): boolean =>
  items.length === 1 && (items[0] as WireTensor).shape.length > 0;

/** Length of the time axis of a row with one input. */
export const lengthOf = ({ items }: WireTree): number => items[0]?.shape[0] ?? 0;

/** Joins tensors of equal shape, or of different lengths, which `padValue` fills at the end. */
function joinTensors(parts: readonly WireTensor[], padValue: number): WireTensor {
  const { dtype, data, shape } = parts[0] as WireTensor;
  const longest = parts.reduce((max, part) => Math.max(max, part.shape[0] ?? 1), 0);
  const size = longest * elementCount(shape.slice(1));
  const TypedArrays = data.constructor as new (size: number) => TypedArray;
  const joined = new TypedArrays(size * parts.length);
  if (padValue !== 0) joined.fill(padValue);
  for (const [i, part] of parts.entries()) joined.set(part.data, i * size);
  const inner = shape.length === 0 ? [] : [longest, ...shape.slice(1)];
  return { dtype, shape: [parts.length, ...inner], data: joined };
}

/** Joins rows of one kind. Shorter ones are padded at the end. */
export function joinRequests(rows: readonly WireTree[], padValue: number): WireTree {
  const [first] = rows as [WireTree];
  const items = first.items.map((_, i) =>
    joinTensors(
      rows.map((row) => row.items[i] as WireTensor),
      padValue,
    ),
  );
  return { ...first, items };
}

const isPrediction = (value: Predictions): value is Prediction =>
  typeof (value as Prediction).data === 'function';

/** The outputs of a call as plain data, and their tensors. */
function treeOf(outputs: Predictions): { tree: WireTree; tensors: Prediction[] } {
  const isOne = isPrediction(outputs);
  const form = isOne ? 'one' : Array.isArray(outputs) ? 'list' : 'keys';
  const tensors: Prediction[] = isOne ? [outputs] : Object.values(outputs);
  const items = tensors.map((tensor) => {
    const { dtype, shape } = tensor;
    return { dtype, shape, data: tensor.data() };
  });
  return { tree: { form, keys: form === 'keys' ? Object.keys(outputs) : [], items }, tensors };
}

/** Cuts the outputs of a call with `count` rows into rows, and disposes of them. */
export function rowsOfOutputs(outputs: Predictions, count: number): WireTree[] {
  const { tree, tensors } = treeOf(outputs);
  const odd = tree.items.find(({ shape }) => shape[0] !== count);
  if (odd) {
    throw new ShapeError(
      `the model returned an output of shape [${odd.shape}] for ${count} rows; batched() needs a model whose outputs have a row for each row of the inputs`,
    );
  }
  const rows = Array.from({ length: count }, (_, row) => {
    const items = tree.items.map(({ dtype, shape, data }) => {
      const size = elementCount(shape.slice(1));
      return { dtype, shape: shape.slice(1), data: data.slice(row * size, (row + 1) * size) };
    });
    return { ...tree, items };
  });
  for (const tensor of tensors) tensor.dispose();
  return rows;
}

/** The first `length` steps of the outputs that `isCut` names. */
export function cutSteps(row: WireTree, length: number, isCut: readonly boolean[]): WireTree {
  const items = row.items.map((item, i) => {
    if (!isCut[i]) return item;
    const rest = item.shape.slice(1);
    const data = item.data.slice(0, length * elementCount(rest));
    return { ...item, shape: [length, ...rest], data };
  });
  return { ...row, items };
}
