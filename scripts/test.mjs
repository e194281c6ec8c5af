// SPDX-License-Identifier: MIT
// Sets up, builds, and runs all tests: the C++ core under sanitizers, the package in Node, the
// package as users install it, the package in browsers, the docs site, the examples that need other
// programs, and the numbers as other CPUs compute them.
// `npm test -- --only=web` runs one part (core, web, package, browser, docs, engines, cpus); commas
// separate several. `npm test -- --help` lists the ways to run some tests alone.
import { build } from './build.mjs';
import { Failure, main } from './lib/process.mjs';
import { setup } from './setup.mjs';
import { summarize } from './test/counts.mjs';
import { parts } from './test/parts.mjs';
import { runAtLowerPriority } from './test/quietly.mjs';
import { runSome, testOptions } from './test/some.mjs';

/**
 * Parts that run side by side; those in one list run one after the other. Browsers leave a part of
 * the cores idle, and the package, the site and the engines use little more than one core.
 */
const rounds = [[['core'], ['package', 'engines', 'docs'], ['browser']], [['web', 'cpus']]];

/** Parts that only compute: they leave the cores to browsers that run beside them. */
const isPatient = (name) => name === 'core';

function chosenParts(only) {
  const names = only?.split(',') ?? Object.keys(parts);
  for (const name of names) {
    if (!(name in parts)) throw new Failure(`--only=${name}: there are ${Object.keys(parts)}`);
  }
  return names;
}

await main(async () => {
  const options = testOptions();
  if (options.some) {
    const results = await runSome(options);
    return results === undefined ? 0 : summarize(results);
  }
  const names = chosenParts(options.only);
  const browser = ['browser', 'package', 'docs'].some((name) => names.includes(name));
  const engines = names.includes('engines');
  const found = await setup({ native: names.includes('core'), browser, engines });
  if (found.browser) process.env.CHROME_PATH = found.browser;
  if (names.some((name) => name !== 'core')) await build(found);
  const results = {};
  const runPart = async (name) => {
    console.log(`\n── ${name} tests`);
    const start = performance.now();
    const result = await (isPatient(name) ? runAtLowerPriority(name, found) : parts[name](found));
    results[name] = { ...result, seconds: (performance.now() - start) / 1000 };
  };
  for (const lists of rounds) {
    await Promise.all(
      lists.map(async (list) => {
        for (const name of list) if (names.includes(name)) await runPart(name);
      }),
    );
  }
  return summarize(names.map((name) => ({ name, ...results[name] })));
});

// Ends the process at once, because hanging processes of a test file would keep it running.
process.exit();
