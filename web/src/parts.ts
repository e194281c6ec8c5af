// SPDX-License-Identifier: MIT
import { UnsupportedError } from './errors.js';
import type { evaluate } from './evaluate.js';
import type { Variant } from './runtime.js';
import type { streamOf } from './stream.js';
import type { WorkerPredict } from './worker/predict_in_workers.js';

/** What an entry brings: the module it loads, and what in TypeScript stands on it. */
export interface Parts {
  readonly layers: 'all' | 'recurrent';
  /** The wasm of each variant: a file of the package, and the same as base64 of gzip. */
  readonly chunks: Record<Variant, { file: string; load: () => Promise<{ default: string }> }>;
  wrapLayers(): void;
  /** Where layers can be that are not here; ends the error about an unknown class. */
  readonly absentNote: string;
  // Absent where the module lacks what they stand on.
  readonly evaluate?: typeof evaluate;
  readonly stream?: typeof streamOf;
  /** Absent where what workers compute is not the entry's. */
  readonly workers?: WorkerPredict;
}

let running: Parts | undefined;

export function setParts(parts: Parts): void {
  running = parts;
}

/** What the running entry has of that, or an UnsupportedError. */
export function part<K extends 'evaluate' | 'stream' | 'workers'>(name: K): NonNullable<Parts[K]> {
  const found = running?.[name];
  if (found) return found;
  throw new UnsupportedError(
    `'maskflow/recurrent' leaves ${name} out; import from 'maskflow' instead`,
  );
}
