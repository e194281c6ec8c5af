// SPDX-License-Identifier: MIT
// The progress that npm scripts print.
const seconds = (start) => `${((performance.now() - start) / 1000).toFixed(1)} s`;

/** Titles of the steps that are running, which may be several. */
const running = new Set();

/** Prints `line` above the titles of the steps that are running. */
function print(line) {
  const live = process.stdout.isTTY;
  const titles = live && running.size > 0 ? `${[...running].join(', ')} …` : '';
  process.stdout.write(`${live ? '\r\x1b[K' : ''}${line}${titles}`);
}

/** Prints one line of progress: the title, then the result that `body` returns and the duration. */
export async function step(title, body) {
  const start = performance.now();
  running.add(title);
  print('');
  const finish = (note) => {
    running.delete(title);
    print(`${title}: ${note} (${seconds(start)})\n`);
  };
  try {
    const note = await body();
    finish(note ?? 'done');
  } catch (error) {
    finish('FAILED');
    throw error;
  }
}

/** Prints a warning that must not be overlooked. */
export function warnLoudly(text) {
  console.warn(`\n  !!  ${text.replaceAll('\n', '\n  !!  ')}\n`);
}
