// SPDX-License-Identifier: MIT
import { brand, type Brand, kBrand } from './brand.js';
import { visible, visibleMessage } from './visible.js';

/** What went wrong, as {@link MaskflowError.kind}. */
export type ErrorKind = 'shape' | 'value' | 'config' | 'format' | 'state' | 'unsupported';

/**
 * The base of all errors of this package. The message names the layer, the numbers and the remedy. `instanceof` also
 * knows the errors of another copy of the package, in a program that has it as ESM and as CommonJS.
 */
export class MaskflowError extends Error {
  // Minified classes lose their names; those of the package have theirs as text, others derived from them their own.
  static override readonly name: string = 'MaskflowError';
  readonly kind: ErrorKind;
  constructor(kind: ErrorKind, message: string) {
    // (Others may be no text at all, and an error of their own.)
    super(typeof message === 'string' ? visibleMessage(message) : undefined);
    this.kind = kind;
    this.name = new.target.name;
  }
  /** @internal */
  get [kBrand](): Brand {
    return brand('error');
  }
  /** @internal */
  static override [Symbol.hasInstance](error: unknown): boolean {
    if (super[Symbol.hasInstance](error)) return true;
    const { [kBrand]: mark, kind } = (error ?? {}) as Partial<MaskflowError>;
    return (
      mark?.kind === 'error' &&
      (this === MaskflowError || this.name.toLowerCase() === `${kind}error`)
    );
  }
}

/** A rank or a dimension does not fit. */
export class ShapeError extends MaskflowError {
  static override readonly name: string = 'ShapeError';
  constructor(message: string) {
    super('shape', message);
  }
}

/** A value is out of its range, or of the wrong type. */
export class ValueError extends MaskflowError {
  static override readonly name: string = 'ValueError';
  constructor(message: string) {
    super('value', message);
  }
}

/** An unknown class or key, or a setting that cannot be. */
export class ConfigError extends MaskflowError {
  static override readonly name: string = 'ConfigError';
  constructor(message: string) {
    super('config', message);
  }
}

/** A file that is not what it should be. */
export class FormatError extends MaskflowError {
  static override readonly name: string = 'FormatError';
  constructor(message: string) {
    super('format', message);
  }
}

/** The right call at the wrong time: before `ready()`, or after `dispose()`. */
export class StateError extends MaskflowError {
  static override readonly name: string = 'StateError';
  constructor(message: string) {
    super('state', message);
  }
}

/** Right in Keras, or in other engines, but not available here. */
export class UnsupportedError extends MaskflowError {
  static override readonly name: string = 'UnsupportedError';
  constructor(message: string) {
    super('unsupported', message);
  }
}

// Errors whose message begins with the layers that they come from.
const located = new WeakSet<MaskflowError>();

/** Puts the name of a layer in front of an error of its code, as the core does for its own layers. */
export function inLayer<T>(name: string, code: () => T): T {
  try {
    return code();
  } catch (error) {
    // A layer inside itself is named once.
    if (error instanceof MaskflowError) locate(error, visible(name));
    throw error;
  }
}

function locate(error: MaskflowError, name: string): void {
  const separator = located.has(error) ? '/' : ': ';
  // A layer inside itself is named once.
  if (
    separator === '/' &&
    /^[/:]/.test(error.message.slice(name.length)) &&
    error.message.startsWith(name)
  )
    return;
  error.message = visibleMessage(`${name}${separator}${error.message}`);
  located.add(error);
}

const classes = [
  ValueError,
  ShapeError,
  ValueError,
  ConfigError,
  FormatError,
  StateError,
  UnsupportedError,
];

/** The error for a kind number of the core, whose messages are one line each. */
export function errorOf(kind: number, message: string): MaskflowError {
  const Class = classes[kind] ?? ValueError;
  return new Class(visible(message));
}
