// SPDX-License-Identifier: MIT
// The base of all generated layer classes.
import { Layer } from './layer.js';
import { objectsInside, Prepared } from './layer_objects.js';
import { create, toNativeConfig } from './native_config.js';
import { declareSettings } from './settings.js';

/** Base class of the layers that the core computes. */
export class BuiltinLayer extends Layer {
  /** @param firsts Settings that the class needs, the first argument in Keras first. */
  constructor(className: string, config: object | Prepared, firsts = '') {
    super(
      config instanceof Prepared
        ? config
        : new Prepared(create(className, toNativeConfig(config, className, firsts))),
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
