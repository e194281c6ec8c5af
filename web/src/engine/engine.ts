// SPDX-License-Identifier: MIT
// The wasm instance that runs. Each call of the core goes through `native()` and `unwrap`, which
// turn failures of the core, errors of user code and traps into exceptions.
import { errorOf, StateError, ValueError } from '../base/errors.js';
import { tagOf } from '../base/tag.js';
import type { NativeModule } from './native.js';

let module: NativeModule | undefined;
let death: { reason: string; cause: unknown } | undefined;
let pending: { deref(): unknown } | undefined;

const kCallback = 7;

/** The wasm module. Throws StateError before `ready()` has finished and after a trap. */
export function native(): NativeModule {
  if (!module) throw absent();
  return module;
}

function absent(): StateError {
  if (!death)
    return new StateError('maskflow is not ready: call `await ready()` first', 'ERR_NOT_READY');
  const error = new StateError(
    `the wasm instance is dead: ${death.reason}; call \`await restart()\`, then create models, layers and tensors again`,
  );
  error.cause = death.cause;
  return error;
}

/** Why the instance died; undefined while it lives. */
export function causeOfDeath(): string | undefined {
  return death?.reason;
}

export function isReady(): boolean {
  return module !== undefined;
}

/** Returns whether `ready()` has ever finished, even if a trap has ended the instance since. */
export const hasStarted = (): boolean => isReady() || death !== undefined;

/**
 * Sets the instance that runs from now on. Objects of earlier instances cannot be used any more.
 */
export function setNative(loaded: NativeModule): void {
  module = withTraps(loaded);
  pending = death = undefined;
}

/** Ends the running instance: from now on, calls throw StateError. */
export function endInstance(reason: string, cause?: unknown): void {
  module = undefined;
  death = { reason, cause };
}

export function isCurrent(owner: NativeModule | undefined): owner is NativeModule {
  return module !== undefined && module === owner;
}

/** Throws StateError for an object of an earlier instance. */
export function checkOwner(owner: NativeModule | undefined, what: string): void {
  if (native() !== owner) {
    throw new StateError(`this ${what} was created before restart(); create or load it again`);
  }
}

/**
 * Returns whether this is an error after which the state of memory is undefined. The core catches
 * everything that it throws, so an exception that arrives here was not unwound. WebKit does so at
 * times: docs/errors.md.
 */
function isTrap(error: unknown): boolean {
  if (error instanceof WebAssembly.RuntimeError) return true;
  if (tagOf(error) === 'WebAssembly.Exception') return true;
  // A full stack, in the words of various engines. Node would end in compiling a regular
  // expression.
  const { name, message } = (error ?? {}) as Error;
  const isLimit = name === 'RangeError' || name === 'InternalError';
  return isLimit && (message.includes('stack') || message.includes('recursion'));
}

/**
 * Wraps the functions of an instance: a trap in one of them ends the instance. Functions that each
 * prediction calls several times are wrapped one by one, so that the check takes no measurable
 * time.
 */
function withTraps(loaded: NativeModule): NativeModule {
  const explain = (error: unknown): unknown => {
    if (isTrap(error)) {
      if (module === living) endInstance(`a call ended in '${error}'`, error);
      return absent();
    }
    const { name, message } = (error ?? {}) as Error;
    return name === 'BindingError'
      ? new ValueError(`an argument has the wrong type: ${message}`)
      : error;
  };
  const functions: { [name: string]: unknown } = {};
  for (const [name, value] of Object.entries(loaded)) {
    if (typeof value !== 'function') continue;
    functions[name] = (...args: unknown[]) => {
      try {
        // Looked up at each call: the glue replaces the functions at their first call.
        return (loaded as never as { [name: string]: (...args: unknown[]) => unknown })[name]?.(
          ...args,
        );
      } catch (error) {
        throw explain(error);
      }
    };
  }
  const bare: Partial<NativeModule> = {
    _tensor_make() {
      try {
        return loaded._tensor_make();
      } catch (error) {
        throw explain(error);
      }
    },
    _tensor_free(tensor) {
      try {
        loaded._tensor_free(tensor);
      } catch (error) {
        throw explain(error);
      }
    },
    _predict_one_at(model, input, batchSize) {
      try {
        return loaded._predict_one_at(model, input, batchSize);
      } catch (error) {
        throw explain(error);
      }
    },
  };
  const living: NativeModule = Object.assign(Object.create(loaded), functions, bare);
  return living;
}

