// SPDX-License-Identifier: MIT
import { setTimeout } from 'node:timers/promises';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';

/**
 * Waits until the tensors that earlier code has left to the garbage collector are freed. Tests that
 * count tensors over several tasks call it first: a collection in between frees them, too.
 */
export async function collectGarbage() {
  setFlagsFromString('--expose-gc');
  const gc = runInNewContext('gc');
  for (let round = 0; round < 2; round++) {
    gc();
    // Finalizers run in a later task.
    await setTimeout(10);
  }
}
