// SPDX-License-Identifier: MIT
import type { Tensor } from '../../tensor/tensor.js';
import type { PlainArray } from './recorded.js';

export interface Tolerances {
  absolute: number;
  relative: number;
}

/** How one output compares with what was recorded. */
export interface OutputCheck {
  /** Its number or key. */
  name: string;
  /** What is wrong, in words; null when all agrees. */
  problem: string | null;
  shape: number[];
  /** Elements compared, and elements left out as masked. */
  compared: number;
  leftOut: number;
  /** Elements that do not agree. */
  outside: number;
  /** The largest differences, and the element that is furthest beyond (or nearest to) the tolerance. */
  worst: { absolute: number; relative: number; at: number[]; got: number; recorded: number };
}

interface Settings extends Tolerances {
  /** null: the output has none; undefined: masks were not recorded. */
  mask: PlainArray | null | undefined;
  ignoreMasked: boolean;
}

const same = (a: number, b: number): boolean => a === b || (Number.isNaN(a) && Number.isNaN(b));

const differs = (a: number, b: number): number => {
  const difference = Math.abs(a - b);
  return Number.isNaN(difference) ? Number.POSITIVE_INFINITY : difference;
};

function indexOf(flat: number, shape: readonly number[]): number[] {
  const index: number[] = [];
  let rest = flat;
  for (const dim of [...shape].reverse()) {
    index.unshift(rest % dim);
    rest = Math.floor(rest / dim);
  }
  return index;
}

const text = (shape: readonly number[]): string => `[${shape.join(', ')}]`;

/** What differs between the masks, in words. */
function maskProblem(got: PlainArray | null, wanted: PlainArray | null): string | null {
  if (!got || !wanted) {
    if (!got && !wanted) return null;
    return got ? 'it has a mask, but none was recorded' : 'it has no mask, but one was recorded';
  }
  if (text(got.shape) !== text(wanted.shape)) {
    return `its mask has shape ${text(got.shape)}, not ${text(wanted.shape)}`;
  }
  const places = Array.from(got.data).filter((keep, i) => !keep !== !wanted.data[i]).length;
  return places === 0 ? null : `its mask differs at ${places} of ${got.data.length} places`;
}

/** Is an element kept by a mask over the leading dimensions? */
function keeper(mask: PlainArray | null, size: number): (i: number) => boolean {
  if (!mask || mask.data.length === 0) return () => true;
  const each = size / mask.data.length;
  return (i) => Boolean(mask.data[Math.floor(i / each)]);
}

type Elements = Pick<OutputCheck, 'compared' | 'leftOut' | 'outside' | 'worst'>;

function compareElements(
  got: ArrayLike<number>,
  wanted: ArrayLike<number>,
  shape: readonly number[],
  keep: (i: number) => boolean,
  { absolute, relative }: Tolerances,
): Elements {
  const worst = {
    absolute: 0,
    relative: 0,
    at: shape.map(() => 0),
    got: Number.NaN,
    recorded: Number.NaN,
  };
  const result = { compared: 0, leftOut: 0, outside: 0, worst };
  let furthest = Number.NEGATIVE_INFINITY;
  for (let i = 0; i < wanted.length; i++) {
    if (!keep(i)) continue;
    const [a, b] = [got[i] as number, wanted[i] as number];
    const difference = same(a, b) ? 0 : differs(a, b);
    // Infinities are equal or not: no tolerance reaches them.
    const allowed = Number.isFinite(b) ? absolute + relative * Math.abs(b) : 0;
    result.compared++;
    if (difference > allowed) result.outside++;
    worst.absolute = Math.max(worst.absolute, difference);
    if (difference > 0) worst.relative = Math.max(worst.relative, difference / Math.abs(b));
    if (difference - allowed > furthest) {
      furthest = difference - allowed;
      Object.assign(worst, { at: indexOf(i, shape), got: a, recorded: b });
    }
  }
  result.leftOut = wanted.length - result.compared;
  return result;
}

/** Compares one output of the model, with its mask, with what was recorded of it. */
export function compare(
  name: string,
  output: Tensor,
  recorded: PlainArray,
  settings: Settings,
): OutputCheck {
  const { shape } = output;
  const nothing = { absolute: 0, relative: 0, at: [], got: Number.NaN, recorded: Number.NaN };
  if (text(shape) !== text(recorded.shape)) {
    const problem = `it has shape ${text(shape)}, not ${text(recorded.shape)}`;
    return { name, problem, shape, compared: 0, leftOut: 0, outside: 0, worst: nothing };
  }
  const own = output.mask;
  const mask = own && { shape: own.shape, dtype: 'bool', data: own.data() };
  const left = settings.ignoreMasked ? (settings.mask ?? mask) : null;
  const elements = output.read((view) =>
    compareElements(view, recorded.data, shape, keeper(left, view.length), settings),
  );
  const problems: string[] = [];
  if (elements.outside > 0) {
    const { at, got, recorded: wanted } = elements.worst;
    problems.push(
      `${elements.outside} of ${elements.compared} elements differ by more than the tolerance, the most at ${text(at)}: ${got} instead of ${wanted}`,
    );
  }
  const differing = settings.mask === undefined ? null : maskProblem(mask, settings.mask);
  if (differing) problems.push(differing);
  return { name, problem: problems.join('; ') || null, shape, ...elements };
}
