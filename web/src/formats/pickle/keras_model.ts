// SPDX-License-Identifier: MIT
// Models of Keras in pickles. Keras puts the bytes of a whole .keras archive into the pickle; older
// versions put an archive of a SavedModel, or the content of an .h5 file.
import { FormatError } from '../../base/errors.js';
import { visible } from '../../base/visible.js';
import type { Budget } from '../open/budget.js';
import type { Artifact, ReadOptions } from '../artifact.js';
import type { OpenFile } from '../open/open_file.js';
import { isKeras2State, readKeras2State } from './keras2_state.js';
import { NumpyArray } from './numpy_values.js';
import { PythonName, PythonObject } from './python_values.js';
import { pickledValue } from './read_pickle.js';

export { decompressed } from './decompress.js';

/** Parts of a pickle that belong to Keras. */
interface Found {
  /** Bytes of .keras archives, of HDF5 files, and of archives of tar. */
  readonly files: Uint8Array[];
  /** Contents of .h5 files as dictionaries. */
  readonly states: ReadonlyMap<unknown, unknown>[];
  /** Names of classes, outer ones first. */
  readonly classes: string[];
}

const startsWith = (bytes: Uint8Array, mark: string, from = 0): boolean =>
  [...mark].every((char, i) => bytes[from + i] === char.charCodeAt(0));

/** Returns whether the bytes are a model; TensorFlow 2.7 to 2.9 write a SavedModel as tar. */
const isModelFile = (bytes: Uint8Array): boolean =>
  startsWith(bytes, 'PK\x03\x04') ||
  startsWith(bytes, '\x89HDF\r\n') ||
  startsWith(bytes, 'ustar', 257);

/** Returns bytes, also if they are an array of NumPy; undefined for other values. */
function bytesIn(value: object, budget: Budget): Uint8Array | undefined {
  if (value instanceof Uint8Array) return value;
  const isArray = value instanceof NumpyArray && value.dtype.name === 'uint8';
  return isArray && value.shape.length === 1
    ? (value.elements(budget) as Uint8Array | undefined)
    : undefined;
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
  const found: Found = { files: [], states: [], classes: [] };
  const seen = new Set<unknown>();
  const waiting = [root];
  for (let i = 0; i < waiting.length; i++) {
    const value = waiting[i];
    if (typeof value !== 'object' || value === null || seen.has(value)) continue;
    seen.add(value);
    const bytes = bytesIn(value, budget);
    if (bytes && isModelFile(bytes)) found.files.push(bytes);
    if (bytes || value instanceof NumpyArray || value instanceof PythonName) continue;
    if (value instanceof PythonObject) found.classes.push(value.className);
    const state = value instanceof PythonObject ? value.attributes : value;
    if (state instanceof Map && isKeras2State(state)) {
      found.states.push(state);
      continue;
    }
    for (const part of partsOf(value)) {
      budget.spend('nodes', 1, 'the values of the pickle');
      waiting.push(part);
    }
  }
  return found;
}

/**
 * Returns the model inside of a pickle: its file, or its content. Throws FormatError, with the
 * remedy, if it has none, or several.
 */
export async function pickledModel(
  file: OpenFile,
  options: ReadOptions,
): Promise<OpenFile | Artifact> {
  const { files, states, classes } = search(await pickledValue(file), file.budget);
  const [bytes] = files;
  const [state] = states;
  const count = files.length + states.length;
  if (count === 1 && bytes) return { ...file, bytes };
  if (count === 1 && state) return readKeras2State(state, file, options);
  throw new FormatError(`${file.name} ${problemOf(count, classes)}`);
}

function problemOf(count: number, classes: readonly string[]): string {
  const [first] = classes;
  if (count > 1) {
    return `is a pickle with ${count} models: load it in Python, and save each with model.save("name.keras")`;
  }
  const keras = classes.find((name) => /keras.*\.(Sequential|Functional|Model)$/.test(name));
  if (keras !== undefined) {
    return `is a pickle with a ${visible(keras)} whose state is not the one that Keras writes: load it in Python with the version that wrote it, and save it with model.save("name.h5")`;
  }
  const what = first === undefined ? 'plain data' : `an object of class ${visible(first)}`;
  return `is a pickle with ${what}, not a model of Keras: readPickle of maskflow/text reads its data, and readTorch of maskflow/torch reads files of PyTorch`;
}
