// SPDX-License-Identifier: MIT
// Ops whose results have shapes that depend on the numbers of their operands. Graphs cannot contain
// them.
import { checkOptions, refuse, show } from '../base/check.js';
import { UnsupportedError, ValueError } from '../base/errors.js';
import { asTensor, type Tensor, type TensorLike, tensor } from '../tensor/tensor.js';

function withData(x: TensorLike, op: string): Tensor {
  const operand = asTensor(x);
  if (!operand.isSymbolic) return operand;
  throw new UnsupportedError(
    `the shape of the result of ${op} depends on the numbers of x, which a graph does not know; call it inside the call() of a custom layer`,
  );
}

const vector = (numbers: readonly number[], dtype: 'float32' | 'int32'): Tensor =>
  tensor(dtype === 'int32' ? Int32Array.from(numbers) : Float32Array.from(numbers), { dtype });

/** The indices of the elements that are not 0: an int32 vector for each axis. */
export function nonzero(x: TensorLike): Tensor[] {
  const operand = withData(x, 'nonzero');
  const { shape } = operand;
  const indices: number[][] = shape.map(() => []);
  operand.data().forEach((value, flat) => {
    if (Number(value) === 0) return;
    let rest = flat;
    for (let axis = shape.length - 1; axis >= 0; axis--) {
      const size = shape[axis] as number;
      indices[axis]?.push(rest % size);
      rest = Math.floor(rest / size);
    }
  });
  return indices.map((list) => vector(list, 'int32'));
}

/** Options of {@link unique}. */
export interface UniqueOptions {
  /** Whether the index of the first of equal elements is a result, too. Default: false. */
  returnIndex?: boolean;
  /** Whether the place of each element of x among the results is one, too. Default: false. */
  returnInverse?: boolean;
  /** Whether the number of equal elements is a result, too. Default: false. */
  returnCounts?: boolean;
}

/**
 * The different elements of x, sorted, NaN last. With options, a list: values and int32 vectors.
 */
export function unique(x: TensorLike): Tensor;
export function unique(x: TensorLike, options: UniqueOptions): Tensor | Tensor[];
export function unique(x: TensorLike, options: UniqueOptions = {}): Tensor | Tensor[] {
  const { returnIndex, returnInverse, returnCounts } = checkOptions(options, {
    returnIndex: 1,
    returnInverse: 1,
    returnCounts: 1,
  });
  const operand = withData(x, 'unique');
  const numbers = Array.from(operand.data(), Number);
  const order = numbers.map((_, i) => i);
  const value = (i: number): number => numbers[i] as number;
  const after = (a: number, b: number): number => {
    if (value(a) === value(b)) return a - b;
    if (Number.isNaN(value(b))) return Number.isNaN(value(a)) ? a - b : -1;
    return Number.isNaN(value(a)) || value(a) > value(b) ? 1 : -1;
  };
  order.sort(after);
  const first: number[] = [];
  const counts: number[] = [];
  const inverse: number[] = Array(numbers.length).fill(0);
  for (const i of order) {
    const last = first.at(-1);
    if (last === undefined || value(last) !== value(i)) {
      first.push(i);
      counts.push(0);
    }
    counts[counts.length - 1] = (counts.at(-1) as number) + 1;
    inverse[i] = first.length - 1;
  }
  const { dtype } = operand;
  const values = first.map(value);
  const results = [
    dtype === 'bool' ? tensor(values.map(Boolean)) : vector(values, dtype),
    ...(returnIndex ? [vector(first, 'int32')] : []),
    ...(returnInverse ? [vector(inverse, 'int32')] : []),
    ...(returnCounts ? [vector(counts, 'int32')] : []),
  ];
  return results.length === 1 ? (results[0] as Tensor) : results;
}

/**
 * How often each integer occurs in a vector, from 0 to the largest one: int32, or float32 sums of
 * weights.
 *
 * @param options.weights Weight of each element. Default: null, all count 1.
 * @param options.minlength Least length of the result. Default: 0.
 */
export function bincount(
  x: TensorLike,
  options: { weights?: TensorLike | null; minlength?: number } = {},
): Tensor {
  const { weights = null, minlength = 0 } = checkOptions(options, { weights: 1, minlength: 1 });
  const numbers = Array.from(withData(x, 'bincount').data(), Number);
  const each = weights === null ? null : Array.from(asTensor(weights).data(), Number);
  if (each && each.length !== numbers.length) {
    throw new ValueError(`x has ${numbers.length} elements but weights ${each.length}`);
  }
  const wrong = numbers.find((n) => !Number.isInteger(n) || n < 0);
  if (wrong !== undefined) throw new ValueError(`x has ${wrong}; bincount counts integers from 0`);
  const length = numbers.reduce((max, n) => Math.max(max, n + 1), minlength);
  if (length > 2 ** 28) throw new ValueError(`${length} counts are too many`);
  const counts: number[] = Array(length).fill(0);
  numbers.forEach((n, i) => {
    counts[n] = (counts[n] as number) + (each ? (each[i] as number) : 1);
  });
  return vector(counts, each ? 'float32' : 'int32');
}

/**
 * How many elements are in each of several bins of equal width, float32, and the limits of the
 * bins. The last bin includes its upper limit; elements outside of the range are left out.
 *
 * @param options.bins Number of bins. Default: 10.
 * @param options.range Lowest and highest limit. Default: null, the smallest and largest element.
 */
export function histogram(
  x: TensorLike,
  options: { bins?: number; range?: readonly [number, number] | null } = {},
): [Tensor, Tensor] {
  const { bins = 10, range = null } = checkOptions(options, { bins: 1, range: 1 });
  if (!Number.isInteger(bins) || bins < 1 || bins > 2 ** 28) {
    refuse("'bins'", 'an integer, at least 1', bins);
  }
  const numbers = Array.from(withData(x, 'histogram').data(), Number);
  let [low, high] = range ?? [
    numbers.reduce((a, b) => Math.min(a, b), numbers[0] ?? 0),
    numbers.reduce((a, b) => Math.max(a, b), numbers[0] ?? 1),
  ];
  if (!(Number.isFinite(low) && Number.isFinite(high) && low <= high)) {
    throw new ValueError(`the range of the bins is ${show(low)} to ${show(high)}`);
  }
  if (low === high) [low, high] = [low - 0.5, high + 0.5];
  const limits = Array.from({ length: bins + 1 }, (_, i) => low + ((high - low) * i) / bins);
  const counts: number[] = Array(bins).fill(0);
  for (const n of numbers) {
    if (!(n >= low && n <= high)) continue;
    const bin = Math.min(Math.floor(((n - low) / (high - low)) * bins), bins - 1);
    counts[bin] = (counts[bin] as number) + 1;
  }
  return [vector(counts, 'float32'), vector(limits, 'float32')];
}
