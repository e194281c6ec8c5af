// SPDX-License-Identifier: MIT
// Measures which lines of src/ the C++ tests run, by the compiler's counters (`--coverage`), which
// gcov reads. The objects are not optimised and have a build directory of their own.
import { spawnSync } from 'node:child_process';
import { rmSync } from 'node:fs';
import { resolve } from 'node:path';
import { gunzipSync } from 'node:zlib';
import { cmakeBuild } from '../lib/cmake.mjs';
import { at, filesIn, short } from '../lib/files.mjs';
import { Failure, runQuietly, which } from '../lib/process.mjs';
import { step } from '../lib/steps.mjs';
import { setup } from '../setup.mjs';

const preset = 'coverage';
const build = at('build', preset);

/** Returns the command that calls gcov for the compiler that is used. */
function gcov(env) {
  const clang = /clang/.test(env.CXX ?? '');
  const [program, ...args] = clang ? ['llvm-cov', 'gcov'] : ['gcov'];
  if (!which(program)) throw new Failure(`${program} is not on PATH; it comes with the compiler`);
  return [program, args];
}

/** Adds the counts of some object files: { path: Map of line to count }. */
function addCounts(files, [program, args], counts) {
  const { status, stdout } = spawnSync(program, [...args, '--json-format', '--stdout', ...files], {
    cwd: build,
    maxBuffer: 2 ** 30,
  });
  if (status !== 0) throw new Failure(`${program} failed for ${files[0]}`);
  const text = stdout[0] === 0x1f ? gunzipSync(stdout).toString() : stdout.toString();
  for (const report of text.split('\n').filter(Boolean)) {
    for (const { file, lines } of JSON.parse(report).files) {
      const path = short(resolve(build, file));
      if (!path.startsWith('src/')) continue;
      if (!counts[path]) counts[path] = new Map();
      const known = counts[path];
      for (const { line_number: line, count } of lines) {
        known.set(line, (known.get(line) ?? 0) + count);
      }
    }
  }
}

function summary(counts) {
  const entries = Object.entries(counts).map(([path, lines]) => {
    const missed = [...lines].filter(([, count]) => count === 0).map(([line]) => line);
    return [path, { lines: lines.size, missed: missed.sort((a, b) => a - b) }];
  });
  return Object.fromEntries(entries);
}

export async function coreCoverage() {
  const { env } = await setup({ native: true });
  const program = gcov(env);
  await step('core, compiled to be counted', () => cmakeBuild(preset, ['maskflow_tests'], env));
  for (const path of filesIn(build, /\.gcda$/)) rmSync(path);
  await step('tests of the core', async () => {
    await runQuietly(at('build', preset, 'maskflow_tests'), ['--gtest_brief=1'], { env });
  });
  const counts = {};
  await step('gcov', () => {
    const files = filesIn(build, /\.gcda$/);
    // Passes at most 100 names at once, because the length of a command line is limited.
    for (let i = 0; i < files.length; i += 100) addCounts(files.slice(i, i + 100), program, counts);
  });
  return summary(counts);
}
