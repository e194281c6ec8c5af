// SPDX-License-Identifier: MIT

/** What went wrong, as {@link MaskflowError.kind}. */
export type ErrorKind = 'shape' | 'value' | 'config' | 'format' | 'state' | 'unsupported';

/** The base of all errors of this package. The message names the layer, the numbers and the remedy. */
export class MaskflowError extends Error {
  // Minified classes lose their names; classes derived from this one have their own.
  static override readonly name: string = 'MaskflowError';
  readonly kind: ErrorKind;
  constructor(kind: ErrorKind, message: string) {
    super(message);
    this.kind = kind;
    this.name = new.target.name;
  }
}

/** A rank or a dimension does not fit. */
export class ShapeError extends MaskflowError {
  constructor(message: string) {
    super('shape', message);
    this.name = 'ShapeError';
  }
}

/** A value is out of its range, or of the wrong type. */
export class ValueError extends MaskflowError {
  constructor(message: string) {
    super('value', message);
    this.name = 'ValueError';
  }
}

/** An unknown class or key, or a setting that cannot be. */
export class ConfigError extends MaskflowError {
  constructor(message: string) {
    super('config', message);
    this.name = 'ConfigError';
  }
}

/** A file that is not what it should be. */
export class FormatError extends MaskflowError {
  constructor(message: string) {
    super('format', message);
    this.name = 'FormatError';
  }
}

/** The right call at the wrong time: before `ready()`, or after `dispose()`. */
export class StateError extends MaskflowError {
  constructor(message: string) {
    super('state', message);
    this.name = 'StateError';
  }
}

/** Right in Keras, or in other engines, but not available here. */
export class UnsupportedError extends MaskflowError {
  constructor(message: string) {
    super('unsupported', message);
    this.name = 'UnsupportedError';
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
    if (error instanceof MaskflowError) locate(error, name);
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
  error.message = `${name}${separator}${error.message}`;
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

/** The error for a kind number of the core. */
export function errorOf(kind: number, message: string): MaskflowError {
  const Class = classes[kind] ?? ValueError;
  return new Class(message);
}
