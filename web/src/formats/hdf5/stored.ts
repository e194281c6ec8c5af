// SPDX-License-Identifier: MIT
import type { FileBytes } from './cursor.js';
import type { Datatype } from './datatype.js';

/** What is needed to find the bytes of a dataset. */
export interface Stored {
  readonly file: FileBytes;
  readonly path: string;
  readonly shape: readonly number[];
  readonly type: Datatype;
  readonly filters: readonly number[];
}
