// SPDX-License-Identifier: MIT
import { native, unwrap } from '../engine/engine.js';
import { handleOf, type Layer } from './layer.js';
import type { Plain } from '../engine/native.js';
import { refuseOlder } from '../base/older.js';
import { checkDepth } from '../engine/plain.js';
import { layerOf } from './registry.js';

/** A layer or model in Keras's form: `{ module, class_name, config, registered_name }`. */
export interface SerializedLayer {
  class_name: string;
  config: { [key: string]: unknown };
  registered_name?: string | null;
  module?: string | null;
  [key: string]: unknown;
}

export function serializeLayer(layer: Layer): SerializedLayer {
  return unwrap(native().layerSerialize(handleOf(layer))) as unknown as SerializedLayer;
}

/**
 * Makes a layer or model; a class of your own must be registered first. ConfigError for a model in the dialect of Keras 1, Keras 2
 * or TF.js, which `loadModel` reads.
 */
export function deserializeLayer(serialized: SerializedLayer | object): Layer {
  refuseOlder(checkDepth(serialized, 'the configuration'));
  return makeLayer(serialized);
}

/** The same for what is known to be in Keras 3's dialect. @internal */
export function makeLayer(serialized: object): Layer {
  return layerOf(
    unwrap(native().layerDeserialize(checkDepth(serialized, 'the configuration') as Plain)),
  );
}
