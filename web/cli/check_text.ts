// SPDX-License-Identifier: MIT
// The result of `maskflow check` as text for a person.
import { visible } from '../src/base/visible.js';
import type { PaddingCheck } from '../src/index.js';

/** Describes the result of a check. */
export function checkText({ same, difference, layer, remedy }: PaddingCheck): string {
  if (same) return 'Padding does not change the answer.';
  return [
    `Padding CHANGES the answer, by ${difference.toPrecision(3)} at most.`,
    layer && visible(`First at: ${layer}`),
    remedy && visible(`What to do: ${remedy}`),
  ]
    .filter(Boolean)
    .join('\n');
}
