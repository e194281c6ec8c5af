// SPDX-License-Identifier: MIT
// The answer of the worker that translates Python programs.
import type { Ported } from 'maskflow/port';

export type Translated =
  | { kind: 'ported'; ported: Ported; milliseconds: number }
  | { kind: 'fault'; message: string; line?: number; column?: number };
