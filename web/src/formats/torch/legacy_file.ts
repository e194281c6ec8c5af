// SPDX-License-Identifier: MIT
// The oldest container of PyTorch that is read; zip_file.ts reads the newer one.
import { FormatError } from '../../base/errors.js';
import type { OpenFile } from '../open/open_file.js';
import type { TorchContent } from './content.js';
import { torchDialect } from './torch_dialect.js';
import { readPickleInPieces } from '../pickle/pickle.js';
import { Buffers } from './rebuild.js';

/** The first pickle of a file of `torch.save` before PyTorch 1.6. */
const kMagic = 0x1950a86a20f9469cfc6cn;
/** Number of pickles: magic number, version, facts about the computer, content, keys. */
const kPickles = 5;

/**
 * Reads a file of `torch.save` before PyTorch 1.6: five pickles, then the storages. They are in
 * little-endian order, whatever computer wrote them.
 */
export async function readLegacyFile({ bytes, name, budget }: OpenFile): Promise<TorchContent> {
  const buffers = new Buffers();
  const values: unknown[] = [];
  let at = 0;
  for (let i = 0; i < kPickles; i++) {
    const { value, end } = await readPickleInPieces(bytes, at, budget, {
      resolve: buffers.resolve,
      dialect: torchDialect,
    });
    if (i === 0 && value !== kMagic) {
      throw new FormatError(
        `${name} is a Python pickle, but not one of torch.save; save the weights with torch.save(model.state_dict(), path)`,
      );
    }
    values.push(value);
    at = end;
  }
  const [, , , root, keys] = values;
  readStorages(bytes, at, Array.isArray(keys) ? keys : [], buffers);
  return { root, load: async () => {} };
}

/** Finds the bytes of each storage: its number of elements, then its elements. */
function readStorages(
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
