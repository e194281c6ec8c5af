// SPDX-License-Identifier: MIT
// Brands, by which an error can say that an object belongs to another copy of the package.
// `instanceof` alone would only say that it is not a Tensor or a Layer.
import { version } from './version.gen.js';

/**
 * Key of the brand on the package's objects. All copies of the package share it: a program may load
 * the package both as ESM and as CommonJS.
 */
export const kBrand: unique symbol = Symbol.for('maskflow') as never;

/** Identifies this copy of the package, by identity. */
const copy = { version };

/** Mark on an object of the package: its kind, and the copy of the package that created it. */
export interface Brand {
  /** Kind of the object: 'tensor', 'layer', 'error' … */
  readonly kind: string;
  /** The copy of the package that created the object. */
  readonly copy: { readonly version: string };
}

/** Returns the brand of objects of a kind that this copy creates. */
export const brand = (kind: string): Brand => ({ kind, copy });

/** Returns the brand of a value that another copy of the package created, otherwise undefined. */
export function foreignBrand(value: unknown): Brand | undefined {
  const mark = (value as { [kBrand]?: Brand } | null | undefined)?.[kBrand];
  return mark && mark.copy !== copy ? mark : undefined;
}

/** Key of a method that returns the config of an object, from which a worker creates its like. */
export const kSentConfig: unique symbol = Symbol.for('maskflow.sent_config') as never;

/** Adds the method to an object or a function. */
export const withSentConfig = <T extends object>(value: T, config: () => object): T =>
  Object.defineProperty(value, kSentConfig, { value: config });

/** Returns the config of an object that has one; undefined for other values. */
export function sentConfigOf(value: unknown): object | undefined {
  const { [kSentConfig]: config } = Object(value) as { [kSentConfig]?: () => object | undefined };
  return typeof config === 'function' ? config.call(value) : undefined;
}
