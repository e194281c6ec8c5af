// SPDX-License-Identifier: MIT
// The pages that `npm run bench:cold` visits, one for each way in which pages load the package.
import {
  cpSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { build } from 'vite';
import { at } from '../../scripts/lib/files.mjs';
import { recipes } from '../../tests/matrix/lib/recipes.js';

const folder = at('build', 'cold');
const source = (name) => readFileSync(at('bench', 'cold', name), 'utf8');

const html = (script, head = '') => `<!doctype html><meta charset="utf-8"><title>cold</title>
<link rel="icon" href="data:,"><script>${source('marks.js')}</script>${head}
<script type="module" src="${script}"></script>\n`;

const script = (path) => `<link rel="modulepreload" href="./dist/${path}">`;
const core = () => readdirSync(at('dist')).find((name) => /^core-[\w-]{8}\.js$/.test(name));

/**
 * The lines of docs/guides/start.md for pages that load the files without a bundler: the wasm in a
 * script, or as a file.
 */
function preloads(wasmAsFile) {
  const scripts = ['recurrent.js', core(), 'chunks/glue.js'].map(script);
  const wasm = wasmAsFile
    ? [
        script('recurrent_wasm.js'),
        '<link rel="preload" as="fetch" crossorigin href="./dist/maskflow-recurrent-relaxed.wasm">',
      ]
    : [script('chunks/recurrent-relaxed.js')];
  return [...scripts, ...wasm].join('\n');
}

/** Writes a page that loads dist/ as it is, through an import map. */
function writeModules(name, head, wasmAsFile = false) {
  const page = join(folder, name);
  const imports = {
    'maskflow/recurrent': './dist/recurrent.js',
    'maskflow/recurrent/wasm': './dist/recurrent_wasm.js',
  };
  const map = `<script type="importmap">${JSON.stringify({ imports })}</script>`;
  mkdirSync(page, { recursive: true });
  cpSync(at('dist'), join(page, 'dist'), { recursive: true });
  writeFileSync(join(page, 'page.js'), program(wasmAsFile));
  writeFileSync(join(page, 'index.html'), html('./page.js', map + head));
  return page;
}

/** Returns the program that the page runs. */
function program(wasmAsFile) {
  const text = source('page.js');
  if (!wasmAsFile) return text;
  const wasmImport = "import { wasm } from 'maskflow/recurrent/wasm';\n";
  return wasmImport + text.replace('ready()', 'ready({ wasm })');
}

/** Builds a Vite project without configuration. */
async function writeViteProject(name, wasmAsFile, head = '') {
  const project = join(folder, name);
  mkdirSync(join(project, 'node_modules'), { recursive: true });
  symlinkSync(at(), join(project, 'node_modules', 'maskflow'), 'dir');
  writeFileSync(join(project, 'package.json'), '{ "private": true, "type": "module" }\n');
  writeFileSync(join(project, 'page.js'), program(wasmAsFile));
  writeFileSync(join(project, 'index.html'), html('/page.js', head));
  await build({ root: project, configFile: false, logLevel: 'warn' });
  return join(project, 'dist');
}

function writeEmpty() {
  const page = join(folder, 'empty');
  mkdirSync(page, { recursive: true });
  writeFileSync(join(page, 'page.js'), source('empty.js'));
  writeFileSync(join(page, 'index.html'), html('./page.js'));
  return page;
}

/** Creates the measured pages: titles, folders, and the number of values that each predicts. */
export async function makePages() {
  rmSync(folder, { recursive: true, force: true });
  const pages = {
    'package files, no bundler': writeModules('modules', ''),
    'package files, preloaded': writeModules('preloaded', preloads(false)),
    'package files, the wasm as a file, preloaded': writeModules('file', preloads(true), true),
    'built by Vite': await writeViteProject('vite', false),
    'built by Vite, the wasm as a file': await writeViteProject('vite-file', true),
    'built by Vite, the wasm as a file, preloaded': await writeViteProject(
      'vite-preloaded',
      true,
      recipes['Fewer bytes']['head.html'],
    ),
  };
  const lstmPages = Object.entries(pages).map(([title, page]) => ({
    title,
    folder: page,
    units: 32,
  }));
  return [...lstmPages, { title: 'an empty module', folder: writeEmpty(), units: 0 }];
}
