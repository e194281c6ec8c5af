// SPDX-License-Identifier: MIT
// Finds the entry of a trace for each node of a graph.
import { addTo } from '../base/array.js';
import type { TraceEntry } from '../model/trace.js';
import type { GraphEdge, ModelGraph } from './graph.js';
import { levelsOf } from './levels.js';

/** Masks of one or several tensors as a list. */
export const masksOf = (masks: TraceEntry['maskIn'], shapes: TraceEntry['shapeIn']): unknown[] =>
  Array.isArray(shapes[0]) ? (masks as unknown[]) : [masks];

/** Returns the nodes in the order in which the model calls them. */
export function callOrder(graph: ModelGraph): number[] {
  // Keras orders calls by their distance to the end of the graph.
  const reversed = graph.edges.map(({ from, to }) => ({ from: to, to: from }));
  const depths = levelsOf(graph.nodes.length, reversed);
  return [...graph.nodes.keys()].sort((a, b) => (depths[b] ?? 0) - (depths[a] ?? 0) || a - b);
}

/**
 * Returns the entry of each node. A trace does not list operations that no mask reaches, so an
 * operation has an entry only if one of its inputs has a mask.
 */
export function entriesOf(
  graph: ModelGraph,
  trace: readonly TraceEntry[],
): (TraceEntry | undefined)[] {
  const queues = new Map<string, TraceEntry[]>();
  const keyOf = (isLayer: boolean, name: string) => `${isLayer ? 'layer' : 'op'} ${name}`;
  for (const entry of trace) {
    if (entry.depth > 0 || entry.role === 'computes') continue;
    const key = keyOf(entry.isLayer, entry.layer);
    addTo(queues, key, entry);
  }
  const entries: (TraceEntry | undefined)[] = graph.nodes.map(() => undefined);
  const maskOf = ({ from, tensor }: GraphEdge): unknown => {
    const entry = entries[from];
    return (entry && masksOf(entry.maskOut, entry.shapeOut)[tensor]) ?? null;
  };
  for (const index of callOrder(graph)) {
    const node = graph.nodes[index];
    if (!node) continue;
    const inputs = graph.edges.filter(({ to, argument }) => to === index && argument !== undefined);
    if (!node.isLayer && !inputs.some(maskOf)) continue;
    // Calls of one layer are told apart by the masks that reach them.
    const fits = ({ maskIn, shapeIn }: TraceEntry) => {
      const seen = masksOf(maskIn, shapeIn);
      return inputs.every(
        (edge) => JSON.stringify(seen[edge.argument ?? 0] ?? null) === JSON.stringify(maskOf(edge)),
      );
    };
    const queue = queues.get(keyOf(node.isLayer, node.isLayer ? node.name : node.className)) ?? [];
    const place = queue.length > 1 ? Math.max(0, queue.findIndex(fits)) : 0;
    [entries[index]] = queue.splice(place, 1);
  }
  return entries;
}
