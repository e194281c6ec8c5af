// SPDX-License-Identifier: MIT
// A dial from “not balanced” on the left to “balanced” on the right. It is drawn once, so that its
// needle moves from one answer to the next.
import { h, s } from '../../shared/dom.js';
import { probability } from '../../shared/text.js';

export const verdictOf = (value: number): string => (value > 0.5 ? 'balanced' : 'not balanced');

/** The arc, whose length is 1 for the dashes that fill it. */
const arc = { d: 'M12 84A72 72 0 0 1 156 84', pathLength: 1 };

export class Dial {
  readonly element: HTMLElement;
  private readonly picture: SVGElement;
  private readonly amount = h('strong');
  private readonly verdict = h('span', { class: 'verdict-word' });

  constructor(name: string, look: 'kept' | 'alarm') {
    this.picture = s(
      'svg',
      { class: 'dial-face', viewBox: '0 0 168 96', 'aria-hidden': 'true' },
      s('path', { class: 'rim', ...arc }),
      s('path', { class: 'fill', ...arc }),
      s('path', { class: 'half', d: 'M84 4V20' }),
      s('path', { class: 'needle', d: 'M79 84L84 26 89 84Z' }),
      s('circle', { class: 'hub', cx: 84, cy: 84, r: 8 }),
    );
    this.element = h(
      'div',
      { class: `dial ${look}` },
      h('span', { class: 'name' }, name),
      this.picture,
      h('span', { class: 'answer' }, this.amount, ' ', this.verdict),
    );
  }

  show(value: number): void {
    const share = Number.isFinite(value) ? Math.min(1, Math.max(0, value)) : 0.5;
    this.picture.style.setProperty('--share', String(share));
    this.amount.textContent = probability(value);
    this.verdict.textContent = verdictOf(value);
  }
}
