// SPDX-License-Identifier: MIT
// Places a graph in a table: each node in a row above the nodes that use it. An edge that passes
// rows has a place in each of them.
import { addTo } from '../base/array.js';

/** A place in a row. */
export interface Place {
  /** Width of a node; 0 for an edge that passes. */
  width: number;
  /** The places that lead to it. */
  above: readonly Place[];
  /** Number of the column, and its middle. */
  column: number;
  x: number;
}

/** Distance between columns. */
const kGap = 24;

/**
 * Gives each place the column of the places above it, or the nearest free one; edges that pass
 * several rows come first, so that they are straight. Returns the width of all columns.
 */
export function layOut(rows: readonly Place[][]): number {
  const columns = new Map<number, Place[]>();
  for (const row of rows) {
    const taken = new Set<number>();
    const isLong = ({ width, above }: Place) => Number(width + (above[0]?.width ?? 1) === 0);
    for (const place of row.sort((a, b) => isLong(b) - isLong(a))) {
      const above = place.above.map(({ column }) => column).sort((a, b) => a - b);
      place.column = above[(above.length - 1) >> 1] ?? 0;
      for (let step = 1; taken.has(place.column); step += 1)
        place.column += step % 2 ? step : -step;
      taken.add(place.column);
      addTo(columns, place.column, place);
    }
  }
  let right = -kGap;
  for (const [, places] of [...columns].sort(([a], [b]) => a - b)) {
    const width = Math.max(...places.map((place) => place.width));
    for (const place of places) place.x = right + kGap + width / 2;
    right += kGap + width;
  }
  return right;
}
