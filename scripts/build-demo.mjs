// SPDX-License-Identifier: MIT
// The demo page, from web/demo and the built package into dist/demo: files for any static host, which
// also open from a folder (file://).
import { copyFileSync, existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { build } from 'esbuild';
import { at, filesUnder } from './lib/files.mjs';
import { isProgram, main } from './lib/process.mjs';

const source = (...parts) => at('web', 'demo', ...parts);
const target = (...parts) => at('dist', 'demo', ...parts);
const panels = ['padding', 'makers', 'follow', 'split', 'custom', 'states', 'models'];
const trained = ['brackets', 'sensor', 'adding'];

/** Each panel's HTML is a file of its own beside its script. */
function page() {
  const sections = panels.map((name) => readFileSync(source('panels', `${name}.html`), 'utf8'));
  return readFileSync(source('index.html'), 'utf8').replace('<!-- panels -->', sections.join('\n'));
}

function copyFonts() {
  mkdirSync(target('fonts'), { recursive: true });
  for (const family of ['next', 'mono']) {
    const name = `atkinson-hyperlegible-${family}`;
    const folder = at('node_modules', '@fontsource-variable', name);
    const file = `${folder}/files/${name}-latin-wght-normal.woff2`;
    copyFileSync(file, target('fonts', `atkinson-${family}.woff2`));
    copyFileSync(`${folder}/LICENSE`, target('fonts', `atkinson-${family}.LICENSE.txt`));
  }
}

/** Of what the package contains, for the page is handed out without its comments. */
function copyLicenses() {
  const name = 'THIRD_PARTY_LICENSES.txt';
  // (A build for development has none.)
  if (existsSync(at('dist', name))) copyFileSync(at('dist', name), target(name));
}

/** The trained models and what Python recorded of them: the ones that the tests replay. */
function copyModels() {
  mkdirSync(target('models'), { recursive: true });
  for (const name of trained.flatMap((model) => [`${model}.keras`, `${model}.json`])) {
    copyFileSync(at('tests', 'fixtures', 'trained', name), target('models', name));
  }
}

/** `maskflow`: the built package; the page uses it as any other page would. */
export async function buildDemo({ maskflow = at('dist', 'index.js') } = {}) {
  rmSync(target(), { recursive: true, force: true });
  copyFonts();
  copyModels();
  copyLicenses();
  copyFileSync(source('icon.svg'), target('icon.svg'));
  writeFileSync(target('index.html'), page());
  const common = {
    absWorkingDir: at(),
    outdir: target(),
    bundle: true,
    // Names stay, for the classes of the page are shown by their names.
    keepNames: true,
    minifyWhitespace: true,
    minifySyntax: true,
    target: 'es2022',
    alias: { maskflow, 'demo-models': source('models', 'served.ts') },
    external: ['fonts/*', 'node:*'],
    legalComments: 'none',
    logLevel: 'warning',
    // A chunk of the package may import another only to have it fetched early; here all are one bundle.
    // A classic script has no import.meta; it looks for no files beside it.
    logOverride: { 'ignored-bare-import': 'silent', 'empty-import-meta': 'silent' },
  };
  const demo = { in: source('main.ts'), out: 'demo' };
  // For servers: modules, of which a browser fetches the variant it runs.
  await build({
    ...common,
    entryPoints: [demo],
    format: 'esm',
    splitting: true,
    outExtension: { '.js': '.mjs' },
    chunkNames: 'chunks/[name]-[hash]',
  });
  // For file://, which allows no modules: all in one; and what comes before the first paint.
  await build({
    ...common,
    alias: { maskflow, 'demo-models': source('models', 'embedded.ts') },
    loader: { '.keras': 'binary' },
    entryPoints: [
      demo,
      { in: source('shared', 'start.ts'), out: 'start' },
      { in: source('styles', 'demo.css'), out: 'demo' },
    ],
    format: 'iife',
  });
  return `${filesUnder('dist/demo').length} files`;
}

if (isProgram(import.meta.url)) {
  await main(async () => {
    await buildDemo();
  });
}
