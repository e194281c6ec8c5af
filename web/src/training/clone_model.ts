// SPDX-License-Identifier: MIT
// The function `cloneModel` of maskflow/train. complete_clone.ts compiles the clone.
import { checkFunction, checkOptions, isPlain } from '../base/check.js';
import { ValueError } from '../base/errors.js';
import { callDetails } from '../layers/call_details.js';
import { functionCall } from '../layers/function_call.js';
import { Lambda } from '../layers/lambda.js';
import { handleOf, type Layer } from '../layers/layer.js';
import { customInside } from '../layers/layer_objects.js';
import { type Maker, withMakers } from '../layers/registry.js';
import { makeLayer, type SerializedLayer, serializeLayer } from '../layers/serialization.js';
import { readsText, textGraphs } from '../layers/text_symbols.js';
import { Model } from '../model/model.js';
import { hasUserClass, modelOfGraph } from '../model/revive.js';
import { Sequential } from '../model/sequential.js';
import { completeClone } from './complete_clone.js';

/** Replaces the entries of layers in the config of a model. */
function replaceLayers(
  model: Model,
  serialized: SerializedLayer,
  cloneFunction: (layer: Layer) => Layer,
): void {
  const entries = serialized.config['layers'];
  for (const entry of Array.isArray(entries) ? entries : []) {
    if (!isPlain(entry) || entry['class_name'] === 'InputLayer') continue;
    const config = entry['config'];
    // An op of the graph is not a layer.
    if (!isPlain(config) || String(entry['module']).startsWith('keras.src.ops')) continue;
    if (readsText(entry)) continue;
    const name = String(config['name']);
    const clone = cloneFunction(model.getLayer(name));
    const { module, class_name, registered_name, config: settings } = serializeLayer(clone);
    Object.assign(entry, { module, class_name, registered_name });
    // Calls in the graph refer to the layer by its name.
    entry['config'] = { ...settings, name };
    delete entry['build_config'];
  }
}

/** The class of the clone of a model. */
export type CloneOf<M extends Model> =
  M extends Sequential<infer Inputs, infer Outputs> ? Sequential<Inputs, Outputs> : M;

/**
 * Creates a model with the same layers and new weights, like Keras's `clone_model`. A custom model
 * is created by `fromConfig(model.getConfig())` of its class. The clone of a compiled model is
 * compiled with the same settings and a new optimizer; losses and metrics that are functions or
 * classes of your own are those of the model. As in Keras, the clone of a class that extends
 * Sequential is a plain Sequential; `fromConfig(model.getConfig())` of the class keeps it. A frozen
 * model with `inputs` and `outputs` has a clone that is not frozen, with the flags of its layers.
 *
 * Custom layers are created by `fromConfig` of their classes, which need not be registered. Throws
 * ValueError if a custom model is cloned with `cloneFunction`.
 *
 * Layers of maskflow/text keep their vocabularies, which in Keras only those of the constructor do;
 * `cloneFunction` does not receive these layers.
 *
 * @param options.cloneFunction Returns the layer whose class and settings replace those of a layer.
 * The layer in the clone is a new one with the name of the original.
 */
export function cloneModel<M extends Model>(
  model: M,
  options: { cloneFunction?: ((layer: Layer) => Layer) | null } = {},
): CloneOf<M> {
  handleOf(model);
  const { cloneFunction = null } = checkOptions(options, { cloneFunction: 1 });
  if (cloneFunction !== null) checkFunction(cloneFunction, 'cloneFunction');
  if (model.isCustom) {
    if (cloneFunction) {
      throw new ValueError(
        `'${model.name}' is a custom model, whose layers are not known; clone it without cloneFunction`,
      );
    }
    const Class = model.constructor as unknown as { fromConfig(config: object): M };
    return completeClone(model, Class.fromConfig(model.getConfig())) as CloneOf<M>;
  }
  const whole = textGraphs.supplied?.whole(model) as SerializedLayer | undefined;
  const serialized = whole ?? serializeLayer(model);
  if (cloneFunction) replaceLayers(model, serialized, cloneFunction);
  const isSequential = model instanceof Sequential;
  const Class = (isSequential ? Sequential : model.constructor) as new (...args: never[]) => Model;
  // Keras passes the flag of the model itself on to the clone of a Sequential alone.
  if (!isSequential) delete serialized.config['trainable'];
  const clone = withMakers(new Map([...classesOf(model), ...makersOf(model)]), (): Model => {
    if (whole) return textGraphs.get().clone(model, whole) as Model;
    return hasUserClass(model)
      ? modelOfGraph(Class, serialized.config)
      : (makeLayer(serialized) as unknown as Model);
  });
  return completeClone(model, clone) as CloneOf<M>;
}

/** Makers of the custom layers inside, by class, so that these need not be registered. */
function classesOf(model: Model): Map<string, Maker> {
  const makers = new Map<string, Maker>();
  for (const layer of customInside(model.handle) as Layer[]) {
    const Class = layer.constructor as unknown as { fromConfig(config: object): Layer };
    const maker: Maker = (config) => Class.fromConfig(config);
    // Two classes may have one name; then the layers tell them apart.
    makers.set(makers.has(layer.className) ? layer.name : layer.className, maker);
  }
  return makers;
}

/** Makers of the layers of a graph that hold functions, at any depth of models, by name. */
function makersOf(model: Model): Map<string, Maker> {
  const makers = new Map<string, Maker>();
  for (const layer of model.isCustom ? [] : model.layers) {
    const { name } = layer;
    const call = callDetails.get(layer);
    if (call) makers.set(name, () => functionCall(call, { name }));
    if (layer instanceof Lambda) makers.set(name, () => new Lambda({ ...layer.settings, name }));
    if (layer instanceof Model) for (const [key, maker] of makersOf(layer)) makers.set(key, maker);
  }
  return makers;
}
