// SPDX-License-Identifier: MIT
// The part `core` of `npm test`: C++, natively.
import { existsSync, readFileSync, rmSync } from 'node:fs';
import { cpus } from 'node:os';
import { cmakeBuild } from '../lib/cmake.mjs';
import { at, filesUnder } from '../lib/files.mjs';
import { run } from '../lib/process.mjs';
import { step } from '../lib/steps.mjs';
import { countsOf, sumOf } from './counts.mjs';

/**
 * Runs the C++ tests under AddressSanitizer and UndefinedBehaviorSanitizer. Tests of sizes and of
 * exhausted memory run again with 32-bit sizes, as in wasm.
 */
export async function coreTests({ native, native32, env }) {
  const files = filesUnder('tests/core', /\.cpp$/);
  if (files.length === 0) return countsOf();
  if (!native) {
    const reason = `no C++ compiler on this host: all of ${files.length} files of core tests`;
    return countsOf({ skipped: files.length, reasons: [reason] });
  }
  const results = [await testsOf('sanitize', env)];
  if (native32) {
    results.push(await testsOf('sanitize32', env));
  } else {
    const reason = 'no 32-bit C++ libraries on this host (g++-multilib): the core with 32 bits';
    results.push(countsOf({ skipped: 1, reasons: [reason] }));
  }
  return sumOf(results);
}

async function testsOf(preset, env) {
  await step(`core, ${preset}`, () => cmakeBuild(preset, ['maskflow_tests'], env));
  return nativeTests(preset, { env });
}

/** Runs the built tests of a preset, or those of a filter of GoogleTest, one process per core. */
export async function nativeTests(preset, { env, filter = '*' }) {
  const shards = cpus().length;
  const results = [];
  await step(`core tests, ${preset}`, async () => {
    results.push(
      ...(await Promise.all(
        Array.from({ length: shards }, (_, shard) =>
          testsOfShard(preset, { shard, shards, env, filter }),
        ),
      )),
    );
  });
  return sumOf(results);
}

/** Runs one of `shards` parts of the tests in a process of its own. */
async function testsOfShard(preset, { shard, shards, env, filter }) {
  const report = at('build', preset, `tests_${shard}.json`);
  rmSync(report, { force: true });
  const program = at('build', preset, 'maskflow_tests');
  const options = ['--gtest_brief=1', `--gtest_output=json:${report}`, `--gtest_filter=${filter}`];
  const code = await run(program, options, {
    env: {
      ...env,
      UBSAN_OPTIONS: 'print_stacktrace=1',
      GTEST_TOTAL_SHARDS: String(shards),
      GTEST_SHARD_INDEX: String(shard),
    },
  });
  return readReport(report, code);
}

function readReport(path, code) {
  // The report is missing if a sanitizer has ended the program.
  const ended = `${path}: the program ended with code ${code}`;
  if (!existsSync(path)) return countsOf({ failed: 1, failures: [ended] });
  const report = JSON.parse(readFileSync(path, 'utf8'));
  const tests = report.testsuites.flatMap((suite) => suite.testsuite);
  const namesOf = (isMeant) =>
    tests.filter(isMeant).map((test) => `${test.classname}.${test.name}`);
  const reasons = namesOf((test) => test.result === 'SKIPPED');
  const failures = namesOf((test) => test.failures !== undefined);
  if (failures.length === 0 && code !== 0) failures.push(ended);
  const passed = report.tests - report.failures - reasons.length;
  return { passed, failed: failures.length, skipped: reasons.length, reasons, failures };
}
