// SPDX-License-Identifier: MIT
// The part `package` of `npm test`.
import { filesUnder } from '../lib/files.mjs';
import { runNodeTests } from './node-runner.mjs';

/**
 * Tests the packed and installed package: in Node, TypeScript, a bundler, and the bundle in a
 * browser.
 */
export function packageTests({ browser }) {
  if (browser) process.env.CHROME_PATH = browser;
  return runNodeTests(filesUnder('tests/package', /\.test\.js$/), { concurrency: 1 });
}
