// SPDX-License-Identifier: MIT
import { version } from './version.js';

/** What marks the package's objects, whichever copy of it they are of: a program may have it as ESM and as CommonJS. */
export const kBrand: unique symbol = Symbol.for('maskflow') as never;

/** Unique in each copy, by identity. */
const copy = { version };

export interface Brand {
  readonly kind: string;
  readonly copy: { readonly version: string };
}

export const brand = (kind: string): Brand => ({ kind, copy });

/** What a value is, if another copy of the package made it. */
export function foreignBrand(value: unknown): Brand | undefined {
  const found = (value as { [kBrand]?: Brand } | null | undefined)?.[kBrand];
  return found && found.copy !== copy ? found : undefined;
}
