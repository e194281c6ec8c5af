// SPDX-License-Identifier: MIT
import type { TraceEntry } from 'maskflow';

/** Largest number of lines that a program of this chapter has. */
export const mostLines = 12;

export type Mask = boolean[][] | null;

/** What happened to the mask at one layer or operation. */
export interface Stage {
  className: string;
  layer: string;
  isLayer: boolean;
  /** Inside a layer of one's own. */
  inner: boolean;
  role: TraceEntry['role'];
  reason: string;
  remedy: string;
  maskIn: Mask[];
  maskOut: Mask[];
  shapeOut: number[];
  /** What the package warned of. */
  warning: string;
}

/** What goes out of one line of the program. */
export interface Edge {
  /** Its stage in the chain; -1 for withMask. */
  stage: number;
  mask: Mask;
  shape: number[];
}
