// SPDX-License-Identifier: MIT
// The `customObjects` of `loadModel` as makers of layers. Lists of functions are for
// function_ops.ts.
import { ConfigError } from '../../base/errors.js';
import { Lambda, type LambdaConfig } from '../../layers/lambda.js';
import { Layer } from '../../layers/layer.js';
import type { Maker } from '../../layers/registry.js';
import type { CustomObject } from '../../model/load_options.js';
import { tensor } from '../../tensor/tensor.js';

/**
 * For each name in `customObjects`, a function that creates its layer. Throws ConfigError for a
 * value that is not a class, layer or function.
 */
export function makersOf(objects: Objects): Map<string, Maker> {
  return new Map(
    Object.entries(objects)
      // Lists are functions of operations.
      .filter(([, object]) => !Array.isArray(object))
      .map(([name, object]) => [name, makerOf(name, object, objects)]),
  );
}

type Objects = { readonly [name: string]: CustomObject };

function makerOf(name: string, object: CustomObject, objects: Objects): Maker {
  if (object instanceof Layer) return () => object;
  if (typeof object === 'object' && object !== null && 'className' in object) {
    return () => {
      throw new ConfigError(`customObjects.${name} is a layer for text, but '${name}' is not`);
    };
  }
  if (typeof object !== 'function') {
    throw new ConfigError(
      `customObjects.${name} is ${typeof object}; pass a class that extends Layer, a layer or a function`,
    );
  }
  if (isLayerClass(object)) return (config) => object.fromConfig(config);
  return (config) => {
    const { name: layer, mask } = config as { name?: unknown; mask?: unknown };
    const nameOption = typeof layer === 'string' ? { name: layer } : {};
    return new Lambda({
      ...nameOption,
      ...maskOption(layer, mask, objects),
      function: object as never,
    });
  };
}

/** The `mask` option of a Lambda in a file: a constant, or the function of this name. */
function maskOption(layer: unknown, mask: unknown, objects: Objects): Pick<LambdaConfig, 'mask'> {
  if (mask === undefined || mask === null) return {};
  const { class_name: kind, config } = mask as { class_name?: unknown; config?: unknown };
  if (kind === '__tensor__' || kind === '__numpy__') {
    const { value } = config as { value: boolean[][] };
    return { mask: tensor(value, { dtype: 'bool' }) };
  }
  const rule =
    kind === 'function' && Object.hasOwn(objects, String(config)) && objects[String(config)];
  if (typeof rule === 'function') return { mask: rule as never };
  const alternative =
    typeof config === 'string' ? `, or customObjects: { '${config}': (inputs, mask) => … }` : '';
  throw new ConfigError(
    `the Lambda '${String(layer)}' computes its own mask, which a function alone would lose; pass customObjects: { '${String(layer)}': layers.lambda({ function, mask }) }${alternative}`,
    'ERR_CUSTOM_OBJECTS',
  );
}

const isLayerClass = (value: unknown): value is { fromConfig(config: object): Layer } =>
  (value as { prototype?: unknown }).prototype instanceof Layer;
