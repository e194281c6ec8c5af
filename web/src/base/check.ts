// SPDX-License-Identifier: MIT
// Checks of arguments, and their error messages.
import { type Brand, foreignBrand, kBrand } from './brand.js';
import { ConfigError, ShapeError, ValueError } from './errors.js';
import { nearestOf } from './nearest.js';
import { visible } from './visible.js';

/** Describes a value for a message that reads "x is …". */
export function show(value: unknown): string {
  if (typeof value === 'string')
    return `'${visible(value.length > 60 ? `${value.slice(0, 60)}…` : value)}'`;
  return typeof value === 'number' ? String(value) : describe(value);
}

/** Returns whether a function is a class: it cannot be called without `new`. */
export const isClass = (f: unknown): boolean => /^class\b/.test(String(f));

/** Throws ValueError if there is no value where a tensor belongs. */
export function checkGiven(value: unknown): asserts value is NonNullable<unknown> {
  if (value !== null && value !== undefined) return;
  throw new ValueError(
    `a tensor is needed, but got ${value}; a missing mask is null, and x[0] of a tensor is x.getItem(0)`,
  );
}

/** Describes a value for a message that reads "cannot be …". */
export function describe(value: unknown): string {
  const type = typeof value;
  if (type === 'string' || type === 'number') return `the ${type} ${show(value)}`;
  if (type === 'function' || type === 'bigint' || type === 'symbol') return `a ${type}`;
  if (type !== 'object' || value === null) return String(value);
  const foreign = foreignBrand(value);
  if (foreign) {
    return `a ${foreign.kind} of another copy of maskflow (${foreign.copy.version}; load the package once, by import or by require)`;
  }
  const own = (value as { [kBrand]?: Brand })[kBrand];
  if (own) return `a ${own.kind}`;
  const object = value as { constructor?: { name?: unknown } };
  if (ignorePromise(value)) return 'a Promise (await it first)';
  if (Array.isArray(value)) return 'a list';
  const name = object.constructor?.name;
  return isPlain(value) || typeof name !== 'string' ? 'an object' : `an object of class ${name}`;
}

/**
 * Returns whether the value is a promise, and ignores its rejection if it is. The caller throws an
 * error about the promise, and a later rejection must not also end the program.
 */
export function ignorePromise(value: unknown): boolean {
  if (!isPromise(value)) return false;
  Promise.resolve(value).catch(() => {});
  return true;
}

export const isPromise = (value: unknown): value is PromiseLike<unknown> =>
  typeof (value as { then?: unknown } | null | undefined)?.then === 'function';

/** Ignores rejections of all promises in lists and dictionaries, down to `depth` levels. */
export function ignorePromises(value: unknown, depth = 2): void {
  if (ignorePromise(value) || depth === 0) return;
  if (Array.isArray(value)) for (const item of value) ignorePromises(item, depth - 1);
  else if (isPlain(value)) ignorePromises(Object.values(value), depth);
}

/** Returns the result of a user-defined function. Throws ValueError if it is a promise. */
export function checkSynchronous<T>(result: T, what: string): T {
  if (!ignorePromise(result)) return result;
  throw new ValueError(`${what} returned a Promise; it cannot be async`);
}

type ErrorClass = new (message: string) => Error;

/** Throws an error: `what` is `value` but must be `needed`. */
export function refuse(
  what: string,
  needed: string,
  value: unknown,
  Class: ErrorClass = ValueError,
): never {
  const be = /^the (settings|options)/.test(what) ? 'are' : 'is';
  throw new Class(`${what} ${be} ${show(value)} but must be ${needed}`);
}

/** Returns whether the value is a dictionary: an object without a class, from any realm. */
export function isPlain(value: unknown): value is { [key: string]: unknown } {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return false;
  const prototype = Object.getPrototypeOf(value);
  return prototype === null || Object.getPrototypeOf(prototype) === null;
}

