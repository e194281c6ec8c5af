// SPDX-License-Identifier: MIT
// User-defined classes that extend Sequential, or Model with inputs and outputs: the core knows
// only their graphs.
import { layerClasses } from '../layers/layer_objects.js';
import type { Layer } from '../layers/layer.js';
import { makeLayer } from '../layers/serialization.js';
import type { SymbolicTensor } from '../tensor/tensor.js';

/** Creates an object of a class. */
type ClassOf<T> = new (...args: never[]) => T;

interface GraphModel extends Layer {
  readonly layers: readonly Layer[];
  readonly inputs: readonly SymbolicTensor[];
  readonly outputs: readonly SymbolicTensor[];
  add?(layer: Layer | SymbolicTensor): void;
}

/** Further classes of the package: files contain only the graphs of their models. */
export const savedAsGraphs = new WeakSet<object>();

/** Whether a class of models is one of the package. */
const isOwnClass = (Class: object): boolean =>
  savedAsGraphs.has(Class) || [...layerClasses.get().values()].includes(Class as never);

/** Whether a model has a user-defined class. */
export const hasUserClass = (model: Layer): boolean => !isOwnClass(model.constructor);

/** Replaces the ends [layer, call, output] of a graph by tensors, in the order of the structure. */
function withTensors(ends: unknown, tensors: readonly SymbolicTensor[]): unknown {
  const rest = [...tensors];
  const visit = (value: unknown): unknown => {
    if (Array.isArray(value) && typeof value[0] === 'string') return rest.shift();
    if (Array.isArray(value)) return value.map(visit);
    const entries = Object.entries(value as object).sort(([a], [b]) => (a < b ? -1 : 1));
    return Object.fromEntries(entries.map(([key, item]) => [key, visit(item)]));
  };
  return visit(ends);
}

/** Creates a model of a class from the config of its graph. */
export function modelOfGraph<T extends Layer>(
  Class: ClassOf<T>,
  config: { readonly [key: string]: unknown },
): T {
  return isOwnClass(Class) ? (plainModel(config) as Layer as T) : reviveModel(Class, config);
}

const plainModel = (config: { readonly [key: string]: unknown }): GraphModel =>
  makeLayer({
    class_name: 'input_layers' in config ? 'Functional' : 'Sequential',
    config,
  }) as GraphModel;

/** Settings of every graph in files. */
const kGraphSettings = new Set(
  'name trainable dtype layers input_layers output_layers build_input_shape'.split(' '),
);

/**
 * Creates a model of a user-defined class from the config of its graph, as Keras does: the
 * constructor of a Sequential receives an empty list and the name, and `add` the layers; that of a
 * graph receives `inputs`, `outputs` and the name. Both receive what `getConfig` of the class
 * added.
 */
export function reviveModel<T extends Layer>(
  Class: ClassOf<T>,
  config: { readonly [key: string]: unknown },
): T {
  const plain = plainModel(config);
  const settings = Object.entries(config).filter(([key]) => !kGraphSettings.has(key));
  const options = { ...Object.fromEntries(settings), name: String(config['name']) };
  let model: T;
  if ('input_layers' in config) {
    const inputs = withTensors(config['input_layers'], plain.inputs);
    const outputs = withTensors(config['output_layers'], plain.outputs);
    model = new Class({ inputs, outputs, ...options } as never);
  } else {
    model = new Class([] as never, options as never);
    const { add } = model as unknown as GraphModel;
    const [first] = config['layers'] as { class_name: string }[];
    const inputs = first?.class_name === 'InputLayer' ? plain.inputs : [];
    for (const layer of [...inputs, ...plain.layers]) add?.call(model, layer);
  }
  plain.dispose();
  return model;
}
