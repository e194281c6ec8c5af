// SPDX-License-Identifier: MIT
// Runs user code for the core: methods of custom layers and cells, and warnings. It implements
// engine/native_host.ts.
import { runningIn } from './adopted.js';
import { newerThan, objectById } from './layer_objects.js';
import { elementCount } from '../base/array.js';
import { ignorePromises, checkFunction, describe, isPlain } from '../base/check.js';
import {
  isCurrent,
  isReady,
  keepUserError,
  native,
  unwrap,
  unwrapHandle,
  userError,
} from '../engine/engine.js';
import {
  ConfigError,
  inLayer,
  type MaskflowError,
  ShapeError,
  StateError,
  ValueError,
} from '../base/errors.js';
import { warn } from '../base/visible.js';
import { functionResult } from './function_result.js';
import type { Layer } from './layer.js';
import { inOrder, leaves } from './args.js';
import { toCamel } from '../base/names.js';
import type {
  NativeArgs,
  NativeLayer,
  NativeResult,
  NativeShape,
  NativeTensor,
} from '../engine/native.js';
import type { NativeHost } from '../engine/native_host.js';
import { checkWork } from '../engine/interrupt.js';
import { type ConfigValue, checkDepth } from '../engine/config_value.js';
import { limitDepth, nameOf, tryOut } from './user_code.js';
import { completeMade, type Maker, makerOf, registeredNameOf } from './registry.js';
import { takesObject, usesMask } from './uses_mask.js';
import { freeVariables } from './variable.js';
import { tidy } from '../tensor/tidy.js';
import { dtypes } from '../tensor/elements.js';
import { isWeight, Tensor, wrapTensor } from '../tensor/tensor.js';

/**
 * Runs a callback of the core. An error of user code is kept, and the outermost call throws it
 * again. If the wasm instance has died meanwhile, the error is thrown through all its frames.
 */
