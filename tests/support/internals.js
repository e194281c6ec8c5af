// SPDX-License-Identifier: MIT
// Modules that the package does not export, bundled from their sources for a test of their own.
import { fileURLToPath } from 'node:url';
import { build } from 'esbuild';

/** The exports of `web/src/<path>`. Their state is not that of the package. */
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
  });
  const code = Buffer.from(outputFiles[0].contents).toString('base64');
  return import(`data:text/javascript;base64,${code}`);
}
