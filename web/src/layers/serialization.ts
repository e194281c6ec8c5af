// SPDX-License-Identifier: MIT
// Layers and models to and from Keras's JSON. The core does the work; custom classes come back
// through registry.ts.
import { isPlain } from '../base/check.js';
import { type ConfigOptions, withCustomObjects } from './custom_scope.js';
import { replaceFunctions } from './custom_functions.js';
import { objectOf } from './layer_objects.js';
import { native, unwrap } from '../engine/engine.js';
import { handleOf, type Layer } from './layer.js';
import { refuseLegacyConfig } from '../base/legacy_config.js';
import { type ConfigValue, checkDepth } from '../engine/config_value.js';
import type { Shape } from './layer_config.js';

/** A layer or model in Keras's form: `{ module, class_name, config, registered_name }`. */
export interface SerializedLayer {
  /** Class name, as in Keras. */
  class_name: string;
  /** Settings under Keras's names, as `getConfig` returns them. */
  config: { [key: string]: unknown };
  /**
   * Name under which a custom class is registered, such as `Custom>Scale`; null for other classes.
   */
  registered_name?: string | null;
  /** Python module of the class, such as 'keras.layers'; null for a custom class. */
  module?: string | null;
  /** Other keys that Keras writes, such as `build_config`. */
  [key: string]: unknown;
}

/**
 * Returns the layer in Keras's form, from which `deserializeLayer` creates an equal one.
 *
 * Throws StateError for a layer that was disposed of.
 */
export function serializeLayer(layer: Layer): SerializedLayer {
  return unwrap(native().layerSerialize(handleOf(layer))) as unknown as SerializedLayer;
}

/** Builds a layer for the shape in its serialized form, as Keras does. */
function buildAs(serialized: object, layer: Layer): void {
  const { build_config: build } = serialized as SerializedLayer;
  const shape = isPlain(build) && build['input_shape'];
  // The shapes of several inputs are lists themselves.
  if (layer.built || !Array.isArray(shape) || shape.some(Array.isArray)) return;
  layer.build(shape as Shape);
}

/**
 * Creates a layer or model from its serialized form. Custom classes and functions must be
 * registered or in `customObjects`. Throws ConfigError for an unknown class, an invalid setting, or
 * a model in the dialect of Keras 1, Keras 2 or TF.js, which only `loadModel` reads.
 *
 * @param serialized The result of `serializeLayer`, or of Keras 3's `serialize_keras_object`.
 *
 * @example
 * deserializeLayer(serializeLayer(layer), { customObjects: { Mine } })
 */
export function deserializeLayer(
  serialized: SerializedLayer | object,
  options?: ConfigOptions,
): Layer {
  refuseLegacyConfig(checkDepth(serialized, 'the configuration'));
  const layer = withCustomObjects(options, () => makeLayer(serialized));
  buildAs(serialized, layer);
  return layer;
}

/** Returns a config whose functions are known to the core. @internal */
export const namedFunctions = (config: object): ConfigValue =>
  checkDepth(config, 'the configuration', replaceFunctions) as ConfigValue;

/** Creates a layer or model from a form that is known to be of Keras 3. @internal */
export function makeLayer(serialized: object): Layer {
  return objectOf<Layer>(unwrap(native().layerDeserialize(namedFunctions(serialized))));
}
