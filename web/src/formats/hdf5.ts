// SPDX-License-Identifier: MIT
import { UnsupportedError } from '../errors.js';
import type { Hdf5Group } from './hdf5_types.js';

export type { AttributeValue, Hdf5Dataset, Hdf5Group } from './hdf5_types.js';

/** The root group of an HDF5 file. FormatError when it is none; no input traps, hangs or eats memory. */
export function openHdf5(_bytes: Uint8Array): Hdf5Group {
  throw new UnsupportedError('not written yet');
}