/** Number of objects that a Finalizer holds before it registers them. */
const kMaxNew = 64;
/** Keys of finalizers contain the number of their instance and a handle of 32 bits. */
const kKeysOfInstance = 2 ** 32;

/**
 * Frees memory of the core when the garbage collector finds its object. Objects of earlier
 * instances have nothing to free. Errors are ignored, because they would end a Node program. Some
 * engines (workerd's) have no finalizers by default.
 *
 * New objects are registered at the end of the task, or when there are {@link kMaxNew} of them:
 * most tensors are disposed of before, and registering costs more than creating them.
 *
 * One registry serves all instances, because V8 calls no finalizer of the program any more once a
 * registry with collected targets has itself been collected.
 */
export class Finalizer<T extends number> {
  readonly #registry =
    typeof FinalizationRegistry === 'undefined'
      ? undefined
      : new FinalizationRegistry<number>((key) => {
          try {
            this.#finalize(key);
          } catch {}
        });
  readonly #free: (value: T, module: NativeModule) => void;
  #owner: NativeModule | undefined;
  /** The number of instances before that of `#owner`. */
  #earlier = -1;
  #targets: object[] = [];
  #values: T[] = [];
  #waits = false;

  constructor(free: (value: T, module: NativeModule) => void) {
    this.#free = free;
  }

  /** Frees `value`, an integer of 32 bits, after `target` was collected. */
  register(target: object, value: T): void {
    const owner = native();
    if (this.#owner !== owner) {
      this.#owner = owner;
      this.#earlier++;
      this.#targets = [];
      this.#values = [];
    }
    if (!this.#registry) return;
    if (this.#targets.length === kMaxNew) this.#registerNew();
    this.#targets.push(target);
    this.#values.push(value);
    if (this.#waits) return;
    this.#waits = true;
    Promise.resolve().then(() => {
      this.#waits = false;
      this.#registerNew();
    });
  }

  /** Frees the value of a key if it belongs to the current instance. */
  #finalize(key: number): void {
    const value = key - this.#earlier * kKeysOfInstance;
    const owner = this.#owner;
    if (owner && value >= 0 && isCurrent(owner)) this.#free(value as T, owner);
  }

  #registerNew(): void {
    const values = this.#values;
    const first = this.#earlier * kKeysOfInstance;
    this.#targets.forEach((target, i) => {
      this.#registry?.register(target, first + ((values[i] as T) >>> 0), target);
    });
    this.#targets = [];
    this.#values = [];
  }

  unregister(target: object): void {
    const index = this.#targets.lastIndexOf(target);
    if (index < 0) {
      this.#registry?.unregister(target);
      return;
    }
    // The last object takes its place, because splice() is slow.
    const last = [this.#targets.pop(), this.#values.pop()] as [object, T];
    if (index < this.#targets.length) [this.#targets[index], this.#values[index]] = last;
  }
}

/**
 * Keeps an error that user code threw inside a callback, so that `unwrap` can throw the same
 * object. A later error replaces it, because the core may have continued after it; such an error
 * would keep the objects on its stack alive. A WeakRef keeps it until the calls have returned.
 */
export function keepUserError(error: unknown): void {
  pending = Object(error) === error ? new WeakRef(error as object) : { deref: () => error };
}

/** The error that user code threw last; undefined if a call has thrown it again. */
export const userError = (): unknown => pending?.deref();

/** Returns the result of a guarded call, or throws the error that the core reports. */
export function unwrap<T>(result: T | undefined): T {
  if (result !== undefined) return result;
  throw reportedError();
}

/** Like `unwrap`, for functions that return 0 in place of a handle. */
export function unwrapHandle<T extends number>(handle: T | 0): T {
  if (handle !== 0) return handle;
  throw reportedError();
}

function reportedError(): unknown {
  const { kind, message } = native().lastError();
  const user = pending;
  pending = undefined;
  return kind === kCallback && user ? user.deref() : errorOf(kind, message);
}
