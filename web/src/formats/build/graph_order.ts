// SPDX-License-Identifier: MIT
import { FormatError } from '../../base/errors.js';
import { isRecord, type Json, listOf, textOf } from '../json.js';
import { isSymbol } from '../dialects/graph_symbols.js';

// Looks at calls that cannot be made yet, of which each costs a search among the layers.
const kMostLooks = 1_000_000;

/**
 * The core makes the calls of a graph in rounds, as Keras does: in each, those whose tensors are there. A file lists layers about
 * in the order of their calls, so that there are few rounds. FormatError for one whose order is made to keep the core busy.
 */
export function checkGraphOrder(layers: readonly unknown[]): void {
  const calls = callsIn(layers);
  const makers = new Map(calls.map((call) => [`${call.node} ${call.name}`, call]));
  const waiters = new Map<Call, Call[]>();
  for (const call of calls) {
    for (const key of call.needs) {
      const maker = makers.get(key);
      if (!maker || maker === call) continue;
      call.open++;
      const known = waiters.get(maker);
      if (known) known.push(call);
      else waiters.set(maker, [call]);
    }
  }
  let looks = 0;
  const ready = calls.filter(({ open }) => open === 0);
  for (let call = ready.pop(); call; call = ready.pop()) {
    looks += call.round;
    for (const next of waiters.get(call) ?? []) {
      next.round = Math.max(next.round, call.round + (call.place > next.place ? 1 : 0));
      if (--next.open === 0) ready.push(next);
    }
  }
  if (looks <= kMostLooks) return;
  throw new FormatError(
    `the ${layers.length} layers of the graph are listed against the order of their calls (${looks} calls would wait for others); list each behind those whose outputs it takes`,
  );
}

/** One call of a layer, and where it is listed. */
interface Call {
  readonly name: string;
  readonly node: number;
  readonly place: number;
  readonly needs: readonly string[];
  /** Calls that have to be made before. */
  open: number;
  round: number;
}

function callsIn(layers: readonly unknown[]): Call[] {
  const calls: Call[] = [];
  for (const layer of layers) {
    if (!isRecord(layer)) continue;
    const name = textOf(layer['name']);
    listOf(layer['inbound_nodes']).forEach((call, node) => {
      const needs: string[] = node > 0 ? [`${node - 1} ${name}`] : [];
      tensorsOf(call, needs);
      calls.push({ name, node, place: calls.length, needs, open: 0, round: 0 });
    });
  }
  return calls;
}

function tensorsOf(value: unknown, found: string[]): void {
  if (isSymbol(value)) {
    const { config } = value as Json;
    const [name, node] = listOf(isRecord(config) ? config['keras_history'] : null);
    found.push(`${String(node)} ${textOf(name)}`);
  } else if (typeof value === 'object' && value !== null) {
    for (const item of Object.values(value)) tensorsOf(item, found);
  }
}
