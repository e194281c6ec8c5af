// SPDX-License-Identifier: MIT
import { ConfigError } from '../../base/errors.js';
import { Lambda, type LambdaConfig } from '../../layers/lambda.js';
import { Layer } from '../../layers/layer.js';
import type { Maker } from '../../layers/registry.js';
import type { CustomObject } from '../../model/load_options.js';
import { tensor } from '../../tensor/tensor.js';

/** How to make the layer that each name stands for. ConfigError for what is neither class, layer nor function. */
export function makersOf(objects: Objects): Map<string, Maker> {
  return new Map(
    Object.entries(objects).map(([name, object]) => [name, makerOf(name, object, objects)]),
  );
}

type Objects = { readonly [name: string]: CustomObject };

function makerOf(name: string, object: CustomObject, objects: Objects): Maker {
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
    const { name: layer, mask } = config as { name?: unknown; mask?: unknown };
    const named = typeof layer === 'string' ? { name: layer } : {};
    return new Lambda({ ...named, ...maskRule(layer, mask, objects), function: object as never });
  };
}

/** The mask rule of a Lambda in a file: a constant, or the function of that name. */
function maskRule(layer: unknown, mask: unknown, objects: Objects): Pick<LambdaConfig, 'mask'> {
  if (mask === undefined || mask === null) return {};
  const { class_name: kind, config } = mask as { class_name?: unknown; config?: unknown };
  if (kind === '__tensor__' || kind === '__numpy__') {
    const { value } = config as { value: boolean[][] };
    return { mask: tensor(value, { dtype: 'bool' }) };
  }
  const rule =
    kind === 'function' && Object.hasOwn(objects, String(config)) && objects[String(config)];
  if (typeof rule === 'function') return { mask: rule as never };
  const named =
    typeof config === 'string' ? `, or customObjects: { '${config}': (inputs, mask) => … }` : '';
  throw new ConfigError(
    `the Lambda '${String(layer)}' has a rule for its mask, which a function in its place would lose; pass customObjects: { '${String(layer)}': layers.lambda({ function, mask }) }${named}`,
  );
}

const isLayerClass = (value: unknown): value is { fromConfig(config: object): Layer } =>
  (value as { prototype?: unknown }).prototype instanceof Layer;
