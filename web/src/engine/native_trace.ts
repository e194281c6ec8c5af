// SPDX-License-Identifier: MIT
// A recorded call as Embind passes it; model/trace.ts turns it into an entry of `traceMasks`.
import type { NativeTensor } from './handles.js';

/** One call of a layer or op in a trace. Masks are handles that the caller owns, or null. */
export interface NativeTraceEvent {
  name: string;
  path: string;
  className: string;
  isLayer: boolean;
  depth: number;
  explicitMask: boolean;
  supportsMasking: boolean;
  takesMask: boolean;
  maskIgnored: boolean;
  /** Whether another layer has removed the mask of an input. */
  maskTaken: boolean;
  /** Whether the op computes only a mask of the graph, or a part of one. */
  forMask: boolean;
  masksIn: (NativeTensor | null)[];
  masksOut: (NativeTensor | null)[];
  shapesIn: number[][];
  shapesOut: number[][];
  /** Results of the call; empty unless the trace keeps them. */
  results: NativeTensor[];
}
