// SPDX-License-Identifier: MIT
// Finds out whether padded rows get the numbers that they get alone.
import type { TraceEntry } from '../model/trace.js';
import type { WireTensor, WireTree } from './messages.js';
import { lengthOf } from './rows_of_requests.js';

/** Whether a layer makes a mask and none loses it. */
export function keepsMask(entries: readonly TraceEntry[]): boolean {
  const roles = entries.map(({ role }) => role);
  return roles.includes('makes') && !roles.includes('drops') && !roles.includes('ignores');
}

const isEqual = (a: readonly number[], b: readonly number[]): boolean =>
  a.length === b.length && a.every((size, i) => size === b[i]);

/** Whether the first elements of `padded` have the bits of `alone`. */
const beginsWith = (padded: WireTensor, alone: WireTensor): boolean =>
  alone.data.every((value, i) => Object.is(value, padded.data[i]));

/**
 * Compares outputs of padded rows with those of the same rows alone. Returns for each output
 * whether it has the steps of its row, so that those of the padding must be cut; null if padding
 * changes numbers, or if outputs have other shapes.
 */
export function comparePadded(
  rows: readonly WireTree[],
  padded: readonly WireTree[],
  alone: readonly WireTree[],
): boolean[] | null {
  const longest = Math.max(...rows.map(lengthOf));
  const [first] = alone as [WireTree];
  const isCut: boolean[] = [];
  for (let output = 0; output < first.items.length; output++) {
    const pairs = rows.map((row, i) => ({
      length: lengthOf(row),
      own: alone[i]?.items[output] as WireTensor,
      joined: padded[i]?.items[output] as WireTensor,
    }));
    const isWhole = pairs.every(({ own, joined }) => isEqual(own.shape, joined.shape));
    const hasSteps = pairs.every(
      ({ length, own, joined }) =>
        own.shape[0] === length && isEqual(joined.shape, [longest, ...own.shape.slice(1)]),
    );
    if (!(isWhole || hasSteps) || !pairs.every(({ own, joined }) => beginsWith(joined, own))) {
      return null;
    }
    isCut.push(!isWhole);
  }
  return isCut;
}
