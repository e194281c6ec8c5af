// SPDX-License-Identifier: MIT
// The browser half of `npm run bench:peers`; main.mjs is the half in Node.
import { machine } from '../machine.mjs';
import { mkdirSync, writeFileSync } from 'node:fs';
import { build } from 'esbuild';
import { launch } from '../../scripts/lib/chromium.mjs';
import { at } from '../../scripts/lib/files.mjs';
import { serve } from '../../scripts/lib/serve.mjs';

/** The default workloads: those for which the visitor of a page waits. */
const defaultIds = ['W1', 'W2', 'W3'];

async function makePage() {
  const folder = at('build', 'peers-page');
  mkdirSync(folder, { recursive: true });
  await build({
    entryPoints: [at('bench', 'peers', 'page.mjs')],
    outfile: at('build', 'peers-page', 'page.js'),
    bundle: true,
    absWorkingDir: at('bench', 'peers'),
    format: 'esm',
    platform: 'browser',
    target: 'es2022',
    alias: { 'onnxruntime-web': 'onnxruntime-web/wasm' },
    // The package is served unbundled, with its chunks beside it.
    external: ['../../dist/index.js'],
    logLevel: 'error',
  });
  const page =
    '<!doctype html><title>Peers</title><link rel="icon" href="data:,"><script type="module" src="page.js"></script>';
  writeFileSync(at('build', 'peers-page', 'index.html'), page);
}

/** Runs the measurement of main.mjs in the browser at that path. */
export async function measureInBrowser(executablePath, ids = defaultIds) {
  await makePage();
  const server = await serve(at('.'));
  const browser = await launch(executablePath, {
    protocolTimeout: 1_800_000,
    args: ['--js-flags=--expose-gc'],
  });
  try {
    const page = await browser.newPage();
    page.on('console', (message) => console.log(message.text()));
    page.on('pageerror', (error) => console.error(error));
    await page.goto(new URL('build/peers-page/', server.url).href);
    await page.waitForFunction('globalThis.measurePeers !== undefined');
    const engine = (await browser.version()).replace('/', ' ');
    console.log(engine);
    const run = await page.evaluate((list) => globalThis.measurePeers(list), ids);
    return {
      engine,
      machine,
      ...run,
      absent: { 'onnxruntime-node': 'a page cannot run machine code' },
    };
  } finally {
    await browser.close();
    await server.close();
  }
}
