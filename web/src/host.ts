// SPDX-License-Identifier: MIT
import { keepUserError } from './engine.js';
import { ConfigError, ShapeError, StateError } from './errors.js';
import type { Layer } from './layer.js';
import { toCamel } from './names.js';
import type { NativeArgs, NativeHost, NativeResult, NativeTensor, Plain } from './native.js';
import { findCustom, layerById, registeredNameOf } from './registry.js';
import { tidy } from './scope.js';
import { Tensor } from './tensor.js';

// The core calls these. What user code throws is kept and thrown again by the outermost call.
function guard<T>(f: () => T): T | null {
  try {
    return f();
  } catch (error) {
    keepUserError(error);
    return null;
  }
}

function find(id: number): Layer {
  const layer = layerById(id);
  if (!layer)
    throw new StateError(
      'a custom layer of this model is gone; keep a reference to it or to the model',
    );
  return layer;
}

const wrap = (handle: NativeTensor | null): Tensor | null => (handle ? new Tensor(handle) : null);

function structure(args: NativeArgs): unknown {
  const tensors = args.inputs.map((handle) => new Tensor(handle));
  if (args.keys.length > 0) return Object.fromEntries(args.keys.map((key, i) => [key, tensors[i]]));
  return args.list ? tensors : tensors[0];
}

function callOptions(args: NativeArgs): object {
  const masks = args.mask?.map(wrap) ?? null;
  const options: { [name: string]: unknown } = {
    mask: masks && (args.list ? masks : masks[0]),
    training: args.training,
  };
  for (const { name, values, list } of args.tensors) {
    const tensors = values.map((handle) => new Tensor(handle));
    options[toCamel(name)] = list ? tensors : tensors[0];
  }
  for (const [name, value] of Object.entries(args.options)) options[toCamel(name)] = value;
  return options;
}

// Results are cloned: the core frees its handles, the scope frees the tensors.
function handleOf(value: unknown, layer: Layer): NativeTensor {
  if (!(value instanceof Tensor)) {
    const what = value === undefined ? 'nothing' : typeof value;
    throw new ShapeError(
      `call() of ${layer.className} '${layer.name}' must return tensors, but returned ${what}`,
    );
  }
  return value.handle.clone();
}

function toResult(value: unknown, layer: Layer): NativeResult {
  if (Array.isArray(value)) {
    return { outputs: value.map((item) => handleOf(item, layer)), list: true, keys: [] };
  }
  if (value instanceof Tensor || typeof value !== 'object' || value === null) {
    return { outputs: [handleOf(value, layer)], list: false, keys: [] };
  }
  const entries = Object.entries(value);
  return {
    outputs: entries.map(([, item]) => handleOf(item, layer)),
    list: false,
    keys: entries.map(([key]) => key),
  };
}

export const host: NativeHost = {
  warn(message) {
    console.warn(`maskflow: ${message}`);
  },

  call(id, args) {
    return guard(() =>
      tidy(() => {
        const layer = find(id);
        const inputs = structure(args);
        return toResult(layer.call(inputs as never, callOptions(args) as never), layer);
      }),
    );
  },

  computeMask(id, inputs, list, masks) {
    return guard(() =>
      tidy(() => {
        const layer = find(id);
        const tensors = inputs.map((handle) => new Tensor(handle));
        const wrapped = masks.map(wrap);
        const result = layer.computeMask(
          list ? tensors : (tensors[0] as Tensor),
          list ? wrapped : (wrapped[0] ?? null),
        ) as Tensor | null | (Tensor | null)[];
        const results = Array.isArray(result) ? result : [result];
        return results.map((mask) => mask?.handle.clone() ?? null);
      }),
    );
  },

  computeOutputShape(id, shapes, list) {
    return guard(() => {
      const layer = find(id);
      const overridden = layer.computeOutputShape as unknown as ((shape: unknown) => unknown) & {
        native?: boolean;
      };
      if (overridden === baseComputeOutputShape(layer)) return undefined;
      const result = overridden.call(layer, list ? shapes : shapes[0]) as
        | (number | null)[]
        | (number | null)[][];
      return (Array.isArray(result[0]) ? result : [result]) as (number | null)[][];
    });
  },

  build(id, shapes, list) {
    return guard(() => {
      tidy(() => find(id).runBuild(list ? shapes : (shapes[0] as (number | null)[])));
      return true as const;
    });
  },

  sublayers(id) {
    return guard(
      () =>
        layerById(id)
          ?.ownLayers()
          .map((layer) => layer.handle.clone()) ?? [],
    );
  },

  getConfig(id) {
    return guard(() => find(id).getConfig() as Plain);
  },

  create(className, registeredName, config) {
    const Class = findCustom(className, registeredName);
    if (!Class) return undefined;
    return guard(() => {
      const make = Class.fromConfig;
      if (!make) throw new ConfigError(`the registered class '${className}' has no fromConfig`);
      return make.call(Class, config as object).handle.clone();
    });
  },

  registeredName(id) {
    const layer = layerById(id);
    return layer ? registeredNameOf(layer) : null;
  },
};

// The method of the base class Layer, found at the end of the prototype chain: host.ts may not import
// layer.ts, which imports it in turn.
function baseComputeOutputShape(layer: Layer): unknown {
  let base: object = layer;
  for (
    let next = Object.getPrototypeOf(base);
    next && next !== Object.prototype;
    next = Object.getPrototypeOf(next)
  ) {
    base = next;
  }
  return (base as Layer).computeOutputShape;
}
