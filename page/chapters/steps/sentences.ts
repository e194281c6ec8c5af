// SPDX-License-Identifier: MIT
// The sentences of the chapter "steps", from the computed outputs.
import { type Sum, distanceOf } from '../../shared/arithmetic.js';
import { count, gap, upTo } from '../../shared/text.js';
import { type Effect, type Feature, effectAt } from './walk.js';

export interface RowFacts {
  row: number;
  mask: boolean[];
  features: Feature[];
  words: string[];
}

export function summary({ row, mask, features }: RowFacts): string {
  const masked = mask.flatMap((keep, step) => (keep ? [] : [step]));
  const effects = masked.map((step) => effectAt(features, step));
  const opening = `Row ${row}: ${count(mask.length - masked.length, 'step')} kept, ${masked.length} masked.`;
  return [opening, describeEffects(effects), describeNaN(features), compareLast(features)]
    .filter(Boolean)
    .join(' ');
}

function describeEffects(effects: Effect[]): string {
  if (effects.length === 0) return 'Mask a step: drag over its cell.';
  const [held, zero, other] = (['held', 'zero', 'other'] as const).map(
    (effect) => effects.filter((each) => each === effect).length,
  ) as [number, number, number];
  const parts = [];
  if (held > 0)
    parts.push(
      `at ${held === effects.length ? 'masked steps' : held} the last output is repeated, to the last bit`,
    );
  if (zero > 0) parts.push(`at ${zero === effects.length ? 'masked steps' : zero} the output is 0`);
  if (other > 0) parts.push(`at ${other} it is something else`);
  const text = parts.join('; ');
  return `${text.charAt(0).toUpperCase()}${text.slice(1)}.`;
}

function describeNaN(features: Feature[]): string {
  const touched = (of: (feature: Feature) => number[]) =>
    (features[0] ? of(features[0]) : []).filter((_, step) =>
      features.some((feature) => Number.isNaN(of(feature)[step])),
    ).length;
  const [withMask, without] = [touched(({ values }) => values), touched(({ bare }) => bare)];
  if (without === 0 && withMask === 0) return '';
  return `NaN reaches ${withMask} of the outputs with the mask, ${without} without it.`;
}

/** Returns the outputs with and without the mask at the step that is read last. */
const endsOf = (features: Feature[]) =>
  features.map(({ name, values, bare, fromEnd }) => {
    const last = fromEnd ? 0 : values.length - 1;
    const [masked, plain] = [values[last] ?? 0, bare[last] ?? 0];
    return { name, last, masked, plain, apart: Math.abs(masked - plain) };
  });

/** Returns the arithmetic of the largest difference at the end. */
export function sumsOf({ features }: RowFacts): Sum[] {
  const ends = endsOf(features);
  const largest = Math.max(0, ...ends.map(({ apart }) => apart));
  const end = ends.find(({ apart }) => apart === largest);
  if (!end || !(largest >= 0.0001)) return [];
  return [[gap(largest), `${distanceOf(end.masked, end.plain)}, ${end.name} at step ${end.last}`]];
}

/** Says how much the runs with and without the mask differ at the step that is read last. */
function compareLast(features: Feature[]): string {
  const largest = Math.max(0, ...endsOf(features).map(({ apart }) => apart));
  if (Number.isNaN(largest)) return '';
  return `The last outputs with and without the mask differ by ${upTo(largest)}.`;
}
