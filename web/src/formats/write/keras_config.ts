// SPDX-License-Identifier: MIT
import { objectsInside } from '../../layers/layer_objects.js';
import { native, unwrap } from '../../engine/engine.js';
import { ConfigError, UnsupportedError } from '../../base/errors.js';
import type { Layer, Shape } from '../../layers/layer.js';
import { Model } from '../../model/model.js';
import { serializeLayer } from '../../layers/serialization.js';
import type { SerializedObject } from '../artifact.js';
import { type Call, ofCall, shapeOfInput, stepOf } from './build_config.js';
import { builtAtInit } from './built_at_init.gen.js';
import { type GraphConfig, kerasOrder, type Operation } from '../keras_order.js';
import { mendOperation, type OperationEntry } from './keras_operations.js';
import { type Scaling, toNewHardSigmoid } from './old_hard_sigmoid.js';

type Entry = SerializedObject & { inbound_nodes?: Call[] };

const sublayersOf = (layer: Layer): Layer[] => objectsInside<Layer>(layer.handle);

/** A layer of the user's is found by Python under its registered name only. */
function checkCustom(entry: Entry, layer: Layer): void {
  if (!layer.isCustom) return;
  if (entry.class_name === 'Lambda') {
    throw new UnsupportedError(
      `'${layer.name}' is a Lambda, whose JavaScript function no file can hold; make it a class of its own and registerLayer() it`,
    );
  }
  if (!entry.registered_name) {
    throw new ConfigError(
      `'${layer.name}' is of class ${entry.class_name}, which is not registered, so that it could not be loaded again; call registerLayer(${entry.class_name}, { package, name }) first`,
    );
  }
}

/** Keras 3 has ThresholdedReLU no longer; its ReLU does the same. */
function toReLU(entry: Entry): void {
  const { theta, ...config } = entry.config;
  entry.class_name = 'ReLU';
  entry.config = { ...config, max_value: null, negative_slope: 0, threshold: theta };
}

/** What Keras puts in front of a model that was not told its inputs. */
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

/** Completes what the core serializes. */
class Finisher {
  constructor(readonly scalings: Map<number, Scaling> | null) {}

  /** The graph in Keras's order, each layer with the shapes that its first call gave it. */
  #functional(entry: Entry, model: Layer): void {
    const graph = entry.config as unknown as { layers: Entry[] };
    const order = kerasOrder(entry.config as unknown as GraphConfig);
    const place = (operation: Entry): number =>
      order.indexOf((operation as unknown as Operation).name);
    graph.layers.sort((a, b) => place(a) - place(b));
    const byName = new Map(sublayersOf(model).map((layer) => [layer.name, layer]));
    graph.layers = graph.layers.flatMap((operation) => {
      const layer = byName.get(String(operation['name']));
      if (!layer) return mendOperation(operation as OperationEntry);
      this.finish(operation, layer, ofCall(operation, operation.inbound_nodes?.[0]));
      return [operation];
    });
    entry.registered_name = 'Functional';
    entry.build_config = { input_shape: null };
    entry['compile_config'] = {};
  }

  #sequential(entry: Entry, model: Layer, given: Shape | null): void {
    const layers = sublayersOf(model);
    const entries = entry.config['layers'] as Entry[];
    const [first] = entries;
    const known =
      first?.class_name === 'InputLayer' ? (first.config['batch_shape'] as Shape) : null;
    let shape = known ?? given ?? shapeOfInput({ input_shape: model.builtFor });
    if (!known && shape && layers[0]) entries.unshift(inputLayer(shape, layers[0]));
    if (shape) entry.config['build_input_shape'] = shape;
    if (shape) entry.build_config = { input_shape: shape };
    entry['compile_config'] = {};
    const others = entries.filter(({ class_name: name }) => name !== 'InputLayer');
    for (const [i, layer] of layers.entries()) {
      this.finish(others[i] as Entry, layer, shape && { input_shape: shape });
      // Several outputs end a chain.
      const next: Shape | Shape[] | null = shape && layer.computeOutputShape(shape);
      shape = next && !Array.isArray(next[0]) ? (next as Shape) : null;
    }
  }

  /** Layers inside the configuration of another: the wrapped ones, and cells. */
  #inside(entry: Entry, layer: Layer, shape: Shape | null): void {
    const inside = sublayersOf(layer);
    const { config, class_name: name } = entry;
    const isEntry = (value: unknown): value is Entry =>
      typeof value === 'object' && value !== null && 'class_name' in value && 'config' in value;
    const finishOne = (key: string, child: Layer | undefined, given: Shape | null): void => {
      const value = config[key];
      if (isEntry(value) && child) this.finish(value, child, given && { input_shape: given });
    };
    const step = shape && stepOf(shape);
    finishOne('layer', inside[0], name === 'TimeDistributed' ? step : shape);
    finishOne('backward_layer', inside[1], shape);
    finishOne('cell', inside[0], step);
    if (!Array.isArray(config['cells'])) return;
    let given = shape;
    for (const [i, cell] of (config['cells'] as Entry[]).entries()) {
      if (inside[i]) this.finish(cell, inside[i], given && { input_shape: given });
      const units = cell.config['units'];
      given = given && typeof units === 'number' ? [given[0] ?? null, units] : null;
    }
  }

  finish(entry: Entry, layer: Layer, build: SerializedObject['build_config']): void {
    checkCustom(entry, layer);
    const shape = shapeOfInput(build);
    if (entry.class_name === 'Functional') {
      this.#functional(entry, layer);
      return;
    }
    if (entry.class_name === 'Sequential') {
      this.#sequential(entry, layer, shape);
      return;
    }
    if (entry.class_name === 'ThresholdedReLU') toReLU(entry);
    if (build && !builtAtInit.has(entry.class_name)) entry.build_config = build;
    this.#renameHardSigmoid(entry, layer);
    if (layer instanceof Model) entry['compile_config'] = {};
    this.#inside(entry, layer, shape);
  }

  #renameHardSigmoid(entry: Entry, layer: Layer): void {
    if (!this.scalings || layer.isCustom) return;
    const scaling = toNewHardSigmoid(entry.class_name, entry.config);
    // The weights of recurrent layers are their cells'.
    if (scaling) this.scalings.set(idOf(sublayersOf(layer)[0] ?? layer), scaling);
  }
}

/**
 * The configuration of a model as Keras 3 writes it into `config.json`: operations in Keras's order, with the shapes that
 * layers were built for. With `scalings`, the hard_sigmoid of Keras 1 and 2 becomes Keras 3's where weights can be scaled
 * for it: what to do to those of which layer, by its id, is added there. ConfigError for a class of the user's that is
 * not registered, UnsupportedError for a Lambda.
 */
export function kerasConfig(
  model: Layer,
  scalings: Map<number, Scaling> | null = null,
): SerializedObject {
  const entry = serializeLayer(model) as Entry;
  const shape = model.builtFor && { input_shape: model.builtFor };
  new Finisher(scalings).finish(entry, model, shape);
  return entry;
}
