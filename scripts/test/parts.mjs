// SPDX-License-Identifier: MIT
// The parts of `npm test`: each runs its tests and resolves to their counts.
import { at, filesUnder } from '../lib/files.mjs';
import { step } from '../lib/steps.mjs';
import { coreTests } from './core.mjs';
import { countsOf } from './counts.mjs';
import { cpuTests } from './cpus.mjs';
import { runNodeTests, webTestFiles } from './node-runner.mjs';

const testsIn = (folder) => filesUnder(`tests/${folder}`, /\.test\.js$/);

/** Files that take longest; they start first. */
const slowest = /(?:firefox|webkit|chromium|flow)\.test\.js$/;

async function browserTests({ browser }) {
  const files = testsIn('browser');
  if (!browser && files.length > 0) {
    const reason = `no browser on this host: all of ${files.length} files of browser tests`;
    return countsOf({ skipped: files.length, reasons: [reason] });
  }
  // Imported late: in a fresh clone, setup installs esbuild first.
  const { buildPageIfChanged } = await import('../build-page.mjs');
  // Files that run side by side must not build it at once.
  await step('page', buildPageIfChanged);
  return runNodeTests(files.sort((a, b) => slowest.test(b) - slowest.test(a)));
}

async function docsTests() {
  const { buildSiteIfChanged } = await import('../docs.mjs');
  await buildSiteIfChanged();
  return runNodeTests(testsIn('docs'));
}

/**
 * The parts by name; each receives what `setup` found. Tests find the browser by CHROME_PATH. Those
 * of packages, and of the examples that need other programs, start several programs each, so they
 * run one after the other.
 */
export const parts = {
  core: coreTests,
  web: () => runNodeTests(webTestFiles().map((path) => at(path))),
  package: () => runNodeTests(testsIn('package'), { concurrency: 1 }),
  browser: browserTests,
  docs: docsTests,
  engines: () => runNodeTests(testsIn('engines'), { concurrency: 1 }),
  cpus: cpuTests,
};
