// SPDX-License-Identifier: MIT
// One chapter embedded in another site: `<iframe src="…/?chapter=3&embed">`; with `embed=figure`
// only its figure, at most 480 px high, with its main control. `theme` is light or dark; `controls`
// is all, none, or names of controls. The chapter posts its height to the outer page as
// { type: 'maskflow:height', chapter, height }, which can then resize the frame.
import { find, h } from './dom.js';
import { setScale } from './room.js';

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
  if (query.get('ground') === 'none') document.documentElement.dataset['ground'] = 'none';
  section.append(
    h(
      'p',
      { class: 'wrap from' },
      alone ? 'Live figure from ' : 'From ',
      h('a', { href: './' }, 'maskflow: padding and masking, made visible'),
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
  followSizes(section, redraw);
}

/** Redraws for one width of the frame: the size of a drawing can depend on the scale it causes. */
const mostRedraws = 4;

/** Scales the figure when it changes, and draws it again when drawings have another size then. */
function followSizes(section: HTMLElement, redraw: () => void): void {
  let drawn = '';
  let width = innerWidth;
  let redraws = 0;
  const drawAgain = () => {
    if (innerWidth !== width) redraws = 0;
    width = innerWidth;
    const places = [...section.querySelectorAll('figure:has(svg)')];
    const sizes = places.map(({ clientWidth, clientHeight }) => `${clientWidth} × ${clientHeight}`);
    if (sizes.join() === drawn || redraws++ >= mostRedraws) return;
    drawn = sizes.join();
    setTimeout(redraw);
  };
  let drawnScale = 1;
  const fitting = () => {
    const scale = fit(section);
    if (Math.abs(scale - drawnScale) < 0.005) return;
    drawnScale = scale;
    // Observers have seen the new size of each place one frame later.
    requestAnimationFrame(drawAgain);
  };
  new MutationObserver(fitting).observe(section, { childList: true, subtree: true });
  new ResizeObserver(drawAgain).observe(find('.picture', section));
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

/** The scale below which a figure is not drawn. */
const smallest = 0.62;

/**
 * Smallest size of letters in pixels of the screen. A frame as narrow as a phone is nearer to the
 * eye than one on a projector.
 */
const letters = { wide: 12, narrow: 10 };

/**
 * Makes a figure smaller until it is as low as a frame may be high, and as narrow as its frame.
 * Returns its scale.
 */
function fit(section: HTMLElement): number {
  const look = innerWidth < 560 ? 'narrow' : 'wide';
  let scale = 1;
  for (let round = 0; round < 8; round++) {
    section.style.setProperty('zoom', String(scale));
    keepLegible(section, letters[look], scale);
    const excess = Math.max(
      // Letters that become larger with the scale may need some more pixels.
      document.body.getBoundingClientRect().height / (highest - 14),
      ...Array.from(section.querySelectorAll('.scroll, .unrolled'), excessOf),
    );
    if (excess <= 1 || scale === smallest) break;
    scale = Math.max(smallest, scale / Math.sqrt(excess) - 0.01);
  }
  setScale(scale);
  return scale;
}

/** Returns how many times wider the content of an element is than the element. */
function excessOf({ scrollWidth, clientWidth }: Element): number {
  // Small tables round the widths of their columns.
  return clientWidth > 0 && scrollWidth > clientWidth + 1 ? scrollWidth / clientWidth : 0;
}

/** Makes small letters larger, in HTML and in drawings, which have a scale of their own. */
function keepLegible(section: HTMLElement, size: number, scale: number): void {
  const root = document.documentElement;
  root.style.setProperty('--legible', `${(size / scale).toFixed(2)}px`);
  for (const svg of section.querySelectorAll<SVGSVGElement>('.picture svg')) {
    const matrix = svg.getScreenCTM();
    const unit = matrix ? Math.hypot(matrix.c, matrix.d) : 0;
    if (unit > 0) svg.style.setProperty('--legible', `${(size / unit).toFixed(2)}px`);
  }
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
