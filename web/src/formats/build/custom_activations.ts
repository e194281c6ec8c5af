// SPDX-License-Identifier: MIT
// Layers and classes of layers in place of activation functions. If a layer ends with its
// activation, the activation becomes a layer of its own after it.
import { Layer } from '../../layers/layer.js';
import type { Maker } from '../../layers/registry.js';
import type { SerializedObject } from '../artifact.js';
import type { CustomObject } from '../../model/load_options.js';
import { symbol } from '../dialects/graph_symbols.js';
import { isRecord, type Json, listOf } from '../json.js';

type Objects = { readonly [name: string]: CustomObject };

const kActivation = 'Activation';
/** Layers whose last step is the activation. */
const kEndsWithActivation = new Set(
  `Dense EinsumDense Conv1D Conv1DTranspose DepthwiseConv1D SeparableConv1D ${kActivation}`.split(
    ' ',
  ),
);

/** Name of a function in a config: 'f' or {class_name: 'function', config: 'Package>f'}. */
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
    .map((key) => objects[key])
    .find((object) => object instanceof Layer || isClass(object));
}

interface LayerClass {
  fromConfig(config: object): Layer;
}
const isClass = (value: unknown): value is LayerClass =>
  (value as { prototype?: unknown }).prototype instanceof Layer;

function layerFor(object: CustomObject, name: string): Layer {
  if (object instanceof Layer) return object;
  return (object as unknown as LayerClass).fromConfig({ name });
}

/**
 * Returns the config with a separate layer for each activation that is in `objects`. Adds functions
 * that create these layers to `makers`.
 */
export function separateActivations(
  config: SerializedObject,
  objects: Objects,
  makers: Map<string, Maker>,
): SerializedObject {
  const entries = config.config?.['layers'];
  if (!Array.isArray(entries)) return config;
  // Name of the new activation layer by name of the original layer.
  const moved = new Map<string, string>();
  const names = new Set(entries.map(nameOf));
  const layers = entries.flatMap((entry) => {
    if (!isRecord(entry) || !isRecord(entry['config'])) return [entry];
    const inner = separateActivations(entry as SerializedObject, objects, makers);
    const { class_name: className, config: settings } = inner;
    const object = kEndsWithActivation.has(className)
      ? objectFor(settings['activation'], objects)
      : undefined;
    if (object === undefined) return [inner];
    const name = nameOf(inner);
    if (className === kActivation) {
      makers.set(name, () => layerFor(object, name));
      return [inner];
    }
    let newName = `${name}_activation`;
    while (names.has(newName)) newName += '_';
    names.add(newName);
    moved.set(name, newName);
    makers.set(newName, () => layerFor(object, newName));
    return [
      { ...inner, config: { ...settings, activation: 'linear' } },
      layerAfter(inner, newName),
    ];
  });
  if (moved.size === 0) return { ...config, config: { ...config.config, layers } };
  const newNames = new Set(moved.values());
  const rewired = layers.map((entry) =>
    newNames.has(nameOf(entry)) ? entry : rewire(entry, moved),
  );
  const { input_layers: inputs, output_layers: outputs } = config.config;
  const ends = {
    ...(inputs !== undefined && {
      input_layers: inputs,
      output_layers: renameOutputs(outputs, moved),
    }),
  };
  return { ...config, config: { ...config.config, layers: rewired, ...ends } };
}

const nameOf = (entry: unknown): string => {
  const { name, config } = isRecord(entry) ? entry : ({} as Json);
  return String(name ?? (isRecord(config) ? config['name'] : ''));
};

/** The layer after another one, with the same number of calls. */
function layerAfter(entry: SerializedObject, name: string): SerializedObject {
  const calls = entry['inbound_nodes'];
  const layer = { module: null, class_name: 'Lambda', config: { name }, registered_name: null };
  if (calls === undefined) return layer;
  const inbound = listOf(calls).map((_, i) => ({ args: [symbol(nameOf(entry), i)], kwargs: {} }));
  return { ...layer, name, inbound_nodes: inbound };
}

/** Replaces the inputs of a layer by outputs of the activation layers. */
function rewire(entry: unknown, moved: ReadonlyMap<string, string>): unknown {
  if (!isRecord(entry) || !('inbound_nodes' in entry)) return entry;
  const visit = (value: unknown): unknown => {
    if (Array.isArray(value)) return value.map(visit);
    if (!isRecord(value)) return value;
    const { keras_history: history } = value;
    if (Array.isArray(history)) {
      const [layer, ...indices] = history;
      return { ...value, keras_history: [moved.get(layer) ?? layer, ...indices] };
    }
    return Object.fromEntries(Object.entries(value).map(([key, item]) => [key, visit(item)]));
  };
  return { ...entry, inbound_nodes: visit(entry['inbound_nodes']) };
}

function renameOutputs(outputs: unknown, moved: ReadonlyMap<string, string>): unknown {
  if (Array.isArray(outputs)) {
    const [layer, ...indices] = outputs;
    if (typeof layer === 'string') return [moved.get(layer) ?? layer, ...indices];
    return outputs.map((output) => renameOutputs(output, moved));
  }
  if (!isRecord(outputs)) return outputs;
  return Object.fromEntries(
    Object.entries(outputs).map(([key, output]) => [key, renameOutputs(output, moved)]),
  );
}
