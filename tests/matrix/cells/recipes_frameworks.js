// SPDX-License-Identifier: MIT
// The recipes of frameworks that render on a server, built and under their development servers.
import { Failure } from '../../../scripts/lib/process.mjs';
import { visit } from '../lib/pages.js';
import { writeRecipes } from '../lib/recipes.js';
import { toolNode } from '../lib/runtimes.js';
import { useWithReload } from '../lib/user.js';
import { answers as numbers } from '../programs/brackets.js';
import { compare } from '../programs/compare.js';
import { kinds as frameworks, startMode } from './frameworks.js';

const shared = 'One model for many components';
const types = ['typescript 6.0.3', '@types/react 19.3.0', '@types/node 26.6.6'];

const kinds = {
  Next: {
    ...frameworks.next,
    versions: [...frameworks.next.versions, ...types],
    places: { [shared]: '.', React: '.', 'On a server': '.', Next: '.' },
    files: {
      'tsconfig.json': '{ "compilerOptions": { "strict": true } }',
      'app/layout.tsx': `import type { ReactNode } from 'react';
export default function Layout({ children }: { children: ReactNode }) {
  return <html lang="en"><body>{children}</body></html>;
}`,
      'app/icon.svg': frameworks.next.files['app/icon.svg'],
    },
    handler: '/score?text=',
    component: '/server?text=',
  },
  Nuxt: {
    ...frameworks.nuxt,
    places: { [shared]: 'app', Vue: 'app', 'On a server': 'server/utils', Nuxt: '.' },
    files: { 'nuxt.config.js': frameworks.nuxt.files['nuxt.config.js'] },
    handler: '/api/score?text=',
  },
  SvelteKit: {
    ...frameworks.svelte,
    places: { [shared]: 'src', Svelte: 'src', 'On a server': 'src', SvelteKit: '.' },
    files: {
      'src/app.html': frameworks.svelte.files['src/app.html'],
      'vite.config.js': frameworks.svelte.files['vite.config.js'],
    },
    handler: '/score?text=',
  },
  Astro: {
    ...frameworks.astro,
    places: { 'Web component': 'src', Astro: '.' },
    files: {},
    output: 'bracket-score',
  },
};

async function make(project, { versions, manifest, places, files, folder = 'public' }) {
  const packages = versions.map((text) => text.replace(/(.) /, '$1@'));
  await project.install(packages, { manifest, node: toolNode });
  project.bring(folder);
  for (const [path, text] of Object.entries(files)) project.write(path, text);
  writeRecipes(project, places);
}

const texts = ['([{}])', '([)]'];

async function ask(url) {
  const answer = await fetch(url);
  if (!answer.ok) throw new Failure(`${answer.status} ${await answer.text()}`);
  return answer.json();
}

/** Returns the answers of the handler for both texts. */
async function askHandler(url) {
  const found = [];
  for (const text of texts) found.push((await ask(url + encodeURIComponent(text))).score);
  return compare(found, numbers);
}

/** Returns the text that a component on the server shows. */
async function readComponent(url) {
  const use = async (tab) => {
    const shown = await tab.$eval('output', ({ textContent }) => textContent);
    return { answers: { number: compare([Number(shown)], [numbers[1]]) } };
  };
  const { answers } = await visit(url + encodeURIComponent(texts[1]), { use });
  return Object.values(answers).find((answer) => answer !== 'ok') ?? 'ok';
}

const cell = (name, mode) => ({
  name: `recipe, ${name}, ${mode}`,
  versions: kinds[name].versions.join(', '),
  limit: 300,
  recipes: Object.keys(kinds[name].places),
  async run(project) {
    const { modes, folder = 'public', handler, component, output } = kinds[name];
    await make(project, kinds[name]);
    const url = await startMode(project, modes[mode], project.at(folder, 'brackets.keras'));
    const use = (tab) => useWithReload(tab, { output });
    const { answers } = await visit(url, { use, levels: ['error', 'warn', 'warning'] });
    if (handler) answers.handler = await askHandler(url + handler);
    if (component) answers['server component'] = await readComponent(url + component);
    return { answers };
  },
});

export const how = [
  'Each cell is the code of docs/recipes.md with the minimum that the framework requires. It',
  'types into the page, reloads it, and calls handlers and server components.',
].join(' ');
export const cells = Object.keys(kinds).flatMap((name) =>
  Object.keys(kinds[name].modes).map((mode) => cell(name, mode)),
);
