// SPDX-License-Identifier: MIT
// The edge between two layers: the mask that travels there, and the place for another layer.
import { h } from '../../shared/dom.js';
import { maskGrid } from '../../shared/grid.js';
import type { FlowData } from './read.js';
import type { Mask } from './stage.js';

/** Number of rows of a mask that are drawn; a note says how many more there are. */
const maxRows = 4;

export function edgeView(
  at: number,
  { chosen, full, choose }: { chosen: boolean; full: boolean; choose(): void },
): HTMLElement {
  const here = h(
    'button',
    {
      type: 'button',
      class: 'here',
      'data-focus': `gap-${at}`,
      'aria-pressed': String(chosen),
      'aria-label': `Next layer goes here, at place ${at + 1}`,
      disabled: full,
    },
    '+',
  );
  here.addEventListener('click', choose);
  return h(
    'div',
    { class: chosen ? 'between chosen' : 'between', 'data-gap': at },
    here,
    h('div', { class: 'travels', 'data-edge': at }),
  );
}

export function clearEdges(list: HTMLElement): void {
  const places = [...list.querySelectorAll<HTMLElement>('.travels')];
  // Read before anything changes, because reading after a change lays out the page each time.
  const heights = places.map(({ offsetHeight }) => offsetHeight);
  for (const [at, place] of places.entries()) {
    place.style.minBlockSize = `${heights[at]}px`;
    place.replaceChildren();
    place.parentElement?.classList.remove('alive', 'broken');
  }
  for (const text of list.querySelectorAll<HTMLElement>('[data-told="text"]'))
    text.replaceChildren();
  for (const role of list.querySelectorAll<HTMLElement>('[data-told="role"]')) role.hidden = true;
  for (const shape of list.querySelectorAll('.card .shape')) shape.textContent = '';
  for (const card of list.querySelectorAll('.card')) card.classList.remove('lost', 'blind');
}

/** Shows the masks on all edges; `links` are those of each cell, see linked.ts. */
export function showEdges(list: HTMLElement, data: FlowData, links?: string[][]): void {
  const stages = data.chains[0]?.stages ?? [];
  let before = false;
  const put = (at: number, masks: Mask[], shape: number[], title: string) => {
    const place = list.querySelector<HTMLElement>(`[data-edge="${at}"]`);
    if (!place) return;
    const has = masks.some(Boolean);
    place.style.minBlockSize = '';
    place.parentElement?.classList.toggle('alive', has);
    place.parentElement?.classList.toggle('broken', before && !has && shape.length > 2);
    place.replaceChildren(
      ...(has || at === 0 || shape.length > 2
        ? masks.map((mask, part) =>
            masks.length > 1
              ? partChip(mask, title, part)
              : maskChip(mask, title, { lost: before && !has, links }),
          )
        : [h('p', { class: 'nomask' }, 'no steps left')]),
    );
    // Each card says the shape of its output.
    const card = at === 0 ? '.card.input' : `[data-card="${at - 1}"]`;
    const size = list.querySelector(`${card} .shape`);
    if (size) size.textContent = shape.length > 0 ? `(${shape.join(', ')})` : '';
    before = has;
  };
  put(0, [null], data.input, 'Mask of the input');
  data.edges?.forEach(({ mask, shape, stage }, at) => {
    const all = stages[stage]?.maskOut ?? [];
    const several = all.length > 1;
    put(at + 1, several ? all : [mask], shape, `Mask after layer ${at + 1}`);
  });
}

const halves = ['first half', 'second half'];

function partChip(mask: Mask, title: string, part: number): HTMLElement {
  const name = halves[part] ?? `part ${part + 1}`;
  return h('div', {}, h('p', { class: 'hint' }, name), maskChip(mask, `${title}, ${name}`));
}

interface ChipOptions {
  /** Whether there was a mask before this edge. */
  lost?: boolean;
  links?: string[][] | undefined;
}

/** Returns the first rows of a mask as tiles. */
export function maskChip(
  mask: Mask,
  title: string,
  { lost, links }: ChipOptions = {},
): HTMLElement {
  if (lost && !mask) return h('p', { class: 'nomask lost' }, 'mask lost');
  if (!mask) return maskGrid(null, title);
  const fits = links !== undefined && links[0]?.length === mask[0]?.length;
  const shown = maskGrid(mask.slice(0, maxRows), title, fits ? { links } : {});
  // The mask of the batch has the columns of the batch.
  const look = fits ? 'layer' : '';
  if (mask.length <= maxRows) return h('div', { class: look }, shown);
  const rest = mask.length - maxRows;
  return h(
    'div',
    { class: look },
    shown,
    h('p', { class: 'hint' }, `and ${rest} more ${rest === 1 ? 'row' : 'rows'}`),
  );
}
