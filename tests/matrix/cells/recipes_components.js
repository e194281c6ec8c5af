// SPDX-License-Identifier: MIT
// The recipes of components: built and served by Vite, and used as somebody would use them.
import { cpSync } from 'node:fs';
import { html } from '../lib/entries.js';
import { visit, visitFolder } from '../lib/pages.js';
import { writeRecipes } from '../lib/recipes.js';
import { useMounted, useTyping } from '../lib/user.js';
import { warningIn } from '../lib/warnings.js';

const vite = 'vite@8.3.8';
const page = `${html('/src/main')}<div id="app"></div>`;

/** Programs that show the recipe's component twice, with a button that hides and shows both. */
const kinds = {
  React: {
    packages: [vite, '@vitejs/plugin-react@6.3.0', 'react@19.3.1', 'react-dom@19.3.1'],
    types: ['tsc', 'typescript@6.0.3', '@types/react@19.3.0', '@types/react-dom@19.3.0'],
    component: 'Brackets.tsx',
    files: {
      'vite.config.js': `import react from '@vitejs/plugin-react';
export default { plugins: [react()] };`,
      'src/main.tsx': `import { StrictMode } from 'react';
import { createRoot } from 'react-dom/client';
import { App } from './App';
createRoot(document.getElementById('app')!).render(<StrictMode><App /></StrictMode>);`,
      'src/App.tsx': `import { Suspense, lazy, useState } from 'react';
import { Brackets } from './Brackets';
// A sibling that suspends, so that React hides the component and shows it again.
const Late = lazy(async () => {
  await new Promise((done) => setTimeout(done, 300));
  return { default: () => <b>late</b> };
});
export function App() {
  const [shown, show] = useState(true);
  return <>
    <button type="button" onClick={() => show((before) => !before)}>toggle</button>
    {shown && <Suspense><Brackets /><Brackets /><Late /></Suspense>}
  </>;
}`,
    },
    entry: 'main.tsx',
  },
  Vue: {
    packages: [vite, '@vitejs/plugin-vue@6.0.11', 'vue@3.5.45'],
    types: ['vue-tsc', 'typescript@6.0.3', 'vue-tsc@3.3.14'],
    component: 'Brackets.vue',
    files: {
      'vite.config.js': `import vue from '@vitejs/plugin-vue';
export default { plugins: [vue()] };`,
      'src/main.ts': `import { createApp } from 'vue';
import App from './App.vue';
createApp(App).mount('#app');`,
      'src/App.vue': `<script setup lang="ts">
import { ref } from 'vue';
import Brackets from './Brackets.vue';
const shown = ref(true);
</script>
<template>
  <button type="button" @click="shown = !shown">toggle</button>
  <template v-if="shown"><Brackets /><Brackets /></template>
</template>`,
    },
    entry: 'main.ts',
  },
  Svelte: {
    packages: [vite, '@sveltejs/vite-plugin-svelte@7.3.1', 'svelte@5.57.3'],
    types: ['svelte-check', 'typescript@6.0.3', 'svelte-check@4.7.8'],
    component: 'Brackets.svelte',
    files: {
      'vite.config.js': `import { svelte } from '@sveltejs/vite-plugin-svelte';
export default { plugins: [svelte()] };`,
      'src/main.ts': `import { mount } from 'svelte';
import App from './App.svelte';
mount(App, { target: document.getElementById('app')! });`,
      'src/App.svelte': `<script lang="ts">
  import Brackets from './Brackets.svelte';
  let shown = $state(true);
</script>
<button type="button" onclick={() => { shown = !shown; }}>toggle</button>
{#if shown}<Brackets /><Brackets />{/if}`,
    },
    entry: 'main.ts',
  },
};

const levels = ['error', 'warn', 'warning'];
const shared = 'One model for many components';

async function make(project, name, more = []) {
  const { packages, files, entry } = kinds[name];
  await project.install([...packages, ...more]);
  project.bring('public', '.');
  project.write('index.html', page.replace('/src/main', `/src/${entry}`));
  for (const [path, text] of Object.entries(files)) project.write(path, text);
  writeRecipes(project, { [shared]: 'src', [name]: 'src' });
}

const strict = JSON.stringify({
  compilerOptions: {
    ...{ strict: true, exactOptionalPropertyTypes: true, noUncheckedIndexedAccess: true },
    ...{ target: 'es2022', module: 'esnext', moduleResolution: 'bundler', jsx: 'react-jsx' },
    ...{ lib: ['es2022', 'dom'], noEmit: true, verbatimModuleSyntax: true },
  },
  include: ['src'],
});

