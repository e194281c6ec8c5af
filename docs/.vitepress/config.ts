// SPDX-License-Identifier: MIT
// The docs, beside the page: `npm run docs`.
import { fileURLToPath } from 'node:url';
import { type DefaultTheme, defineConfig } from 'vitepress';
import { links } from './markdown/links.js';
import { programs } from './markdown/programs.js';
import { placeChunk, relativeBase, relativePage, standIn } from './relative_base.js';
import { searchBox } from './search_box.js';
import { nav, sidebar } from './sidebar.js';

const at = (path: string) => fileURLToPath(new URL(path, import.meta.url));
/** Chrome 95, Firefox 100, Safari 16.4: the engines with WebAssembly SIMD and exceptions. */
const engines = { chrome: 95 << 16, firefox: 100 << 16, safari: (16 << 16) | (4 << 8) };
/** The page and the docs remember the theme in one place. */
const themeKey = 'maskflow-theme';

type Render = NonNullable<DefaultTheme.LocalSearchOptions['_render']>;

/** Renders text for the search index without highlighting, which is slowest. */
const renderPlain: Render = (source, env, md) => {
  md.options.highlight = (code) => `<pre>${md.utils.escapeHtml(code)}</pre>`;
  const html = md.render(source, env);
  return env.frontmatter?.['search'] === false ? '' : html;
};

export default defineConfig({
  title: 'maskflow',
  description: "Keras's padding, masking and recurrent layers for JavaScript",
  lang: 'en',
  base: standIn,
  outDir: at('../../dist/site/docs'),
  cacheDir: at('../../build/docs-cache'),
  head: [
    ['link', { rel: 'icon', href: `${standIn}../icon.svg`, type: 'image/svg+xml' }],
    ['meta', { name: 'color-scheme', content: 'light dark' }],
  ],
  appearance: { storageKey: themeKey },
  // One list of all pages, not one in each page.
  metaChunk: true,
  srcExclude: ['examples/**/*.md'],
  markdown: {
    theme: { light: 'github-light-high-contrast', dark: 'github-dark-high-contrast' },
    config(md) {
      md.use(links).use(programs);
    },
  },
  themeConfig: {
    nav,
    sidebar,
    outline: { level: [2, 3], label: 'On this page' },
    search: { provider: 'local', options: { detailedView: true, _render: renderPlain } },
    docFooter: { prev: 'Before', next: 'Next' },
    darkModeSwitchLabel: 'Theme',
  },
  vite: {
    plugins: [relativeBase(), searchBox()],
    resolve: { alias: { 'page-files': at('./theme/engine_files.ts') } },
    css: { transformer: 'lightningcss', lightningcss: { targets: engines } },
    build: { chunkSizeWarningLimit: 4000 },
  },
  transformHtml: (html, _id, { page }) =>
    relativePage(html.replace("'vitepress-theme-appearance'", `'${themeKey}'`), page),
  buildEnd: ({ outDir }) => placeChunk(outDir),
});
