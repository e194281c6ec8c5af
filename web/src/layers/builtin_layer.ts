// SPDX-License-Identifier: MIT
// The base of all generated layer classes.
import { native, unwrap } from '../engine/engine.js';
import { Layer } from './layer.js';
import { objectsInside, Prepared } from './layer_objects.js';
import { toNativeConfig } from './native_config.js';
import { declareSettings } from './settings.js';

/** Base class of the layers that the core computes. */
export class BuiltinLayer extends Layer {
  constructor(className: string, config: object | Prepared) {
    super(
      config instanceof Prepared
        ? config
        : new Prepared(unwrap(native().layerCreate(className, toNativeConfig(config, className)))),
    );
    declareSettings(this, className);
  }
}

/** Returns the layers inside of a layer of the core. */
export const insideOf = (layer: BuiltinLayer): Layer[] => objectsInside<Layer>(layer.handle);

/** A layer of the core without a class of its own, such as InputLayer. */
export class UnnamedLayer extends BuiltinLayer {
  constructor(prepared: Prepared) {
    super('', prepared);
  }
}
