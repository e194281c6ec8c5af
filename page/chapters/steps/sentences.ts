// SPDX-License-Identifier: MIT
import type { Judgement } from '../../shared/predict.js';
import { count, decimal, gap } from '../../shared/text.js';
import { type Deed, type Feature, deedAt } from './walk.js';

export interface Told {
  row: number;
  mask: boolean[];
  features: Feature[];
  words: string[];
}

export function summary({ row, mask, features }: Told): string {
  const away = mask.flatMap((keep, step) => (keep ? [] : [step]));
  const deeds = away.map((step) => deedAt(features, step));
  const opening = `Row ${row}: ${count(mask.length - away.length, 'step')} computed, ${away.length} masked.`;
  return [opening, ofDeeds(deeds), ofNaN(features), ofBare(features)].filter(Boolean).join(' ');
}

function ofDeeds(deeds: Deed[]): string {
  if (deeds.length === 0) return 'Paint a step away.';
  const [held, zero, other] = (['held', 'zero', 'other'] as const).map(
    (deed) => deeds.filter((each) => each === deed).length,
  ) as [number, number, number];
  const parts = [];
  if (held > 0)
    parts.push(
      `at ${held === deeds.length ? 'masked steps' : held} the last output stands still, to the last bit`,
    );
  if (zero > 0) parts.push(`at ${zero === deeds.length ? 'masked steps' : zero} the output is 0`);
  if (other > 0) parts.push(`at ${other} it is something else`);
  const text = parts.join('; ');
  return `${text.charAt(0).toUpperCase()}${text.slice(1)}.`;
}

function ofNaN(features: Feature[]): string {
  const touched = (of: (feature: Feature) => number[]) =>
    (features[0] ? of(features[0]) : []).filter((_, step) =>
      features.some((feature) => Number.isNaN(of(feature)[step])),
    ).length;
  const [withMask, without] = [touched(({ values }) => values), touched(({ bare }) => bare)];
  if (without === 0 && withMask === 0) return '';
  return `NaN reaches ${withMask} of the outputs with the mask, ${without} without it.`;
}

/** How far apart the two runs are at the step that is read last. */
function ofBare(features: Feature[]): string {
  const ends = features.map(({ values, bare, fromEnd }) => {
    const last = fromEnd ? 0 : values.length - 1;
    return Math.abs((values[last] ?? 0) - (bare[last] ?? 0));
  });
  const largest = Math.max(0, ...ends);
  if (Number.isNaN(largest)) return '';
  return `The last outputs with and without the mask differ by ${gap(largest)}.`;
}

/** About the first masked step with kept ones on both sides. */
export function judgement({ mask, features, words }: Told): Judgement | undefined {
  const step = middle(mask);
  const [feature] = features;
  if (step < 0 || !feature) return undefined;
  const deed = deedAt([feature], step);
  const before = feature.values[feature.fromEnd ? step + 1 : step - 1] ?? Number.NaN;
  return {
    right: { held: 'held', zero: 'zero', other: 'moves' }[deed],
    because: `At step ${step} (${words[step] || 'padding'}), which is masked, ${feature.name} is ${decimal(feature.values[step] ?? Number.NaN)}; before it, it was ${decimal(before)}.`,
  };
}

const middle = (mask: boolean[]): number =>
  mask.findIndex(
    (keep, step) => !keep && mask.slice(0, step).includes(true) && mask.slice(step).includes(true),
  );
