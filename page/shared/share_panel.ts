// SPDX-License-Identifier: MIT
import { h } from './dom.js';

/** Returns the folded panel "Share this figure" of a chapter; its script is fetched when it opens. */
export function sharePanel(section: HTMLElement): HTMLElement {
  const place = h('div', { class: 'body' });
  const panel = h('details', { class: 'code share' }, h('summary', {}, 'Share this figure'), place);
  panel.addEventListener('toggle', async () => {
    if (!panel.open) return place.replaceChildren();
    const { fillPanel } = await import('./share.js');
    fillPanel(section, place);
  });
  return panel;
}
