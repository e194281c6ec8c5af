// SPDX-License-Identifier: MIT
import type { Judgement } from '../../shared/predict.js';
import { count, decimal, gap } from '../../shared/text.js';
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
  const opening = `Row ${row}: ${count(mask.length - masked.length, 'step')} computed, ${masked.length} masked.`;
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

/** Says how much the runs with and without the mask differ at the step that is read last. */
function compareLast(features: Feature[]): string {
  const ends = features.map(({ values, bare, fromEnd }) => {
    const last = fromEnd ? 0 : values.length - 1;
    return Math.abs((values[last] ?? 0) - (bare[last] ?? 0));
  });
  const largest = Math.max(0, ...ends);
  if (Number.isNaN(largest)) return '';
  return `The last outputs with and without the mask differ by ${gap(largest)}.`;
}

/**
 * Returns the right answer to the chapter's question: what the layer does at the first masked step
 * between kept steps.
 */
export function judgement({ mask, features, words }: RowFacts): Judgement | undefined {
  const step = middle(mask);
  const [feature] = features;
  if (step < 0 || !feature) return undefined;
  const effect = effectAt([feature], step);
  const before = feature.values[feature.fromEnd ? step + 1 : step - 1] ?? Number.NaN;
  return {
    right: { held: 'held', zero: 'zero', other: 'moves' }[effect],
    because: `At step ${step} (${words[step] || 'padding'}), which is masked, ${feature.name} is ${decimal(feature.values[step] ?? Number.NaN)}; before this step it was ${decimal(before)}.`,
  };
}

const middle = (mask: boolean[]): number =>
  mask.findIndex(
    (keep, step) => !keep && mask.slice(0, step).includes(true) && mask.slice(step).includes(true),
  );
