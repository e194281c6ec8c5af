// SPDX-License-Identifier: MIT
// Models of Keras in pickles: Keras puts the bytes of a whole .keras archive into the pickle.
import { FormatError } from '../../base/errors.js';
import { visible } from '../../base/visible.js';
import type { Budget } from '../open/budget.js';
import type { OpenFile } from '../open/open_file.js';
import { NumpyArray } from './numpy_values.js';
import { PythonName, PythonObject } from './python_values.js';
import { pickledValue } from './read_pickle.js';

export { decompressed } from './decompress.js';

/** Parts of a pickle that belong to Keras. */
interface Found {
  /** Bytes of .keras archives and of HDF5 files. */
  readonly files: Uint8Array[];
  /** Whether there is a SavedModel in a tar archive, as TensorFlow 2.8 and 2.9 write. */
  hasTar: boolean;
  /** Names of classes, outer ones first. */
  readonly classes: string[];
}

const startsWith = (bytes: Uint8Array, mark: string, from = 0): boolean =>
  [...mark].every((char, i) => bytes[from + i] === char.charCodeAt(0));

function note(bytes: Uint8Array, found: Found): void {
  if (startsWith(bytes, 'PK\x03\x04') || startsWith(bytes, '\x89HDF\r\n')) found.files.push(bytes);
  else if (startsWith(bytes, 'ustar', 257)) found.hasTar = true;
}

/** The values inside of a value. */
function partsOf(value: unknown): Iterable<unknown> {
  if (Array.isArray(value)) return value;
  if (value instanceof Map) return [...value].flat();
  if (!(value instanceof PythonObject)) return [];
  const { args, attributes, items, state } = value;
  return [...args, ...attributes.values(), items, state];
}

/** Looks through all values, each once. */
function search(root: unknown, budget: Budget): Found {
  const found: Found = { files: [], hasTar: false, classes: [] };
  const seen = new Set<unknown>();
  const waiting = [root];
  for (let i = 0; i < waiting.length; i++) {
    const value = waiting[i];
    if (typeof value !== 'object' || value === null || seen.has(value)) continue;
    seen.add(value);
    if (value instanceof NumpyArray || value instanceof PythonName) continue;
    if (value instanceof PythonObject) found.classes.push(value.className);
    if (value instanceof Uint8Array) note(value, found);
    else {
      for (const part of partsOf(value)) {
        budget.spend('nodes', 1, 'the values of the pickle');
        waiting.push(part);
      }
    }
  }
  return found;
}

/**
 * Returns the model file inside of a pickle. Throws FormatError, with the remedy, if it has none,
 * or several.
 */
export async function pickledModel(file: OpenFile): Promise<OpenFile> {
  const { files, hasTar, classes } = search(await pickledValue(file), file.budget);
  const [bytes, ...others] = files;
  if (bytes && others.length === 0) return { ...file, bytes };
  throw new FormatError(`${file.name} ${problemOf(files.length, hasTar, classes)}`);
}

function problemOf(count: number, hasTar: boolean, classes: readonly string[]): string {
  const [first] = classes;
  if (count > 1) {
    return `is a pickle with ${count} models: load it in Python, and save each with model.save("name.keras")`;
  }
  if (hasTar) {
    return 'is a pickle with a SavedModel of TensorFlow: load it in Python with that version, and save it with model.save("name.h5")';
  }
  const keras = classes.find((name) => /keras.*\.(Sequential|Functional|Model)$/.test(name));
  if (keras !== undefined) {
    return `is a pickle with a ${visible(keras)} of Keras 2.3 or before: load it in Python with that version, and save it with model.save("name.h5")`;
  }
  const what = first === undefined ? 'plain data' : `an object of class ${visible(first)}`;
  return `is a pickle with ${what}, not a model of Keras: readPickle of maskflow/text reads its data, and readTorch of maskflow/torch reads files of PyTorch`;
}
