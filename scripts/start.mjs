// SPDX-License-Identifier: MIT
// From a fresh clone to the running thing: set-up, build, the guide's replay in the terminal, and the
// page on a loopback address. `npm start -- --no-serve` ends after the replay.
import { existsSync } from 'node:fs';
import { parseArgs } from 'node:util';
import { build } from './build.mjs';
import { at } from './lib/files.mjs';
import { Failure, main, run, runQuietly } from './lib/process.mjs';
import { step } from './lib/steps.mjs';
import { serve } from './lib/serve.mjs';
import { setup } from './setup.mjs';

async function replay() {
  const script = at('scripts', 'replay.mjs');
  if (!existsSync(script)) return;
  console.log('');
  if ((await run('node', [script])) !== 0) throw new Failure('The replay of the guide failed.');
  console.log('');
}

async function buildPage() {
  const script = at('scripts', 'build-page.mjs');
  if (!existsSync(script)) return;
  await step('page', async () => {
    await runQuietly('node', [script]);
  });
}

await main(async () => {
  const { values } = parseArgs({
    options: { 'no-serve': { type: 'boolean' }, port: { type: 'string', default: '8080' } },
  });
  await build(await setup());
  await replay();
  await buildPage();
  const page = at('dist', 'page');
  if (values['no-serve'] || !existsSync(page)) return;
  const { url } = await serve(page, { port: Number(values.port), compress: true });
  console.log(`\nThe page: ${url}   (Ctrl+C ends it)`);
});
