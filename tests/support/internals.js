// SPDX-License-Identifier: MIT
// Modules that the package does not export, bundled from their sources for one test.
import { fileURLToPath } from 'node:url';
import { build } from 'esbuild';

/** Returns the exports of `web/src/<path>`, with state separate from the package's. */
export async function internals(path) {
  const { outputFiles } = await build({
    entryPoints: [fileURLToPath(new URL(`../../web/src/${path}`, import.meta.url))],
    bundle: true,
    write: false,
    format: 'esm',
    platform: 'neutral',
    mainFields: ['module', 'main'],
    target: 'es2022',
    logLevel: 'silent',
    // `npm run coverage` counts lines of the sources.
    sourcemap: process.env.NODE_V8_COVERAGE ? 'inline' : false,
  });
  const code = Buffer.from(outputFiles[0].contents).toString('base64');
  return import(`data:text/javascript;base64,${code}`);
}
