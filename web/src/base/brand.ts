// SPDX-License-Identifier: MIT
import { version } from './version.gen.js';

/**
 * Key of the brand on the package's objects. All copies of the package share it: a program may load
 * the package both as ESM and as CommonJS.
 */
export const kBrand: unique symbol = Symbol.for('maskflow') as never;

/** Identifies this copy of the package, by identity. */
const copy = { version };

export interface Brand {
  /** 'tensor', 'layer', 'error' … */
  readonly kind: string;
  readonly copy: { readonly version: string };
}

export const brand = (kind: string): Brand => ({ kind, copy });

/** Returns the brand of a value that another copy of the package created, otherwise undefined. */
export function foreignBrand(value: unknown): Brand | undefined {
  const mark = (value as { [kBrand]?: Brand } | null | undefined)?.[kBrand];
  return mark && mark.copy !== copy ? mark : undefined;
}
