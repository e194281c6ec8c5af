// SPDX-License-Identifier: MIT
// Shared by the chapters "steps" and "cell", which show the same painted batch.
import { type Batch, padCall, places } from './batch.js';
import { cellsOf } from './holes.js';
import type { Settings } from './settings.js';
import { literal } from './text.js';
import { vocabularySize } from './vocabulary.js';

/** Number of features of each step, the same in the unrolled row and in the open cell. */
export const features = 3;

/**
 * Program text that defines `ids`, `mask` and `x`: the padded batch, its mask and its features,
 * with the holes and the NaNs that the reader painted.
 */
export function paintedInputs(batch: Batch, settings: Settings): string {
  const stands = places(batch);
  const holes = cellsOf(settings.text('holes'), stands);
  const nans = cellsOf(settings.text('nans'), stands);
  const at = (cells: number[][]) => `for (const [row, step] of ${literal(cells)})`;
  return `const ids = ${padCall(batch)};
const mask = ops.notEqual(ids, 0).array();
${holes.length > 0 ? `${at(holes)} mask[row][step] = !mask[row][step]; // painted\n` : ''}const x = layers.embedding({ inputDim: ${vocabularySize}, outputDim: ${features} }).apply(ids).multiply(20).array();
${nans.length > 0 ? `${at(nans)} x[row][step].fill(NaN);\n` : ''}`;
}
