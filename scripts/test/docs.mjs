// SPDX-License-Identifier: MIT
// The part `docs` of `npm test`.
import { filesUnder } from '../lib/files.mjs';
import { runNodeTests } from './node-runner.mjs';

/** Tests the built site in a browser. */
export async function docsTests({ browser }) {
  if (browser) process.env.CHROME_PATH = browser;
  // Imported late: in a fresh clone, setup installs esbuild first.
  const { buildSiteIfChanged } = await import('../docs.mjs');
  // Files that run side by side must not build it at once.
  await buildSiteIfChanged();
  return runNodeTests(filesUnder('tests/docs', /\.test\.js$/));
}
