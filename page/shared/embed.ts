// SPDX-License-Identifier: MIT
// One chapter embedded in another site: `<iframe src="…/?chapter=3&embed">`; with `embed=figure`
// only its figure, at most 480 px high, with its main control. `theme` is light or dark; `controls`
// is all, none, or names of controls. The chapter posts its height to the outer page as
// { type: 'maskflow:height', chapter, height }, which can then resize the frame.
import { find, h } from './dom.js';

/** Greatest height of the frame of a figure, in pixels. */
export const highest = 480;

/** The main control of each figure, by name or id; the other figures contain theirs. */
const mainControls: { [chapter: string]: string } = {
  learning: 'width',
  padding: 'maxlen',
  makers: 'maker',
  flow: 'flow-preset',
  steps: 'layer',
  cell: 'unit',
  cost: 'share',
  losing: 'case',
  own: 'pads',
  stream: 'text',
  truth: 'of',
};

/** `redraw` draws the figure again, for drawings that have the size of their place in pixels. */
export function embed(chapter: string, query: URLSearchParams, redraw: () => void): void {
  const section = find(`#${chapter}`);
  section.classList.add('embedded');
  section.hidden = false;
  const alone = query.get('embed') === 'figure';
  section.append(
    h(
      'p',
      { class: 'wrap from' },
      'From ',
      h('a', { href: './' }, 'maskflow'),
      alone ? '' : ', with all other chapters.',
    ),
  );
  if (alone) showFigureOnly(section, query.get('controls') ?? 'main', redraw);
  openOutside(chapter);
  postHeight(chapter, alone ? highest : undefined);
}

function showFigureOnly(section: HTMLElement, controls: string, redraw: () => void): void {
  document.title = find('h2', section).textContent;
  // The question asks for a guess, which a figure without it need not wait for.
  section.querySelector('[data-predict]')?.remove();
  section.classList.remove('asking');
  const names = controls === 'main' ? (mainControls[section.id] ?? '') : controls;
  if (controls !== 'all') leaveOut(section, names.split(','));
  let drawnScale = 1;
  const fitting = () => {
    const scale = fit(section);
    if (Math.abs(scale - drawnScale) < 0.005) return;
    drawnScale = scale;
    // Observers have seen the new size of each place one frame later.
    requestAnimationFrame(() => setTimeout(redraw));
  };
  new MutationObserver(fitting).observe(section, { childList: true, subtree: true });
  addEventListener('resize', fitting);
}

/** Hides all controls of a chapter but these; they keep their values. */
function leaveOut(section: HTMLElement, names: string[]): void {
  const isKept = (group: Element) =>
    names.some((name) => {
      const escaped = CSS.escape(name);
      return name !== '' && group.querySelector(`[name="${escaped}"], #${escaped}`) !== null;
    });
  const groups = 'form.controls :is(.field, fieldset, .check, .hint, .keys, [data-far])';
  for (const group of section.querySelectorAll(groups))
    if (!isKept(group)) group.classList.add('left-out');
  if (names.includes('none'))
    for (const row of section.querySelectorAll('form.controls :is(.row, .more):not(.ask *)'))
      row.classList.add('left-out');
}

const smallest = 0.75;

/**
 * Makes a figure smaller until it is as low as a frame may be high, but not illegible. Returns its
 * scale.
 */
function fit(section: HTMLElement): number {
  const { style } = section;
  let scale = 1;
  for (let round = 0; round < 6; round++) {
    style.setProperty('zoom', String(scale));
    const height = document.body.getBoundingClientRect().height;
    if (height <= highest || scale === smallest) break;
    scale = Math.max(smallest, scale * Math.sqrt(highest / height) - 0.01);
  }
  return scale;
}

/** Makes links open the whole page outside the frame, with the current settings. */
function openOutside(chapter: string): void {
  document.addEventListener(
    'click',
    (event) => {
      const link = event.target instanceof Element ? event.target.closest('a') : null;
      if (!link) return;
      const own = link.origin === location.origin && link.pathname === location.pathname;
      if (own || link.closest('.from')) {
        const to = link.hash || (location.hash === '' ? `#${chapter}` : location.hash);
        link.href = `${location.pathname}${to}`;
      }
      link.target = '_blank';
      link.rel = 'noopener';
      // Other listeners must not treat the click as a jump inside the frame.
      event.stopImmediatePropagation();
    },
    { capture: true },
  );
}

function postHeight(chapter: string, maxHeight?: number): void {
  if (window.parent === window) return;
  let lastHeight = 0;
  const post = () => {
    const natural = Math.ceil(document.body.getBoundingClientRect().height);
    const height = maxHeight === undefined ? natural : Math.min(maxHeight, natural);
    if (height === lastHeight) return;
    lastHeight = height;
    window.parent.postMessage({ type: 'maskflow:height', chapter, height }, '*');
  };
  new ResizeObserver(post).observe(document.body);
  post();
}
