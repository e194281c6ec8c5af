// SPDX-License-Identifier: MIT
// The part of "Share" that every chapter loads at once; share.ts is the rest.
import { h } from './dom.js';

/** Returns the folded panel "Share" of a chapter; its script is fetched when it opens. */
export function sharePanel(section: HTMLElement): HTMLElement {
  const place = h('div', { class: 'body' });
  const summary = h('summary', {}, 'Share', h('span', { class: 'unseen' }, ' this figure'));
  const panel = h('details', { class: 'code share' }, summary, place);
  panel.addEventListener('toggle', async () => {
    if (!panel.open) return place.replaceChildren();
    const { fillPanel } = await import('./share.js');
    fillPanel(section, place);
  });
  return panel;
}
