// SPDX-License-Identifier: MIT
// Builds the page in dist/page from page/ and the built package: files for any static host, which
// also open from a folder (file://).
import { createHash } from 'node:crypto';
import { copyFileSync, existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { build } from 'esbuild';
import { transform } from 'lightningcss';
import { bundledLicenses } from './build/bundled_licenses.mjs';
import { pathOf, sharing } from './build/entries.mjs';
import { buildFirstWorker } from './build/first_worker.mjs';
import { buildFrameWorkers, frameHash } from './build/frame_worker.mjs';
import { writeJoined } from './build/join_chunks.mjs';
import { pageCases } from './build/page_cases.mjs';
import { writeFonts } from './build/page_fonts.mjs';
import { projectFacts } from './docs/repository.mjs';
import { at, builtFiles, filesUnder, unlessFresh } from './lib/files.mjs';
import { isProgram, main } from './lib/process.mjs';

const source = (...parts) => at('page', ...parts);
const target = (...parts) => at('dist', 'page', ...parts);
const trained = ['brackets', 'prefixes', 'sensor', 'adding'];
const kinds = ['all', 'train'];

/** The oldest engines with WebAssembly SIMD, for which style sheets are converted. */
const engines = { chrome: 91 << 16, firefox: 89 << 16, safari: (16 << 16) | (4 << 8) };

/** Returns the link to the source, if package.json names its repository. */
export const sourceLink = ({ repository }) =>
  repository === undefined ? '' : `<a href="${repository}">Source</a>`;

/** Returns the element of a word that the page explains, as page/shared/word.ts makes it. */
const wordOf = (text) =>
  text
    .replace('<dfn ', '<span class="word" role="button" tabindex="0" ')
    .replace('</dfn>', '</span>');

/** Returns the HTML of the page with all chapters. */
function pageHtml() {
  const order = JSON.parse(readFileSync(source('chapters', 'order.json'), 'utf8'));
  const sections = order.map(({ id, number }) =>
    readFileSync(source('chapters', id, 'chapter.html'), 'utf8').replace(
      '<!-- number -->',
      number === undefined ? '' : `<span class="number">${number}</span> `,
    ),
  );
  const links = order
    .filter(({ nav }) => nav !== undefined)
    .map(({ id, nav, number }) => `<li><a href="#${id}">${number ?? ''} ${nav}</a></li>`);
  return readFileSync(source('index.html'), 'utf8')
    .replace('<!-- source link -->', sourceLink(projectFacts()))
    .replace('<!-- chapter links -->', links.join('\n            '))
    .replace('<!-- chapters -->', () =>
      sections.join('\n').replace(/<dfn [\s\S]*?<\/dfn>/g, wordOf),
    );
}

/**
 * Writes the address of the picture for links in full, as the sites that show it require. `site` is
 * the address of the page.
 */
export function withAddress(html, site) {
  if (!site) return html;
  const picture = new URL('preview.png', site.endsWith('/') ? site : `${site}/`).href;
  return html.replace(
    /(<meta property="og:image" content=")preview\.png"/,
    (_, before) => `${before}${picture}"`,
  );
}

/**
 * Writes the licences of everything in the page: of the package's parts, because the page is served
 * without its comments, and of the packages that contain these modules.
 */
function writeLicenses(modules) {
  const name = 'THIRD_PARTY_LICENSES.txt';
  // A development build of the package does not contain them.
  const ofPackage = existsSync(at('dist', name)) ? [readFileSync(at('dist', name), 'utf8')] : [];
  const ofPage = bundledLicenses('The page also contains the following.', modules);
  writeFileSync(target(name), [...ofPackage, ofPage].join('\n'));
}

/** Returns the files of which a build contains at least one byte. */
const modulesIn = ({ outputs }) =>
  Object.values(outputs).flatMap(({ inputs }) =>
    Object.entries(inputs).flatMap(([path, { bytesInOutput }]) =>
      bytesInOutput > 0 ? [at(path)] : [],
    ),
  );

/** Copies the trained models and their recordings from Python, which the tests also replay. */
function copyModels() {
  mkdirSync(target('models'), { recursive: true });
  for (const name of trained.flatMap((model) => [`${model}.keras`, `${model}.json`])) {
    copyFileSync(at('tests', 'fixtures', 'trained', name), target('models', name));
  }
  writeFileSync(target('models', 'cases.json'), JSON.stringify(pageCases()));
}

/** The package's entries by their names, because the page imports them as other pages do. */
const entriesIn = (dist) => ({
  ...Object.fromEntries(
    sharing
      .filter((name) => name !== 'index')
      .map((name) => [`maskflow/${pathOf(name)}`, `${dist}/${name}.js`]),
  ),
  maskflow: `${dist}/index.js`,
});

const common = (dist, alias) => ({
  absWorkingDir: at(),
  outdir: target(),
  bundle: true,
  // Keeps names, because the page shows names of classes.
  keepNames: true,
  minify: true,
  target: 'es2022',
  alias: { ...entriesIn(dist), ...alias },
  external: ['fonts/*', 'node:*'],
  loader: { '.keras': 'binary', '.example.js': 'text' },
  legalComments: 'none',
  logLevel: 'warning',
  // Some chunks import others only to fetch them early, which is pointless in one bundle. Classic
  // scripts have no import.meta, and look for no files beside them.
  logOverride: { 'ignored-bare-import': 'silent', 'empty-import-meta': 'silent' },
});

/** Builds the modules of the served page, which are fetched on demand. */
async function buildModules(dist) {
  for (const variant of ['relaxed', 'simd'])
    await buildFirstWorker({ dist, variant, folder: target('engine'), alias: entriesIn(dist) });
  const entryPoints = [
    { in: source('main.ts'), out: 'page' },
    { in: source('playground', 'playground.ts'), out: 'playground/playground' },
  ];
  const built = await build({
    ...common(dist, { 'page-files': source('engine', 'files_served.ts') }),
    entryPoints,
    format: 'esm',
    splitting: true,
    metafile: true,
    write: false,
    outExtension: { '.js': '.mjs' },
    chunkNames: 'chunks/[name]-[hash]',
  });
  const entries = entryPoints.map(({ out }) => out);
  const imports = await writeJoined(built, { folder: target(), entries, first: 'page' });
  return { metafile: built.metafile, imports };
}

/**
 * Inserts the script that runs before the first paint, and the hashes of the scripts that the
 * page's policy allows: this one, and that of the frame in which programs run. Also inserts the
 * address of the page from SITE_URL.
 */
export async function withStart(html, attributes) {
  const { outputFiles } = await build({
    ...common(at('dist')),
    entryPoints: [source('shared', 'start.ts')],
    format: 'iife',
    write: false,
  });
  const text = outputFiles[0].text.trim();
  const hashes = [
    `sha256-${createHash('sha256').update(text).digest('base64')}`,
    await frameHash(),
  ];
  return withAddress(html, process.env.SITE_URL)
    .replace('<!-- script hashes -->', hashes.map((hash) => `'${hash}'`).join(' '))
    .replace('<!-- start -->', () => `<script ${attributes}>${text}</script>`);
}

/** Returns a build of a worker's script, which imports nothing. */
const buildScript = (dist, name) =>
  build({
    ...common(dist),
    entryPoints: [source('engine', `${name}.ts`)],
    format: 'iife',
    metafile: true,
    write: false,
  });

/**
 * Builds the page for file://, which does not allow modules, as one classic script. `translator` is
 * the script that translates Python programs.
 */
async function buildClassic(dist, translator) {
  const engine = await buildScript(dist, 'train');
  const texts = {
    name: 'engine text',
    setup(plugin) {
      plugin.onResolve({ filter: /^page-cases$/ }, ({ path }) => ({ path, namespace: 'cases' }));
      plugin.onLoad({ filter: /.*/, namespace: 'cases' }, () => ({
        contents: JSON.stringify(pageCases()),
        loader: 'json',
      }));
      const scripts = { 'engine-text': engine.outputFiles[0].text, 'port-text': translator };
      plugin.onResolve({ filter: /^(engine|port)-text$/ }, ({ path }) => ({
        path,
        namespace: 'scripts',
      }));
      plugin.onLoad({ filter: /.*/, namespace: 'scripts' }, ({ path }) => ({
        contents: scripts[path],
        loader: 'text',
      }));
    },
  };
  await build({
    ...common(dist, { 'page-files': source('engine', 'files_embedded.ts') }),
    plugins: [texts],
    entryPoints: [
      { in: source('main.ts'), out: 'page' },
      { in: source('playground', 'playground.ts'), out: 'playground/playground' },
    ],
    format: 'iife',
  });
}

/**
 * Returns one style sheet for engines that lack newer features such as light-dark(), and writes it
 * for the playground.
 */
async function buildStyles(dist) {
  const { outputFiles } = await build({
    ...common(dist),
    entryPoints: [source('styles', 'page.css')],
    write: false,
  });
  const { code } = transform({
    filename: 'page.css',
    code: outputFiles[0].contents,
    minify: true,
    targets: engines,
  });
  writeFileSync(target('page.css'), code);
  return code.toString();
}

/**
 * Puts the style sheet into the page: text is then laid out while the scripts arrive, which are
 * twenty times as large, and not after them.
 */
const withStyles = (html, css) =>
  html.replace('<link rel="stylesheet" href="page.css" />', () => `<style>${css}</style>`);

/** Builds the page; `dist` is the folder of the built package. */
export async function buildPage() {
  const dist = at('dist');
  rmSync(target(), { recursive: true, force: true });
  const fonts = await writeFonts(target('fonts'));
  copyModels();
  for (const name of ['icon.svg', 'preview.png']) copyFileSync(source(name), target(name));
  // Hosts show this file in place of a missing one.
  copyFileSync(at('scripts', 'docs', 'not_found.html'), target('404.html'));
  const { metafile, imports } = await buildModules(dist);
  const options = { ...common(dist), metafile: true };
  const inFrames = await buildFrameWorkers({ dist, kinds, folder: target('engine'), options });
  const port = await buildScript(dist, 'port');
  writeFileSync(target('engine', 'port.js'), port.outputFiles[0].text);
  // A browser can request all modules that a script imports at once.
  const modules = (entry) => `data-modules="${[`${entry}.mjs`, ...imports.get(entry)].join(' ')}"`;
  const first = `data-first ${modules('page')}`;
  const html = withStyles(pageHtml(), await buildStyles(dist));
  writeFileSync(target('index.html'), await withStart(html, first));
  const playground = readFileSync(source('playground', 'index.html'), 'utf8');
  const started = await withStart(playground, modules('playground/playground'));
  writeFileSync(target('playground', 'index.html'), started);
  await buildClassic(dist, port.outputFiles[0].text);
  // The first worker and the classic scripts contain no package that these do not.
  writeLicenses([...fonts, ...[metafile, port.metafile, ...inFrames].flatMap(modulesIn)]);
  return `${filesUnder('dist/page').length} files`;
}

const inputs = () => [
  ...filesUnder('page'),
  ...builtFiles(),
  ...filesUnder('dist/page', /index\.html$/),
  ...filesUnder('scripts/build'),
  ...filesUnder('tests/fixtures/page'),
  ...filesUnder('tests/fixtures/trained'),
  at('scripts', 'build-page.mjs'),
  at('scripts', 'docs', 'not_found.html'),
];

/** Builds the page unless nothing has changed since. */
export const buildPageIfChanged = () => unlessFresh(at('build', '.page'), inputs, buildPage);

if (isProgram(import.meta.url)) {
  await main(async () => {
    await buildPage();
  });
}
