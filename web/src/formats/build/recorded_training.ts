// SPDX-License-Identifier: MIT
// A default of older Keras in its files, which would change the meaning of a model under the rules
// of Keras 3.16.
import type { SerializedObject } from '../artifact.js';
import { isRecord } from '../json.js';

type Entry = SerializedObject & { inbound_nodes?: unknown };

/**
 * Returns the config of a model of Keras before 3.16 without the `training: false` of its calls.
 * Keras wrote this default. The rule of 3.16 would take it for the word of the caller, which holds
 * in training, too.
 */
export function withoutDefaultTraining<T extends Entry>(model: T): T {
  const layers = model.config?.['layers'];
  if (!Array.isArray(layers)) return model;
  return { ...model, config: { ...model.config, layers: layers.map(withoutDefault) } };
}

function withoutDefault(layer: unknown): unknown {
  if (!isRecord(layer)) return layer;
  const entry = withoutDefaultTraining(layer as unknown as Entry);
  const { inbound_nodes: calls } = entry;
  return Array.isArray(calls) ? { ...entry, inbound_nodes: calls.map(withoutIt) } : entry;
}

function withoutIt(call: unknown): unknown {
  if (!isRecord(call) || !isRecord(call['kwargs'])) return call;
  const { training, ...kwargs } = call['kwargs'];
  return training === false ? { ...call, kwargs } : call;
}
