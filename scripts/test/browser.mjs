// SPDX-License-Identifier: MIT
// The part `browser` of `npm test`.
import { filesUnder } from '../lib/files.mjs';
import { step } from '../lib/steps.mjs';
import { runNodeTests } from './node-runner.mjs';

/** Files that take longest; they start first. */
const slowest = /(?:firefox|webkit|chromium|flow)\.test\.js$/;

/** Tests the package in a browser. The tests find the browser by CHROME_PATH. */
export async function browserTests({ browser }) {
  const files = filesUnder('tests/browser', /\.test\.js$/);
  if (!browser && files.length > 0) {
    const reason = `no browser on this host: all of ${files.length} files of browser tests`;
    return { passed: 0, failed: 0, skipped: files.length, reasons: [reason], failures: [] };
  }
  if (browser) process.env.CHROME_PATH = browser;
  // Imported late: in a fresh clone, setup installs esbuild first.
  const { buildPageIfChanged } = await import('../build-page.mjs');
  // Files that run side by side must not build it at once.
  await step('page', buildPageIfChanged);
  return runNodeTests(files.sort((a, b) => slowest.test(b) - slowest.test(a)));
}
