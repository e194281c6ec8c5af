// SPDX-License-Identifier: MIT
// The roles of `traceMasks` in the words of the page.
import type { TraceEntry } from 'maskflow';

/** Words for the effect of a layer on the mask. */
export const roles: Record<TraceEntry['role'], string> = {
  makes: 'makes the mask',
  passes: 'passes it on',
  uses: 'uses it',
  'uses and passes': 'uses it and passes it on',
  changes: 'makes a new one',
  drops: 'drops it',
  ignores: 'ignores it',
  computes: 'computes a mask',
  none: 'sees no mask',
};
