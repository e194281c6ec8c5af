// SPDX-License-Identifier: MIT
// Keras's control flow, for tensors with data. A graph cannot contain functions: in models, call
// these inside a layer of your own.
import { checkFunction, checkList, optionsOf } from '../base/check.js';
import { UnsupportedError, ValueError } from '../base/errors.js';
import { asTensor, type Operand, type Tensor, type TensorLike } from '../tensor/tensor.js';
import { getItem, stack } from './ops.gen.js';

/** The sizes of the axes; null where unknown, in symbolic tensors. */
export const shape = (x: Operand): number[] => asTensor(x).shape;

function withData(x: TensorLike, what: string): Tensor {
  const tensor = asTensor(x);
  if (!tensor.isSymbolic) return tensor;
  throw new UnsupportedError(
    `${what} is symbolic; call this op inside the call() of a custom layer, or use ops.where`,
  );
}

const isTrue = (condition: TensorLike | boolean, what: string): boolean =>
  typeof condition === 'boolean' ? condition : withData(condition, what).item() !== 0;

/** Calls one of two functions and returns its result. */
export function cond<T>(pred: TensorLike | boolean, trueFn: () => T, falseFn: () => T): T {
  checkFunction(trueFn, 'trueFn');
  checkFunction(falseFn, 'falseFn');
  return isTrue(pred, 'the condition') ? trueFn() : falseFn();
}

/**
 * Calls `body` with the variables, which its result replaces, while `condition` returns true.
 * Returns the variables.
 */
export function whileLoop<T extends readonly unknown[]>(
  condition: (...variables: T) => TensorLike | boolean,
  body: (...variables: T) => T,
  loopVars: T,
  options: { maximumIterations?: number | null } = {},
): T {
  checkFunction(condition, 'condition');
  checkFunction(body, 'body');
  checkList(loopVars, 'loopVars');
  const most = optionsOf(options).maximumIterations ?? Number.POSITIVE_INFINITY;
  let variables = loopVars;
  for (let i = 0; i < most && isTrue(condition(...variables), 'the condition'); i++) {
    variables = body(...variables);
    if (variables?.length !== loopVars.length) {
      throw new ValueError(`body must return a list of ${loopVars.length} variables`);
    }
  }
  return variables;
}

/** Calls `body` with each integer from `lower` to `upper` - 1 and the value so far. */
export function foriLoop<T>(
  lower: number,
  upper: number,
  body: (index: number, value: T) => T,
  initial: T,
): T {
  checkFunction(body, 'body');
  let value = initial;
  for (let i = lower; i < upper; i++) value = body(i, value);
  return value;
}

/**
 * Calls `f` with the carry so far and each slice of `xs` along its first axis; `f` returns the next
 * carry and a result, or null. Returns the last carry and the results, stacked.
 *
 * @param xs A tensor, or null for `options.length` calls without slices.
 */
export function scan<T>(
  f: (carry: T, x: Tensor | null) => readonly [T, TensorLike | null],
  init: T,
  xs: TensorLike | null = null,
  options: { length?: number; reverse?: boolean } = {},
): [T, Tensor | null] {
  checkFunction(f, 'f');
  const { length: wanted, reverse } = optionsOf(options);
  const slices = xs === null ? null : withData(xs, 'xs');
  const length = slices?.shape[0] ?? wanted;
  if (length === undefined || (wanted ?? length) !== length) {
    throw new ValueError(
      `scan needs xs with a first axis, or options.length; got ${length} and ${wanted}`,
    );
  }
  let carry = init;
  const results: (TensorLike | null)[] = Array(length).fill(null);
  for (let i = 0; i < length; i++) {
    const position = reverse ? length - 1 - i : i;
    const pair = f(carry, slices && getItem(slices, position));
    checkList(pair, 'the result of f');
    [carry, results[position] as TensorLike | null] = pair;
  }
  const isEmpty = length === 0 || results.includes(null);
  return [carry, isEmpty ? null : stack(results as TensorLike[])];
}

/** Calls `f` with each slice of `xs` along its first axis and stacks the results. */
export function map(f: (x: Tensor) => TensorLike, xs: TensorLike): Tensor {
  checkFunction(f, 'f');
  const [, results] = scan((carry: null, x) => [carry, f(x as Tensor)], null, xs);
  if (results === null) throw new ValueError('map needs at least one slice');
  return results;
}
/** Keras has two names for it. */
export { map as vectorizedMap };
