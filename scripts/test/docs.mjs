// SPDX-License-Identifier: MIT
import { filesUnder } from '../lib/files.mjs';
import { runNodeTests } from './node-runner.mjs';

/** Tests the built site in a browser. */
export function docsTests({ browser }) {
  if (browser) process.env.CHROME_PATH = browser;
  return runNodeTests(filesUnder('tests/docs', /\.test\.js$/), { concurrency: 1 });
}
