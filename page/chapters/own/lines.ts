// SPDX-License-Identifier: MIT
// Which lines of a Python program and of its translation belong together.

/** Lines that belong together. */
export interface Unit {
  /** Lines of Python, by index. */
  readonly python: readonly number[];
  /** Lines of JavaScript, by index. */
  readonly js: readonly number[];
}

/** `lines` has the line of Python, from 1, of each line of the code, as `port` returns it. */
export function unitsOf(python: string, code: string, lines: readonly (number | null)[]): Unit[] {
  const texts = python.split('\n');
  const starts = [...new Set(lines.filter((line) => line !== null))].sort((a, b) => a - b);
  const js = new Map<number, number[]>(starts.map((start) => [start, []]));
  let last: number | null = null;
  code.split('\n').forEach((text, index) => {
    // Further lines of a statement have no number of their own.
    last = lines[index] ?? last;
    if (last !== null && text.trim() !== '') js.get(last)?.push(index);
  });
  return starts.flatMap((start, at) => {
    const end = (starts[at + 1] ?? texts.length + 1) - 1;
    const own = Array.from({ length: end - start + 1 }, (_, index) => start - 1 + index);
    return splitUnit({
      python: own.filter((line) => texts[line]?.trim()),
      js: js.get(start) ?? [],
    });
  });
}

/** Splits a statement of several lines, such as a list of layers, if both forms have as many. */
function splitUnit(unit: Unit): Unit[] {
  if (unit.python.length !== unit.js.length) return [unit];
  return unit.python.map((line, index) => ({ python: [line], js: [unit.js[index] as number] }));
}
