// SPDX-License-Identifier: MIT
import type { Buffer } from './stored.js';

/** Result of every reader: the value that was saved. */
export interface TorchContent {
  readonly root: unknown;
  /** Finds the bytes of the tensors that are needed. */
  load(buffers: Iterable<Buffer>): Promise<void>;
}
