// SPDX-License-Identifier: MIT
// Goes from a fresh clone to the running page: sets up, builds, replays the guide in the terminal,
// and serves the page on a loopback address. `npm start -- --no-serve` ends after the replay. The
// package is the unoptimised one, built in a minute, unless `npm run build` has built the real one
// before.
import { existsSync } from 'node:fs';
import { parseArgs } from 'node:util';
import { build } from './build.mjs';
import { buildDev } from './dev-build.mjs';
import { at } from './lib/files.mjs';
import { Failure, main, run } from './lib/process.mjs';
import { step } from './lib/steps.mjs';
import { serveCompressed } from './serve.mjs';
import { setup } from './setup.mjs';

async function replay() {
  console.log('');
  if ((await run('node', [at('scripts', 'replay.mjs')])) !== 0) {
    throw new Failure('The replay of the guide failed.');
  }
  console.log('');
}

async function buildPage() {
  // Imported late: in a fresh clone, setup installs esbuild first.
  const { buildPageIfChanged } = await import('./build-page.mjs');
  return buildPageIfChanged();
}

await main(async () => {
  const { values } = parseArgs({
    options: { 'no-serve': { type: 'boolean' }, port: { type: 'string', default: '8080' } },
  });
  const tools = await setup();
  if (existsSync(at('dist', '.built'))) await build(tools);
  else await buildDev(tools.env);
  await replay();
  await step('page', buildPage);
  if (values['no-serve']) return;
  const { url } = await serveCompressed(at('dist', 'page'), values.port);
  console.log(`\nThe page: ${url}   (Ctrl+C ends it)`);
});
