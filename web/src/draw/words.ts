// SPDX-License-Identifier: MIT
// Reads entries of traces, and says them in words.
import type { TraceEntry } from '../model/trace.js';
import type { MaskRows } from './marks.js';

/** Returns the effect of a layer or an operation on the mask in words: '' if no mask reaches it. */
export const roleText = (entry: TraceEntry | undefined): string =>
  entry && entry.role !== 'none' ? `${entry.role} the mask` : '';

/** Returns the rows of the last axis of a mask; all other axes are joined. */
function rowsOf(mask: unknown): MaskRows | undefined {
  if (!Array.isArray(mask)) return undefined;
  if (!Array.isArray(mask[0])) return [mask];
  return Array.isArray(mask[0][0]) ? rowsOf(mask.flat()) : mask;
}

/** Returns the masks of one or several tensors; undefined without one. */
export const masksOf = (
  masks: TraceEntry['maskIn'],
  shapes: TraceEntry['shapeIn'],
): (MaskRows | undefined)[] =>
  (Array.isArray(shapes[0]) ? (masks as unknown[]) : [masks]).map(rowsOf);

/** Writes a shape as Keras does; `?` is an axis of any size. */
export const shapeText = (shape: readonly (number | null)[] | undefined): string =>
  shape ? `(${shape.map((dim) => dim ?? '?').join(', ')})` : '';

/** Writes the shape of a trace entry; several tensors show the first one. */
export function outputShape({ shapeOut }: TraceEntry): string {
  const [first] = shapeOut;
  return Array.isArray(first)
    ? `${shapeText(first)} and ${shapeOut.length - 1} more`
    : shapeText(shapeOut as number[]);
}

export const counted = (count: number, noun: string): string =>
  `${count.toLocaleString('en-US')} ${noun}${count === 1 ? '' : 's'}`;
