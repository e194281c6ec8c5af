// SPDX-License-Identifier: MIT

/** A Functional model's configuration, as far as the graph goes. */
export interface GraphConfig {
  layers: readonly Operation[];
  input_layers: unknown;
  output_layers: unknown;
}
export interface Operation {
  name: string;
  class_name: string;
  inbound_nodes: readonly { args: unknown; kwargs: unknown }[];
}

/** The call `node` of an operation made it. */
interface Origin {
  name: string;
  node: number;
}

/** Python's order: lists as they are, dictionaries by their keys. */
function flatten<T>(value: unknown, pick: (value: object) => T | null): T[] {
  if (typeof value !== 'object' || value === null) return [];
  const found = pick(value);
  if (found !== null) return [found];
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

/** Of `input_layers` and `output_layers`: [name, call, output]. */
const endOf = (value: object): Origin | null =>
  Array.isArray(value) && typeof value[0] === 'string' ? originOf(value) : null;

class Walk {
  readonly #operations: Map<string, Operation>;
  /** When the search from the outputs first came to an operation. */
  readonly found = new Map<string, number>();
  /** Calls, each behind those that it needs. */
  readonly calls: Origin[] = [];
  readonly #seen = new Set<string>();

  constructor(layers: readonly Operation[]) {
    this.#operations = new Map(layers.map((layer) => [layer.name, layer]));
  }

  needs({ name, node }: Origin): Origin[] {
    const call = this.#operations.get(name)?.inbound_nodes[node];
    return call ? [...flatten(call.args, symbolOf), ...flatten(call.kwargs, symbolOf)] : [];
  }

  from(origin: Origin): void {
    const key = `${origin.node} ${origin.name}`;
    if (this.#seen.has(key)) return;
    this.#seen.add(key);
    if (!this.found.has(origin.name)) this.found.set(origin.name, this.found.size);
    for (const needed of this.needs(origin)) this.from(needed);
    this.calls.push(origin);
  }

  /** At the outputs, Keras counts the calls of a Functional model from 1. */
  fromEnd({ name, node }: Origin): void {
    const counted = this.#operations.get(name)?.class_name === 'Functional' && node > 0;
    this.from({ name, node: counted ? node - 1 : node });
  }
}

/** The longest way from each operation to an output. */
function depthsOf(walk: Walk): Map<string, number> {
  const ofCall = new Map<string, number>();
  const depths = new Map<string, number>();
  for (const call of [...walk.calls].reverse()) {
    const key = `${call.node} ${call.name}`;
    const depth = Math.max(ofCall.get(key) ?? 0, depths.get(call.name) ?? 0);
    depths.set(call.name, depth);
    for (const { name, node } of walk.needs(call)) {
      const needed = `${node} ${name}`;
      ofCall.set(needed, Math.max(ofCall.get(needed) ?? 0, depth + 1));
    }
  }
  return depths;
}

/**
 * Names of the operations of a Functional model in the order that Keras gives them when it makes the model from its
 * graph: deepest first, those of one depth as a search from the outputs comes to them. The names of groups in weights
 * files count layers in this order, whatever the order in the configuration.
 */
export function kerasOrder({ layers, input_layers, output_layers }: GraphConfig): string[] {
  const walk = new Walk(layers);
  for (const end of flatten(output_layers, endOf)) walk.fromEnd(end);
  const depths = depthsOf(walk);
  // Inputs that lead nowhere.
  for (const { name } of flatten(input_layers, endOf)) {
    if (depths.has(name)) continue;
    depths.set(name, 0);
    walk.found.set(name, -1);
  }
  const rank = (name: string): [number, number] => [
    depths.get(name) ?? 0,
    walk.found.get(name) ?? 0,
  ];
  return [...depths.keys()].sort((a, b) => {
    const [[depthA, foundA], [depthB, foundB]] = [rank(a), rank(b)];
    return depthB - depthA || foundA - foundB;
  });
}