/**
 * Returns the options, or an empty object for undefined. Throws ValueError for another value.
 *
 * @param names Some of the options, for the message.
 */
export function optionsOf<T extends object>(
  value: T | undefined,
  what = 'the options',
  names = '',
): T {
  if (value === undefined) return {} as T;
  const object = names ? `an object { ${names} }` : 'an object';
  return isPlain(value) ? value : refuse(what, `${object}, or left out`, value);
}

/**
 * Returns the options. Throws ConfigError, with a suggestion, for a name that is not in `names`.
 */
export function checkOptions<T extends object>(
  value: T | undefined,
  names: { readonly [Name in keyof T]-?: 1 },
): T {
  const [first] = Object.keys(names);
  const options = optionsOf(value, undefined, first && `${first}: …`);
  for (const name in options) if (!Object.hasOwn(names, name)) refuseOption(name, names);
  return options;
}

/** Throws ConfigError for an unknown option, with a suggestion from the keys of `names`. */
export function refuseOption(name: string, names: object): never {
  const all = Object.keys(names);
  const hint = nearestOf(name, all);
  throw new ConfigError(`unknown option ${show(name)}${hint}; the options are ${all.join(', ')}`);
}

/**
 * Throws ValueError unless the value is a function.
 *
 * @param owner The object whose method it is.
 */
export function checkFunction(value: unknown, what: string, owner?: { className: string }): void {
  if (typeof value === 'function') return;
  refuse(owner ? `${what} of ${owner.className}` : what, 'a function', value);
}

const loneSurrogate = /\p{Cs}/u;

/** Throws ValueError unless the value is a string that can be encoded as UTF-8 for the core. */
export function checkText(value: unknown, what: string): void {
  if (typeof value !== 'string') refuse(what, 'a string', value);
  if (loneSurrogate.test(value as string)) refuse(what, 'Unicode without lone surrogates', value);
}

/** Returns the result of an iterator's next(). Throws ValueError unless it is an object. */
export function checkStep<T>(next: T): T {
  if (Object(next) === next) return next;
  return refuse('the result of next() of the batches', 'an object with done and value', next);
}

/** Throws ValueError, or an error of `Class`, unless the value is a list. */
export function checkList(value: unknown, what: string, Class?: ErrorClass): void {
  if (!Array.isArray(value)) refuse(what, 'a list', value, Class);
}

/** Throws the reason of a signal that has fired. Throws ValueError for another value. */
export function checkSignal(signal: unknown): void {
  if (signal === undefined) return;
  if (!(signal instanceof AbortSignal)) refuse('signal', 'an AbortSignal', signal);
  signal.throwIfAborted();
}

/**
 * Throws ValueError unless the value is an integer of at least `least`.
 *
 * @param note Meaning of a special number, for the message.
 */
export function checkInteger(what: string, value: unknown, least: number, note = ''): void {
  if (Number.isInteger(value) && (value as number) >= least) return;
  refuse(what, `a whole number, ${least} or more${note}`, value);
}

const isDim = (dim: unknown): boolean =>
  dim === null || (Number.isInteger(dim) && (dim as number) >= 0);

/** Throws ShapeError unless the value is a list of sizes; null is an unknown size. */
export function checkShape(shape: unknown, what = 'the shape'): void {
  checkList(shape, what, ShapeError);
  const axis = (shape as unknown[]).findIndex((dim) => !isDim(dim));
  if (axis < 0) return;
  const needed = 'a whole number, or null where it is unknown';
  refuse(`dimension ${axis} of ${what}`, needed, (shape as unknown[])[axis], ShapeError);
}

/** Checks one shape or a list of shapes, and returns whether it is a list. */
export function isShapeList(shape: unknown): shape is (number | null)[][] {
  const isList = Array.isArray(shape) && Array.isArray(shape[0]);
  for (const item of isList ? shape : [shape]) checkShape(item);
  return isList;
}
