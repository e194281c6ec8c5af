// SPDX-License-Identifier: MIT
// Frameworks that render on a server: the package in a page of theirs, and in a handler of their server.
import { Failure } from '../../../scripts/lib/process.mjs';
import { pageScript } from '../lib/entries.js';
import { visit } from '../lib/pages.js';
import { toolNode } from '../lib/runtimes.js';

// What runs in the page only: frameworks run components on the server, too.
const inPage = `export async function inPage(mf, text, worker, check) {
  const source = new URL('/brackets.keras', location.href);
  window.result = await check({ mf, text, worker }, { source });
}`;
const imports = (check) => `import * as mf from 'maskflow';
import * as text from 'maskflow/text';
import * as worker from 'maskflow/worker';
import { check } from '${check}';`;
const onServer = `check({ mf, text, worker }, { source: process.env.MODEL })`;

const kinds = {
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
    build: ['next', ['build']],
    start: ['next', ['start', '--port', '0']],
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
      'server/api/compute.js': `${imports('../../check.mjs')}
export default defineEventHandler(() => ${onServer});`,
      'nuxt.config.js': "export default defineNuxtConfig({ compatibilityDate: '2026-11-01' });",
      'in_page.mjs': inPage,
    },
    build: ['nuxt', ['build']],
    start: ['nuxt', ['preview', '--port', '0']],
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
<body>%sveltekit.body%</body></html>`,
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
    build: ['vite', ['build']],
    start: ['vite', ['preview', '--port', '0']],
  },
  astro: {
    versions: ['astro 7.3.5'],
    files: {
      'src/pages/index.astro': `<html lang="en"><head><link rel="icon" href="data:,"></head>
<body><script>
${pageScript.replace('./check.mjs', '../../check.mjs')}
</script></body></html>`,
    },
    build: ['astro', ['build']],
    start: ['astro', ['preview', '--port', '4399']],
  },
};

async function start(project, kind) {
  const { versions, manifest, files, folder = 'public', build, start } = kinds[kind];
  const packages = versions.map((text) => text.replace(' ', '@'));
  await project.install(packages, { manifest, node: toolNode });
  project.bring(folder, '.');
  for (const [path, text] of Object.entries(files)) project.write(path, text);
  await project.run(...build);
  const env = { MODEL: project.at(folder, 'brackets.keras') };
  return await project.listen(...start, { env });
}

const common = (name, kind) => ({
  name,
  versions: kinds[kind].versions.join(', '),
  limit: 300,
});

const page = (name, kind, facts = {}) => ({
  ...common(`${name}, page`, kind),
  run: async (project) => visit(await start(project, kind)),
  ...facts,
});

const server = (name, kind, facts = {}) => ({
  ...common(`${name}, server`, kind),
  async run(project) {
    const url = (await start(project, kind)) + (kinds[kind].handler ?? '/compute');
    const answer = await fetch(url);
    if (!answer.ok) throw new Failure(`${answer.status}\n${project.said()}`);
    return answer.json();
  },
  ...facts,
});

export const how =
  'the framework builds, its own server runs; "page" computes in a component, "server" in a handler';
export const cells = [
  page('Next', 'next'),
  server('Next', 'next'),
  page('Nuxt', 'nuxt'),
  server('Nuxt', 'nuxt'),
  page('SvelteKit', 'svelte'),
  server('SvelteKit', 'svelte'),
  page('Astro', 'astro'),
];
