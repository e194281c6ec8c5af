// SPDX-License-Identifier: MIT
import { ConfigError } from '../base/errors.js';
import { Lambda } from '../layers/lambda.js';
import { Layer } from '../layers/layer.js';
import type { Maker } from '../layers/registry.js';
import type { CustomObject } from '../model/load_options.js';

/** How to make the layer that each name stands for. ConfigError for what is neither class, layer nor function. */
export function makersOf(objects: { readonly [name: string]: CustomObject }): Map<string, Maker> {
  return new Map(Object.entries(objects).map(([name, object]) => [name, makerOf(name, object)]));
}

function makerOf(name: string, object: CustomObject): Maker {
  if (object instanceof Layer) return () => object;
  if (typeof object === 'object' && object !== null && 'getVocabulary' in object) {
    return () => {
      throw new ConfigError(`customObjects.${name} reads text, which '${name}' does not`);
    };
  }
  if (typeof object !== 'function') {
    throw new ConfigError(
      `customObjects.${name} is ${typeof object}; give a class that extends Layer, a layer, or a function`,
    );
  }
  if (isLayerClass(object)) return (config) => object.fromConfig(config);
  return (config) => {
    const layer = (config as { name?: unknown }).name;
    const named = typeof layer === 'string' ? { name: layer } : {};
    return new Lambda({ ...named, function: object as never });
  };
}

const isLayerClass = (value: unknown): value is { fromConfig(config: object): Layer } =>
  (value as { prototype?: unknown }).prototype instanceof Layer;
