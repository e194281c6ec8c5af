// SPDX-License-Identifier: MIT
import type { TraceEntry } from '../model/trace.js';

/** Words for the effect of a layer or an operation on the mask. */
const roles: { [role in TraceEntry['role']]: string } = {
  makes: 'makes the mask',
  passes: 'passes the mask on',
  uses: 'uses the mask',
  'uses and passes': 'uses the mask, passes it on',
  changes: 'makes a new mask',
  drops: 'drops the mask',
  ignores: 'ignores the mask',
  computes: 'computes a mask',
  none: '',
};

export const roleText = ({ role }: TraceEntry): string => roles[role];

/** Writes a shape as Keras does; `?` is an axis of any size. */
export const shapeText = (shape: readonly (number | null)[]): string =>
  `(${shape.map((dim) => dim ?? '?').join(', ')})`;

/** Writes the shape of a trace entry; several tensors show the first one. */
export function outputShape({ shapeOut }: TraceEntry): string {
  const [first] = shapeOut;
  return Array.isArray(first)
    ? `${shapeText(first)} and ${shapeOut.length - 1} more`
    : shapeText(shapeOut as number[]);
}

export const counted = (count: number, noun: string): string =>
  `${count.toLocaleString('en-US')} ${noun}${count === 1 ? '' : 's'}`;
