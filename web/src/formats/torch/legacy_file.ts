// SPDX-License-Identifier: MIT
// The oldest container of PyTorch that is read; zip_file.ts reads the newer one.
import { kTorchMagic } from '../pickle/torch_magic.js';
import type { OpenFile } from '../open/open_file.js';
import type { TorchContent } from './content.js';
import { torchDialect } from './torch_dialect.js';
import { readPickleInPieces } from '../pickle/pickle.js';
import { Buffers } from './rebuild.js';
import { kPickles, readStorages } from './storage_file.js';

/**
 * Reads a file of `torch.save` before PyTorch 1.6: five pickles, then the storages. They are in
 * little-endian order, whatever computer wrote them. A pickle of `pickle.dump` is a single one.
 */
export async function readLegacyFile({ bytes, budget }: OpenFile): Promise<TorchContent> {
  const buffers = new Buffers();
  const values: unknown[] = [];
  let at = 0;
  for (let i = 0; i < kPickles; i++) {
    const { value, end } = await readPickleInPieces(bytes, at, budget, {
      resolve: buffers.resolve,
      dialect: torchDialect,
    });
    // A pickle of Python's own, such as that of a state dict.
    if (i === 0 && value !== kTorchMagic) return { root: value, load: async () => {} };
    values.push(value);
    at = end;
  }
  const [, , , root, keys] = values;
  readStorages(bytes, at, Array.isArray(keys) ? keys : [], buffers);
  return { root, load: async () => {} };
}