/** Defines a cell that checks the recipes' types with TypeScript's strictest settings. */
const typed = (name) => ({
  ...facts(name, 'types'),
  versions: kinds[name].types.slice(1).join(', ').replace(/(\w)@/g, '$1 '),
  async run(project) {
    const [checker, ...packages] = kinds[name].types;
    await make(project, name, packages);
    project.write('tsconfig.json', strict);
    await project.run(checker);
    return { answers: { types: 'ok' } };
  },
});

const facts = (name, how) => ({
  name: `recipe, ${name}, ${how}`,
  versions: kinds[name].packages.map((text) => text.replace(/(.)@/, '$1 ')).join(', '),
  recipes: [shared, name],
});

const built = (name) => ({
  ...facts(name, 'build'),
  async run(project) {
    await make(project, name);
    const build = warningIn(await project.run('vite', ['build']));
    const result = await visitFolder(project.at('dist'), { use: useMounted, levels });
    return { ...result, answers: { ...result.answers, build } };
  },
});

const served = (name) => ({
  ...facts(name, 'dev'),
  async run(project) {
    await make(project, name);
    const path = `src/${kinds[name].component}`;
    const text = project.read(path);
    const edit = (count) => {
      // The third edit also changes the module that keeps the models.
      if (count === 3)
        project.write('src/prediction.ts', `${project.read('src/prediction.ts')}//\n`);
      project.write(path, text.replace('<p>', `<p id="edit-${count}">`));
      return `#edit-${count}`;
    };
    const use = (tab) => useMounted(tab, { edit });
    const url = await project.listen('vite', ['--port', '0', '--clearScreen', 'false']);
    return visit(url, { use, levels });
  },
});

/**
 * The web component without a build. Its models are in the page's thread, so they are counted by
 * their tensors.
 */
const element = {
  name: 'recipe, web component',
  versions: 'Chromium',
  recipes: ['Web component'],
  async run(project) {
    await plainProject(project, 'Web component');
    const imports = '{ "imports": { "maskflow": "/npm/maskflow@0/dist/index.js" } }';
    project.write(
      'index.html',
      `${page.slice(0, page.indexOf('<script'))}<script type="importmap">${imports}</script>
<input value="([{}])"><button>toggle</button><div id="app"></div>
<script type="module">
import './bracket-score.js';
import { memory } from 'maskflow';
const app = document.getElementById('app');
const input = document.querySelector('input');
const show = () => {
  const made = document.createElement('bracket-score');
  made.setAttribute('src', '/brackets.keras');
  made.setAttribute('text', input.value);
  app.append(made);
};
show();
input.addEventListener('input', () => app.firstChild?.setAttribute('text', input.value));
document.querySelector('button').addEventListener('click', () => {
  if (app.firstChild) app.firstChild.remove();
  else show();
});
window.alive = () => memory().tensors / 10;
</script>`,
    );
    const alive = () => window.alive();
    const use = (tab) => useMounted(tab, { output: 'bracket-score', alive });
    return visitFolder(project.folder, { use, levels });
  },
};

async function plainProject(project, heading) {
  await project.install();
  cpSync(project.at('node_modules', 'maskflow'), project.at('npm', 'maskflow@0'), {
    recursive: true,
  });
  project.bring();
  writeRecipes(project, { [heading]: '.' });
}

const plain = (path) => ({
  name: `recipe, plain HTML, ${path}`,
  versions: 'Chromium',
  recipes: ['Plain HTML'],
  async run(project) {
    await plainProject(project, 'Plain HTML');
    const tensors = async (tab) =>
      tab.evaluate(
        `(async () => (window.maskflow ?? await import('maskflow')).memory().tensors)()`,
      );
    const use = async (tab) => {
      const { answers } = await useTyping(tab);
      const count = await tensors(tab);
      answers.tensors = count === 10 ? 'ok' : `${count} tensors, not the model's 10`;
      return { answers };
    };
    // The recipe's pages have no icon, so the missing icon is not an error.
    return visitFolder(project.folder, { path, use, levels });
  },
});

export const how = [
  'Each cell uses the code of docs/recipes.md as a person would. It types into the component,',
  'edits it under the development server, hides it while it loads, and shows it again. No',
  'model may be left in memory.',
].join(' ');
export const cells = [
  plain('module.html'),
  plain('script.html'),
  ...Object.keys(kinds).flatMap((name) => [typed(name), built(name), served(name)]),
  element,
];
