// SPDX-License-Identifier: MIT
import type { TraceEntry } from 'maskflow';
import { h, rich } from './dom.js';
import { type BooleanMask, maskGrid } from './grid.js';

/** One layer or operation of a traced model. */
export interface Link {
  entry: TraceEntry;
  maskIn: BooleanMask;
  maskOut: BooleanMask;
  /** The mask was dropped here although the output still has steps. */
  lost: boolean;
  /** The mask was dropped here and restored by `withMask` before the next layer. */
  restored: boolean;
  remedy: string;
}

/** Converts the result of `model.traceMasks` for drawing. `remedy` replaces the general remedy. */
export function linksOf(trace: TraceEntry[], remedy?: string): Link[] {
  const visible = trace.filter(isVisible);
  return visible.map((entry, index) => {
    const dropped = entry.role === 'drops' && hasSteps(entry.shapeOut);
    const next = firstMask(visible[index + 1]?.maskIn ?? null);
    const restored = dropped && next !== null;
    const lost = dropped && !restored;
    return {
      entry,
      maskIn: firstMask(entry.maskIn),
      maskOut: restored ? next : firstMask(entry.maskOut),
      lost,
      restored,
      remedy: lost ? (remedy ?? entry.remedy) : '',
    };
  });
}

/**
 * Leaves out the inside of layers, and operations that see no mask, such as those that compute it.
 */
const isVisible = ({ depth, className, isLayer, role }: TraceEntry): boolean =>
  depth === 0 && className !== 'InputLayer' && (isLayer || role !== 'none');

const hasSteps = (shape: number[] | number[][]): boolean =>
  (Array.isArray(shape[0]) ? shape[0] : shape).length > 2;

/** Returns the first mask of several tensors: the operations on view have one masked operand. */
function firstMask(masks: TraceEntry['maskIn']): BooleanMask {
  if (!Array.isArray(masks)) return null;
  const single = Array.isArray(masks[0]) && typeof masks[0][0] === 'boolean';
  const found = single ? masks : masks.find((mask) => Array.isArray(mask));
  return (found as BooleanMask | undefined) ?? null;
}

/** Draws a traced model from top to bottom. The line at the left ends where the mask ends. */
export function chain(links: Link[]): HTMLElement {
  const lostAt = links.findIndex(({ lost }) => lost);
  const items = links.map((link, index) => item(link, lostAt >= 0 && index > lostAt));
  const head = (text: string) => h('span', {}, text);
  return h(
    'div',
    { class: 'chain' },
    h('p', { class: 'heads caption', 'aria-hidden': 'true' }, head('mask in'), head('mask out')),
    h('ol', {}, ...items),
  );
}

function item(
  { entry, maskIn, maskOut, lost, restored, remedy }: Link,
  afterLoss: boolean,
): HTMLElement {
  const state = lost ? 'lost' : maskOut ? (maskIn ? 'alive' : 'made') : maskIn ? 'ends' : 'bare';
  const out = lost
    ? h('p', { class: 'nomask lost' }, 'mask lost')
    : maskGrid(maskOut, `mask out of ${entry.layer}`);
  return h(
    'li',
    { class: state },
    h(
      'div',
      { class: 'who' },
      h(
        'h3',
        {},
        entry.className,
        ' ',
        h('span', { class: 'role' }, labelOf(entry, lost, restored)),
      ),
      h(
        'p',
        { class: 'caption' },
        entry.role === 'none' ? unmaskedEffect(entry, afterLoss) : entry.reason,
      ),
      restored
        ? h('p', { class: 'remedy' }, ...rich('`withMask` puts it back on the result.'))
        : null,
      remedy ? h('p', { class: 'remedy' }, h('strong', {}, 'Remedy: '), ...rich(remedy)) : null,
    ),
    h(
      'div',
      { class: 'masks' },
      maskGrid(maskIn, `mask into ${entry.layer}`),
      h('span', { class: 'arrow', 'aria-hidden': 'true' }, '→'),
      out,
    ),
  );
}

/** Says what an LSTM or pooling layer does without the mask that was lost before it; else ''. */
function unmaskedEffect({ className }: TraceEntry, afterLoss: boolean): string {
  if (!afterLoss || !/LSTM|Pooling/.test(className)) return '';
  return className === 'LSTM'
    ? 'It processes the padding as if it were words.'
    : 'It averages the padding too.';
}

function labelOf({ role }: TraceEntry, lost: boolean, restored: boolean): string {
  if (restored) return 'drops it, put back';
  // An output without steps needs no mask, so nothing is lost.
  return role === 'drops' && !lost ? roles.uses : roles[role];
}

const roles: Record<TraceEntry['role'], string> = {
  makes: 'makes the mask',
  passes: 'passes it on',
  uses: 'uses it',
  'uses and passes': 'uses it and passes it on',
  changes: 'makes a new one',
  drops: 'drops it',
  ignores: 'ignores it',
  computes: 'computes a mask',
  none: 'sees no mask',
};
