// SPDX-License-Identifier: MIT
// `readPickle` of maskflow/text. The command calls it, too.
import type { ModelSource, SourceOptions } from '../base/model_source.js';
import type { PickledValue } from '../formats/pickle/plain_values.js';

/**
 * Reads a file of Python's `pickle` or of `joblib` as plain data. Nothing in the file is run.
 *
 * - A Tokenizer of Keras, and sklearn's StandardScaler, MinMaxScaler, RobustScaler, MaxAbsScaler
 *   and LabelEncoder become objects of this package.
 * - Dictionaries become objects, or Maps if their keys are neither texts nor integers. Lists,
 *   tuples and sets become lists; None is null; bytes are a Uint8Array.
 * - Arrays of numbers are tensors (floats of any size as float32), which need `ready()` before.
 *   Arrays of texts, and of integers outside the range of int32, are lists.
 * - Objects of other classes are `{ class, fields }`.
 *
 * Throws FormatError for another format, a damaged file, and objects that refer to other files.
 *
 * @example
 * const tokenizer = await readPickle('tokenizer.pickle');
 * const ids = tokenizer.textsToSequences(['The movie was good']);
 */
export async function readPickle<T = PickledValue>(
  source: ModelSource,
  options: SourceOptions = {},
): Promise<T> {
  const { readPickleFrom } = await import('../formats/pickle/read_pickle.js');
  return (await readPickleFrom(source, options)) as T;
}
