// SPDX-License-Identifier: MIT
// The comparison of one output with its recording, and the numbers in the report of `verify`.
import type { Tensor } from '../../tensor/tensor.js';
import type { PlainArray } from './recorded.js';

/** Largest differences allowed: |output - recorded| ≤ absolute + relative · |recorded|. */
export interface Tolerances {
  /** Largest absolute difference allowed from the recorded value 0; at least 0. */
  absolute: number;
  /** Further difference allowed, as a share of the recorded value; at least 0. */
  relative: number;
}

/** Comparison of an output with the recorded one. */
export interface OutputCheck {
  /** Index or key of the output. */
  name: string;
  /** Description of the differences; null if all elements agree. */
  problem: string | null;
  /** Shape of the output of the model. */
  shape: number[];
  /** Number of elements compared. */
  compared: number;
  /** Number of elements left out because they are masked. */
  leftOut: number;
  /** Number of elements outside the tolerance. */
  outside: number;
  /**
   * Largest absolute and relative difference; index, value and recorded value of the element that
   * exceeds the tolerance most, or is closest to it.
   */
  worst: { absolute: number; relative: number; at: number[]; got: number; recorded: number };
}

interface Settings extends Tolerances {
  /** Null if the recorded output has no mask, undefined if masks were not recorded. */
  mask: PlainArray | null | undefined;
  ignoreMasked: boolean;
}

const isSame = (a: number, b: number): boolean => a === b || (Number.isNaN(a) && Number.isNaN(b));

const distance = (a: number, b: number): number => {
  const difference = Math.abs(a - b);
  return Number.isNaN(difference) ? Number.POSITIVE_INFINITY : difference;
};

function indexOf(flat: number, shape: readonly number[]): number[] {
  const index: number[] = [];
  let remaining = flat;
  for (const dim of [...shape].reverse()) {
    index.unshift(remaining % dim);
    remaining = Math.floor(remaining / dim);
  }
  return index;
}

const shapeText = (shape: readonly number[]): string => `[${shape.join(', ')}]`;

/** Describes the difference between two masks; null if they are equal. */
function maskProblem(mask: PlainArray | null, recorded: PlainArray | null): string | null {
  if (!mask || !recorded) {
    if (!mask && !recorded) return null;
    return mask ? 'it has a mask, but none was recorded' : 'it has no mask, but one was recorded';
  }
  if (shapeText(mask.shape) !== shapeText(recorded.shape)) {
    return `its mask has shape ${shapeText(mask.shape)}, not ${shapeText(recorded.shape)}`;
  }
  const count = Array.from(mask.data).filter((keep, i) => !keep !== !recorded.data[i]).length;
  return count === 0 ? null : `its mask differs at ${count} of ${mask.data.length} positions`;
}

/** Returns a function that tells whether a mask over the leading dimensions keeps an element. */
function keepFunction(mask: PlainArray | null, size: number): (i: number) => boolean {
  if (!mask || mask.data.length === 0) return () => true;
  const elementsPerStep = size / mask.data.length;
  return (i) => Boolean(mask.data[Math.floor(i / elementsPerStep)]);
}

type Elements = Pick<OutputCheck, 'compared' | 'leftOut' | 'outside' | 'worst'>;

function compareElements(
  output: ArrayLike<number>,
  recorded: ArrayLike<number>,
  shape: readonly number[],
  keep: (i: number) => boolean,
  { absolute, relative }: Tolerances,
  tick: () => void,
): Elements {
  const worst = {
    absolute: 0,
    relative: 0,
    at: shape.map(() => 0),
    got: Number.NaN,
    recorded: Number.NaN,
  };
  const result = { compared: 0, leftOut: 0, outside: 0, worst };
  let largestExcess = Number.NEGATIVE_INFINITY;
  for (let i = 0; i < recorded.length; i++) {
    tick();
    if (!keep(i)) continue;
    const [a, b] = [output[i] as number, recorded[i] as number];
    const difference = isSame(a, b) ? 0 : distance(a, b);
    // Infinities have no tolerance: they are equal or not.
    const allowed = Number.isFinite(b) ? absolute + relative * Math.abs(b) : 0;
    result.compared++;
    if (difference > allowed) result.outside++;
    worst.absolute = Math.max(worst.absolute, difference);
    if (difference > 0) worst.relative = Math.max(worst.relative, difference / Math.abs(b));
    if (difference - allowed > largestExcess) {
      largestExcess = difference - allowed;
      Object.assign(worst, { at: indexOf(i, shape), got: a, recorded: b });
    }
  }
  result.leftOut = recorded.length - result.compared;
  return result;
}

/**
 * Compares an output of the model and its mask with the recorded ones. Calls `tick` for each
 * element.
 */
export function compare(
  name: string,
  output: Tensor,
  recorded: PlainArray,
  settings: Settings,
  tick: () => void,
): OutputCheck {
  const { shape } = output;
  const noElement = { absolute: 0, relative: 0, at: [], got: Number.NaN, recorded: Number.NaN };
  if (shapeText(shape) !== shapeText(recorded.shape)) {
    const problem = `it has shape ${shapeText(shape)}, not ${shapeText(recorded.shape)}`;
    return { name, problem, shape, compared: 0, leftOut: 0, outside: 0, worst: noElement };
  }
  const outputMask = output.mask;
  const mask = outputMask && { shape: outputMask.shape, dtype: 'bool', data: outputMask.data() };
  const applied = settings.ignoreMasked ? (settings.mask ?? mask) : null;
  const elements = output.read((view) =>
    compareElements(view, recorded.data, shape, keepFunction(applied, view.length), settings, tick),
  );
  const problems: string[] = [];
  if (elements.outside > 0) {
    const { at, got, recorded: expected } = elements.worst;
    problems.push(
      `${elements.outside} of ${elements.compared} elements differ by more than the tolerance, the most at ${shapeText(at)}: ${got} instead of ${expected}`,
    );
  }
  const maskDifference = settings.mask === undefined ? null : maskProblem(mask, settings.mask);
  if (maskDifference) problems.push(maskDifference);
  return { name, problem: problems.join('; ') || null, shape, ...elements };
}
