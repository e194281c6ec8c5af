// SPDX-License-Identifier: MIT
import { causeOfDeath } from '../engine/engine.js';
import {
  ConfigError,
  type ErrorKind,
  FormatError,
  MaskflowError,
  ShapeError,
  StateError,
  UnsupportedError,
  ValueError,
} from '../base/errors.js';
import type { WireError } from './messages.js';

const classes: Record<ErrorKind, new (message: string) => MaskflowError> = {
  shape: ShapeError,
  value: ValueError,
  config: ConfigError,
  format: FormatError,
  state: StateError,
  unsupported: UnsupportedError,
};

const crash = 'CrashError';

/** Structured clones of errors lose class and kind; this keeps them. */
export function errorToWire(error: unknown): WireError {
  const cause = causeOfDeath();
  if (cause) {
    return {
      name: crash,
      message: `the wasm of the worker is dead: ${cause}`,
      kind: null,
      stack: '',
    };
  }
  if (!(error instanceof Error)) {
    return { name: 'Error', message: String(error), kind: null, stack: '' };
  }
  const { name, message, stack = '' } = error;
  return { name, message, stack, kind: error instanceof MaskflowError ? error.kind : null };
}

/** The same class, kind and message; the stack is that of the worker. */
export function errorFromWire({ name, message, kind, stack }: WireError): Error {
  if (name === crash) return new CrashError(message);
  const error = kind ? new classes[kind](message) : new Error(message);
  error.name = name;
  if (stack) error.stack = stack;
  return error;
}

/** The worker itself is gone or broken, whatever it was asked: another one may manage. */
export class CrashError extends StateError {
  static override readonly name: string = 'CrashError';
  /** What happened, without the remedy. */
  readonly what: string;
  constructor(what: string) {
    super(`${what}; open another one with openWorker() or openPool()`);
    this.what = what;
  }
}

/** Objects that only the package makes. */
export function onlyBy(way: string, isRight: boolean): void {
  if (!isRight) throw new ValueError(`objects of this class are made by ${way}`);
}

/** A call took longer than it was given: its worker was ended, for that is the one way to stop it. */
export class TimeLimitError extends StateError {
  static override readonly name: string = 'TimeLimitError';
  constructor(op: string, timeLimit: number) {
    super(
      `${op} took more than the ${timeLimit} ms of timeLimit, and its worker was ended; give it more time, less work, or do not trust the file`,
    );
  }
}

/** A trap leaves an instance in an unknown state. */
export const isCrash = (error: unknown): boolean =>
  error instanceof CrashError || (error instanceof Error && error.name === 'RuntimeError');
