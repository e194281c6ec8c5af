// SPDX-License-Identifier: MIT
const seconds = (start) => `${((performance.now() - start) / 1000).toFixed(1)} s`;

/** One line of progress: what is done, then how it ended (the body's answer) and how long it took. */
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

/** Something missing that is worth more than a line in passing. */
export function warnLoudly(text) {
  console.warn(`\n  !!  ${text.replaceAll('\n', '\n  !!  ')}\n`);
}
