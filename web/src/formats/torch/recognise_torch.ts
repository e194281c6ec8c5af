// SPDX-License-Identifier: MIT
// Decides from the first bytes how PyTorch stored a file. Unlike open/recognise.ts, it knows
// safetensors.
import { FormatError } from '../../base/errors.js';
import { containerOf } from '../open/recognise.js';
import { isSafetensors } from './safetensors.js';

export type TorchContainer = 'zip' | 'pickle' | 'safetensors';

/**
 * Detects the container of PyTorch's files from the first bytes. Throws FormatError, with the
 * remedy, for any other file.
 */
export function torchContainerOf(bytes: Uint8Array, name: string): TorchContainer {
  const [first, second = 0] = bytes;
  // The first byte of safetensors is part of a length and may be any.
  if (isSafetensors(bytes)) return 'safetensors';
  if (first === 0x80 && second >= 2 && second <= 5) return 'pickle';
  if (isTar(bytes)) {
    throw new FormatError(
      `${name} was written by PyTorch before 0.1.10; load it in Python and save it again with torch.save(model.state_dict(), path)`,
    );
  }
  const expected = 'readTorch reads .pth and .pt files of torch.save, and .safetensors';
  const container = containerOf(bytes, name, expected);
  if (container === 'zip') return container;
  if (container === 'gzip') {
    throw new FormatError(`${name} is compressed with gzip: decompress it first; ${expected}`);
  }
  const kinds = {
    json: 'JSON',
    hdf5: 'an HDF5 file',
    pickle: 'a pickle of joblib',
    savedModel: 'a part of a TensorFlow SavedModel',
    tar: 'an archive of tar',
  };
  const kind = kinds[container];
  throw new FormatError(`${name} is ${kind}; ${expected}; load Keras's files with loadModel`);
}

const isTar = (bytes: Uint8Array): boolean =>
  String.fromCharCode(...bytes.subarray(257, 262)) === 'ustar';
