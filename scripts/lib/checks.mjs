// SPDX-License-Identifier: MIT
// The frame of all scripts/check-*.mjs: each runs alone and as a part of `npm run check`.
import { existsSync } from 'node:fs';
import { at } from './files.mjs';
import { isProgram, main, output } from './process.mjs';

/**
 * Returns the paths of the project's files: those that git tracks, and new ones that it does not
 * ignore.
 */
export function projectFiles() {
  const listed = output('git', ['ls-files', '-co', '--exclude-standard', '--deduplicate']);
  return (listed?.split('\n') ?? []).filter((path) => existsSync(at(path)));
}

/** Runs a check if its file is the program that was started. The check returns its complaints. */
export async function checkMain(url, check) {
  if (!isProgram(url)) return;
  await main(async () => {
    const complaints = await check();
    for (const complaint of complaints) console.error(complaint);
    return complaints.length > 0 ? 1 : 0;
  });
}
