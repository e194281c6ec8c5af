// SPDX-License-Identifier: MIT
// Rows that have crossed, as tensors of the worker.
import { isTensor, type Tensor } from '../tensor/tensor.js';
import { keep, tidy } from '../tensor/tidy.js';
import type { WireRows } from './messages.js';
import { treeToInputs } from './operations.js';

export const tensorsIn = (given: unknown): Tensor[] => {
  if (isTensor(given)) return [given];
  return typeof given === 'object' && given !== null ? Object.values(given).flatMap(tensorsIn) : [];
};

/** x, y and weights, to be disposed of. */
export const toTensors = (rows: WireRows): unknown[] =>
  tidy(() => {
    const made = rows.map((tree) => tree && treeToInputs(tree));
    for (const tensor of tensorsIn(made)) keep(tensor);
    return made;
  });

/** They live until what `use` promises has come. */
export async function withRows<T>(
  rows: WireRows,
  use: (rows: readonly unknown[]) => Promise<T>,
): Promise<T> {
  const made = toTensors(rows);
  try {
    return await use(made);
  } finally {
    for (const tensor of tensorsIn(made)) tensor.dispose();
  }
}
