// SPDX-License-Identifier: MIT
// The states of a row as lines below its words: each step has the width of its cell, so that a
// column of the drawing is one step from the batch to the open cell.
import { h, s } from '../../shared/dom.js';
import { decimal } from '../../shared/text.js';
import type { Feature } from './walk.js';

export interface Walk {
  mask: boolean[];
  /** The chosen step. */
  step: number;
  /** The links of each step, see linked.ts. */
  links: string[];
}

/** Lines keep their width although the drawing is stretched to its columns. */
const even = { 'vector-effect': 'non-scaling-stroke' };

/** Returns a track for each feature: the line with the mask above the line without. */
export function tracks(features: readonly Feature[], walk: Walk): HTMLElement[] {
  const reach = reachOf(features);
  return features.map((feature) => trackOf(feature, walk, reach));
}

function trackOf(feature: Feature, { mask, step, links }: Walk, reach: number): HTMLElement {
  const { name, values, bare } = feature;
  const height = (value: number) => 50 - (45 * value) / reach;
  const columns = mask.map((keep, t) =>
    h('span', { class: keep ? 'column' : 'column masked', 'data-link': links[t] }),
  );
  const dot = (list: number[], look: string, amount: string) => {
    const value = list[step];
    if (value === undefined || !Number.isFinite(value)) return null;
    const place = `left: ${(100 * (step + 0.5)) / mask.length}%; top: ${height(value)}%`;
    return h('span', { class: `point ${look}`, style: place }, amount && h('b', {}, amount));
  };
  return h(
    'div',
    { class: 'track', role: 'img', 'aria-label': describe(feature, mask) },
    h('span', { class: 'unit' }, name, h('small', {}, `±${reach}`)),
    h(
      'div',
      { class: 'ground', style: `--steps: ${mask.length}` },
      ...columns,
      s(
        'svg',
        { viewBox: `0 0 ${mask.length} 100`, preserveAspectRatio: 'none', 'aria-hidden': 'true' },
        s('path', { ...even, class: 'zero', d: `M0 50H${mask.length}` }),
        s('path', { ...even, class: 'line ghost', d: pathOf(bare, height) }),
        s('path', { ...even, class: 'line', d: pathOf(values, height) }),
      ),
      dot(bare, 'ghost', ''),
      dot(values, '', decimal(values[step] ?? Number.NaN)),
    ),
  );
}

const describe = ({ name, values, bare }: Feature, mask: boolean[]): string =>
  `${name} at each step: ${values.map((value, t) => `${mask[t] ? '' : 'masked '}${decimal(value, 2)}`).join(', ')}. Without the mask: ${bare.map((value) => decimal(value, 2)).join(', ')}.`;

function pathOf(values: readonly number[], height: (value: number) => number): string {
  let pen = 'M';
  return values
    .map((value, t) => {
      if (!Number.isFinite(value)) {
        pen = 'M';
        return '';
      }
      const part = `${pen}${t + 0.5} ${height(value).toFixed(2)}`;
      pen = 'L';
      return part;
    })
    .join('');
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
