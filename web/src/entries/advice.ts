// SPDX-License-Identifier: MIT
// Advice of `ready` and `loadModel` for files of the package that a bundler or a server has lost.
import { StateError, UnsupportedError } from '../base/errors.js';
import { lostFile, withoutImport } from '../base/import_failure.js';

/** Replaces errors about files of the package that cannot be fetched. */
export function advise(error: unknown): never {
  const lost = lostFile(error);
  if (lost) throw new StateError(lost);
  const absent = withoutImport(error);
  throw absent ? new UnsupportedError(absent) : error;
}

/** The promises with advice, because calls of `ready` share a promise. */
const known = new WeakMap<Promise<void>, Promise<void>>();

/** Adds remedies to the errors of a start. */
export function withAdvice(starting: Promise<void>): Promise<void> {
  const promise = known.get(starting) ?? starting.catch(advise);
  known.set(starting, promise);
  return promise;
}
