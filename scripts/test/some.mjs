// SPDX-License-Identifier: MIT
// Runs some of the tests: near a file (`--for`), near the changes (`--changed`), by name (`-t`), by
// a filter of GoogleTest (`--gtest_filter`), or the named files.
import { existsSync, rmSync, statSync } from 'node:fs';
import { parseArgs } from 'node:util';
import { cmakeBuild } from '../lib/cmake.mjs';
import { at, filesUnder } from '../lib/files.mjs';
import { Failure } from '../lib/process.mjs';
import { step } from '../lib/steps.mjs';
import { setup } from '../setup.mjs';
import { nativeTests } from './core.mjs';
import { changedPaths, filesNaming, kCount, partOf, planFor } from './near.mjs';
import { runNodeTests } from './node-runner.mjs';

const usage = `npm test -- [FILE…]            runs test files
npm test -- --for FILE[,FILE]  runs the tests near a source, nearest first
npm test -- --changed          runs the tests near what differs from the main branch
npm test -- -t NAME            runs the tests whose name contains NAME
npm test -- --gtest_filter=F   runs the native tests of a filter
  --only=core|web|browser|docs  leaves other parts out
  --count N                     test files of each part (${kCount})
  --list                        names the tests and does not run them`;

/** Returns the options of `npm test`; `some` says whether they select tests within a part. */
export function testOptions(args = process.argv.slice(2)) {
  const { values, positionals } = parseArgs({
    args,
    allowPositionals: true,
    options: {
      only: { type: 'string' },
      for: { type: 'string', multiple: true },
      changed: { type: 'boolean' },
      'test-name-pattern': { type: 'string', short: 't' },
      gtest_filter: { type: 'string' },
      count: { type: 'string', default: String(kCount) },
      list: { type: 'boolean' },
      help: { type: 'boolean', short: 'h' },
    },
  });
  const { changed, gtest_filter: filter, 'test-name-pattern': name, help } = values;
  const sources = (values.for ?? []).flatMap((paths) => paths.split(','));
  const some = changed || filter || name || help || sources.length > 0 || positionals.length > 0;
  const count = Number(values.count);
  if (!Number.isInteger(count) || count < 1) throw new Failure('--count takes a positive integer');
  return { ...values, some, count, filter, name, sources, files: positionals };
}

/** Returns the runs for the options, nearest first: { part, files, filter?, name? }. */
export function runsOf({ files, sources, changed, filter, name, count, only }) {
  const near = [...sources, ...(changed ? changedPaths() : [])];
  const isWanted = (part) => only === undefined || only.split(',').includes(part);
  for (const file of files) {
    if (!existsSync(at(file))) throw new Failure(`${file}: there is no such test file\n${usage}`);
  }
  const named = name === undefined ? files : files.length > 0 ? files : filesNaming(name);
  const direct = named.filter((path) => path.endsWith('.js'));
  return [
    ...(filter ? [{ part: 'core', files: [], filter }] : []),
    ...planFor([...near, ...named.filter((path) => !path.endsWith('.js'))], { count }),
    ...direct.map((file) => ({ part: partOf(file), files: [file], name })),
  ].filter(({ part }) => isWanted(part));
}

/** Builds what the runs need. A complete build that is up to date stays. */
async function prepare(runs, touchesCore) {
  const parts = new Set(runs.map(({ part }) => part));
  const found = await setup({ native: parts.has('core'), browser: parts.has('browser') });
  if (found.browser) process.env.CHROME_PATH = found.browser;
  if (parts.has('core')) {
    if (!found.native) throw new Failure('native tests need a C++ compiler on this host');
    await step('core', () => cmakeBuild('sanitize', ['maskflow_tests'], found.env));
  }
  if (parts.size > (parts.has('core') ? 1 : 0)) await buildPackage(found.env, touchesCore);
  if (parts.has('browser')) {
    const { buildPageIfChanged } = await import('../build-page.mjs');
    await step('page', buildPageIfChanged);
  }
  return found;
}

/** Returns whether a file is as new as the sources of the bundle. */
function isFresh(path) {
  if (!existsSync(path)) return false;
  const { mtimeMs } = statSync(path);
  return [...filesUnder('web/src'), ...filesUnder('web/cli')].every(
    (source) => statSync(source).mtimeMs <= mtimeMs,
  );
}

/** Bundles the TypeScript into dist/; compiles the core first if it changed or was never built. */
async function buildPackage(env, touchesCore) {
  const { buildDev, bundleDev } = await import('../dev-build.mjs');
  if (touchesCore || !existsSync(at('dist', 'chunks', 'glue.js'))) return buildDev(env);
  if (isFresh(at('dist', 'index.js'))) return undefined;
  // The next `npm run build` must write the package again.
  rmSync(at('dist', '.built'), { force: true });
  return step('package', bundleDev);
}

/** Runs the runs in order; after one with failures, the others do not start. */
async function runAll(runs, { env }) {
  const results = [];
  for (const { part, files, filter, name } of runs) {
    const title = filter === undefined ? files.join(', ') : `--gtest_filter=${filter}`;
    console.log(`\n── ${title}`);
    const start = performance.now();
    const counts =
      part === 'core'
        ? await nativeTests('sanitize', { env, filter })
        : await runNodeTests(
            files.map((file) => at(file)),
            { name },
          );
    const seconds = (performance.now() - start) / 1000;
    results.push({ ...counts, name: part === 'core' ? part : files.join(), seconds });
    if (counts.failed > 0) break;
  }
  return results;
}

/** Runs the tests that the options select; resolves to the results of each run. */
export async function runSome(options) {
  if (options.help) return console.log(usage);
  const runs = runsOf(options);
  if (runs.length === 0) throw new Failure('no test is near these files; run all with npm test');
  for (const { files, filter } of runs) {
    console.log(filter === undefined ? files.join('\n') : `--gtest_filter=${filter}`);
  }
  if (options.list) return undefined;
  const sources = [...options.sources, ...(options.changed ? changedPaths() : [])];
  const touchesCore = sources.some((path) => /^(?:src|bindings)\//.test(path));
  return runAll(runs, await prepare(runs, touchesCore));
}
