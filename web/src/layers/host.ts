// SPDX-License-Identifier: MIT
import { objectById } from './layer_objects.js';
import { ignorePromises, ignorePromise, checkFunction, describe, isPlain } from '../base/check.js';
import { isCurrent, isReady, keepUserError, native, unwrapHandle } from '../engine/engine.js';
import { ConfigError, inLayer, ShapeError, StateError, ValueError } from '../base/errors.js';
import { warn } from '../base/visible.js';
import type { Layer } from './layer.js';
import { inOrder, leaves } from './args.js';
import { toCamel } from '../base/names.js';
import type {
  NativeArgs,
  NativeHost,
  NativeLayer,
  NativeResult,
  NativeShape,
  NativeTensor,
} from '../engine/native.js';
import { type ConfigValue, checkDepth } from '../engine/config_value.js';
import { type Maker, makerOf, registeredNameOf } from './registry.js';
import { tidy } from '../tensor/tidy.js';
import { Tensor, wrapTensor } from '../tensor/tensor.js';

// User code that calls back into the core would exhaust its stack, from which there is no way back.
const kDeepest = 60;
let depth = 0;

/**
 * The core calls these. What user code throws is kept and thrown again by the outermost call. Where the instance died
 * meanwhile, the error itself leaves all that runs in it.
 */
function caught<T>(f: () => T): T | null {
  try {
    const result = f();
    native();
    return result;
  } catch (error) {
    if (!isReady()) throw error;
    keepUserError(error);
    return null;
  }
}

function deeper<T>(f: () => T): T {
  try {
    if (++depth > kDeepest) {
      throw new StateError(
        `code of layers calls other code more than ${kDeepest} deep; does it call itself?`,
      );
    }
    return f();
  } finally {
    depth--;
  }
}

let said: Set<string> | undefined;

/** Runs what calls the core; of its warnings those that are in `warned` are not said again. */
export function warningOnce<T>(warned: Set<string>, f: () => T): T {
  const outer = said;
  said = warned;
  try {
    return f();
  } finally {
    said = outer;
  }
}

/** A function of the user's for the core to call. */
export const guard = <T>(f: () => T): T | null => caught(() => deeper(f));

/** `take` makes objects of the tensors that the core hands over; first of all, so that they are freed whatever happens. */
const guardTensors = <Given, T>(take: () => Given, f: (given: Given) => T): T | null =>
  caught(() =>
    tidy(() => {
      const given = take();
      return deeper(() => f(given));
    }),
  );

function find(id: NativeLayer): Layer {
  const layer = objectById<Layer>(id);
  if (!layer)
    throw new StateError(
      'a custom layer of this model is gone; keep a reference to it or to the model',
    );
  return layer;
}

// The core tells the keys of a dictionary of inputs when it calls, not when it asks for the mask afterwards.
const lastKeys = new WeakMap<Layer, string[]>();

const keyed = <T>(keys: string[], values: readonly T[]): { [key: string]: T } =>
  Object.fromEntries(keys.map((key, i) => [key, values[i] as T]));

const wrap = (handle: NativeTensor | null): Tensor | null => (handle ? wrapTensor(handle) : null);

function structure(args: NativeArgs): unknown {
  const tensors = args.inputs.map((handle) => wrapTensor(handle));
  if (args.keys.length > 0) return keyed(args.keys, tensors);
  return args.list ? tensors : tensors[0];
}

// Classes whose code was given a mask that they do not say they use.
const told = new WeakSet<object>();

/** What `options.mask` is where the text of `call` has no such word: a helper may ask for it all the same. */
function unannounced(layer: Layer, inputs: unknown): unknown {
  const Class = layer.constructor as typeof Layer;
  if (Class.usesMask !== undefined || /\bmask\b/.test(String(layer.call))) return null;
  const masks = [inputs].flat().map((x) => (x instanceof Tensor ? x.mask : null));
  if (masks.every((mask) => mask === null)) return null;
  if (!told.has(Class)) {
    told.add(Class);
    warn(
      `call() of ${layer.className} hands its options on to code that asks for the mask; say so in the class, that it is known beforehand: static usesMask = true`,
    );
  }
  return Array.isArray(inputs) ? masks : masks[0];
}

