// SPDX-License-Identifier: MIT
import { native, unwrap } from '../engine/engine.js';
import { Layer, toNativeConfig } from './layer.js';
import { Prepared, wrapWith } from './registry.js';

/** The base of the layers that the core computes. */
export class BuiltinLayer extends Layer {
  constructor(className: string, config: object | Prepared) {
    super(
      config instanceof Prepared
        ? config
        : new Prepared(unwrap(native().layerCreate(className, toNativeConfig(config)))),
    );
  }
}

/** So that layers of this class that come from the core become objects of it. */
export function wrapBuiltin(className: string, Class: new (config: never) => Layer): void {
  wrapWith(className, (prepared) => new Class(prepared as never));
}
