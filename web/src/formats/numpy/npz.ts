// SPDX-License-Identifier: MIT
// Archives of `np.savez`, which `verify` accepts as recordings.
import { FormatError } from '../../base/errors.js';
import { Budget } from '../open/budget.js';
import { type NumpyArray, readNpy, writeNpy } from './npy.js';
import { openZip } from '../zip/read_zip.js';
import { writeZip } from '../zip/write_zip.js';

/**
 * Reads the arrays of a file of `np.savez` or `np.savez_compressed`, by name; errors as `readNpy`.
 */
export function readNpz(bytes: Uint8Array, budget = Budget.ofData()): Map<string, NumpyArray> {
  budget.read(bytes.length, 'the archive');
  const archive = openZip(bytes, budget);
  const other = archive.names.find((name) => !name.endsWith('.npy'));
  if (other !== undefined) {
    throw new FormatError(`the archive contains '${other}', so it is not a .npz file of arrays`);
  }
  return new Map(
    archive.names.map((name) => {
      const array = readNpy(archive.read(name) as Uint8Array, `'${name}'`, budget);
      return [name.slice(0, -'.npy'.length), array];
    }),
  );
}

/** Writes arrays by name for `np.load`, not compressed. */
export function writeNpz(
  arrays: ReadonlyMap<
    string,
    { shape: readonly number[]; dtype: Parameters<typeof writeNpy>[1]; data: NumpyArray['data'] }
  >,
): Uint8Array {
  const files = [...arrays].map(
    ([name, { shape, dtype, data }]) => [`${name}.npy`, writeNpy(shape, dtype, data)] as const,
  );
  return writeZip(new Map(files));
}
