// SPDX-License-Identifier: MIT
// Errors that cross threads, and the errors of threads themselves.
import { causeOfDeath } from '../engine/engine.js';
import {
  ConfigError,
  type ErrorCode,
  type ErrorKind,
  FormatError,
  MaskflowError,
  ShapeError,
  StateError,
  UnsupportedError,
  ValueError,
} from '../base/errors.js';
import type { WireError } from './messages.js';

const classes: Record<ErrorKind, new (message: string, code?: ErrorCode) => MaskflowError> = {
  shape: ShapeError,
  value: ValueError,
  config: ConfigError,
  format: FormatError,
  state: StateError,
  unsupported: UnsupportedError,
};

const crash = 'CrashError';

/** An error as plain data: a structured clone would lose its class and kind. */
export function errorToWire(error: unknown): WireError {
  const cause = causeOfDeath();
  if (cause) {
    return {
      name: crash,
      message: `the wasm of the worker is dead: ${cause}`,
      kind: null,
      code: 'ERR_WORKER_CRASHED',
      stack: '',
    };
  }
  if (!(error instanceof Error)) {
    return { name: 'Error', message: String(error), kind: null, code: undefined, stack: '' };
  }
  const { name, message, stack = '' } = error;
  const { kind, code } = error instanceof MaskflowError ? error : { kind: null, code: undefined };
  return { name, message, stack, kind, code };
}

/** Restores an error with its class, kind and message, and with the stack of the worker. */
export function errorFromWire({ name, message, kind, code, stack }: WireError): Error {
  if (name === crash) return new CrashError(message);
  const error = kind ? new classes[kind](message, code) : new Error(message);
  error.name = name;
  if (stack) error.stack = stack;
  return error;
}

/** Thrown when the worker ends or breaks, whatever the request was. Another worker may succeed. */
export class CrashError extends StateError {
  /** Name of the class, 'CrashError', also in minified programs. */
  static override readonly name: string = 'CrashError';
  /** The cause, without the remedy. */
  readonly what: string;
  constructor(what: string) {
    super(`${what}; open another one with openWorker() or openPool()`, 'ERR_WORKER_CRASHED');
    this.what = what;
  }
}

/** Throws unless an object of an internal class is created by `way`. */
export function onlyBy(way: string, isRight: boolean): void {
  if (!isRight) throw new ValueError(`only ${way} creates objects of this class; call it`);
}

/**
 * Thrown when a call takes longer than its `timeLimit`. Its worker is then ended, which is the only
 * way to stop a call.
 */
export class TimeLimitError extends StateError {
  /** Name of the class, 'TimeLimitError', also in minified programs. */
  static override readonly name: string = 'TimeLimitError';
  constructor(op: string, timeLimit: number) {
    super(
      `${op} took more than the timeLimit of ${timeLimit} ms, and its worker was ended; allow more time, give it less work, or do not trust the file`,
      'ERR_TIME_LIMIT',
    );
  }
}

/** Returns whether this is an error after which the state of a wasm instance is undefined. */
export const isCrash = (error: unknown): boolean =>
  error instanceof CrashError || (error instanceof Error && error.name === 'RuntimeError');
