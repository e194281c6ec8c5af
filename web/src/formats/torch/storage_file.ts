// SPDX-License-Identifier: MIT
// The end of a file of torch.save before PyTorch 1.6, and such files inside of pickles.
import { kTorchMagic } from '../pickle/torch_magic.js';
import { FormatError } from '../../base/errors.js';
import type { Budget } from '../open/budget.js';
import { readPickle } from '../pickle/pickle.js';
import type { Dialect } from '../pickle/pickle_reader.js';
import { Buffers, Storage } from './rebuild.js';

/** Number of pickles: magic number, version, facts about the computer, content, keys. */
export const kPickles = 5;

/** Returns the storage of a file that has nothing else. Throws FormatError for other files. */
export function storageIn(file: Uint8Array, budget: Budget, dialect: Dialect): Storage {
  const buffers = new Buffers();
  const values: unknown[] = [];
  let at = 0;
  for (let i = 0; i < kPickles; i++) {
    const { resolve } = buffers;
    const { value, end } = readPickle(file, at, budget, { resolve, dialect, depth: 1 });
    if (i === 0 && value !== kTorchMagic) break;
    values.push(value);
    at = end;
  }
  const [, , , root, keys] = values;
  if (!(root instanceof Storage)) {
    throw new FormatError(
      'the pickle is damaged: the bytes of a storage are not those of torch.save',
    );
  }
  readStorages(file, at, Array.isArray(keys) ? keys : [], buffers);
  return root;
}

/** Finds the bytes of each storage: its number of elements, then its elements. */
export function readStorages(
  file: Uint8Array,
  start: number,
  keys: readonly unknown[],
  buffers: Buffers,
): void {
  const view = new DataView(file.buffer, file.byteOffset, file.byteLength);
  let at = start;
  for (const key of keys) {
    const buffer = buffers.all.get(key as string);
    if (!buffer || at + 8 > file.length) throw cutShort(key, at);
    const count = view.getUint32(at, true) + view.getUint32(at + 4, true) * 2 ** 32;
    at += 8;
    const size = count * buffer.elementSize;
    if (size < buffer.size || size > file.length - at) throw cutShort(key, at);
    buffer.bytes = file.subarray(at, at + size);
    at += size;
  }
}

function cutShort(key: unknown, at: number): FormatError {
  return new FormatError(
    `the file is cut short: it has no data for storage '${String(key)}' at ${at}; fetch it again`,
  );
}
