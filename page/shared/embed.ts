// SPDX-License-Identifier: MIT
// One chapter alone in a page of somebody else's: `<iframe src="…/?chapter=3&embed">`. The page around it is told how high it is
// by messages { type: 'maskflow:height', chapter, height }, so that it can give it the room.
import { find, h } from './dom.js';

export function embed(chapter: string): void {
  document.documentElement.dataset['embed'] = chapter;
  const section = find(`#${chapter}`);
  section.classList.add('embedded');
  section.append(
    h(
      'p',
      { class: 'wrap from' },
      'From ',
      h('a', { href: './' }, 'maskflow'),
      ', where the rest of it is.',
    ),
  );
  openOutside(chapter);
  tellHeight(chapter);
}

/** Links lead out of the frame, to the whole page with the settings that are on view. */
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
      // Nobody else is to take it for a jump inside of the frame.
      event.stopImmediatePropagation();
    },
    { capture: true },
  );
}

function tellHeight(chapter: string): void {
  if (window.parent === window) return;
  let told = 0;
  const tell = () => {
    const height = Math.ceil(document.body.getBoundingClientRect().height);
    if (height === told) return;
    told = height;
    window.parent.postMessage({ type: 'maskflow:height', chapter, height }, '*');
  };
  new ResizeObserver(tell).observe(document.body);
  tell();
}
