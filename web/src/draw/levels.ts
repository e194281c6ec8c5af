// SPDX-License-Identifier: MIT

export interface Edge {
  from: number;
  to: number;
}

/** Returns for each node the length of the longest path of edges that ends at it. */
export function levelsOf(count: number, edges: readonly Edge[]): number[] {
  const levels = Array<number>(count).fill(0);
  const waiting = Array<number>(count).fill(0);
  const targets: number[][] = levels.map(() => []);
  for (const { from, to } of edges) {
    targets[from]?.push(to);
    waiting[to] = (waiting[to] ?? 0) + 1;
  }
  const ready = [...levels.keys()].filter((node) => waiting[node] === 0);
  for (const node of ready) {
    for (const to of targets[node] ?? []) {
      levels[to] = Math.max(levels[to] ?? 0, (levels[node] ?? 0) + 1);
      waiting[to] = (waiting[to] ?? 0) - 1;
      if (waiting[to] === 0) ready.push(to);
    }
  }
  return levels;
}
