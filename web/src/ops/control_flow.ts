// SPDX-License-Identifier: MIT
// Keras's control flow. On tensors with data, functions are called as the data say. In a graph,
// whose data are not known, all branches are computed, and loops of a known length are unrolled.
import { checkFunction, checkList, optionsOf } from '../base/check.js';
import { UnsupportedError, ValueError } from '../base/errors.js';
import { asTensor, type Operand, type Tensor, type TensorLike } from '../tensor/tensor.js';
import { choose, isUnknown, unknownLengths } from './in_graphs.js';
import { getItem, logicalAnd, stack } from './ops.gen.js';
import { joinLeaves, leavesOf, mapLeaves, type TensorStructure } from './structures.js';

/** The sizes of the axes; null where unknown, in symbolic tensors. */
export const shape = (x: Operand): number[] => asTensor(x).shape;

/** Returns a condition as a boolean, or as a tensor of a graph. */
function conditionOf(value: Operand | boolean): boolean | Tensor {
  if (typeof value === 'boolean') return value;
  const tensor = asTensor(value);
  return tensor.isSymbolic ? tensor : tensor.item() !== 0;
}

/**
 * Calls one of two functions and returns its result. In a graph, both are called, and the condition
 * chooses between the elements of their results.
 */
export function cond<T>(pred: Operand | boolean, trueFn: () => T, falseFn: () => T): T {
  checkFunction(trueFn, 'trueFn');
  checkFunction(falseFn, 'falseFn');
  const condition = conditionOf(pred);
  if (typeof condition !== 'boolean') return choose(condition, trueFn(), falseFn()) as T;
  return condition ? trueFn() : falseFn();
}

/**
 * Calls `body` with the variables, which its result replaces, while `condition` returns true.
 * Returns the variables. In a graph, it needs `maximumIterations`.
 *
 * @param condition Receives the variables; a true result goes on.
 * @param body Receives the variables, and returns as many.
 * @param loopVars The first variables.
 * @param options.maximumIterations Most calls of `body`; null: no limit. Default: null.
 */
export function whileLoop<T extends readonly unknown[]>(
  condition: (...variables: T) => Operand | boolean,
  body: (...variables: T) => T,
  loopVars: T,
  options: { maximumIterations?: number | null } = {},
): T {
  checkFunction(condition, 'condition');
  checkFunction(body, 'body');
  checkList(loopVars, 'loopVars');
  const max = optionsOf(options).maximumIterations ?? Number.POSITIVE_INFINITY;
  let variables = loopVars;
  /** Whether the loop of a graph still runs. */
  let runs: boolean | Tensor = true;
  for (let i = 0; i < max; i++) {
    const goesOn = conditionOf(condition(...variables));
    if (goesOn === false) break;
    const next = body(...variables);
    if (next?.length !== loopVars.length) {
      throw new ValueError(`body must return a list of ${loopVars.length} variables`);
    }
    if (goesOn === true) {
      variables = next;
      continue;
    }
    if (max > kMaxUnrolled) {
      throw new UnsupportedError(
        `the condition is symbolic: pass maximumIterations, at most ${kMaxUnrolled}, or call whileLoop inside the call() of a custom layer`,
      );
    }
    runs = runs === true ? goesOn : logicalAnd(runs, goesOn);
    variables = choose(runs, next, variables) as T;
  }
  return variables;
}

/** Most iterations that are unrolled in a graph. */
const kMaxUnrolled = 1000;

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
 * carry and a result, or null. Returns the last carry and the results, stacked. The carry, `xs` and
 * results may be lists or dictionaries of tensors.
 *
 * @param f Receives the carry and a slice, and returns the next carry and a result.
 * @param init The first carry.
 * @param xs A tensor, or null for `options.length` calls without slices.
 * @param options.length Number of calls. Default: the length of `xs`.
 * @param options.reverse Whether to begin with the last slice. Default: false.
 */
export function scan<T>(
  f: (carry: T, x: Tensor) => readonly [T, TensorStructure | null],
  init: T,
  xs: Operand,
  options?: { length?: number; reverse?: boolean },
): [T, Tensor];
export function scan<T, X, Y>(
  f: (carry: T, x: X) => readonly [T, Y],
  init: T,
  xs?: X | null,
  options?: { length?: number; reverse?: boolean },
): [T, Y];
export function scan(
  f: (carry: never, x: never) => readonly [unknown, unknown],
  init: unknown,
  xs: unknown = null,
  options: { length?: number; reverse?: boolean } = {},
): [unknown, unknown] {
  checkFunction(f, 'f');
  const { length: wanted, reverse } = optionsOf(options);
  const slices = xs === null ? null : mapLeaves(xs, (leaf) => asTensor(leaf as Operand));
  if (xs !== null && wanted === undefined && isUnknown(leavesOf(slices)[0], 0)) {
    const settings = { length: null, reverse: reverse ?? false, unroll: 1 };
    const call = { className: 'Scan', f, settings, args: [init, slices] } as const;
    return unknownLengths.get()(call) as [unknown, unknown];
  }
  const lengths = leavesOf(slices).map((leaf) => (leaf as Tensor | null)?.shape[0] ?? wanted);
  const [length] = lengths;
  if (length === undefined || lengths.some((each) => each !== (wanted ?? length))) {
    throw new ValueError(
      `scan needs xs with a first axis, or options.length; got ${lengths} and ${wanted}`,
    );
  }
  let carry = init;
  const results: unknown[] = Array(length).fill(null);
  for (let i = 0; i < length; i++) {
    const position = reverse ? length - 1 - i : i;
    const slice = slices && mapLeaves(slices, (leaf) => getItem(leaf as Tensor, position));
    const pair = f(carry as never, slice as never);
    checkList(pair, 'the result of f');
    [carry, results[position]] = pair;
  }
  if (length === 0 || results.includes(null)) return [carry, null];
  return [carry, joinLeaves(results, (leaves) => stack(leaves as TensorLike[]))];
}

function mapSlices(
  className: 'Map' | 'VectorizedMap',
  f: (x: never) => unknown,
  xs: unknown,
): unknown {
  checkFunction(f, 'f');
  if (isUnknown(leavesOf(xs)[0], 0)) {
    return unknownLengths.get()({ className, f, settings: {}, args: [xs] });
  }
  const [, results] = scan((carry: null, x) => [carry, f(x as never)], null, xs);
  if (results === null) throw new ValueError('map needs at least one slice');
  return results;
}

/**
 * Calls `f` with each slice of `xs` along its first axis and stacks the results. Both may be lists
 * or dictionaries of tensors.
 */
export function map(f: (x: Tensor) => Operand, xs: Operand): Tensor;
export function map<X, Y>(f: (x: X) => Y, xs: X): Y;
export function map(f: (x: never) => unknown, xs: unknown): unknown {
  return mapSlices('Map', f, xs);
}
/** As `map`; Keras has two names for it. */
export function vectorizedMap(f: (x: Tensor) => Operand, xs: Operand): Tensor;
export function vectorizedMap<X, Y>(f: (x: X) => Y, xs: X): Y;
export function vectorizedMap(f: (x: never) => unknown, xs: unknown): unknown {
  return mapSlices('VectorizedMap', f, xs);
}
