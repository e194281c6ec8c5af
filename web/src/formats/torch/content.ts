// SPDX-License-Identifier: MIT
// The interface between read_torch.ts and the readers of the three containers of PyTorch.
import type { Buffer } from './stored.js';

/** Result of every reader: the value that was saved. */
export interface TorchContent {
  readonly root: unknown;
  /** Texts beside the tensors, in files that have them apart. */
  readonly metadata?: { readonly [name: string]: unknown };
  /** Finds the bytes of the tensors that are needed. */
  load(buffers: Iterable<Buffer>): Promise<void>;
}
