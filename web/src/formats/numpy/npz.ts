// SPDX-License-Identifier: MIT
import { FormatError } from '../../base/errors.js';
import { Budget } from '../open/budget.js';
import { type NumpyArray, readNpy, writeNpy } from './npy.js';
import { openZip } from '../zip/read_zip.js';
import { writeZip } from '../zip/write_zip.js';

/** The arrays of what `np.savez` or `np.savez_compressed` wrote, by name. FormatError as in `readNpy`. */
export function readNpz(bytes: Uint8Array, budget = Budget.ofData()): Map<string, NumpyArray> {
  budget.read(bytes.length, 'the archive');
  const archive = openZip(bytes, budget);
  const strange = archive.names.find((name) => !name.endsWith('.npy'));
  if (strange !== undefined) {
    throw new FormatError(`the archive holds '${strange}', so it is no .npz file of arrays`);
  }
  return new Map(
    archive.names.map((name) => {
      const array = readNpy(archive.read(name) as Uint8Array, `'${name}'`, budget);
      return [name.slice(0, -'.npy'.length), array];
    }),
  );
}

/** What `np.load` reads: the arrays by name, not compressed. */
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
