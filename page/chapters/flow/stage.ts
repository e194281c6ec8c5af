// SPDX-License-Identifier: MIT
// The data of one layer in the chapter "flow": an entry of `traceMasks`, cut to what a figure
// needs.
import type { TraceEntry } from 'maskflow';

/** Largest number of lines that a program of this chapter has. */
export const maxLines = 12;

export type Mask = boolean[][] | null;

/** The mask at one layer or op. */
export interface Stage {
  className: string;
  layer: string;
  isLayer: boolean;
  /** Whether it is inside a custom layer. */
  inner: boolean;
  role: TraceEntry['role'];
  reason: string;
  remedy: string;
  maskIn: Mask[];
  maskOut: Mask[];
  shapeOut: number[];
  /** Warning of the package about this layer; '' for none. */
  warning: string;
}

/** The output of one line of the program. */
export interface Edge {
  /** Index of the edge's stage in the trace; -1 for withMask. */
  stage: number;
  mask: Mask;
  shape: number[];
}
