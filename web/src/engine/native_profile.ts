// SPDX-License-Identifier: MIT
/** One call of a layer in `modelProfile`. */
export interface NativeProfileRow {
  layer: string;
  path: string;
  className: string;
  depth: number;
  milliseconds: number;
  flops: number;
  kept: number;
}