function catchErrors<T>(f: () => T): T | null {
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

/** Runs user code for the core; returns null if it throws. */
export const guard = <T>(f: () => T): T | null => catchErrors(() => limitDepth(f));

/**
 * Runs user code with tensors of the core.
 *
 * @param wrap Creates the objects of the tensors. It runs first, so that they are always freed.
 */
const guardTensors = <Args, T>(wrap: () => Args, f: (args: Args) => T): T | null =>
  catchErrors(() =>
    tidy(() => {
      const args = wrap();
      return limitDepth(() => f(args));
    }),
  );

const isBuilt = (id: NativeLayer): boolean => unwrap(native().layerInfo(id)).built;
const isHeld = (id: NativeLayer): boolean => unwrap(native().layerIsHeld(id));

function findLayer(id: NativeLayer): Layer {
  const layer = objectById<Layer>(id);
  if (!layer)
    throw new StateError(
      'a custom layer of this model is gone; keep a reference to it or to the model',
    );
  return layer;
}

// The core passes the keys of a dictionary of inputs to `call`, but not to `computeMask` after it.
const lastKeys = new WeakMap<Layer, string[]>();

const keyed = <T>(keys: string[], values: readonly T[]): { [key: string]: T } =>
  Object.fromEntries(keys.map((key, i) => [key, values[i] as T]));

const wrap = (handle: NativeTensor | null): Tensor | null => (handle ? wrapTensor(handle) : null);

function structure(args: NativeArgs): unknown {
  const tensors = args.inputs.map((handle) => wrapTensor(handle));
  if (args.keys.length > 0) return keyed(args.keys, tensors);
  return args.list ? tensors : tensors[0];
}

// Classes with a warning that their code reads a mask without declaring it.
const warnedClasses = new WeakSet<object>();

/** Returns `options.mask` for a class that does not declare that it uses masks, with a warning. */
function undeclaredMask(layer: Layer, inputs: unknown): unknown {
  const Class = layer.constructor as typeof Layer;
  if (Class.usesMask === false || usesMask(layer, layer.call)) return null;
  const masks = [inputs].flat().map((x) => (x instanceof Tensor ? x.mask : null));
  if (masks.every((mask) => mask === null)) return null;
  if (!warnedClasses.has(Class)) {
    warnedClasses.add(Class);
    warn(
      `call() of ${layer.className} reads options.mask, but its parameter list does not name it; declare static usesMask = true in the class`,
    );
  }
  return Array.isArray(inputs) ? masks : masks[0];
}

/** Converts the arguments of a call to the inputs and options of `call`. */
function callArguments(args: NativeArgs): {
  inputs: unknown;
  options: { [name: string]: unknown };
} {
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

// Results are shared: the core frees its handles, the scope frees the tensors.
const share = ({ handle }: Tensor): NativeTensor => unwrapHandle(native()._tensor_share(handle));

/** Shares all items. If one cannot be shared, it frees the others and throws. */
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

function handleOf(value: unknown, layer: Layer, method = 'call'): NativeTensor {
  // As in Keras, a call may return a weight.
  if (isWeight(value)) return share(value.value);
  if (!(value instanceof Tensor)) {
    throw new ShapeError(
      `${method}() of ${layer.className} '${layer.name}' must return tensors, but returned ${nameOf(value)}`,
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

function makeLayer(make: Maker, config: ConfigValue): NativeLayer {
  const layer = make(config as object) as Layer | undefined;
  if (layer?.handle) {
    completeMade(layer);
    return layer.handle;
  }
  throw new ConfigError(
    `the function that creates '${(config as { name?: string })?.name ?? 'a class'}' must return a layer, but returned ${nameOf(layer)}`,
  );
}

/** Converts one shape or a list of shapes to a list for the core. */
function shapesOf(value: unknown, layer: Layer): NativeShape[] {
  const list = Array.isArray(value) && Array.isArray(value[0]) ? value : [value];
  return list.map((shape: unknown) => {
    const dims = Array.isArray(shape) ? shape.map((dim) => dim ?? null) : [-1];
    if (dims.every((dim) => dim === null || (Number.isInteger(dim) && dim >= 0))) return dims;
    throw new ShapeError(
      `computeOutputShape() of ${layer.className} '${layer.name}' must return a shape or a list of shapes, but returned ${nameOf(value)}`,
    );
  });
}

const tried = new WeakSet<MaskflowError>();

/** Runs `call` of a layer. `madeUp`: whether it runs on made-up lengths. */
function inCall<T>(layer: Layer, madeUp: boolean, code: () => T): T {
  return inLayer(layer.name, () => {
    try {
      return runningIn(layer, 'call', code);
    } catch (error) {
      const isOfSizes = error instanceof ShapeError || error instanceof ValueError;
      if (madeUp && isOfSizes && !tried.has(error)) {
        tried.add(error);
        error.message += `; call() ran on made-up lengths to find the shape of its result: if it works on real ones, write computeOutputShape(inputShape) in the class`;
      }
      throw error;
    }
  });
}

/** Returns a size as a shape. */
const sizesOf = (size: unknown): number[] => [size].flat() as number[];

/** Returns the shapes of the states: one number is one state, and a list has one item for each. */
const statesOf = (size: unknown): number[][] => [size].flat().map(sizesOf);

/** Shares the states in which a cell begins, after a check of their number and sizes. */
function sharedStates(states: unknown[], rows: number, layer: Layer): NativeTensor[] {
  const shapes = statesOf(layer.stateSize);
  const subject = `getInitialState() of cell '${layer.name}' returned`;
  if (states.length !== shapes.length) {
    throw new ValueError(
      `${subject} ${states.length} tensors, but stateSize declares ${shapes.length}`,
    );
  }
  return shareAll([...states.entries()], ([i, state]) => {
    const tensor = isWeight(state) ? state.value : state;
    const expected = [rows, ...(shapes[i] as number[])];
    if (tensor instanceof Tensor) {
      const { shape, size } = tensor;
      if (shape[0] !== rows || size !== elementCount(expected)) {
        throw new ShapeError(
          `${subject} shape (${shape.join(', ')}) instead of (${expected.join(', ')}), (rows, size); check stateSize`,
        );
      }
    }
    return handleOf(tensor, layer, 'getInitialState');
  });
}

/** True for a layer with weights; not for a Proxy or for an object that only inherits from one. */
function isAlive(layer: Layer): boolean {
  try {
    return !layer.isDisposed;
  } catch {
    return false;
  }
}

/** The layers of a custom layer that are not disposed of. */
function layersInside(id: NativeLayer): Layer[] {
  const inside = objectById<Layer>(id)?.ownLayers().filter(isAlive) ?? [];
  // The core asks for the weights of these layers next.
  for (const layer of inside) if (layer.isCustom) freeVariables.supplied?.attach(layer);
  return inside;
}

const lacksWeights = (id: NativeLayer): boolean => layersInside(id).some(({ built }) => !built);

/** Functions that the core calls. */
export const host: NativeHost = {
  warn(message) {
    return guard(() => {
      warn(message);
      return undefined;
    });
  },

  call(id, args, madeUp, isTrial) {
    return guardTensors(
      () => callArguments(args),
      ({ inputs, options }) => {
        const layer = findLayer(id);
        freeVariables.supplied?.attach(layer);
        return inCall(layer, madeUp, () => {
          checkFunction(layer.call, 'call', layer);
          if (options['mask'] === null) {
            // The property is not enumerable, so that spreading does not copy it: layers inside
            // find the mask on their inputs.
            const get = () => undeclaredMask(layer, inputs);
            Object.defineProperty(options, 'mask', { get, enumerable: false });
          }
          const call = () => layer.call(inputs as never, options as never);
          const result = isTrial ? tryOut(call) : call();
          // Set after the call, because user code may have called the same layer with other keys.
          lastKeys.set(layer, args.keys);
          return toResult(result, layer);
        });
      },
    );
  },

  applyFunction(id, x) {
    return guardTensors(
      () => wrapTensor(x),
      (input) => share(functionResult(id, input)),
    );
  },

  createByFunction(id, shape, dtype) {
    return guardTensors(
      () => null,
      () => share(functionResult(id, shape, { dtype: dtypes[dtype] })),
    );
  },

  computeMask(id, inputs, list, masks) {
    return guardTensors(
      () => ({ tensors: inputs.map((handle) => wrapTensor(handle)), masks: masks.map(wrap) }),
      (args) => {
        const layer = findLayer(id);
        const keys = lastKeys.get(layer) ?? [];
        const structured = <T>(items: T[]) =>
          keys.length > 0 ? keyed(keys, items) : list ? items : items[0];
        const mask = structured(args.masks) ?? null;
        checkFunction(layer.computeMask, 'computeMask', layer);
        return masksOf(layer.computeMask(structured(args.tensors) as never, mask as never), layer);
      },
    );
  },

  computeOutputShape(id, shapes, list) {
    return guard(() => {
      const layer = findLayer(id);
      freeVariables.supplied?.attach(layer);
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
      tidy(() => findLayer(id).runBuild(list ? shapes : (shapes[0] as (number | null)[])));
      return true as const;
    });
  },

  cellSizes(id) {
    return guard(() => {
      // The core also asks before the object exists; then the layer does not count as a cell.
      const { stateSize, outputSize } = objectById<Layer>(id) ?? {};
      if (stateSize === undefined) return undefined;
      const states = statesOf(stateSize);
      const output = outputSize === undefined ? (states[0] ?? []) : sizesOf(outputSize);
      for (const size of [...states.flat(), ...output]) {
        if (Number.isInteger(size) && size > 0) continue;
        throw new ConfigError(
          `stateSize and outputSize must be whole numbers above 0, or lists of them, not ${typeof size === 'number' ? size : describe(size)}`,
        );
      }
      return { states, output };
    });
  },

  initialState(id, rows) {
    return catchErrors(() =>
      tidy(() => {
        const layer = findLayer(id);
        const { getInitialState } = layer;
        if (getInitialState === undefined) return [];
        checkFunction(getInitialState, 'getInitialState', layer);
        // The batch size is an argument, or the property of one: getInitialState({ batchSize }).
        const argument = takesObject(getInitialState) ? { batchSize: rows } : rows;
        const start = () => getInitialState.call(layer, argument as never);
        const states = inLayer(layer.name, () => limitDepth(() => runningIn(layer, 'call', start)));
        return sharedStates([states].flat(), rows, layer);
      }),
    );
  },

  mayLackWeights(id) {
    return guard(
      () => lacksWeights(id) || newerThan(id).some((other) => !isBuilt(other) && !isHeld(other)),
    );
  },

  cannotTry(id, reason) {
    return guard(() => {
      const cause = reason || String((userError() as Error | undefined)?.message);
      if (lacksWeights(id)) {
        warn(
          `'${findLayer(id).name}' has layers without weights until its first call, because call() failed on made-up sizes: ${cause}; build them in build(inputShape) of the class`,
        );
      }
      return true as const;
    });
  },

  sublayers(id) {
    return guard(() => layersInside(id).map((layer) => layer.handle));
  },

  getConfig(id) {
    return guard(() => {
      const layer = findLayer(id);
      checkFunction(layer.getConfig, 'getConfig', layer);
      return checkDepth(layer.getConfig(), 'the result of getConfig()') as ConfigValue;
    });
  },

  maker(about) {
    return guard(() => {
      checkWork();
      const make = makerOf(about);
      return make && ((config) => guard(() => makeLayer(make, config)));
    });
  },

  registeredName(id) {
    const layer = objectById<Layer>(id);
    return layer ? registeredNameOf(layer) : null;
  },
};

// Returns the method of the base class Layer, the last of the prototype chain that has one. host.ts
// cannot import layer.ts, which imports host.ts.
function baseComputeOutputShape(layer: Layer): unknown {
  let method: unknown;
  for (
    let next: Partial<Layer> = layer;
    next.computeOutputShape;
    next = Object.getPrototypeOf(next)
  ) {
    method = next.computeOutputShape;
  }
  return method;
}
