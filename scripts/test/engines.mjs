// SPDX-License-Identifier: MIT
// The part `engines` of `npm test`.
import { filesUnder } from '../lib/files.mjs';
import { runNodeTests } from './node-runner.mjs';

/** Tests the examples that need other programs, one after the other: each starts several. */
export function engineTests() {
  return runNodeTests(filesUnder('tests/engines', /\.test\.js$/), { concurrency: 1 });
}
