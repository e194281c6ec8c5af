// SPDX-License-Identifier: MIT
import { errorOf, StateError } from './errors.js';
import type { NativeModule } from './native.js';

let module: NativeModule | undefined;
let pending: { error: unknown } | undefined;

const kCallback = 7;

/** The wasm module; a StateError before `ready()` has finished. */
export function native(): NativeModule {
  if (!module) throw new StateError('maskflow is not ready: call `await ready()` first');
  return module;
}

export function isReady(): boolean {
  return module !== undefined;
}

export function setNative(loaded: NativeModule): void {
  module = loaded;
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
