// SPDX-License-Identifier: MIT
// Columns of the data: names, numbers and ranges of the options --columns and --id.
import { FormatError } from '../../src/base/errors.js';
import { nearestOf } from '../../src/base/nearest.js';

const range = /^(\d+)(?:-(\d+))?$/;

/** The last column of a number or a range; 0 for a name. */
export const lastOf = (name: string): number => {
  const [, first = 0, last = first] = range.exec(name) ?? [];
  return Number(last);
};

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
    const second = headings.indexOf(name, index + 1);
    if (index >= 0 && second >= 0) {
      throw new FormatError(
        `columns ${index + 1} and ${second + 1} of ${what} are both called '${name}'; choose one by its number`,
      );
    }
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

/** Columns that pass through, each once. FormatError if two have the same name. */
export function keyColumns(
  indices: readonly number[],
  nameOf: (index: number) => string,
  what: string,
): { index: number; name: string }[] {
  const columns = new Map<string, number>();
  for (const index of new Set(indices)) {
    const name = nameOf(index);
    const first = columns.get(name);
    if (first !== undefined) {
      throw new FormatError(
        `columns ${first + 1} and ${index + 1} of ${what} are both called '${name}', so only one of them can pass through; choose it with --id ${first + 1}`,
      );
    }
    columns.set(name, index);
  }
  return [...columns].map(([name, index]) => ({ name, index }));
}

const kMaxShown = 20;

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
  const shown = headings.slice(0, kMaxShown).join(', ');
  const more = headings.length > kMaxShown ? ' …' : '';
  return new FormatError(
    `${what} has no column '${name}'${nearestOf(name, headings)}; it has ${shown}${more}`,
  );
}
