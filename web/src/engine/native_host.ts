// SPDX-License-Identifier: MIT
// Declares the calls from the core to JavaScript: custom layers and warnings. layers/host.ts
// implements them.
import type { ConfigValue } from './config_value.js';
import type {
  NativeArgs,
  NativeDType,
  NativeLayer,
  NativeResult,
  NativeShape,
  NativeTensor,
} from './native.js';

/**
 * Functions that the core calls. Each catches errors of user code, keeps the error and returns null
 * in place of its result. The core then fails with kind 7, and `unwrap` throws the kept error. A
 * host function owns the tensors that it receives; the core owns those that it returns. Layers are
 * owned by their objects.
 */
export interface NativeHost {
  warn(message: string): undefined | null;
  /**
   * `isTrial`: whether the call only finds the shape of its result; `madeUp`: whether it runs on
   * made-up lengths then.
   */
  call(id: NativeLayer, args: NativeArgs, madeUp: boolean, isTrial: boolean): NativeResult | null;
  /** Calls a function that is an activation or a constraint. */
  applyFunction(id: string, x: NativeTensor): NativeTensor | null;
  /** Calls a function that is an initializer. */
  createByFunction(id: string, shape: NativeShape, dtype: NativeDType): NativeTensor | null;
  computeMask(
    id: NativeLayer,
    inputs: NativeTensor[],
    list: boolean,
    masks: (NativeTensor | null)[],
  ): (NativeTensor | null)[] | null;
  /** Undefined if the class does not override it; the core then infers the shapes. */
  computeOutputShape(
    id: NativeLayer,
    shapes: NativeShape[],
    list: boolean,
  ): NativeShape[] | null | undefined;
  build(id: NativeLayer, shapes: NativeShape[], list: boolean): true | null;
  /**
   * Shapes of the states and of the output of one row, for a recurrent cell, which is a layer with
   * `stateSize`; undefined for other layers.
   */
  cellSizes(id: NativeLayer): { states: number[][]; output: number[] } | null | undefined;
  /** States in which a sequence begins; none if the class has no `getInitialState`. */
  initialState(id: NativeLayer, rows: number): NativeTensor[] | null;
  /** Whether a layer inside is not built, or one may be that no property shows. */
  mayLackWeights(id: NativeLayer): boolean | null;
  /**
   * Warns that `call` failed when it ran to build the layers inside, if one is still not built. The
   * reason is '' if user code threw.
   */
  cannotTry(id: NativeLayer, reason: string): true | null;
  /** Layers that are properties, in the order of assignment. */
  sublayers(id: NativeLayer): NativeLayer[] | null;
  getConfig(id: NativeLayer): ConfigValue | null;
  /**
   * Creates layers of a JavaScript class from configs; undefined if the core has the class, or
   * neither.
   */
  maker(
    about: {
      [key in 'class_name' | 'module' | 'registered_name' | 'name']?: ConfigValue;
    },
  ): ((config: ConfigValue) => NativeLayer | null) | null | undefined;
  /** 'Package>Name' of the layer's class, or null if it is not registered. */
  registeredName(id: NativeLayer): string | null;
}
