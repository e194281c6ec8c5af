// SPDX-License-Identifier: MIT
import { filesUnder } from '../lib/files.mjs';
import { runNodeTests } from './node-runner.mjs';

/** The package packed and installed elsewhere: Node, TypeScript, a bundler and what it makes in a browser. */
export function packageTests({ browser }) {
  if (browser) process.env.CHROME_PATH = browser;
  return runNodeTests(filesUnder('tests/package', /\.test\.js$/), { concurrency: 1 });
}
