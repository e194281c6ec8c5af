// SPDX-License-Identifier: MIT
// Rows from the page as tensors of the worker.
import { isTensor, type Tensor } from '../tensor/tensor.js';
import { keep, tidy } from '../tensor/tidy.js';
import type { WireRows } from './messages.js';
import { treeToInputs } from './operations.js';

/** All tensors in lists and dictionaries. */
export const tensorsIn = (value: unknown): Tensor[] => {
  if (isTensor(value)) return [value];
  return typeof value === 'object' && value !== null ? Object.values(value).flatMap(tensorsIn) : [];
};

/** x, y and the sample weights as tensors, which the caller disposes. */
export const toTensors = (rows: WireRows): unknown[] =>
  tidy(() => {
    const inputs = rows.map((tree) => tree && treeToInputs(tree));
    for (const tensor of tensorsIn(inputs)) keep(tensor);
    return inputs;
  });

/** Calls `use` with the tensors, and disposes them when its promise has settled. */
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
