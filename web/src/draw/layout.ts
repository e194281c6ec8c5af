// SPDX-License-Identifier: MIT
// Places the nodes of a graph in rows, each below the nodes that it uses, after Sugiyama: an edge
// that passes rows gets a place in each of them, and the order in a row follows its neighbours.
import { type Edge, levelsOf } from './levels.js';

export interface Layout {
  /** Row of each node. */
  rows: number[];
  /** Middle of each node. */
  x: number[];
  /** For each edge, the middle of its place in each row that it passes. */
  passes: number[][];
  /** Left and right end of the drawing. */
  left: number;
  right: number;
  /** Number of rows. */
  height: number;
}

/** Distance between the edges of neighbours. */
const kGap = 32;
/** Width of an edge that passes a row. */
const kLane = 32;
/** Edges of large graphs are drawn without places in the rows that they pass. */
const kMostLanes = 20_000;

/** Returns the row of each node: one below the lowest of its inputs; inputs just above their use. */
function rowsOf(count: number, edges: readonly Edge[]): number[] {
  const levels = levelsOf(count, edges);
  const highestUse = levels.map(() => Number.POSITIVE_INFINITY);
  for (const { from, to } of edges) {
    highestUse[from] = Math.min(highestUse[from] ?? 0, (levels[to] ?? 0) - 1);
  }
  return levels.map((level, node) => {
    const use = highestUse[node] ?? 0;
    return level === 0 && Number.isFinite(use) ? use : level;
  });
}

/** Returns places with the given distances that are nearest to the wanted ones. */
function spread(wanted: readonly number[], widths: readonly number[]): number[] {
  const offsets: number[] = [];
  widths.forEach((width, index) => {
    const before = widths[index - 1];
    offsets.push(
      before === undefined ? 0 : (offsets[index - 1] ?? 0) + (before + width) / 2 + kGap,
    );
  });
  // Joins neighbours that want to overlap; each block then stands at the mean of what it wants.
  const blocks: { sum: number; size: number }[] = [];
  wanted.forEach((x, index) => {
    let block = { sum: x - (offsets[index] ?? 0), size: 1 };
    for (let last = blocks.at(-1); last && last.sum / last.size >= block.sum / block.size; ) {
      blocks.pop();
      block = { sum: last.sum + block.sum, size: last.size + block.size };
      last = blocks.at(-1);
    }
    blocks.push(block);
  });
  const starts = blocks.flatMap(({ sum, size }) => Array<number>(size).fill(sum / size));
  return starts.map((start, index) => Math.round((start + (offsets[index] ?? 0)) / 8) * 8);
}

/** Places nodes of one width, a multiple of 16. */
export function layOut(count: number, width: number, edges: readonly Edge[]): Layout {
  const rows = rowsOf(count, edges);
  const height = rows.reduce((most, row) => Math.max(most, row + 1), 0);
  const table: number[][] = Array.from({ length: height }, () => []);
  for (const [node, row] of rows.entries()) table[row]?.push(node);
  const widths = rows.map(() => width);
  const above: number[][] = rows.map(() => []);
  const below: number[][] = rows.map(() => []);
  const connect = (upper: number, lower: number) => {
    below[upper]?.push(lower);
    above[lower]?.push(upper);
  };
  const spans = edges.map(({ from, to }) => (rows[to] ?? 0) - (rows[from] ?? 0) - 1);
  const isLarge = spans.reduce((total, span) => total + Math.max(0, span), 0) > kMostLanes;
  const lanes = edges.map(({ from, to }, index) => {
    const passed: number[] = [];
    for (let row = 0; !isLarge && row < (spans[index] ?? 0); row += 1) {
      passed.push(widths.length);
      table[(rows[from] ?? 0) + 1 + row]?.push(widths.length);
      widths.push(kLane);
      above.push([]);
      below.push([]);
    }
    for (const [step, upper] of [from, ...passed].entries()) connect(upper, passed[step] ?? to);
    return passed;
  });
  const x = placeRows(table, widths, above, below);
  const ends = x.map((middle, place) => [
    middle - (widths[place] ?? 0) / 2,
    middle + (widths[place] ?? 0) / 2,
  ]);
  return {
    rows,
    x: x.slice(0, count),
    passes: lanes.map((passed) => passed.map((lane) => x[lane] ?? 0)),
    left: ends.reduce((least, [left = 0]) => Math.min(least, left), 0),
    right: ends.reduce((most, [, right = 0]) => Math.max(most, right), 0),
    height,
  };
}

/** Orders each row by its neighbours, first from the top, then from the bottom, and places it. */
function placeRows(
  table: number[][],
  widths: number[],
  above: number[][],
  below: number[][],
): number[] {
  const x = widths.map(() => 0);
  const place = (row: number[], wanted: number[]) =>
    spread(
      wanted,
      row.map((node) => widths[node] ?? 0),
    ).forEach((middle, index) => {
      x[row[index] ?? 0] = middle;
    });
  for (const row of table)
    place(
      row,
      row.map(() => 0),
    );
  const mean = (node: number, neighbours: number[][]) => {
    const places = neighbours[node] ?? [];
    return places.length === 0
      ? (x[node] ?? 0)
      : places.reduce((sum, other) => sum + (x[other] ?? 0), 0) / places.length;
  };
  const both = widths.map((_, node) => [...(above[node] ?? []), ...(below[node] ?? [])]);
  for (let round = 0; round < 8; round += 1) {
    const neighbours = round < 4 ? (round % 2 ? below : above) : both;
    const order = round % 2 ? [...table].reverse() : table;
    for (const row of order) {
      const wanted = new Map(row.map((node) => [node, mean(node, neighbours)]));
      if (round < 4) row.sort((a, b) => (wanted.get(a) ?? 0) - (wanted.get(b) ?? 0));
      place(
        row,
        row.map((node) => wanted.get(node) ?? 0),
      );
    }
  }
  return x;
}