/** All tensors of a call's arguments, as the code of a layer gets them. */
function given(args: NativeArgs): { inputs: unknown; options: { [name: string]: unknown } } {
  const inputs = structure(args);
  const masks = args.mask?.map(wrap) ?? null;
  const options: { [name: string]: unknown } = {
    mask: masks && (args.keys.length > 0 ? keyed(args.keys, masks) : args.list ? masks : masks[0]),
    training: args.training,
  };
  for (const { name, values, list } of args.tensors) {
    const tensors = values.map((handle) => wrapTensor(handle));
    options[toCamel(name)] = list ? tensors : tensors[0];
  }
  for (const [name, value] of Object.entries(args.options)) options[toCamel(name)] = value;
  return { inputs, options };
}

function nameOf(value: unknown): string {
  if (value === undefined) return 'nothing';
  if (ignorePromise(value)) return 'a Promise; it cannot be async';
  return Array.isArray(value) && value.length === 0 ? 'an empty list' : describe(value);
}

// Results are shared: the core frees its handles, the scope frees the tensors.
const share = ({ handle }: Tensor): NativeTensor => unwrapHandle(native()._tensor_share(handle));

/** Shares all or, where one of them cannot be, none. */
function shareAll<Item, Handle extends NativeTensor | null>(
  items: readonly Item[],
  handleOf: (item: Item) => Handle,
): Handle[] {
  const owner = native();
  const handles: Handle[] = [];
  try {
    for (const item of items) handles.push(handleOf(item));
  } catch (error) {
    for (const handle of handles) if (handle && isCurrent(owner)) owner._tensor_free(handle);
    ignorePromises(items);
    throw error;
  }
  return handles;
}

function handleOf(value: unknown, layer: Layer): NativeTensor {
  if (!(value instanceof Tensor)) {
    throw new ShapeError(
      `call() of ${layer.className} '${layer.name}' must return tensors, but returned ${nameOf(value)}`,
    );
  }
  return share(value);
}

function toResult(value: unknown, layer: Layer): NativeResult {
  const handles = (items: unknown[]) => shareAll(items, (item) => handleOf(item, layer));
  // A recurrent cell returns [output, [state, …]].
  if (Array.isArray(value) && value.length > 0)
    return { outputs: handles(value.flat()), list: true, keys: [] };
  if (!isPlain(value)) return { outputs: handles([value]), list: false, keys: [] };
  const items = leaves(value);
  return {
    outputs: handles(items.map(([, item]) => item)),
    list: false,
    keys: items.map(([key]) => key),
  };
}

function masksOf(value: unknown, layer: Layer): (NativeTensor | null)[] {
  const list = Array.isArray(value)
    ? value
    : isPlain(value)
      ? inOrder(value).map(([, mask]) => mask)
      : [value];
  return shareAll(list, (mask: unknown) => {
    if (mask === null || mask === undefined) return null;
    if (mask instanceof Tensor) return share(mask);
    throw new ValueError(
      `computeMask() of ${layer.className} '${layer.name}' must return a tensor, null or a list of them, but returned ${nameOf(mask)}`,
    );
  });
}

function madeBy(make: Maker, config: ConfigValue): NativeLayer {
  const made = make(config as object) as Layer | undefined;
  if (made?.handle) return made.handle;
  throw new ConfigError(
    `what makes a layer of '${(config as { name?: string })?.name ?? 'a class'}' must give one, but gave ${nameOf(made)}`,
  );
}

