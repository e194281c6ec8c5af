// SPDX-License-Identifier: MIT
import type { TraceEntry } from 'maskflow';
import { h, rich } from './dom.js';
import { type BooleanMask, maskGrid } from './grid.js';

/** One layer or operation of a traced model. */
export interface Link {
  entry: TraceEntry;
  maskIn: BooleanMask;
  maskOut: BooleanMask;
  /** Dropped although steps are left that it would belong to … */
  lost: boolean;
  /** … but put back by hand before the next layer. */
  mended: boolean;
  remedy: string;
}

/** What `model.traceMasks` found, for drawing. A remedy of ours replaces the general one. */
export function linksOf(trace: TraceEntry[], remedy?: string): Link[] {
  const told = trace.filter(isTold);
  return told.map((entry, index) => {
    const dropped = entry.role === 'drops' && hasSteps(entry.shapeOut);
    const next = firstMask(told[index + 1]?.maskIn ?? null);
    const mended = dropped && next !== null;
    const lost = dropped && !mended;
    return {
      entry,
      maskIn: firstMask(entry.maskIn),
      maskOut: mended ? next : firstMask(entry.maskOut),
      lost,
      mended,
      remedy: lost ? (remedy ?? entry.remedy) : '',
    };
  });
}

/** Not the inside of layers, nor the operations that compute masks: they see none. */
const isTold = ({ depth, className, isLayer, role }: TraceEntry): boolean =>
  depth === 0 && className !== 'InputLayer' && (isLayer || role !== 'none');

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
  { entry, maskIn, maskOut, lost, mended, remedy }: Link,
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
      h('h3', {}, entry.className, ' ', h('span', { class: 'role' }, labelOf(entry, lost, mended))),
      h(
        'p',
        { class: 'caption' },
        entry.role === 'none' ? blindly(entry, afterLoss) : entry.reason,
      ),
      mended
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

/** What a layer does that sees no mask, where that is worth a word. */
function blindly({ className }: TraceEntry, afterLoss: boolean): string {
  if (!afterLoss || !/LSTM|Pooling/.test(className)) return '';
  return className === 'LSTM'
    ? 'It steps through the padding as if it were words.'
    : 'It averages the padding too.';
}

function labelOf({ role }: TraceEntry, lost: boolean, mended: boolean): string {
  if (mended) return 'drops it, put back';
  // Nothing is lost with a mask that has no steps left to belong to.
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
