// SPDX-License-Identifier: MIT
import { filesUnder } from '../lib/files.mjs';
import { runNodeTests } from './node-runner.mjs';

/** The package in a browser; the tests find it by CHROME_PATH. One file at a time. */
export function browserTests({ browser }) {
  const files = filesUnder('tests/browser', /\.test\.js$/);
  if (!browser && files.length > 0) {
    const reason = `no browser on this host: all of ${files.length} files of browser tests`;
    return { passed: 0, failed: 0, skipped: files.length, reasons: [reason] };
  }
  if (browser) process.env.CHROME_PATH = browser;
  return runNodeTests(files, { concurrency: 1 });
}