/** One shape or several, as the core takes them. */
function shapesOf(value: unknown, layer: Layer): NativeShape[] {
  const list = Array.isArray(value) && Array.isArray(value[0]) ? value : [value];
  return list.map((shape: unknown) => {
    const dims = Array.isArray(shape) ? shape.map((dim) => dim ?? null) : [-1];
    if (dims.every((dim) => dim === null || (Number.isInteger(dim) && dim >= 0))) return dims;
    throw new ShapeError(
      `computeOutputShape() of ${layer.className} '${layer.name}' must return a shape, a list of whole numbers (null where unknown), or a list of shapes, but returned ${nameOf(value)}`,
    );
  });
}

export const host: NativeHost = {
  warn(message) {
    return guard(() => {
      if (!said?.has(message)) warn(message);
      said?.add(message);
      return undefined;
    });
  },

  call(id, args) {
    return guardTensors(
      () => given(args),
      ({ inputs, options }) => {
        const layer = find(id);
        return inLayer(layer.name, () => {
          checkFunction(layer.call, 'call', layer);
          if (options['mask'] === null) {
            // Not handed on by spreading: layers inside find the mask on their inputs.
            const get = () => unannounced(layer, inputs);
            Object.defineProperty(options, 'mask', { get, enumerable: false });
          }
          const result = layer.call(inputs as never, options as never);
          // (Only now: the code may have called this very layer.)
          lastKeys.set(layer, args.keys);
          return toResult(result, layer);
        });
      },
    );
  },

  computeMask(id, inputs, list, masks) {
    return guardTensors(
      () => ({ tensors: inputs.map((handle) => wrapTensor(handle)), masks: masks.map(wrap) }),
      (given) => {
        const layer = find(id);
        const keys = lastKeys.get(layer) ?? [];
        const structured = <T>(items: T[]) =>
          keys.length > 0 ? keyed(keys, items) : list ? items : items[0];
        const mask = structured(given.masks) ?? null;
        checkFunction(layer.computeMask, 'computeMask', layer);
        return masksOf(layer.computeMask(structured(given.tensors) as never, mask as never), layer);
      },
    );
  },

  computeOutputShape(id, shapes, list) {
    return guard(() => {
      const layer = find(id);
      const overridden = layer.computeOutputShape as unknown as ((shape: unknown) => unknown) & {
        native?: boolean;
      };
      if (overridden === baseComputeOutputShape(layer)) return undefined;
      checkFunction(overridden, 'computeOutputShape', layer);
      return shapesOf(overridden.call(layer, list ? shapes : shapes[0]), layer);
    });
  },

  build(id, shapes, list) {
    return guard(() => {
      tidy(() => find(id).runBuild(list ? shapes : (shapes[0] as (number | null)[])));
      return true as const;
    });
  },

  cellSizes(id) {
    return guard(() => {
      // Asked of layers that are not made yet, too: no cells, then.
      const { stateSize, outputSize } = objectById<Layer>(id) ?? {};
      if (stateSize === undefined) return undefined;
      const states = [stateSize].flat();
      const output = outputSize ?? (states[0] as number);
      for (const size of [...states, output]) {
        if (Number.isInteger(size) && size > 0) continue;
        throw new ConfigError(
          `stateSize and outputSize are whole numbers above 0 (stateSize a list of them for several states), not ${typeof size === 'number' ? size : describe(size)}`,
        );
      }
      return { states, output };
    });
  },

  sublayers(id) {
    return guard(
      () =>
        objectById<Layer>(id)
          ?.ownLayers()
          .filter(({ isDisposed }) => !isDisposed)
          .map((layer) => layer.handle) ?? [],
    );
  },

  getConfig(id) {
    return guard(() => {
      const layer = find(id);
      checkFunction(layer.getConfig, 'getConfig', layer);
      return checkDepth(layer.getConfig(), 'the result of getConfig()') as ConfigValue;
    });
  },

  maker(about) {
    return guard(() => {
      const make = makerOf(about);
      return make && ((config) => guard(() => madeBy(make, config)));
    });
  },

  registeredName(id) {
    const layer = objectById<Layer>(id);
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
