// SPDX-License-Identifier: MIT
// The docs have the page's fonts, from the page's files: they are there at the first paint of a
// page, or not on that page. No stand-in breaks its lines exactly as the font does, so a late font
// would move what is being read. `font-display: optional` promises this, but Chromium swaps now
// and then all the same.
import { standIn } from './relative_base.js';

/**
 * Loads the fonts and adds those that arrive before the page is shown. It is shown with both, or
 * 100 ms after it could be: else a fast line would lose the race by a few milliseconds. The pages
 * contain this function as text, so it cannot use names from outside.
 */
function loadFonts(folder: string): void {
  const { classList } = document.documentElement;
  let isShown = false;
  const show = () => {
    isShown = true;
    classList.remove('awaits-fonts');
  };
  const look = () => {
    const { sheet } = document.querySelector<HTMLLinkElement>('link[rel~=stylesheet]') ?? {};
    if (sheet && document.body?.firstElementChild) setTimeout(show, 100);
    else requestAnimationFrame(look);
  };
  const load = (name: string) => {
    const source = `url(${folder}atkinson-${name.toLowerCase()}.woff2)`;
    const face = new FontFace(`Atkinson Hyperlegible ${name}`, source, { weight: '400 680' });
    const add = () => isShown || document.fonts.add(face);
    // Without the font there is the stand-in.
    return face.load().then(add, () => {});
  };
  classList.add('awaits-fonts');
  requestAnimationFrame(look);
  Promise.all(['Next', 'Mono'].map(load)).then(show);
}

/** Makes a page ask for the fonts before its style sheet, for which later scripts would wait. */
export function withFonts(html: string): string {
  const found = /(?=<link rel="preload stylesheet")/;
  if (html.search(found) < 0) throw new Error('VitePress links its style sheet in another way');
  const script = `const folder="${standIn}../fonts/";(${loadFonts})(folder)`;
  return html.replace(found, () => `<script>{${script.replace(/\n\s*/g, ' ')}}</script>\n    `);
}
