// SPDX-License-Identifier: MIT
// The chunk of `readPickle`. keras_model.ts uses its reader for models inside a pickle.
import { kTorchMagic } from './torch_magic.js';
import { checkOptions } from '../../base/check.js';
import { FormatError } from '../../base/errors.js';
import { type ModelSource, type SourceOptions, sourceOptions } from '../../base/model_source.js';
import type { OpenFile } from '../open/open_file.js';
import { nameInErrors, shortenMessage } from '../open/reading_failed.js';
import { strangerIn } from '../open/recognise.js';
import { openSource } from '../open/source.js';
import { decompressed } from './decompress.js';
import { readPickleInPieces } from './pickle.js';
import { noPersistent, plainDialect } from './plain_dialect.js';
import { type PickledValue, PlainValues } from './plain_values.js';

/** Implements `readPickle`. @internal */
export async function readPickleFrom(
  source: ModelSource,
  options: SourceOptions,
): Promise<PickledValue> {
  checkOptions(options, sourceOptions);
  try {
    const file = await openSource(source, options, () => {});
    return await nameInErrors(file, async () => {
      const root = await pickledValue(file);
      return new PlainValues(file.budget).convert(root);
    });
  } catch (error) {
    throw shortenMessage(error);
  }
}

/** Returns the value of a pickle as the reader has it. Throws FormatError for other files. */
export async function pickledValue({ bytes: packed, name, budget }: OpenFile): Promise<unknown> {
  if (packed.length === 0) throw new FormatError(`${name} is empty (0 bytes)`);
  const bytes = await decompressed(packed, name, budget);
  refuseOthers(bytes, name);
  await budget.pause();
  let result: { value: unknown; end: number };
  try {
    result = await readPickleInPieces(bytes, 0, budget, {
      resolve: noPersistent,
      dialect: plainDialect,
    });
  } catch (error) {
    if (bytes[0] === 0x80 || !(error instanceof FormatError)) throw error;
    throw new FormatError(`${name} is not a pickle, or it is damaged: ${error.message}`);
  }
  if (result.value !== kTorchMagic) return result.value;
  throw new FormatError(`${name} is a file of PyTorch: read it with readTorch of maskflow/torch`);
}

/** Throws FormatError for files of other formats, with the function that reads them. */
function refuseOthers(bytes: Uint8Array, name: string): void {
  const head = String.fromCharCode(...bytes.subarray(0, 8));
  const trimmed = head.trimStart();
  const fail = (what: string): never => {
    throw new FormatError(`${name} is ${what}`);
  };
  if (head.startsWith('PK')) {
    fail(
      "a zip archive, not a pickle: read PyTorch's files with readTorch of maskflow/torch, and .keras files with loadModel",
    );
  }
  if (head.startsWith('\x89HDF'))
    fail('an HDF5 file, not a pickle: load Keras models with loadModel');
  if (trimmed.startsWith('{"') || trimmed.startsWith('{\n')) {
    fail('JSON, not a pickle: for a Tokenizer of Keras, call Tokenizer.fromJSON(text)');
  }
  if (head.startsWith('\x93NUMPY')) {
    fail('a NumPy array, not a pickle: read it with readNpy of maskflow/train');
  }
  const stranger = bytes[0] === 0x80 ? undefined : strangerIn(bytes, name);
  if (stranger !== undefined) throw new FormatError(stranger);
}
