// SPDX-License-Identifier: MIT
// The part `web` of `npm test`.
import { dirname, sep } from 'node:path';
import { at, filesUnder } from '../lib/files.mjs';
import { runNodeTests } from './node-runner.mjs';

/** Tests the package in Node: tests/*.test.js and all of tests/web. */
export function webTests() {
  const top = at('tests');
  const files = filesUnder('tests', /\.test\.js$/).filter(
    (path) => dirname(path) === top || path.startsWith(at('tests', 'web') + sep),
  );
  return runNodeTests(files);
}
