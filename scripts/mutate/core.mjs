// SPDX-License-Identifier: MIT
// Mutation testing of src/: finds possible changes by patterns, and runs the tests of the core
// under sanitizers.
import { spawn } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { cmakeBuild } from '../lib/cmake.mjs';
import { at, filesUnder, root, short } from '../lib/files.mjs';
import { Failure } from '../lib/process.mjs';
import { setup } from '../setup.mjs';
import { planFor } from '../test/near.mjs';

const rules = [
  [/ < (?!<)/g, ' <= '],
  [/ <= /g, ' < '],
  [/ > /g, ' >= '],
  [/ >= /g, ' > '],
  [/ == /g, ' != '],
  [/ != /g, ' == '],
  [/ && /g, ' || '],
  [/ \|\| /g, ' && '],
  [/ \+ (?=[\w(])/g, ' - '],
  [/ - (?=[\w(])/g, ' + '],
  [/ \* (?=[\w(])/g, ' + '],
  [/ 0\.0F\b/g, ' 1.0F'],
  [/\btrue\b/g, 'false'],
  [/\bfalse\b/g, 'true'],
  [/std::max\(/g, 'std::min('],
  [/std::min\(/g, 'std::max('],
  [/!(?=[a-z_]\w*[(.)])/g, ''],
];

/** Returns whether a line is skipped: a declaration, a comment or the text of a message. */
const isQuiet = (line) => /^\s*(\/\/|\*|#|template|using|static_assert|case )|error\(|"/.test(line);

function changesIn(path) {
  const found = [];
  let offset = 0;
  readFileSync(at(path), 'utf8')
    .split('\n')
    .forEach((line, index) => {
      for (const [pattern, text] of isQuiet(line) ? [] : rules) {
        for (const { index: column, 0: old } of line.matchAll(pattern)) {
          const start = offset + column;
          const place = { path, line: index + 1, start, end: start + old.length };
          found.push({ ...place, before: line, text, isOperator: /^ [^\w]/.test(text) });
        }
      }
      offset += line.length + 1;
    });
  return found;
}

let env;

/** Returns the filter of the first native tests that `npm test -- --for FILE` runs. */
const nearestFilter = (path) =>
  planFor([path]).find(({ part }) => part === 'core')?.filter ?? 'no.tests';

/** Resolves to the exit code of the tests, or to null if they run longer than `seconds`. */
function runTests(seconds, filter) {
  return new Promise((resolve) => {
    const program = at('build', 'sanitize', 'maskflow_tests');
    const child = spawn(
      program,
      ['--gtest_brief=1', '--gtest_fail_fast', `--gtest_filter=${filter}`],
      {
        cwd: root,
        env,
        stdio: 'ignore',
        timeout: seconds * 1000,
      },
    );
    child.on('close', (code) => resolve(code));
  });
}

const build = () => cmakeBuild('sanitize', ['maskflow_tests'], env);

export const core = {
  changes: (isWanted) =>
    filesUnder('src', /\.[ch]pp$/)
      .map(short)
      .filter(isWanted)
      .flatMap(changesIn),

  async prepare() {
    ({ env } = await setup({ native: true }));
    await build();
  },

  async outcome({ path }, { seconds, first }) {
    try {
      await build();
    } catch (error) {
      if (error instanceof Failure) return { kind: 'does not build' };
      throw error;
    }
    // Uses at least 600 seconds, because the core's tests take minutes; `--seconds` is meant for
    // the package's tests.
    const filter = first ? nearestFilter(path) : '*';
    const code = await runTests(Math.max(seconds, 600), filter);
    return { kind: code === 0 ? 'SURVIVED' : 'killed', detail: code === null ? 'time' : '' };
  },

  finish: build,
};
