// SPDX-License-Identifier: MIT
// A workaround for graphs with custom layers, whose operations could have names that Keras uses
// itself.
import { isRecord } from '../json.js';
import type { OperationEntry } from './keras_operations.js';

/** A graph in Keras's form. */
export interface NamedGraph {
  layers: OperationEntry[];
  input_layers?: unknown;
  output_layers?: unknown;
}

/** Renames the operation in references: `keras_history`, and items of the lists of outputs. */
function renamed(value: unknown, names: ReadonlyMap<string, string>): unknown {
  if (Array.isArray(value)) {
    const name = typeof value[0] === 'string' ? names.get(value[0]) : undefined;
    if (name !== undefined && value.length === 3) return [name, ...value.slice(1)];
    return value.map((item) => renamed(item, names));
  }
  if (!isRecord(value)) return value;
  const entries = Object.entries(value).map(([key, item]) => [key, renamed(item, names)] as const);
  return Object.fromEntries(entries);
}

/**
 * Returns the graph with names of operations that Keras never creates itself. When Keras loads a
 * graph, it computes masks again for the layers whose `call` accepts one, in operations such as
 * `not_equal`. If the file has an operation of that name, Keras refuses the graph. `isLayer`
 * returns whether a name is a layer's.
 */
export function withOwnNames<Graph extends NamedGraph>(
  graph: Graph,
  isLayer: (name: string) => boolean,
): Graph {
  const used = new Set(graph.layers.map(({ name }) => String(name)));
  const names = new Map<string, string>();
  for (const name of [...used].filter((operation) => !isLayer(operation))) {
    let unused = `op_${name}`;
    while (used.has(unused)) unused = `op_${unused}`;
    used.add(unused);
    names.set(name, unused);
  }
  const layers = graph.layers.map((entry) => {
    const inbound = renamed(entry.inbound_nodes, names) as OperationEntry['inbound_nodes'];
    const name = names.get(String(entry['name']));
    const operation = { ...entry, ...(inbound && { inbound_nodes: inbound }) };
    return name === undefined
      ? operation
      : { ...operation, name, config: { ...entry.config, name } };
  });
  const ends = {
    input_layers: renamed(graph.input_layers, names),
    output_layers: renamed(graph.output_layers, names),
  };
  return { ...graph, layers, ...ends };
}
