// SPDX-License-Identifier: MIT
// The config of a saved model. The core serializes layers; this file adds what only Keras's loader
// needs.
import { objectsInside } from '../../layers/layer_objects.js';
import { native, unwrap } from '../../engine/engine.js';
import { ConfigError, UnsupportedError } from '../../base/errors.js';
import { callDetails } from '../../layers/call_details.js';
import { Layer, type Shape } from '../../layers/layer.js';
import { registeredNameOf } from '../../layers/registry.js';
import { Model } from '../../model/model.js';
import { hasUserClass } from '../../model/revive.js';
import { serializeLayer } from '../../layers/serialization.js';
import type { SerializedObject } from '../artifact.js';
import { textLayers } from '../../layers/text_symbols.js';
import { type Call, configOfCall, shapeOfInput, stepOf } from './build_config.js';
import { builtAtInit } from './built_at_init.gen.js';
import { type GraphConfig, kerasOrder, type Operation } from '../keras_order.js';
import { toFunctionOperation } from './function_operation.js';
import { withFunctionNames } from './function_names.js';
import { toKerasOperation, type OperationEntry } from './keras_operations.js';
import { type NamedGraph, withOwnNames } from './operation_names.js';
import { type Scaling, toNewHardSigmoid } from './old_hard_sigmoid.js';

type Entry = SerializedObject & { inbound_nodes?: Call[] };

const sublayersOf = (layer: Layer): Layer[] => objectsInside<Layer>(layer.handle);

/**
 * Refuses custom layers that Python could not load: it finds them only by their registered name.
 */
function checkCustom(entry: Entry, layer: Layer): void {
  if (!layer.isCustom) return;
  if (textLayers.includes(entry.class_name) && !entry.registered_name) {
    entry.module = 'keras.layers';
    return;
  }
  if (entry.class_name === 'Lambda') {
    throw new UnsupportedError(
      `'${layer.name}' is a Lambda, whose JavaScript function cannot be saved; write a class that extends Layer and register it with registerLayer()`,
    );
  }
  if (!entry.registered_name) {
    throw notRegistered(layer, entry.class_name);
  }
}

/**
 * Names the user-defined class of a graph, and writes the settings of its `getConfig`. Throws
 * ConfigError if it is not registered.
 */
function nameClass(entry: Entry, model: Layer): void {
  if (!hasUserClass(model)) return;
  const { name } = model.constructor;
  const registered = registeredNameOf(model);
  if (!registered) throw notRegistered(model, name);
  entry.module = null;
  entry.class_name = name;
  entry.registered_name = registered;
  if (model.getConfig === Layer.prototype.getConfig) return;
  const own = model.getConfig();
  entry.config = 'layers' in own ? { ...own, ...entry.config } : own;
}

const notRegistered = ({ name }: Layer, className: string): ConfigError =>
  new ConfigError(
    `'${name}' is of class ${className}, which is not registered, so it could not be loaded again; call registerLayer(${className}, { package, name }) first`,
  );

/** Replaces ThresholdedReLU, which Keras 3 no longer has, by its ReLU. */
function toReLU(entry: Entry): void {
  const { theta, ...config } = entry.config;
  entry.class_name = 'ReLU';
  entry.config = { ...config, max_value: null, negative_slope: 0, threshold: theta };
}

/** The InputLayer that Keras adds to a Sequential model without one. */
function inputLayer(shape: Shape, first: Layer): Entry {
  const dtype = first.className === 'Embedding' ? 'int32' : 'float32';
  const config = { batch_shape: shape, dtype, sparse: false, ragged: false };
  return {
    module: 'keras.layers',
    class_name: 'InputLayer',
    config: { ...config, name: `${first.name}_input`, optional: false },
    registered_name: null,
  };
}

const idOf = (layer: Layer): number => unwrap(native().layerInfo(layer.handle)).id;

/** Completes the config that the core serializes. */
class Completer {
  constructor(readonly scalings: Map<number, Scaling> | null) {}

