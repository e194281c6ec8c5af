// SPDX-License-Identifier: MIT

/** Number of letters to insert, delete, replace or swap with a neighbour to get `b` from `a`. */
function distance(a: string, b: string): number {
  const rows = [Array.from({ length: b.length + 1 }, (_, k) => k)];
  for (let i = 1; i <= a.length; i++) {
    const [before = [], previous = []] = [rows[i - 2], rows[i - 1]];
    const row = [i];
    for (let k = 1; k <= b.length; k++) {
      const change = (previous[k - 1] as number) + (a[i - 1] === b[k - 1] ? 0 : 1);
      const isSwap = i > 1 && k > 1 && a[i - 1] === b[k - 2] && a[i - 2] === b[k - 1];
      const swap = isSwap ? (before[k - 2] as number) + 1 : change;
      row.push(Math.min(change, swap, (previous[k] as number) + 1, (row[k - 1] as number) + 1));
    }
    rows.push(row);
  }
  return rows[a.length]?.[b.length] as number;
}

const kLongest = 40;

/** The name that is most like a wrong one; undefined if all are very different. */
function nearest(name: string, names: readonly string[]): string | undefined {
  const wrong = name.slice(0, kLongest).toLowerCase();
  const costs = names.map((other) => {
    const right = other.toLowerCase();
    const isPart = wrong.length > 2 && (right.startsWith(wrong) || right.endsWith(`-${wrong}`));
    return isPart ? 0 : distance(wrong, right);
  });
  const least = Math.min(...costs);
  return least <= Math.max(1, Math.floor(wrong.length / 3))
    ? names[costs.indexOf(least)]
    : undefined;
}

/** ` (did you mean 'run'?)`, or nothing if no name is like the wrong one. */
export function suggestion(name: string, names: readonly string[]): string {
  const other = nearest(name, names);
  return other === undefined ? '' : ` (did you mean '${other}'?)`;
}
