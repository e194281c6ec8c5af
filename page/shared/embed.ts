// SPDX-License-Identifier: MIT
// One chapter embedded in another site: `<iframe src="…/?chapter=3&embed">`. The chapter posts its
// height to the outer page as { type: 'maskflow:height', chapter, height }, which can then resize
// the frame.
import { find, h } from './dom.js';

export function embed(chapter: string): void {
  document.documentElement.dataset['embed'] = chapter;
  const section = find(`#${chapter}`);
  section.classList.add('embedded');
  const folded = section.querySelector<HTMLDetailsElement>('details.appendix');
  if (folded) folded.open = true;
  section.append(
    h(
      'p',
      { class: 'wrap from' },
      'From ',
      h('a', { href: './' }, 'maskflow'),
      ', with all other chapters.',
    ),
  );
  openOutside(chapter);
  postHeight(chapter);
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

function postHeight(chapter: string): void {
  if (window.parent === window) return;
  let lastHeight = 0;
  const post = () => {
    const height = Math.ceil(document.body.getBoundingClientRect().height);
    if (height === lastHeight) return;
    lastHeight = height;
    window.parent.postMessage({ type: 'maskflow:height', chapter, height }, '*');
  };
  new ResizeObserver(post).observe(document.body);
  post();
}
