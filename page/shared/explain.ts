// SPDX-License-Identifier: MIT
// Errors of a chapter's program in the words of the page.
import { Refusal } from '../engine/host.js';

/** Returns a heading, or '', and the message of an error. */
export function explain(
  error: unknown,
  faultyLine: () => number | undefined,
): [heading: string, message: string] {
  if (error instanceof Refusal) {
    const { name, message, line: known } = error.complaint;
    const line = known ?? (name === 'SyntaxError' ? faultyLine() : undefined);
    if (name === 'Advice') return ['', message];
    const where =
      line === undefined ? 'The program stopped.' : `The program stopped at line ${line}.`;
    return [where, name === 'Stopped' ? message : `${name}: ${message}`];
  }
  return ['', error instanceof Error ? error.message : String(error)];
}
