// SPDX-License-Identifier: MIT
import { errorOf, StateError, ValueError } from '../base/errors.js';
import type { NativeModule } from './native.js';

let module: NativeModule | undefined;
let death: { of: string; cause: unknown } | undefined;
let pending: { error: unknown } | undefined;

const kCallback = 7;

/** The wasm module; a StateError before `ready()` has finished, and after a trap. */
export function native(): NativeModule {
  if (!module) throw absent();
  return module;
}

function absent(): StateError {
  if (!death) return new StateError('maskflow is not ready: call `await ready()` first');
  const error = new StateError(
    `the wasm instance is dead: ${death.of}; call \`await restart()\`, then make and load models, layers and tensors anew`,
  );
  error.cause = death.cause;
  return error;
}

/** What the instance died of, unless it lives. */
export function causeOfDeath(): string | undefined {
  return death?.of;
}

export function isReady(): boolean {
  return module !== undefined;
}

/** The one instance that runs from now on; what belongs to another one is of no use any more. */
export function setNative(loaded: NativeModule): void {
  module = watched(loaded);
  pending = death = undefined;
}

export function isCurrent(owner: NativeModule): boolean {
  return module === owner;
}

/** StateError for what belongs to an instance that is gone. */
export function checkOwner(owner: NativeModule, what: string): void {
  if (native() !== owner) {
    throw new StateError(`this ${what} was made before restart(); make or load it anew`);
  }
}

/**
 * Past these nothing is known of the memory: wasm was left in the middle of something. (The core catches all it throws:
 * of an exception that gets here the engine skipped what it unwinds. WebKit does so now and then, see docs/errors.md.)
 */
function isTrap(error: unknown): boolean {
  if (error instanceof WebAssembly.RuntimeError) return true;
  if (Object.prototype.toString.call(error) === '[object WebAssembly.Exception]') return true;
  // The engine's own stack, in its various words. (No regular expression: compiling one on a full stack ends Node.)
  const { name, message } = (error ?? {}) as Error;
  const full = name === 'RangeError' || name === 'InternalError';
  return full && (message.includes('stack') || message.includes('recursion'));
}

/**
 * The functions of an instance, which dies of a trap. (Those of which every prediction calls several are written out:
 * that costs nothing that can be measured.)
 */
function watched(loaded: NativeModule): NativeModule {
  const caught = (error: unknown): unknown => {
    if (isTrap(error)) {
      if (module === living) {
        module = undefined;
        death = { of: `a call ended in '${error}'`, cause: error };
      }
      return absent();
    }
    const { name, message } = (error ?? {}) as Error;
    return name === 'BindingError' ? new ValueError(`an argument does not fit: ${message}`) : error;
  };
  const functions: { [name: string]: unknown } = {};
  for (const [name, value] of Object.entries(loaded)) {
    if (typeof value !== 'function') continue;
    functions[name] = (...given: unknown[]) => {
      try {
        // (Looked up at each call: the glue puts the wasm's own functions there at the first one.)
        return (loaded as never as { [name: string]: (...given: unknown[]) => unknown })[name]?.(
          ...given,
        );
      } catch (error) {
        throw caught(error);
      }
    };
  }
  const bare: Partial<NativeModule> = {
    _tensor_make() {
      try {
        return loaded._tensor_make();
      } catch (error) {
        throw caught(error);
      }
    },
    _tensor_free(tensor) {
      try {
        loaded._tensor_free(tensor);
      } catch (error) {
        throw caught(error);
      }
    },
    _predict_one_at(model, input, batchSize) {
      try {
        return loaded._predict_one_at(model, input, batchSize);
      } catch (error) {
        throw caught(error);
      }
    },
  };
  const living: NativeModule = Object.assign(Object.create(loaded), functions, bare);
  return living;
}

/**
 * Gives back what the garbage collector finds. Of an instance that is gone there is nothing to give back, and in a
 * finalizer nobody hears of an error, but it ends a Node program. Some engines (workerd's) have no finalizers by default.
 */
export class Finalizer<T> {
  readonly #free: (held: T, module: NativeModule) => void;
  #owner: NativeModule | undefined;
  #registry: FinalizationRegistry<T> | undefined;

  constructor(free: (held: T, module: NativeModule) => void) {
    this.#free = free;
  }

  register(target: object, held: T): void {
    const owner = native();
    if (this.#owner !== owner) {
      this.#owner = owner;
      this.#registry =
        typeof FinalizationRegistry === 'undefined'
          ? undefined
          : new FinalizationRegistry((found) => {
              try {
                if (isCurrent(owner)) this.#free(found, owner);
              } catch {}
            });
    }
    this.#registry?.register(target, held, target);
  }

  unregister(target: object): void {
    this.#registry?.unregister(target);
  }
}

/**
 * Keeps what user code threw inside a callback, so that `unwrap` can throw that very object. The last one
 * counts: the core may have gone on after an earlier one.
 */
export function keepUserError(error: unknown): void {
  pending = { error };
}

/** The result of a guarded call, or the error that the core reports. */
export function unwrap<T>(result: T | undefined): T {
  if (result !== undefined) return result;
  throw reported();
}

/** The same for what is called bare: 0 in place of a handle. */
export function unwrapHandle<T extends number>(handle: T | 0): T {
  if (handle !== 0) return handle;
  throw reported();
}

function reported(): unknown {
  const { kind, message } = native().lastError();
  const user = pending;
  pending = undefined;
  return kind === kCallback && user ? user.error : errorOf(kind, message);
}
