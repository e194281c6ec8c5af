// SPDX-License-Identifier: MIT
// A check of core_sizes.ts: hostile files could list layers so that the core visits them again and
// again.
import { addTo } from '../../base/array.js';
import { FormatError } from '../../base/errors.js';
import { isRecord, type Json, listOf, textOf } from '../json.js';
import { isSymbol } from '../dialects/graph_symbols.js';

/** Limit of attempted calls whose inputs do not exist yet; each costs a search in the layers. */
const kMaxAttempts = 1_000_000;

/**
 * Throws FormatError for a graph whose order would keep the core busy. The core makes the calls of
 * a graph in rounds, as Keras does: each round makes those whose inputs exist. Files list layers
 * roughly in the order of their calls, so there are few rounds.
 */
export function checkGraphOrder(layers: readonly unknown[]): void {
  const calls = callsIn(layers);
  const producers = new Map(calls.map((call) => [`${call.node} ${call.name}`, call]));
  const dependents = new Map<Call, Call[]>();
  for (const call of calls) {
    for (const key of call.inputs) {
      const producer = producers.get(key);
      if (!producer || producer === call) continue;
      call.missing++;
      addTo(dependents, producer, call);
    }
  }
  let attempts = 0;
  const ready = calls.filter(({ missing }) => missing === 0);
  for (let call = ready.pop(); call; call = ready.pop()) {
    attempts += call.round;
    for (const next of dependents.get(call) ?? []) {
      next.round = Math.max(next.round, call.round + (call.position > next.position ? 1 : 0));
      if (--next.missing === 0) ready.push(next);
    }
  }
  if (attempts <= kMaxAttempts) return;
  throw new FormatError(
    `the ${layers.length} layers of the graph are not in the order of their calls (${attempts} calls would wait for others); list each layer after those whose outputs it uses`,
  );
}

/** A call of a layer. */
interface Call {
  readonly name: string;
  readonly node: number;
  /** Position in the list of all calls. */
  readonly position: number;
  /** Keys of the calls whose results it uses. */
  readonly inputs: readonly string[];
  /** Number of these calls that are not made yet. */
  missing: number;
  /** The round that makes the call. */
  round: number;
}

function callsIn(layers: readonly unknown[]): Call[] {
  const calls: Call[] = [];
  for (const layer of layers) {
    if (!isRecord(layer)) continue;
    const name = textOf(layer['name']);
    listOf(layer['inbound_nodes']).forEach((call, node) => {
      const inputs: string[] = node > 0 ? [`${node - 1} ${name}`] : [];
      addTensors(call, inputs);
      calls.push({ name, node, position: calls.length, inputs, missing: 0, round: 0 });
    });
  }
  return calls;
}

/** Adds the keys of all symbolic tensors in a value. */
function addTensors(value: unknown, keys: string[]): void {
  if (isSymbol(value)) {
    const { config } = value as Json;
    const [name, node] = listOf(isRecord(config) ? config['keras_history'] : null);
    keys.push(`${String(node)} ${textOf(name)}`);
  } else if (typeof value === 'object' && value !== null) {
    for (const item of Object.values(value)) addTensors(item, keys);
  }
}
