// SPDX-License-Identifier: MIT
// The link between open_hdf5.ts and the readers of bytes, apart from them because modules must not
// import each other in a circle.
import type { FileBytes } from './cursor.js';
import type { Datatype } from './datatype.js';

/** Properties of a dataset that are needed to read its bytes. */
export interface DatasetInfo {
  readonly file: FileBytes;
  readonly path: string;
  readonly shape: readonly number[];
  readonly type: Datatype;
  readonly filters: readonly number[];
}
