// SPDX-License-Identifier: MIT
// npm run dev: builds like `npm run build:dev`, serves the page, and follows changes. A changed
// layer is compiled and runs the recorded cases, a changed TypeScript file is bundled, and the page
// reloads.
// `-- --cases TEXT`: only cases of families with TEXT in their names; `-- --no-serve`: no page.
import { watch } from 'node:fs';
import { parseArgs } from 'node:util';
import { buildPage } from './build-page.mjs';
import { bundleDev, moduleDev } from './dev-build.mjs';
import { at } from './lib/files.mjs';
import { Failure, main, run } from './lib/process.mjs';
import { step } from './lib/steps.mjs';
import { serve } from './lib/serve.mjs';
import { setup } from './setup.mjs';

const core = /\.(cpp|hpp)$|CMakeLists\.txt$/;
const skin = /\.(ts|html|css)$/;
/** Files that the build writes itself, whose changes must not start another build. */
const generated = /\.gen\.ts$/;

/** Collects changes in folders, and calls `onChange` after 50 ms without another change. */
function watchFolders(folders, onChange) {
  let kinds = new Set();
  let timer;
  const note = (kind) => {
    kinds.add(kind);
    clearTimeout(timer);
    timer = setTimeout(() => {
      const now = kinds;
      kinds = new Set();
      onChange(now);
    }, 50);
  };
  for (const folder of folders) {
    watch(at(folder), { recursive: true }, (_, name) => {
      if (!name || generated.test(name)) return;
      if (core.test(name)) note('core');
      else if (skin.test(name)) note('skin');
    });
  }
}

const reloads = new Set();

/**
 * Answers for the reloading page: a stream of events, and the script that listens to it. The script
 * is a file, because the page's policy forbids inline scripts.
 */
const live = {
  '/reload.js': (response) => {
    response.writeHead(200, { 'content-type': 'text/javascript; charset=utf-8' });
    response.end("new EventSource('/reload').onmessage = () => location.reload();");
  },
  '/reload': (response) => {
    response.writeHead(200, { 'content-type': 'text/event-stream', 'cache-control': 'no-store' });
    response.write('\n');
    reloads.add(response);
    response.on('close', () => reloads.delete(response));
  },
};

async function rebuild(kinds, { env, cases, page }) {
  const start = performance.now();
  try {
    if (kinds.has('core')) await moduleDev(env);
    await bundleDev();
    if (page) await buildPage();
    for (const response of reloads) response.write('data: \n\n');
    console.log(`built in ${((performance.now() - start) / 1000).toFixed(1)} s`);
    if (kinds.has('core')) await run('node', [at('scripts', 'conformance.mjs'), ...cases]);
  } catch (error) {
    if (!(error instanceof Failure)) throw error;
    console.error(error.message);
  }
}

await main(async () => {
  const { values } = parseArgs({
    options: {
      cases: { type: 'string' },
      'no-serve': { type: 'boolean' },
      port: { type: 'string', default: '8080' },
    },
  });
  const { env } = await setup();
  const page = !values['no-serve'];
  const cases = ['--variant', 'simd', '--family', values.cases ?? ''];
  await step('wasm', () => moduleDev(env));
  await step('package', bundleDev);
  if (page) {
    await step('page', buildPage);
    const { url } = await serve(at('dist', 'page'), { port: Number(values.port), live });
    console.log(`\nThe page: ${url}   (Ctrl+C ends it)`);
  }
  console.log('Waiting for changes.');
  let busy = Promise.resolve();
  watchFolders(['src', 'bindings', 'web', 'page'], (kinds) => {
    busy = busy.then(() => rebuild(kinds, { env, cases, page }));
  });
  await new Promise(() => {});
});