  /** Sorts the graph in Keras's order and adds the shapes of each layer's first call. */
  #functional(entry: Entry, model: Layer): void {
    const graph = entry.config as unknown as { layers: Entry[] };
    const order = kerasOrder(entry.config as unknown as GraphConfig);
    const positions = new Map(order.map((name, i) => [name, i]));
    const position = (operation: Entry): number =>
      positions.get((operation as unknown as Operation).name) ?? -1;
    graph.layers.sort((a, b) => position(a) - position(b));
    const byName = new Map(sublayersOf(model).map((layer) => [layer.name, layer]));
    graph.layers = graph.layers.flatMap((operation) => {
      const layer = byName.get(String(operation['name']));
      if (!layer) return toKerasOperation(operation as OperationEntry);
      const call = callDetails.get(layer);
      if (call) return [toFunctionOperation(operation, layer, call)];
      this.complete(operation, layer, configOfCall(operation, operation.inbound_nodes?.[0]));
      return [operation];
    }) as Entry[];
    // In Python, the class of a custom layer may accept masks that it does not accept here.
    if ([...byName.values()].some(({ isCustom }) => isCustom)) {
      Object.assign(
        entry.config,
        withOwnNames(graph as NamedGraph, (name) => byName.has(name)),
      );
    }
    entry.registered_name = 'Functional';
    entry.build_config = { input_shape: null };
    entry['compile_config'] = {};
  }

  #sequential(entry: Entry, model: Layer, outerShape: Shape | null): void {
    const layers = sublayersOf(model);
    const entries = entry.config['layers'] as Entry[];
    const [first] = entries;
    const inputShape =
      first?.class_name === 'InputLayer' ? (first.config['batch_shape'] as Shape) : null;
    let shape = inputShape ?? outerShape ?? shapeOfInput({ input_shape: model.builtFor });
    if (!inputShape && shape && layers[0]) entries.unshift(inputLayer(shape, layers[0]));
    if (shape) entry.config['build_input_shape'] = shape;
    if (shape) entry.build_config = { input_shape: shape };
    entry['compile_config'] = {};
    const others = entries.filter(({ class_name: name }) => name !== 'InputLayer');
    for (const [i, layer] of layers.entries()) {
      this.complete(others[i] as Entry, layer, shape && { input_shape: shape });
      // After a layer with several outputs, the shapes are unknown.
      const next: Shape | Shape[] | null = shape && layer.computeOutputShape(shape);
      shape = next && !Array.isArray(next[0]) ? (next as Shape) : null;
    }
  }

  /** Completes the layers in the settings of another one: wrapped layers and cells. */
  #sublayers(entry: Entry, layer: Layer, shape: Shape | null): void {
    const sublayers = sublayersOf(layer);
    const { config, class_name: name } = entry;
    const isEntry = (value: unknown): value is Entry =>
      typeof value === 'object' && value !== null && 'class_name' in value && 'config' in value;
    const completeSetting = (key: string, child: Layer | undefined, input: Shape | null): void => {
      const value = config[key];
      if (isEntry(value) && child) this.complete(value, child, input && { input_shape: input });
    };
    const step = shape && stepOf(shape);
    completeSetting('layer', sublayers[0], name === 'TimeDistributed' ? step : shape);
    completeSetting('backward_layer', sublayers[1], shape);
    completeSetting('cell', sublayers[0], step);
    if (!Array.isArray(config['cells'])) return;
    let input = shape;
    for (const [i, cell] of (config['cells'] as Entry[]).entries()) {
      const sublayer = sublayers[i];
      if (sublayer) this.complete(cell, sublayer, input && { input_shape: input });
      const units = cell.config['units'];
      input = input && typeof units === 'number' ? [input[0] ?? null, units] : null;
    }
  }

  complete(entry: Entry, layer: Layer, build: SerializedObject['build_config']): void {
    checkCustom(entry, layer);
    const shape = shapeOfInput(build);
    const isGraph = entry.class_name === 'Functional';
    if (isGraph || entry.class_name === 'Sequential') {
      if (isGraph) this.#functional(entry, layer);
      else this.#sequential(entry, layer, shape);
      // TensorFlow.js has no such classes.
      if (this.scalings) nameClass(entry, layer);
      return;
    }
    if (entry.class_name === 'ThresholdedReLU') toReLU(entry);
    if (builtAtInit.has(entry.class_name)) delete entry.build_config;
    else if (build) entry.build_config = build;
    this.#renameHardSigmoid(entry, layer);
    if (layer.isCustom && layer.getBuildConfig) entry.build_config = layer.getBuildConfig();
    if (layer instanceof Model) entry['compile_config'] = {};
    this.#sublayers(entry, layer, shape);
  }

  #renameHardSigmoid(entry: Entry, layer: Layer): void {
    if (!this.scalings || layer.isCustom) return;
    const scaling = toNewHardSigmoid(entry.class_name, entry.config);
    // The weights of a recurrent layer belong to its cell.
    if (scaling) this.scalings.set(idOf(sublayersOf(layer)[0] ?? layer), scaling);
  }
}

/**
 * The config of a model as Keras 3 writes it to `config.json`: operations in Keras's order, with
 * the shapes for which layers were built. If `scalings` is passed, the hard_sigmoid of Keras 1 and
 * 2 becomes Keras 3's where scaled weights make up for it; the scaling of each such layer is added
 * by the layer's id. Throws ConfigError for a custom class or a function that is not registered,
 * and UnsupportedError for a Lambda.
 */
export function kerasConfig(
  model: Layer,
  scalings: Map<number, Scaling> | null = null,
): SerializedObject {
  const entry = serializeLayer(model) as Entry;
  const shape = model.builtFor && { input_shape: model.builtFor };
  new Completer(scalings).complete(entry, model, shape);
  return withFunctionNames(entry, scalings === null);
}
