// SPDX-License-Identifier: MIT
// The answer of the worker that translates Python programs.
import type { Ported } from 'maskflow/port';

export type Translated =
  | { kind: 'ported'; ported: Ported; milliseconds: number }
  /** The message begins with the place, if the source has the fault. */
  | { kind: 'fault'; message: string; line?: number };
