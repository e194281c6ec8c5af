// SPDX-License-Identifier: MIT
// Runs before the first paint: sets the theme, so that a dark page does not flash white, and loads
// the scripts, which depend on whether the page is served or opened from a folder.
import { startFirst } from '../engine/first.js';

const themes = ['auto', 'light', 'dark'] as const;
type Theme = (typeof themes)[number];

function stored(): Theme {
  try {
    return themes.find((theme) => theme === localStorage.getItem('maskflow-theme')) ?? 'auto';
  } catch {
    return 'auto';
  }
}

const query = new URLSearchParams(location.search);
/** The theme that an address asks for, as that of an embedded figure does. */
const asked = themes.find((each) => each === query.get('theme'));
let theme = asked ?? stored();

function show(): void {
  document.documentElement.dataset['theme'] = theme;
  const name = document.querySelector('[data-theme-name]');
  if (name) name.textContent = theme;
}

function next(): void {
  theme = themes[(themes.indexOf(theme) + 1) % themes.length] ?? 'auto';
  try {
    localStorage.setItem('maskflow-theme', theme);
  } catch {
    // Ignored: without storage, the choice lasts as long as the page.
  }
  show();
}

function add(tag: 'link' | 'script', attributes: { [name: string]: string }): void {
  const element = document.createElement(tag);
  for (const [name, value] of Object.entries(attributes)) element.setAttribute(name, value);
  if (tag === 'script') element.addEventListener('error', () => whenParsed(sayLost));
  document.head.append(element);
}

function whenParsed(f: () => void): void {
  if (document.readyState === 'loading') document.addEventListener('DOMContentLoaded', f);
  else f();
}

/** Says that the page's script, or a module that it imports, did not arrive. */
function sayLost(): void {
  const sentence = document.createElement('p');
  sentence.className = 'wrap problem';
  sentence.setAttribute('role', 'alert');
  sentence.textContent =
    'The script of this page did not arrive, so nothing can be computed here. Reload the page.';
  document.querySelector('main')?.prepend(sentence);
  document.querySelector('[data-slot="status"]')?.replaceChildren('Nothing can be computed here.');
}

// Modules fetch only the variant of the core that this browser runs. Browsers block modules on
// pages opened from a folder, so these load one classic script that contains everything. Preloading
// here saves the wait for the script that needs a file; from a folder, preloading is blocked as
// well.
function load(): void {
  const { base = '', modules, first } = document.currentScript?.dataset ?? {};
  const [entry = '', ...others] = (modules ?? '').split(' ');
  if (location.protocol === 'file:') {
    const src = entry.replace(/\.mjs$/, '.js');
    whenParsed(() => add('script', { src }));
    return;
  }
  if (first !== undefined) startEngine();
  for (const href of others) add('link', { rel: 'modulepreload', href });
  add('script', { src: entry, type: 'module' });
  const font = { as: 'font', type: 'font/woff2', crossorigin: '' };
  for (const family of ['next', 'mono'])
    add('link', { rel: 'preload', href: `${base}fonts/atkinson-${family}.woff2`, ...font });
}

/** Starts the first chapter's worker before anything else. The page reports a failure later. */
function startEngine(): void {
  try {
    const worker = startFirst();
    window.firstEngine = worker;
    // The page tries again and reports a second failure.
    worker.addEventListener('error', () => {
      if (window.firstEngine === worker) window.firstEngine = undefined;
    });
  } catch {
    window.firstEngine = undefined;
  }
}

/** Links to folders open their index.html when the page itself was opened from a folder. */
function openFolders(): void {
  if (location.protocol !== 'file:') return;
  document.addEventListener('click', ({ target }) => {
    const link = target instanceof Element ? target.closest('a') : null;
    if (link?.protocol === 'file:' && link.pathname.endsWith('/')) link.pathname += 'index.html';
  });
}

if (query.has('embed')) document.documentElement.dataset['embed'] = query.get('embed') ?? '';
// The button of the toy's play has its room before it comes, where it will come.
if (/[?]/.test(location.hash)) document.documentElement.dataset['linked'] = '';
/** Whether the page opens at its top: neither at a chapter nor where the reader was before. */
function opensAtTop(): boolean {
  const [visit] = performance.getEntriesByType('navigation') as PerformanceNavigationTiming[];
  return visit?.type === 'navigate' && location.hash === '' && !query.has('embed');
}

if (opensAtTop()) document.documentElement.dataset['fresh'] = '';
show();
load();
openFolders();
whenParsed(() => {
  show();
  document.querySelector('[data-theme-button]')?.addEventListener('click', next);
});
