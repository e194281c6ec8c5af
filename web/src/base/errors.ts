// SPDX-License-Identifier: MIT
// The errors of the package. docs/errors.md describes their codes; worker/failures.ts sends them
// between threads.
import { brand, type Brand, kBrand } from './brand.js';
import { visible, visibleMessage } from './visible.js';

/** Kind of an error: {@link MaskflowError.kind}. */
export type ErrorKind = 'shape' | 'value' | 'config' | 'format' | 'state' | 'unsupported';

/**
 * Code of an error: {@link MaskflowError.code}. Programs may rely on codes; texts of messages
 * change. `docs/errors.md` describes each.
 */
export type ErrorCode =
  | `ERR_${Uppercase<ErrorKind>}`
  | 'ERR_CUSTOM_OBJECTS'
  | 'ERR_DISPOSED'
  | 'ERR_HTTP'
  | 'ERR_NEEDS_ENTRY'
  | 'ERR_NEEDS_TEXT'
  | 'ERR_NOT_FOUND'
  | 'ERR_NOT_READY'
  | 'ERR_OUT_OF_MEMORY'
  | 'ERR_TIME_LIMIT'
  | 'ERR_UNKNOWN_ACTIVATION'
  | 'ERR_UNKNOWN_LAYER'
  | 'ERR_UNKNOWN_OP'
  | 'ERR_WORKER_CRASHED';

/**
 * Base class of all errors of this package. The message names the layer, the numbers and the
 * remedy. `instanceof` also recognises errors of another copy of the package, for programs that
 * load it both as ESM and as CommonJS.
 */
export class MaskflowError extends Error {
  /** Name of the class, stored as text because minified classes lose their names. */
  static override readonly name: string = 'MaskflowError';
  /** Kind of the error. */
  readonly kind: ErrorKind;
  /**
   * Stable name of the problem, such as `'ERR_UNKNOWN_LAYER'`. A problem without a name of its own
   * has the code of its class: `'ERR_SHAPE'` is any other ShapeError.
   */
  readonly code: ErrorCode;
  /** @param message The problem and its remedy. */
  constructor(kind: ErrorKind, message: string, code?: ErrorCode) {
    // JavaScript callers may pass something that is not a string.
    super(typeof message === 'string' ? visibleMessage(message) : undefined);
    this.kind = kind;
    const known = typeof kind === 'string' ? kind : 'value';
    this.code = code ?? `ERR_${known.toUpperCase() as Uppercase<ErrorKind>}`;
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

/** Thrown when a rank or a dimension does not fit. */
export class ShapeError extends MaskflowError {
  /** Name of the class, 'ShapeError', also in minified programs. */
  static override readonly name: string = 'ShapeError';
  /** @param message The problem and its remedy. */
  constructor(message: string, code?: ErrorCode) {
    super('shape', message, code);
  }
}

/** Thrown when a value is out of range or of the wrong type. */
export class ValueError extends MaskflowError {
  /** Name of the class, 'ValueError', also in minified programs. */
  static override readonly name: string = 'ValueError';
  /** @param message The problem and its remedy. */
  constructor(message: string, code?: ErrorCode) {
    super('value', message, code);
  }
}

/** Thrown for an unknown class or option, or an invalid setting. */
export class ConfigError extends MaskflowError {
  /** Name of the class, 'ConfigError', also in minified programs. */
  static override readonly name: string = 'ConfigError';
  /** @param message The problem and its remedy. */
  constructor(message: string, code?: ErrorCode) {
    super('config', message, code);
  }
}

/** Thrown for a file that is damaged or not in the expected format. */
export class FormatError extends MaskflowError {
  /** Name of the class, 'FormatError', also in minified programs. */
  static override readonly name: string = 'FormatError';
  /** @param message The problem and its remedy. */
  constructor(message: string, code?: ErrorCode) {
    super('format', message, code);
  }
}

/** Thrown for a call at the wrong time: before `ready()`, or after `dispose()`. */
export class StateError extends MaskflowError {
  /** Name of the class, 'StateError', also in minified programs. */
  static override readonly name: string = 'StateError';
  /** @param message The problem and its remedy. */
  constructor(message: string, code?: ErrorCode) {
    super('state', message, code);
  }
}

/** Thrown for something that Keras or another engine supports, but this one does not. */
export class UnsupportedError extends MaskflowError {
  /** Name of the class, 'UnsupportedError', also in minified programs. */
  static override readonly name: string = 'UnsupportedError';
  /** @param message The problem and its remedy. */
  constructor(message: string, code?: ErrorCode) {
    super('unsupported', message, code);
  }
}

/** Returns the code of an error of the package; undefined for other errors. */
export const codeOf = (error: unknown): ErrorCode | undefined =>
  error instanceof MaskflowError ? error.code : undefined;

// Errors whose message begins with the path of a layer.
const located = new WeakSet<MaskflowError>();

/** Runs the code of a layer and puts its name before the messages of errors, as the core does. */
export function inLayer<T>(name: string, code: () => T): T {
  try {
    return code();
  } catch (error) {
    if (error instanceof MaskflowError) locate(error, visible(name));
    throw error;
  }
}

function locate(error: MaskflowError, name: string): void {
  const separator = located.has(error) ? '/' : ': ';
  // Names a layer only once if its own call is inside itself.
  const isNamed = [`${name}/`, `${name}:`].some((start) => error.message.startsWith(start));
  if (separator === '/' && isNamed) return;
  error.message = visibleMessage(`${name}${separator}${error.message}`);
  located.add(error);
}

// The error classes, by the kind number of the core; no kind is 0.
const classes = [
  ValueError,
  ShapeError,
  ValueError,
  ConfigError,
  FormatError,
  StateError,
  UnsupportedError,
];

// The codes of further kind numbers, and their classes.
const coded: readonly [ErrorCode, typeof ConfigError][] = [
  ['ERR_UNKNOWN_LAYER', ConfigError],
  ['ERR_UNKNOWN_OP', ConfigError],
  ['ERR_UNKNOWN_ACTIVATION', ConfigError],
  ['ERR_OUT_OF_MEMORY', StateError],
  ['ERR_DISPOSED', StateError],
];
const kFirstCoded = 8;

/** Creates the error for a kind number and a one-line message of the core. */
export function errorOf(kind: number, message: string): MaskflowError {
  const [code, Class = classes[kind] ?? ValueError] = coded[kind - kFirstCoded] ?? [];
  return new Class(visible(message), code);
}
