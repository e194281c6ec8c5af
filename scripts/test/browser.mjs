// SPDX-License-Identifier: MIT
import { filesUnder } from '../lib/files.mjs';
import { runNodeTests } from './node-runner.mjs';

/**
 * Tests the package in a browser, one file at a time. The tests find the browser by CHROME_PATH.
 */
export function browserTests({ browser }) {
  const files = filesUnder('tests/browser', /\.test\.js$/);
  if (!browser && files.length > 0) {
    const reason = `no browser on this host: all of ${files.length} files of browser tests`;
    return { passed: 0, failed: 0, skipped: files.length, reasons: [reason] };
  }
  if (browser) process.env.CHROME_PATH = browser;
  return runNodeTests(files, { concurrency: 1 });
}
