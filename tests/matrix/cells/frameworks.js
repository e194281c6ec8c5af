// SPDX-License-Identifier: MIT
// Frameworks that render on a server: the package in a page of theirs, and in a handler of their
// server.
import { Failure } from '../../../scripts/lib/process.mjs';
import { pageScript } from '../lib/entries.js';
import { readTwice, visit } from '../lib/pages.js';
import { toolNode, withPort } from '../lib/runtimes.js';

// Code that runs only in the page, although frameworks also run components on the server.
const inPage = `export async function inPage(mf, text, worker, check) {
  const source = new URL('/brackets.keras', location.href);
  window.result = await check({ mf, text, worker }, { source });
}`;
const imports = (check) => `import * as mf from 'maskflow';
import * as text from 'maskflow/text';
import * as worker from 'maskflow/worker';
import { check } from '${check}';`;
const onServer = `check({ mf, text, worker }, { source: process.env.MODEL })`;

export const kinds = {
  next: {
    versions: ['next 16.4.6', 'react 19.3.1', 'react-dom 19.3.1'],
    manifest: {},
    files: {
      'app/layout.js': `export default function Layout({ children }) {
  return <html lang="en"><body>{children}</body></html>;
}`,
      'app/page.js': `'use client';
import { useEffect } from 'react';
${imports('../check.mjs')}
import { inPage } from '../in_page.mjs';
export default function Page() {
  useEffect(() => { inPage(mf, text, worker, check); }, []);
  return <p>cell</p>;
}`,
      'app/compute/route.js': `${imports('../../check.mjs')}
export const dynamic = 'force-dynamic';
export const GET = async () => Response.json(await ${onServer});`,
      'app/icon.svg': '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 1 1"/>',
      'in_page.mjs': inPage,
    },
    modes: {
      build: { build: ['next', ['build']], start: ['next', ['start', '--port', '0']] },
      webpack: {
        build: ['next', ['build', '--webpack']],
        start: ['next', ['start', '--port', '0']],
      },
      dev: { start: ['next', ['dev', '--port', '0']] },
      'dev, webpack': { start: ['next', ['dev', '--webpack', '--port', '0']] },
    },
  },
  nuxt: {
    versions: ['nuxt 4.5.2'],
    files: {
      'app/app.vue': `<script setup>
import { onMounted } from 'vue';
${imports('../check.mjs')}
import { inPage } from '../in_page.mjs';
onMounted(() => inPage(mf, text, worker, check));
</script>
<template><p>cell</p></template>`,
      'server/api/compute.js': `${imports('../check.js')}
export default defineEventHandler(() => ${onServer});`,
      'nuxt.config.js': "export default defineNuxtConfig({ compatibilityDate: '2026-11-01' });",
      'in_page.mjs': inPage,
    },
    // During development, its server finds the project's JavaScript only in this folder.
    programs: 'server/check.js',
    modes: {
      build: { build: ['nuxt', ['build']], start: ['nuxt', ['preview', '--port', 'PORT']] },
      dev: { start: ['nuxt', ['dev', '--port', 'PORT']] },
    },
    handler: '/api/compute',
  },
  svelte: {
    versions: [
      '@sveltejs/kit 3.2.0',
      '@sveltejs/vite-plugin-svelte 7.3.1',
      'svelte 5.57.3',
      'typescript 6.0.3',
      'vite 8.3.8',
    ],
    files: {
      'src/app.html': `<!doctype html><html lang="en"><head><link rel="icon" href="data:,">%sveltekit.head%</head>
<body><div>%sveltekit.body%</div></body></html>`,
      'src/routes/+page.svelte': `<script>
import { onMount } from 'svelte';
${imports('../../check.mjs')}
import { inPage } from '../../in_page.mjs';
onMount(() => { inPage(mf, text, worker, check); });
</script>
<p>cell</p>`,
      'src/routes/compute/+server.js': `${imports('../../../check.mjs')}
export const GET = async () => Response.json(await ${onServer});`,
      'vite.config.js': `import { sveltekit } from '@sveltejs/kit/vite';
export default { plugins: [sveltekit()] };`,
      'in_page.mjs': inPage,
    },
    folder: 'static',
    modes: {
      build: { build: ['vite', ['build']], start: ['vite', ['preview', '--port', '0']] },
      dev: { start: ['vite', ['dev', '--port', '0']] },
    },
  },
  astro: {
    versions: ['astro 7.3.5'],
    files: {
      'src/pages/index.astro': `<html lang="en"><head><link rel="icon" href="data:,"></head>
<body><script>
${pageScript.replace('./check.mjs', '../../check.mjs')}
</script></body></html>`,
    },
    modes: {
      build: { build: ['astro', ['build']], start: ['astro', ['preview', '--port', 'PORT']] },
      dev: { start: ['astro', ['dev', '--port', 'PORT']] },
    },
  },
};

