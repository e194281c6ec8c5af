// SPDX-License-Identifier: MIT
// Numbers of calls in graphs of Keras 1 and 2, which the versions of Keras count from 0 or from 1.
import type { SerializedObject } from '../artifact.js';
import { isOldTensor } from './graph_symbols.js';
import { isRecord, type Json } from '../json.js';

/** Returns the number of a layer's call, counted from 0. */
export type CallNumbers = (layer: string, call: number) => number;

/**
 * Converts the numbers of calls. A nested model was called once at its creation, so most versions
 * of Keras 1 and 2 count its other calls from 1. If the config mentions call 0, they count from 0.
 */
export function callsFromZero(
  config: Json,
  layers: ReadonlyMap<string, SerializedObject>,
): CallNumbers {
  const first = new Map<string, number>();
  visitTensors(config['layers'], (name, call) => addCall(first, name, call));
  visitTensors(config['output_layers'], (name, call) => addCall(first, name, call));
  return (name, call) => {
    const layer = layers.get(name)?.class_name;
    const isModel = layer === 'Functional' || layer === 'Sequential';
    return isModel && (first.get(name) ?? 0) > 0 ? call - 1 : call;
  };
}

/** Keeps the lowest number of the calls of each layer. */
function addCall(first: Map<string, number>, name: string, call: number): void {
  first.set(name, Math.min(call, first.get(name) ?? call));
}

function visitTensors(value: unknown, visit: (layer: string, call: number) => void): void {
  if (isOldTensor(value)) visit(value[0], value[1]);
  if (Array.isArray(value)) for (const item of value) visitTensors(item, visit);
  if (!isRecord(value)) return;
  for (const [key, item] of Object.entries(value)) {
    // Nested models have graphs of their own.
    if (key !== 'config') visitTensors(item, visit);
  }
}
