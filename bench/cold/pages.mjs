// SPDX-License-Identifier: MIT
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

const folder = at('build', 'cold');
const source = (name) => readFileSync(at('bench', 'cold', name), 'utf8');

const html = (script, head = '') => `<!doctype html><meta charset="utf-8"><title>cold</title>
<link rel="icon" href="data:,"><script>${source('marks.js')}</script>${head}
<script type="module" src="${script}"></script>\n`;

/** The lines that README tells pages to have which take the files as they are. */
function preloads() {
  const [core] = readdirSync(at('dist')).filter((name) => /^core-[\w-]{8}\.js$/.test(name));
  return ['recurrent.js', core, 'chunks/glue.js', 'chunks/recurrent-relaxed.js']
    .map((path) => `<link rel="modulepreload" href="./dist/${path}">`)
    .join('\n');
}

/** A page that takes dist/ as it is, by an import map. */
function writeModules(name, head) {
  const page = join(folder, name);
  const imports = { 'maskflow/recurrent': './dist/recurrent.js' };
  const map = `<script type="importmap">${JSON.stringify({ imports })}</script>`;
  mkdirSync(page, { recursive: true });
  cpSync(at('dist'), join(page, 'dist'), { recursive: true });
  writeFileSync(join(page, 'page.js'), source('page.js'));
  writeFileSync(join(page, 'index.html'), html('./page.js', map + head));
  return page;
}

/** A project of somebody who uses Vite and has configured nothing. */
async function writeBundled() {
  const project = join(folder, 'vite');
  mkdirSync(join(project, 'node_modules'), { recursive: true });
  symlinkSync(at(), join(project, 'node_modules', 'maskflow'), 'dir');
  writeFileSync(join(project, 'package.json'), '{ "private": true, "type": "module" }\n');
  writeFileSync(join(project, 'page.js'), source('page.js'));
  writeFileSync(join(project, 'index.html'), html('/page.js'));
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

/** The pages that are measured: what they are, their folders, and how many numbers they predict. */
export async function makePages() {
  rmSync(folder, { recursive: true, force: true });
  const pages = {
    'modules as they are': writeModules('modules', ''),
    'the same, preloaded': writeModules('preloaded', preloads()),
    'built by Vite': await writeBundled(),
  };
  const measured = Object.entries(pages).map(([title, page]) => ({
    title,
    folder: page,
    units: 32,
  }));
  return [...measured, { title: 'an empty module', folder: writeEmpty(), units: 0 }];
}
