// SPDX-License-Identifier: MIT
// Classes and functions that one call brings with it, so that they need not be registered.
import { checkOptions, describe, isPlain, refuse } from '../base/check.js';
import { ConfigError } from '../base/errors.js';
import { withFunctions } from './custom_functions.js';
import { Layer } from './layer.js';
import { type Maker, withMakers } from './registry.js';

/** Options of `deserializeLayer` and `Model.fromConfig`. */
export interface ConfigOptions {
  /**
   * Custom classes by registered or class name, replacements for single layers by layer name, and
   * functions of layers (activations, initializers, …) by name. They need not be registered.
   */
  customObjects?: {
    readonly [name: string]: (new (...args: never[]) => Layer) | Layer | ((x: never) => unknown);
  };
}

type LayerClass = { fromConfig(config: object): Layer };

/** Returns whether a value is a class that extends Layer. @internal */
export const isLayerClass = (value: unknown): value is LayerClass =>
  typeof value === 'function' && (value.prototype as unknown) instanceof Layer;

/** Runs `run` with the objects of the options. Throws ConfigError for a value of another kind. */
export function withCustomObjects<R>(options: ConfigOptions | undefined, run: () => R): R {
  const { customObjects = {} } = checkOptions(options, { customObjects: 1 });
  if (!isPlain(customObjects)) refuse('customObjects', 'an object: { Name: Class }', customObjects);
  const makers = new Map<string, Maker>();
  for (const [name, object] of Object.entries(customObjects)) {
    if (object instanceof Layer) makers.set(name, () => object);
    else if (isLayerClass(object)) makers.set(name, (config) => object.fromConfig(config));
    else if (typeof object !== 'function') {
      throw new ConfigError(
        `customObjects.${name} is ${describe(object)}; pass a class that extends Layer, a layer or a function`,
      );
    }
  }
  return withFunctions(customObjects, () => withMakers(makers, run));
}
