// SPDX-License-Identifier: MIT
// What all functions say of arguments that cannot be.
import { foreignBrand } from './brand.js';
import { ConfigError, ShapeError, ValueError } from './errors.js';
import { visible } from './visible.js';

/** A value as it stands after "is" in a message. */
export function show(value: unknown): string {
  if (typeof value === 'string')
    return `'${visible(value.length > 60 ? `${value.slice(0, 60)}…` : value)}'`;
  return typeof value === 'number' ? String(value) : describe(value);
}

/** What a value is, for messages. */
export function describe(value: unknown): string {
  const type = typeof value;
  if (type === 'string' || type === 'number') return `the ${type} ${show(value)}`;
  if (type === 'function' || type === 'bigint' || type === 'symbol') return `a ${type}`;
  if (type !== 'object' || value === null) return String(value);
  const foreign = foreignBrand(value);
  if (foreign) {
    return `a ${foreign.kind} of another copy of maskflow (${foreign.copy.version}; load the package once, by import or by require)`;
  }
  const object = value as { constructor?: { name?: unknown } };
  if (ignorePromise(value)) return 'a Promise (await it first)';
  if (Array.isArray(value)) return 'a list';
  const name = object.constructor?.name;
  return isPlain(value) || typeof name !== 'string' ? 'an object' : `an object of class ${name}`;
}

/**
 * Returns whether the value is a promise. The caller throws an error because none is allowed there,
 * so the promise's own rejection is ignored: it must not end the program as well.
 */
export function ignorePromise(value: unknown): boolean {
  const found = isPromise(value);
  if (found) Promise.resolve(value).catch(() => {});
  return found;
}

export const isPromise = (value: unknown): value is PromiseLike<unknown> =>
  typeof (value as { then?: unknown } | null | undefined)?.then === 'function';

/** Ignores rejections of promises in lists and dictionaries that an error is thrown about. */
export function ignorePromises(value: unknown, deep = 2): void {
  if (ignorePromise(value) || deep === 0) return;
  if (Array.isArray(value)) for (const item of value) ignorePromises(item, deep - 1);
  else if (isPlain(value)) ignorePromises(Object.values(value), deep);
}

/** Returns the result of a user-defined function; ValueError for a promise. */
export function checkSynchronous<T>(result: T, what: string): T {
  if (!ignorePromise(result)) return result;
  throw new ValueError(`${what} returned a Promise; it cannot be async`);
}

type ErrorClass = new (message: string) => Error;

/** `what` is something else than `needed`. */
export function refuse(
  what: string,
  needed: string,
  value: unknown,
  Class: ErrorClass = ValueError,
): never {
  throw new Class(`${what} is ${show(value)} but must be ${needed}`);
}

/** An object that is no instance of a class, in whichever realm it was made. */
export function isPlain(value: unknown): value is { [key: string]: unknown } {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return false;
  const prototype = Object.getPrototypeOf(value);
  return prototype === null || Object.getPrototypeOf(prototype) === null;
}

/** Options, or none: what else came in their place would be left out silently. */
export function optionsOf<T extends object>(given: T | undefined, what = 'the options'): T {
  if (given === undefined) return {} as T;
  return isPlain(given) ? given : refuse(what, 'an object, or left out', given);
}

/** Options of these names; ConfigError for another one, which would be left out silently. */
export function checkOptions<T extends object>(
  given: T | undefined,
  names: { readonly [Name in keyof T]-?: 1 },
): T {
  const checked = optionsOf(given);
  for (const name in checked) if (!Object.hasOwn(names, name)) unknownOption(name, names);
  return checked;
}

const kLongestName = 64;

function unknownOption(name: string, names: object): never {
  const all = Object.keys(names);
  const likeness = all.map((other) => sharedPairs(name, other));
  const most = Math.max(...likeness);
  const hint =
    most > 0 && most * 2 > name.length - 3
      ? ` (did you mean '${all[likeness.indexOf(most)]}'?)`
      : '';
  throw new ConfigError(`there is no option ${show(name)}${hint}; there are ${all.join(', ')}`);
}

/**
 * How many pairs of neighbouring letters of the one name are in the other. The core has its own search for the nearest name
 * (`suggestion` of src/base/text): options are checked before it is there, and on pages with maskflow/worker there is none.
 */
function sharedPairs(name: string, other: string): number {
  const [from, into] = [name.slice(0, kLongestName).toLowerCase(), other.toLowerCase()];
  return [...from].filter((letter, i) => into.includes((from[i - 1] ?? '?') + letter)).length;
}

/** `owner`: whose method it is. */
export function checkFunction(value: unknown, what: string, owner?: { className: string }): void {
  if (typeof value === 'function') return;
  refuse(owner ? `${what} of ${owner.className}` : what, 'a function', value);
}

const loneSurrogate = /\p{Cs}/u;

/** A string that the core, whose strings are UTF-8, can hold. */
export function checkText(value: unknown, what: string): void {
  if (typeof value !== 'string') refuse(what, 'a string', value);
  if (loneSurrogate.test(value as string)) refuse(what, 'Unicode without lone surrogates', value);
}

/** Returns a result of an iterator's next(); ValueError unless it is an object. */
export function checkStep<T>(next: T): T {
  if (Object(next) === next) return next;
  return refuse('what next() of the batches returned', 'an object with done and value', next);
}

export function checkList(value: unknown, what: string, Class?: ErrorClass): void {
  if (!Array.isArray(value)) refuse(what, 'a list', value, Class);
}

/** Throws the reason of a signal that has fired, and refuses what is none. */
export function checkSignal(signal: unknown): void {
  if (signal === undefined) return;
  if (!(signal instanceof AbortSignal)) refuse('signal', 'an AbortSignal', signal);
  signal.throwIfAborted();
}

/** `note`: what a special number means. */
export function checkInteger(what: string, value: unknown, least: number, note = ''): void {
  if (Number.isInteger(value) && (value as number) >= least) return;
  refuse(what, `a whole number, ${least} or more${note}`, value);
}

const isDim = (dim: unknown): boolean =>
  dim === null || (Number.isInteger(dim) && (dim as number) >= 0);

export function checkShape(shape: unknown, what = 'the shape'): void {
  checkList(shape, what, ShapeError);
  const at = (shape as unknown[]).findIndex((dim) => !isDim(dim));
  if (at < 0) return;
  const needed = 'a whole number, or null where it is unknown';
  refuse(`dimension ${at} of ${what}`, needed, (shape as unknown[])[at], ShapeError);
}

/** Several shapes, or one; checked. */
export function isShapeList(shape: unknown): shape is (number | null)[][] {
  const several = Array.isArray(shape) && Array.isArray(shape[0]);
  for (const one of several ? shape : [shape]) checkShape(one);
  return several;
}
