// SPDX-License-Identifier: MIT
import { lineChart } from '../../shared/chart.js';
import { decimal } from '../../shared/text.js';
import type { Feature } from './walk.js';

export interface Walk {
  mask: boolean[];
  /** Steps in the order of reading; those after `at` are not drawn yet. */
  order: number[];
  at: number;
  /** Whether the layer reads in both directions at once, so that all steps are drawn. */
  whole: boolean;
  /** The links of each step, see linked.ts. */
  links: string[];
}

/** Returns a chart for each feature, with the run with the mask above the run without. */
export function charts(features: readonly Feature[], walk: Walk): HTMLElement[] {
  const { mask, order, at, whole, links } = walk;
  const steps = mask.length;
  const seen = new Set(whole ? order : order.slice(0, at + 1));
  const reach = reachOf(features);
  const masked = mask.flatMap((keep, t): [number, number][] => (keep ? [] : [[t - 0.5, t + 0.5]]));
  const every = Math.ceil(steps / 12);
  const points = (values: number[]) =>
    values.map((value, t) => [t, seen.has(t) ? value : Number.NaN] as const);
  return features.map((feature) =>
    lineChart({
      label: `${feature.name} at each step: ${feature.values.map((value, t) => `${mask[t] ? '' : 'masked '}${decimal(value, 2)}`).join(', ')}. Without the mask: ${feature.bare.map((value) => decimal(value, 2)).join(', ')}.`,
      lines: [
        { name: 'no mask', look: 'ghost', points: points(feature.bare) },
        { name: 'masked', look: 'kept', points: points(feature.values) },
      ],
      x: [-0.5, steps - 0.5],
      y: [-reach, reach],
      xTicks: mask.map((_, t) => t).filter((t) => t % every === 0),
      yTicks: [-reach, 0, reach],
      xTitle: 'step',
      yTitle: feature.name,
      marker: order[at] ?? 0,
      masked,
      links,
      height: 200,
      width: 460,
    }),
  );
}

/** Returns a round number that no absolute value exceeds. */
function reachOf(features: readonly Feature[]): number {
  const sizes = features
    .flatMap(({ values, bare }) => [...values, ...bare])
    .filter(Number.isFinite)
    .map(Math.abs);
  const largest = sizes.reduce((a, b) => Math.max(a, b), 0.05);
  return [0.1, 0.2, 0.5, 1, 2, 5, 10].find((each) => each >= largest) ?? Math.ceil(largest);
}
