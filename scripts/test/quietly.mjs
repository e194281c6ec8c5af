// SPDX-License-Identifier: MIT
// Runs a part of `npm test` in a process of its own at a lower priority. Pages in browsers that run
// beside it get the cores first: programs in them end after a time limit.
import { fork } from 'node:child_process';
import { constants, setPriority } from 'node:os';
import { fileURLToPath } from 'node:url';
import { isProgram, main } from '../lib/process.mjs';

/** Runs the part; resolves to its counts. `found` is what `setup` found. */
export function runAtLowerPriority(name, found) {
  return new Promise((resolve, reject) => {
    const child = fork(fileURLToPath(import.meta.url), [name], { serialization: 'advanced' });
    let counts;
    child.on('message', (message) => {
      counts = message;
    });
    child.on('error', reject);
    child.on('close', (code) => {
      if (counts) resolve(counts);
      else reject(new Error(`part ${name} ended with exit code ${code}, without counts`));
    });
    child.send(found);
  });
}

if (isProgram(import.meta.url)) {
  await main(async () => {
    // Programs that this process starts inherit its priority.
    setPriority(constants.priority.PRIORITY_BELOW_NORMAL);
    const { parts } = await import('./parts.mjs');
    const found = await new Promise((resolve) => process.once('message', resolve));
    process.send(await parts[process.argv[2]](found));
    process.disconnect();
  });
}
