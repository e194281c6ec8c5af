// SPDX-License-Identifier: MIT
// The answer of the worker that translates Python programs.
import type { Ported } from 'maskflow/port';

export type Translated =
  | { kind: 'ported'; ported: Ported; milliseconds: number }
  /** The message begins with the place, if the source has the fault. */
  | { kind: 'fault'; message: string; line?: number; source?: string };

/** Returns the program that was translated, if it is known: the cells of a notebook joined. */
export const programOf = (result: Translated): string | undefined =>
  result.kind === 'ported' ? result.ported.source : result.source;
