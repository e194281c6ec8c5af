// SPDX-License-Identifier: MIT
const seconds = (start) => `${((performance.now() - start) / 1000).toFixed(1)} s`;

/** Prints one line of progress: the title, then the result that `body` returns and the duration. */
export async function step(title, body) {
  const start = performance.now();
  const live = process.stdout.isTTY;
  if (live) process.stdout.write(`${title} …`);
  const finish = (note) => {
    process.stdout.write(`${live ? '\r\x1b[K' : ''}${title}: ${note} (${seconds(start)})\n`);
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
