// SPDX-License-Identifier: MIT
import type { SerializedObject } from '../artifact.js';
import { isOldTensor } from './graph_symbols.js';
import { isRecord, type Json } from '../json.js';

/** The number of a call of a layer, counted from 0. */
export type Renumbered = (layer: string, call: number) => number;

/**
 * A model inside a model was called once when it was made, so that Keras 1 and 2 mostly count its further calls from 1;
 * versions differ. If call 0 is spoken of, that is where the count starts.
 */
export function callsFromZero(
  config: Json,
  layers: ReadonlyMap<string, SerializedObject>,
): Renumbered {
  const first = new Map<string, number>();
  visitTensors(config['layers'], (name, call) => note(first, name, call));
  visitTensors(config['output_layers'], (name, call) => note(first, name, call));
  return (name, call) => {
    const layer = layers.get(name)?.class_name;
    const isModel = layer === 'Functional' || layer === 'Sequential';
    return isModel && (first.get(name) ?? 0) > 0 ? call - 1 : call;
  };
}

function note(first: Map<string, number>, name: string, call: number): void {
  first.set(name, Math.min(call, first.get(name) ?? call));
}

function visitTensors(value: unknown, visit: (layer: string, call: number) => void): void {
  if (isOldTensor(value)) visit(value[0], value[1]);
  if (Array.isArray(value)) for (const item of value) visitTensors(item, visit);
  if (!isRecord(value)) return;
  for (const [key, item] of Object.entries(value)) {
    // Models inside have graphs of their own.
    if (key !== 'config') visitTensors(item, visit);
  }
}
