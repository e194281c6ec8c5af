// SPDX-License-Identifier: MIT
// The docs, beside the page: `npm run docs`.
import { fileURLToPath } from 'node:url';
import { type DefaultTheme, defineConfig } from 'vitepress';
import { bundledPackages } from './bundled_packages.js';
import { codeTheme } from './code_theme.js';
import { links } from './markdown/links.js';
import { pictures } from './markdown/pictures.js';
import { programs } from './markdown/programs.js';
import { projectFacts } from '../../scripts/docs/repository.mjs';
import { withFonts } from './page_fonts.js';
import { boostDocument } from './ranking.js';
import { placeChunk, relativeBase, relativePage, standIn } from './relative_base.js';
import { withKeywords } from './keywords.js';
import { searchBox } from './search_box.js';
import { fuzziness, queryWords, termWeight, weights } from './search_terms.js';
import { nav, sidebar } from './sidebar.js';
import { wholePages } from './whole_pages.js';

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
  if (env.frontmatter?.['search'] === false) return '';
  const known = withKeywords(html, env.relativePath);
  // Lists of what an entry exports would hide the pages of these names.
  return known.replace(/<h2 id="references"[\s\S]*$/, '');
};

const { version, repository, edit } = projectFacts();

/** Pages that TypeDoc writes have no source to edit. */
const editLink = edit && {
  text: 'Edit this page',
  pattern: edit('docs/:path'),
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
    theme: codeTheme,
    config(md) {
      md.use(links).use(pictures).use(programs);
    },
  },
  themeConfig: {
    nav: [...nav, { text: `v${version}`, link: '/changelog' }],
    ...(editLink && { editLink }),
    ...(repository && { socialLinks: [{ icon: 'github', link: repository }] }),
    notFound: {
      title: 'This page does not exist',
      quote: 'The address may be old or misspelt. The search at the top finds all pages.',
      linkText: 'To the start of the docs',
      linkLabel: 'To the start of the docs',
    },
    sidebar,
    outline: { level: [2, 3], label: 'On this page' },
    search: {
      provider: 'local',
      options: {
        detailedView: true,
        _render: renderPlain,
        miniSearch: {
          searchOptions: {
            boostDocument,
            boostTerm: termWeight,
            fuzzy: fuzziness,
            tokenize: queryWords,
            weights,
          },
        },
      },
    },
    docFooter: { prev: 'Before', next: 'Next' },
    darkModeSwitchLabel: 'Theme',
  },
  vite: {
    plugins: [
      relativeBase(),
      searchBox(),
      wholePages(),
      bundledPackages(at('../../build/docs-modules.json')),
    ],
    resolve: { alias: { 'page-files': at('./theme/engine_files.ts') } },
    css: { transformer: 'lightningcss', lightningcss: { targets: engines } },
    build: { chunkSizeWarningLimit: 4000 },
  },
  transformPageData: ({ relativePath, frontmatter }) =>
    relativePath.startsWith('api/') ? { frontmatter: { ...frontmatter, editLink: false } } : {},
  transformHtml: (html, _id, { page }) =>
    relativePage(withFonts(html).replace("'vitepress-theme-appearance'", `'${themeKey}'`), page),
  buildEnd: ({ outDir }) => placeChunk(outDir),
});
