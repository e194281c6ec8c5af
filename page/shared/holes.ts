// SPDX-License-Identifier: MIT
// Painted cells of the batch as text of a control: '1w3' is word 3 of row 1, wherever padding puts
// it, and '0p1' is the second padding cell of row 0, counted from its words. Painted cells
// therefore stay with their words when the padding changes sides.

export type CellAt = [row: number, step: number];

const limit = 720;
const separator = '.';

const namesIn = (text: string): string[] =>
  text
    .split(separator)
    .filter((name) => /^\d{1,2}[wp]\d{1,2}$/.test(name))
    .slice(0, limit);

/** Returns the name of each cell of a row. */
function namesOf(row: readonly number[], b: number): string[] {
  const first = row.findIndex((place) => place >= 0);
  const last = row.findLastIndex((place) => place >= 0);
  return row.map((place, t) => {
    if (place >= 0) return `${b}w${place}`;
    return `${b}p${first > t ? first - t - 1 : t - last - 1}`;
  });
}

/** Returns the positions of the named cells; words that were cut off have none. */
export function cellsOf(text: string, places: readonly number[][]): CellAt[] {
  const painted = new Set(namesIn(text));
  return places.flatMap((row, b) =>
    namesOf(row, b).flatMap((name, t): CellAt[] => (painted.has(name) ? [[b, t]] : [])),
  );
}

/** Returns the text after a cell was painted (`on`) or cleared. */
export function paint(
  text: string,
  places: readonly number[][],
  [row, step]: CellAt,
  on: boolean,
): string {
  const name = namesOf(places[row] ?? [], row)[step];
  if (name === undefined) return text;
  const names = new Set(namesIn(text));
  if (on) names.add(name);
  else names.delete(name);
  return [...names].sort().join(separator);
}

export const has = (cells: readonly CellAt[], row: number, step: number): boolean =>
  cells.some(([b, t]) => b === row && t === step);
