// SPDX-License-Identifier: MIT
// Activation functions of the caller's: where the activation is the last thing that a layer does, it becomes a layer behind it.
import { Lambda } from '../../layers/lambda.js';
import { Layer } from '../../layers/layer.js';
import type { Maker } from '../../layers/registry.js';
import type { SerializedObject } from '../artifact.js';
import type { CustomObject } from '../../model/load_options.js';
import { symbol } from '../dialects/graph_symbols.js';
import { isRecord, type Json, listOf } from '../json.js';

type Objects = { readonly [name: string]: CustomObject };

const kActivation = 'Activation';
const kLast = new Set(
  `Dense EinsumDense Conv1D Conv1DTranspose DepthwiseConv1D SeparableConv1D ${kActivation}`.split(
    ' ',
  ),
);

/** The name of a function in a configuration: 'f', {class_name: 'function', config: 'Package>f'}. */
function functionName(value: unknown): string | null {
  if (typeof value === 'string') return value;
  const { config, class_name: name } = isRecord(value) ? value : {};
  return name === 'function' && typeof config === 'string' ? config : null;
}

function objectFor(activation: unknown, objects: Objects): CustomObject | undefined {
  const name = functionName(activation);
  if (name === null) return undefined;
  return [name, name.slice(name.indexOf('>') + 1)]
    .filter((key) => Object.hasOwn(objects, key))
    .map((key) => objects[key])[0];
}

const isClass = (value: unknown): value is { fromConfig(config: object): Layer } =>
  (value as { prototype?: unknown }).prototype instanceof Layer;

function layerFor(object: CustomObject, name: string): Layer {
  if (object instanceof Layer) return object;
  if (isClass(object)) return object.fromConfig({ name });
  return new Lambda({
    name,
    function: object as never,
    mask: ((_: never, mask: unknown) => mask) as never,
  });
}

/**
 * The configuration with a layer of its own for each activation that `objects` has, and how to make these layers, which are
 * added to `makers`.
 */
export function withActivations(
  config: SerializedObject,
  objects: Objects,
  makers: Map<string, Maker>,
): SerializedObject {
  const entries = config.config?.['layers'];
  if (!Array.isArray(entries)) return config;
  // From the name of a layer to that of the layer which has its activation now.
  const moved = new Map<string, string>();
  const names = new Set(entries.map(nameOf));
  const layers = entries.flatMap((entry) => {
    if (!isRecord(entry) || !isRecord(entry['config'])) return [entry];
    const inside = withActivations(entry as SerializedObject, objects, makers);
    const { activation } = inside.config;
    const object = kLast.has(inside.class_name) ? objectFor(activation, objects) : undefined;
    if (object === undefined) return [inside];
    const name = nameOf(inside);
    if (inside.class_name === kActivation) {
      makers.set(name, () => layerFor(object, name));
      return [inside];
    }
    let behind = `${name}_activation`;
    while (names.has(behind)) behind += '_';
    names.add(behind);
    moved.set(name, behind);
    makers.set(behind, () => layerFor(object, behind));
    return [
      { ...inside, config: { ...inside.config, activation: 'linear' } },
      after(inside, behind),
    ];
  });
  if (moved.size === 0) return { ...config, config: { ...config.config, layers } };
  const behind = new Set(moved.values());
  const wired = layers.map((entry) => (behind.has(nameOf(entry)) ? entry : rewired(entry, moved)));
  const { input_layers: inputs, output_layers: outputs } = config.config;
  const ends = {
    ...(inputs !== undefined && { input_layers: inputs, output_layers: movedEnds(outputs, moved) }),
  };
  return { ...config, config: { ...config.config, layers: wired, ...ends } };
}

const nameOf = (entry: unknown): string => {
  const { name, config } = isRecord(entry) ? entry : ({} as Json);
  return String(name ?? (isRecord(config) ? config['name'] : ''));
};

/** The layer behind another, called as often. */
function after(entry: SerializedObject, name: string): SerializedObject {
  const calls = entry['inbound_nodes'];
  const layer = { module: null, class_name: 'Lambda', config: { name }, registered_name: null };
  if (calls === undefined) return layer;
  const inbound = listOf(calls).map((_, i) => ({ args: [symbol(nameOf(entry), i)], kwargs: {} }));
  return { ...layer, name, inbound_nodes: inbound };
}

function rewired(entry: unknown, moved: ReadonlyMap<string, string>): unknown {
  if (!isRecord(entry) || !('inbound_nodes' in entry)) return entry;
  const visit = (value: unknown): unknown => {
    if (Array.isArray(value)) return value.map(visit);
    if (!isRecord(value)) return value;
    const { keras_history: history } = value;
    if (Array.isArray(history)) {
      const [layer, ...place] = history;
      return { ...value, keras_history: [moved.get(layer) ?? layer, ...place] };
    }
    return Object.fromEntries(Object.entries(value).map(([key, item]) => [key, visit(item)]));
  };
  return { ...entry, inbound_nodes: visit(entry['inbound_nodes']) };
}

function movedEnds(ends: unknown, moved: ReadonlyMap<string, string>): unknown {
  if (Array.isArray(ends)) {
    const [layer, ...place] = ends;
    if (typeof layer === 'string') return [moved.get(layer) ?? layer, ...place];
    return ends.map((end) => movedEnds(end, moved));
  }
  if (!isRecord(ends)) return ends;
  return Object.fromEntries(Object.entries(ends).map(([key, end]) => [key, movedEnds(end, moved)]));
}
