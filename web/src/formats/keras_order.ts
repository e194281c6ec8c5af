// SPDX-License-Identifier: MIT
// The order of layers in a Functional model. Readers need it to find weights and writers to name
// groups, because Keras numbers layers in this order.

/** The graph in the config of a Functional model. */
export interface GraphConfig {
  layers: readonly Operation[];
  input_layers: unknown;
  output_layers: unknown;
}
/** A layer or op in the graph. */
export interface Operation {
  name: string;
  class_name: string;
  inbound_nodes?: readonly { args: unknown; kwargs: unknown }[];
}

/** The call that returned a symbolic tensor: the operation, and the index of the call. */
interface Origin {
  name: string;
  node: number;
}

/** Flattens a structure in Python's order: lists by position, dictionaries by key. */
function flatten<T>(value: unknown, pick: (value: object) => T | null): T[] {
  if (typeof value !== 'object' || value === null) return [];
  const match = pick(value);
  if (match !== null) return [match];
  if (Array.isArray(value)) return value.flatMap((item) => flatten(item, pick));
  const keys = Object.keys(value).sort();
  return keys.flatMap((key) => flatten((value as { [key: string]: unknown })[key], pick));
}

const originOf = ([name, node]: readonly unknown[]): Origin => ({
  name: String(name),
  node: Number(node),
});

function symbolOf(value: object): Origin | null {
  const { class_name: name, config } = value as { class_name?: unknown; config?: unknown };
  if (name !== '__keras_tensor__') return null;
  return originOf((config as { keras_history: unknown[] }).keras_history);
}

/** Reads an item [name, call, output] of `input_layers` or `output_layers`. */
const endOf = (value: object): Origin | null =>
  Array.isArray(value) && typeof value[0] === 'string' ? originOf(value) : null;

/** A search through a graph from its outputs. */
class GraphSearch {
  readonly #operations: Map<string, Operation>;
  /** Position of each operation in the search from the outputs. */
  readonly positions = new Map<string, number>();
  /** Calls, each after the calls whose results it uses. */
  readonly calls: Origin[] = [];
  readonly #seen = new Set<string>();

  constructor(layers: readonly Operation[]) {
    this.#operations = new Map(layers.map((layer) => [layer.name, layer]));
  }

  /** Returns the calls whose results a call uses. */
  sourcesOf({ name, node }: Origin): Origin[] {
    const call = this.#operations.get(name)?.inbound_nodes?.[node];
    return call ? [...flatten(call.args, symbolOf), ...flatten(call.kwargs, symbolOf)] : [];
  }

  /** Visits a call and those that it depends on, depth first: graphs are deeper than the stack. */
  visit(origin: Origin): void {
    const path: { call: Origin; sources: Iterator<Origin> }[] = [];
    const enter = (call: Origin): void => {
      const key = `${call.node} ${call.name}`;
      if (this.#seen.has(key)) return;
      this.#seen.add(key);
      if (!this.positions.has(call.name)) this.positions.set(call.name, this.positions.size);
      path.push({ call, sources: this.sourcesOf(call).values() });
    };
    enter(origin);
    for (let top = path.at(-1); top; top = path.at(-1)) {
      const source = top.sources.next();
      if (!source.done) {
        enter(source.value);
        continue;
      }
      this.calls.push(top.call);
      path.pop();
    }
  }

  /**
   * Visits an output. In the list of outputs, Keras numbers the calls of a Functional model from 1;
   * elsewhere, it numbers calls from 0.
   */
  visitOutput({ name, node }: Origin): void {
    const isFromOne = this.#operations.get(name)?.class_name === 'Functional' && node > 0;
    this.visit({ name, node: isFromOne ? node - 1 : node });
  }
}

/** Returns the length of the longest path from each operation to an output. */
function depthsOf(search: GraphSearch): Map<string, number> {
  const ofCall = new Map<string, number>();
  const depths = new Map<string, number>();
  for (const call of [...search.calls].reverse()) {
    const key = `${call.node} ${call.name}`;
    const depth = Math.max(ofCall.get(key) ?? 0, depths.get(call.name) ?? 0);
    depths.set(call.name, depth);
    for (const { name, node } of search.sourcesOf(call)) {
      const source = `${node} ${name}`;
      ofCall.set(source, Math.max(ofCall.get(source) ?? 0, depth + 1));
    }
  }
  return depths;
}

/**
 * Names of the operations of a Functional model in Keras's order, which is computed from the graph:
 * deepest first, and at equal depth in the order of a search from the outputs. Groups of weights
 * files are numbered in this order, not in that of the config.
 */
export function kerasOrder({ layers, input_layers, output_layers }: GraphConfig): string[] {
  const search = new GraphSearch(layers);
  for (const end of flatten(output_layers, endOf)) search.visitOutput(end);
  const depths = depthsOf(search);
  // Inputs that no output depends on.
  for (const { name } of flatten(input_layers, endOf)) {
    if (depths.has(name)) continue;
    depths.set(name, 0);
    search.positions.set(name, -1);
  }
  const rank = (name: string): [number, number] => [
    depths.get(name) ?? 0,
    search.positions.get(name) ?? 0,
  ];
  return [...depths.keys()].sort((a, b) => {
    const [[depthA, positionA], [depthB, positionB]] = [rank(a), rank(b)];
    return depthB - depthA || positionA - positionB;
  });
}