async function start(project, kind, mode) {
  const { versions, manifest, files, folder = 'public', programs, modes } = kinds[kind];
  const packages = versions.map((text) => text.replace(' ', '@'));
  await project.install(packages, { manifest, node: toolNode });
  project.bring(folder, '.');
  if (programs) project.write(programs, project.read('check.mjs'));
  for (const [path, text] of Object.entries(files)) project.write(path, text);
  return startMode(project, modes[mode], project.at(folder, 'brackets.keras'));
}

/** Builds the project if it has a build command, and starts its server. */
export async function startMode(project, { build, start: [command, args] }, model) {
  if (build) await project.run(...build);
  return project.listen(command, await withPort(args), { env: { MODEL: model } });
}

const common = (name, kind) => ({
  name,
  versions: kinds[kind].versions.join(', '),
  limit: 300,
});

const page = (name, kind, facts = {}) => ({
  ...common(`${name}, page`, kind),
  run: async (project) => visit(await start(project, kind, 'build')),
  ...facts,
});

async function askServer(project, kind, url) {
  const answer = await fetch(url + (kinds[kind].handler ?? '/compute'));
  if (!answer.ok) throw new Failure(`${answer.status}\n${project.lastOutput()}`);
  return answer.json();
}

/**
 * Defines a handler in Next's runtime "edge", which Next has deprecated. It has no files and no
 * workers, and cannot compile wasm at run time.
 */
const edge = (mode) => ({
  ...common(`Next, ${mode}, edge`, 'next'),
  async run(project) {
    project.write(
      'app/edge/route.js',
      `import * as mf from 'maskflow';
import * as text from 'maskflow/text';
import wasm from '../../node_modules/maskflow/dist/maskflow-simd.wasm?module';
import { check } from '../../check.mjs';
export const runtime = 'edge';
export const GET = async ({ url }) => Response.json(await check({ mf, text }, {
  source: new URL('/brackets.keras', url), ready: { wasm, variant: 'simd' }, only: ['core', 'load', 'text'] }));`,
    );
    const url = await start(project, 'next', mode);
    const answer = await fetch(`${url}/edge`);
    if (!answer.ok) throw new Failure(`${answer.status}\n${project.lastOutput()}`);
    return answer.json();
  },
});

const server = (name, kind, facts = {}) => ({
  ...common(`${name}, server`, kind),
  run: async (project) => askServer(project, kind, await start(project, kind, 'build')),
  ...facts,
});

/**
 * Returns the cells of a page, and of a handler unless `handler` is false, in a mode other than the
 * usual build.
 */
const both = (name, kind, mode, { handler = true, ...facts } = {}) => ({
  ...common(`${name}, ${mode}`, kind),
  async run(project) {
    const url = await start(project, kind, mode);
    const result = await visit(url, { use: readTwice });
    const { answers } = handler ? await askServer(project, kind, url) : { answers: {} };
    const named = Object.entries(answers).map(([part, answer]) => [`server: ${part}`, answer]);
    return { ...result, answers: { ...result.answers, ...Object.fromEntries(named) } };
  },
  ...facts,
});

export const how = [
  'In each cell, the framework builds the project and its own server runs it. "page" computes',
  'in a component, "server" in a handler, "edge" in a handler of the runtime `edge`, the',
  'others in both. "dev" is the development server, where the page is loaded twice.',
].join(' ');
export const cells = [
  page('Next', 'next'),
  server('Next', 'next'),
  both('Next', 'next', 'webpack'),
  both('Next', 'next', 'dev'),
  both('Next', 'next', 'dev, webpack'),
  edge('build'),
  edge('webpack'),
  edge('dev'),
  page('Nuxt', 'nuxt'),
  server('Nuxt', 'nuxt'),
  both('Nuxt', 'nuxt', 'dev'),
  page('SvelteKit', 'svelte'),
  server('SvelteKit', 'svelte'),
  both('SvelteKit', 'svelte', 'dev'),
  page('Astro', 'astro'),
  both('Astro', 'astro', 'dev', { handler: false }),
];
