// SPDX-License-Identifier: MIT
// The demo page, from web/demo and the built package into dist/demo: files for any static host. The
// script is a classic one in a single file, so that the page also opens from a folder (file://).
import { copyFileSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { basename } from 'node:path';
import { build } from 'esbuild';
import { at, filesUnder } from './lib/files.mjs';
import { isProgram, main } from './lib/process.mjs';

const source = (...parts) => at('web', 'demo', ...parts);
const target = (...parts) => at('dist', 'demo', ...parts);
const panels = ['padding', 'makers', 'follow', 'split', 'custom', 'states'];

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

export async function buildDemo({ maskflow = at('dist', 'index.js') } = {}) {
  rmSync(target(), { recursive: true, force: true });
  copyFonts();
  copyFileSync(source('icon.svg'), target('icon.svg'));
  writeFileSync(target('index.html'), page());
  await build({
    absWorkingDir: at(),
    entryPoints: [source('main.ts'), source('shared', 'theme.ts'), source('styles', 'demo.css')].map(
      (path) => ({ in: path, out: basename(path).replace(/\.\w+$/, '').replace('main', 'demo') }),
    ),
    outdir: target(),
    bundle: true,
    minifyWhitespace: true,
    minifySyntax: true,
    format: 'iife',
    target: 'es2022',
    alias: { maskflow },
    external: ['fonts/*', 'node:*'],
    legalComments: 'none',
    logLevel: 'warning',
  });
  return `${filesUnder('dist/demo').length} files`;
}

if (isProgram(import.meta.url)) {
  await main(async () => {
    await buildDemo();
  });
}
