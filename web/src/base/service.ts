// SPDX-License-Identifier: MIT
// The link between levels of web/src: docs/architecture.md shows which folder may import which.
// model/services.ts declares most services.
import { type ErrorCode, UnsupportedError } from './errors.js';

/**
 * A function, or an object of functions, of a higher folder. A lower folder declares the service
 * and uses it, an entry supplies it. Neither imports the other.
 */
export class Service<T> {
  /** Undefined in entries that do without it. */
  supplied: T | undefined;

  /** `absent`: message of the error if it is used but not supplied; `code`: its code. */
  constructor(
    private readonly absent: string,
    private readonly code: ErrorCode = 'ERR_NEEDS_ENTRY',
  ) {}

  /** The supplied value, or an UnsupportedError. */
  get(): T {
    if (this.supplied) return this.supplied;
    throw new UnsupportedError(this.absent, this.code);
  }
}
