// SPDX-License-Identifier: MIT
// The histogram of step times in the chapter "stream".
import { h } from './dom.js';

export interface HistogramOptions {
  title: string;
  values: readonly number[];
  unit: string;
}

const bins = 16;

/** Draws a histogram of 16 equal ranges; values far above the others count in the last one. */
export function histogram({ title, values, unit }: HistogramOptions): HTMLElement {
  const sorted = [...values].sort((a, b) => a - b);
  const at = (share: number) => sorted[Math.floor(share * (sorted.length - 1))] ?? 0;
  const min = sorted[0] ?? 0;
  const max = Math.max(at(0.95) + (at(0.95) - min) * 0.25, min * 1.2, min + 1e-9);
  const counts = Array<number>(bins).fill(0);
  for (const value of values) {
    const bin = Math.min(bins - 1, Math.floor(((value - min) / (max - min)) * bins));
    counts[bin] = (counts[bin] ?? 0) + 1;
  }
  const highest = Math.max(...counts);
  const beyond = values.filter((value) => value >= max).length;
  const label = `${title}. From ${min.toFixed(1)} to ${(sorted.at(-1) ?? 0).toFixed(1)} ${unit}; half of them between ${at(0.25).toFixed(1)} and ${at(0.75).toFixed(1)} ${unit}.`;
  return h(
    'div',
    { class: 'histogram' },
    h('p', { class: 'label' }, title),
    h(
      'div',
      { class: 'bins', role: 'img', 'aria-label': label },
      ...counts.map((each) => h('span', { style: `--share: ${each / (highest || 1)}` })),
    ),
    h(
      'p',
      { class: 'hint ends', 'aria-hidden': 'true' },
      h('span', {}, `${min.toFixed(1)} ${unit}`),
      h('span', {}, `${max.toFixed(1)} ${unit}${beyond > 0 ? ` and more (${beyond})` : ''}`),
    ),
  );
}
