// SPDX-License-Identifier: MIT
// Garbage collection on demand, for tests of memory.
import { setTimeout } from 'node:timers/promises';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';

/** Two free all on an idle machine, and once did not on a busy one. */
const kRounds = 5;

/** One suffices, or two if the machine's stack still refers to the object. */
const kMaxCollections = 500;

/**
 * All calls share one registry. A registry that nothing refers to any more is collected together
 * with its objects, and its callback never runs.
 */
const registry = new FinalizationRegistry((callback) => callback());

/**
 * Waits until the tensors that earlier code has left to the garbage collector are freed. Tests that
 * count tensors over several tasks call it first: a collection in between frees them, too.
 */
export async function collectGarbage() {
  setFlagsFromString('--expose-gc');
  const gc = runInNewContext('gc');
  for (let round = 0; round < kRounds; round++) await untilFinalized(gc);
}

/**
 * Collects until the finalizer of an object has run. Finalizers run in a later task, on a busy
 * machine after timers that were set for later.
 */
async function untilFinalized(gc) {
  let isFinalized = false;
  registry.register({}, () => {
    isFinalized = true;
  });
  for (let collections = 0; !isFinalized; collections++) {
    if (collections === kMaxCollections)
      throw new Error(`No finalizer has run after ${collections} collections.`);
    gc();
    await setTimeout(10);
  }
  // Other finalizers of the same collection follow in the next tasks.
  await setTimeout(10);
}
