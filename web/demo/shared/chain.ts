// SPDX-License-Identifier: MIT
import type { TraceEntry } from 'maskflow';
import { h, rich } from './dom.js';
import { type BooleanMask, maskGrid } from './grid.js';

/** One layer or operation of a traced model. */
export interface Link {
  entry: TraceEntry;
  maskIn: BooleanMask;
  maskOut: BooleanMask;
  /** Dropped although steps are left that it would belong to. */
  lost: boolean;
  remedy: string;
}

/** What `model.traceMasks` found, for drawing. A remedy of ours replaces the general one. */
export function linksOf(trace: TraceEntry[], remedy?: string): Link[] {
  return trace
    .filter(({ depth, className }) => depth === 0 && className !== 'InputLayer')
    .map((entry) => {
      const lost = entry.role === 'drops' && hasSteps(entry.shapeOut);
      return {
        entry,
        maskIn: firstMask(entry.maskIn),
        maskOut: firstMask(entry.maskOut),
        lost,
        remedy: lost ? (remedy ?? entry.remedy) : '',
      };
    });
}

const hasSteps = (shape: number[] | number[][]): boolean =>
  (Array.isArray(shape[0]) ? shape[0] : shape).length > 2;

/** Of several tensors the first mask: the operations on view have one masked operand. */
function firstMask(masks: TraceEntry['maskIn']): BooleanMask {
  if (!Array.isArray(masks)) return null;
  const single = Array.isArray(masks[0]) && typeof masks[0][0] === 'boolean';
  const found = single ? masks : masks.find((mask) => Array.isArray(mask));
  return (found as BooleanMask | undefined) ?? null;
}

/** A traced model from top to bottom. The line at the left ends where the mask does. */
export function chain(links: Link[]): HTMLElement {
  return h('ol', { class: 'chain' }, ...links.map(item));
}

function item({ entry, maskIn, maskOut, lost, remedy }: Link): HTMLElement {
  const state = lost ? 'lost' : maskOut ? (maskIn ? 'alive' : 'made') : maskIn ? 'ends' : 'bare';
  const out = lost
    ? h('p', { class: 'nomask lost' }, 'mask lost')
    : maskGrid(maskOut, `mask out of ${entry.layer}`);
  const head = (text: string) => h('p', { class: 'caption', 'aria-hidden': 'true' }, text);
  return h(
    'li',
    { class: state },
    h(
      'div',
      { class: 'who' },
      h('h3', {}, entry.className, ' ', h('span', { class: 'role' }, roles[entry.role])),
      h('p', { class: 'caption' }, entry.reason),
      remedy ? h('p', { class: 'remedy' }, h('strong', {}, 'Remedy: '), ...rich(remedy)) : null,
    ),
    h(
      'div',
      { class: 'masks' },
      h('div', {}, head('mask in'), maskGrid(maskIn, `mask into ${entry.layer}`)),
      h('span', { class: 'arrow', 'aria-hidden': 'true' }, '→'),
      h('div', {}, head('mask out'), out),
    ),
  );
}

const roles: Record<TraceEntry['role'], string> = {
  makes: 'makes the mask',
  passes: 'passes it on',
  uses: 'uses it',
  'uses and passes': 'uses it and passes it on',
  changes: 'makes a new one',
  drops: 'drops it',
  ignores: 'ignores it',
  none: 'sees no mask',
};
