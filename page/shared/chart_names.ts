// SPDX-License-Identifier: MIT
// Places of the names of lines inside a narrow chart, clear of lines, dots and other names.

/** A point of a drawing that letters must not cover, and the room around it. */
type Mark = readonly [x: number, y: number, room: number];
type Point = readonly [x: number, y: number];

/** Rooms around a dot and around a line. */
const ofDot = 6;
const ofLine = 2;

/** Heights of a name above its baseline and below it, and the width of a letter, at most. */
const ascent = 13;
const descent = 4;
const letter = 8;

/** Returns the marks of one line: its dots, or points along it that are near each other. */
export function marksAlong(points: readonly Point[], isDotted: boolean): Mark[] {
  const drawn = points.filter(([, y]) => Number.isFinite(y));
  if (isDotted) return drawn.map(([x, y]) => [x, y, ofDot]);
  return drawn.flatMap(([x, y], index) => {
    const [x0, y0] = drawn[index - 1] ?? [x, y];
    const count = Math.ceil(Math.hypot(x - x0, y - y0) / 4) || 1;
    return Array.from({ length: count }, (_, k): Mark => {
      const share = (k + 1) / count;
      return [x0 + share * (x - x0), y0 + share * (y - y0), ofLine];
    });
  });
}

/** Returns the mark of a dot on a line. */
export const markOfDot = ([x, y]: Point): Mark => [x, y, ofDot];

/**
 * Returns the baselines of names that end at `right`: each as near to the end of its line as the
 * marks and the other names allow, between `top` and `floor`.
 */
export function baselinesInside(
  names: readonly { name: string; end: number }[],
  { right, top, floor }: { right: number; top: number; floor: number },
  marks: readonly Mark[],
): number[] {
  const taken = [...marks];
  const baselines = names.map(() => 0);
  // The lowest line is first, so that names are in the order of their lines.
  const order = names.map((_, index) => index);
  order.sort((a, b) => (names[b]?.end ?? 0) - (names[a]?.end ?? 0));
  for (const index of order) {
    const { name, end } = names[index] ?? { name: '', end: floor };
    const left = right - letter * name.length;
    const isFree = (y: number) =>
      y - ascent >= top - 2 &&
      y + descent <= floor &&
      taken.every(
        ([x, mark, room]) =>
          x < left - room ||
          x > right + room ||
          mark < y - ascent - room ||
          mark > y + descent + room,
      );
    const near = candidates(end, floor - top);
    const baseline = near.find(isFree) ?? near.find((y) => y - ascent >= top - 2) ?? end;
    baselines[index] = baseline;
    for (let x = left; x <= right; x += letter)
      taken.push([x, baseline - ascent, 0], [x, baseline, 0], [x, baseline + descent, 0]);
  }
  return baselines;
}

/** Returns baselines above and below the end of a line, the nearest ones first. */
const candidates = (end: number, height: number): number[] =>
  Array.from({ length: Math.ceil(height / 3) }, (_, k) => [
    end - descent - ofLine - 1 - 3 * k,
    end + ascent + ofLine + 3 + 3 * k,
  ]).flat();
