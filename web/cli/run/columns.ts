// SPDX-License-Identifier: MIT
// Columns of the data: names, numbers and ranges of the options --columns and --id.
import { FormatError } from '../../src/base/errors.js';
import { nearestOf } from '../../src/base/nearest.js';

const range = /^(\d+)(?:-(\d+))?$/;

/** True if a name can only be that of a heading. */
export const isName = (name: string): boolean => !range.test(name);

/** Indices of the columns: a heading with that name first, else a number from 1 or a range. */
export function findColumns(
  names: readonly string[],
  headings: readonly string[],
  count: number,
  what: string,
): number[] {
  return names.flatMap((name) => {
    const index = headings.indexOf(name);
    if (index >= 0) return [index];
    const [, first, last = first] = range.exec(name) ?? [];
    if (first === undefined) throw unknownColumn(name, headings, what);
    const [from, to] = [Number(first), Number(last)];
    if (from < 1 || to < from || to > count) {
      throw new FormatError(`${what} has ${count} columns, so '${name}' is not in it`);
    }
    return Array.from({ length: to - from + 1 }, (_, i) => from - 1 + i);
  });
}

const kMostShown = 20;

/** The error about a column or field that is not in the data. */
export function unknownColumn(
  name: string,
  headings: readonly string[],
  what: string,
): FormatError {
  if (headings.length === 0) {
    return new FormatError(
      `${what} has no heading with the name '${name}'; use numbers of columns, or --header`,
    );
  }
  const shown = headings.slice(0, kMostShown).join(', ');
  const more = headings.length > kMostShown ? ' …' : '';
  return new FormatError(
    `${what} has no column '${name}'${nearestOf(name, headings)}; it has ${shown}${more}`,
  );
}
