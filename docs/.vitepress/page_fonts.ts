// SPDX-License-Identifier: MIT
// The docs have the page's fonts, from the page's files: they are there at the first paint of a
// page, or not on that page. No stand-in breaks its lines exactly as the font does, so a late font
// would move what is being read. `font-display: optional` promises this, but Chromium swaps now
// and then all the same.
import { standIn } from './relative_base.js';

/**
 * Loads the fonts and adds those that arrive before the first frame with something to paint. The
 * pages contain this function as text, so it cannot use names from outside.
 */
function loadFonts(folder: string): void {
  let isLate = false;
  const look = () => {
    const { sheet } = document.querySelector<HTMLLinkElement>('link[rel~=stylesheet]') ?? {};
    isLate = Boolean(sheet && document.body?.firstElementChild);
    if (!isLate) requestAnimationFrame(look);
  };
  requestAnimationFrame(look);
  for (const name of ['Next', 'Mono']) {
    const source = `url(${folder}atkinson-${name.toLowerCase()}.woff2)`;
    const face = new FontFace(`Atkinson Hyperlegible ${name}`, source, { weight: '400 680' });
    const add = () => isLate || document.fonts.add(face);
    // Without the font there is the stand-in.
    face.load().then(add, () => {});
  }
}

/** Makes a page ask for the fonts before its style sheet, for which later scripts would wait. */
export function withFonts(html: string): string {
  const found = /(?=<link rel="preload stylesheet")/;
  if (html.search(found) < 0) throw new Error('VitePress links its style sheet in another way');
  const script = `const folder="${standIn}../fonts/";(${loadFonts})(folder)`;
  return html.replace(found, () => `<script>{${script.replace(/\n\s*/g, ' ')}}</script>\n    `);
}
