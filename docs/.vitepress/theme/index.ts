// SPDX-License-Identifier: MIT
// VitePress's theme in the page's colours and type, and the buttons of programs.
import type { Theme } from 'vitepress';
import { withBase } from 'vitepress';
import DefaultTheme from 'vitepress/theme-without-fonts';
import { h } from 'vue';
import './style.css';
import { RunBlock } from './run_block.js';

/**
 * A page that comes from a server links relative to where it lies, but its navigation stays on view
 * when the next page takes its place; so its links (and that of the icon) are made whole before
 * anything else.
 */
function fixLinks(): void {
  for (const link of document.querySelectorAll<HTMLAnchorElement | HTMLLinkElement>('[href]')) {
    if (!link.getAttribute('href')?.startsWith('#')) link.setAttribute('href', link.href);
  }
}

/** The link below each page to the licences of what the site contains. */
const licences = () =>
  h(
    'nav', // a landmark, since it stands outside of main
    { class: 'licences', 'aria-label': 'Licences' },
    h('a', { href: withBase('/../THIRD_PARTY_LICENSES.txt'), target: '_self' }, 'Licences'),
  );

const theme: Theme = {
  extends: DefaultTheme,
  Layout: () => h(DefaultTheme.Layout, null, { 'doc-after': licences }),
  enhanceApp({ app }) {
    app.component('RunBlock', RunBlock);
    if (!import.meta.env.SSR) fixLinks();
  },
};
export default theme;
