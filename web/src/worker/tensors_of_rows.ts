// SPDX-License-Identifier: MIT
// Converts the rows that the page sends to tensors in the worker.
import { isTensor, type Tensor } from '../tensor/tensor.js';
import { keep, tidy } from '../tensor/tidy.js';
import type { WireRows } from './messages.js';
import { treeToInputs } from './operations.js';

/** Returns all tensors in nested lists and dictionaries. */
export const tensorsIn = (value: unknown): Tensor[] => {
  if (isTensor(value)) return [value];
  return typeof value === 'object' && value !== null ? Object.values(value).flatMap(tensorsIn) : [];
};

/** Converts x, y and the sample weights to tensors, which the caller disposes of. */
export const toTensors = (rows: WireRows): unknown[] =>
  tidy(() => {
    const inputs = rows.map((tree) => tree && treeToInputs(tree));
    for (const tensor of tensorsIn(inputs)) keep(tensor);
    return inputs;
  });

/** Calls `use` with the tensors and disposes of them when its promise has settled. */
export async function withRows<T>(
  rows: WireRows,
  use: (rows: readonly unknown[]) => Promise<T>,
): Promise<T> {
  const inputs = toTensors(rows);
  try {
    return await use(inputs);
  } finally {
    for (const tensor of tensorsIn(inputs)) tensor.dispose();
  }
}
