// SPDX-License-Identifier: MIT
// The data of the chapter "makers", whose form depends on what makes the mask.
import type { Reader, Values } from '../../engine/worker.js';
import { isTensor, nested } from '../../shared/values.js';

export interface Embedded {
  maker: 'embedding' | 'hand';
  ids: number[][];
  mask: boolean[][] | null;
  /** Mask of Masking for the same ids, repeated as features. */
  tiled: boolean[][] | null;
  shape: number[];
}

export interface Masked {
  maker: 'masking';
  x: number[][][];
  output: number[][][];
  mask: boolean[][];
  /** Mask that `computeMask` returns without computing an output. */
  alone: boolean[][];
}

export type MakersData = Embedded | Masked;

const maskOf = (value: unknown, name: string): boolean[][] | null =>
  value ? nested(value, name, 2) : null;

export const makers: Reader = {
  names: ['ids', 'x', 'y', 'mask', 'tiled', 'output', 'alone'],
  read(values): MakersData {
    if (values['output'] !== undefined) return masked(values);
    const { ids, x, y, mask, tiled } = values;
    const out = y ?? x;
    return {
      maker: y === undefined ? 'embedding' : 'hand',
      ids: nested(ids, 'ids', 2),
      mask: maskOf(mask, 'mask'),
      tiled: maskOf(tiled, 'tiled'),
      shape: isTensor(out) ? out.shape : [],
    };
  },
};

const masked = ({ x, output, mask, alone }: Values): Masked => ({
  maker: 'masking',
  x: nested(x, 'x', 3),
  output: nested(output, 'output', 3),
  mask: nested(mask, 'mask', 2),
  alone: nested(alone, 'alone', 2),
});
