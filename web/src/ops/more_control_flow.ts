// SPDX-License-Identifier: MIT
// Control flow that few models contain.
import { checkFunction, checkList, optionsOf } from '../base/check.js';
import { ValueError } from '../base/errors.js';
import { asTensor, type Operand, type Tensor } from '../tensor/tensor.js';
import { choose, isUnknown, unknownLengths } from './in_graphs.js';
import { concatenate, equal, getItem, lessEqual } from './ops.gen.js';
import { joinLeaves, leavesOf, mapLeaves, type TensorStructure } from './structures.js';

/**
 * Calls the function with this index and returns its result. An index out of range counts as the
 * nearest. In a graph, all functions are called, and the index chooses among the elements of their
 * results.
 *
 * @param index Place of the function in `branches`.
 * @param branches The functions.
 * @param operands Arguments of the function.
 */
function switchOf<T, Args extends readonly unknown[]>(
  index: Operand,
  branches: readonly ((...operands: Args) => T)[],
  ...operands: Args
): T {
  checkList(branches, 'branches');
  for (const branch of branches) checkFunction(branch, 'a branch');
  if (branches.length === 0) throw new ValueError('switch needs at least one branch');
  const last = branches.length - 1;
  const position = asTensor(index);
  if (!position.isSymbolic) {
    const place = Math.min(Math.max(Math.trunc(position.item()), 0), last);
    return (branches[place] as (...operands: Args) => T)(...operands);
  }
  const results = branches.map((branch) => branch(...operands));
  // The first branch also serves smaller indices, the last one larger ones.
  return results.reduceRight(
    (otherwise, result, place) =>
      choose(place === 0 ? lessEqual(position, 0) : equal(position, place), result, otherwise) as T,
  );
}
export { switchOf as switch };

/**
 * Combines the slices of an axis from the first to each one by an associative function:
 * `f(a, b)` receives tensors of slices. `elems` may be a list or a dictionary of tensors.
 *
 * @param f Receives two tensors of slices, and returns one as long.
 * @param elems The tensors.
 * @param options.reverse Whether to begin at the end. Default: false.
 * @param options.axis Axis of the slices. Default: 0.
 */
export function associativeScan(
  f: (a: Tensor, b: Tensor) => Operand,
  elems: Operand,
  options?: { reverse?: boolean; axis?: number },
): Tensor;
export function associativeScan<T>(
  f: (a: T, b: T) => TensorStructure,
  elems: T,
  options?: { reverse?: boolean; axis?: number },
): T;
export function associativeScan(
  f: (a: never, b: never) => unknown,
  elems: unknown,
  options: { reverse?: boolean; axis?: number } = {},
): unknown {
  checkFunction(f, 'f');
  const { reverse = false, axis = 0 } = optionsOf(options);
  const tensors = mapLeaves(elems, (leaf) => asTensor(leaf as Operand));
  const [first] = leavesOf(tensors) as Tensor[];
  if (isUnknown(first, axis)) {
    const settings = { reverse, axis };
    return unknownLengths.get()({ className: 'AssociativeScan', f, settings, args: [tensors] });
  }
  const length = first?.shape.at(axis);
  if (length === undefined) throw new ValueError(`axis ${axis} is out of range for elems`);
  if (length === 0) return tensors;
  const sliceAt = (place: number): unknown =>
    mapLeaves(tensors, (leaf) => {
      const { rank } = leaf as Tensor;
      const key = Array.from({ length: rank }, (_, each) =>
        each === (axis + rank) % rank ? { start: place, stop: place + 1 } : {},
      );
      return getItem(leaf as Tensor, key);
    });
  const places = Array.from({ length }, (_, i) => (reverse ? length - 1 - i : i));
  let total: unknown;
  const results = places.map((place, i) => {
    total = i === 0 ? sliceAt(place) : f(total as never, sliceAt(place) as never);
    return total;
  });
  if (reverse) results.reverse();
  return joinLeaves(results, (leaves) => concatenate(leaves as Tensor[], { axis }));
}
