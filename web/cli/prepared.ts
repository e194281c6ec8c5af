// SPDX-License-Identifier: MIT
// Files that stand beside a model: a Tokenizer, a scaler, a LabelEncoder.
import { FormatError } from '../src/base/errors.js';
import { readPickle } from './read_pickle.js';
import { LabelEncoder } from '../src/text/label_encoder.js';
import { Tokenizer } from '../src/text/tokenizer.js';
import { Scaler } from '../src/text/scaler.js';
import { checkExists, readBytes, titleOf } from './files.js';
import { decodeText } from '../src/formats/data/invalid_utf8.js';

/** A Tokenizer or a scaler that changes rows before the model. */
export interface Preparation {
  readonly tokenizer?: Tokenizer | undefined;
  readonly scaler?: Scaler | undefined;
}

const isJson = (bytes: Uint8Array): boolean => bytes[0] === 0x7b || bytes[0] === 0x22;

/** Reads a Tokenizer: a pickle, what `to_json()` wrote, or a map of words to ids. */
export async function readTokenizer(path: string): Promise<Tokenizer> {
  checkExists(path);
  const bytes = readBytes(path);
  if (isJson(bytes)) {
    const text = decodeText(bytes, titleOf(path));
    return /^\s*\{\s*"class_name"|^\s*"/.test(text)
      ? Tokenizer.fromJSON(text)
      : Tokenizer.fromWordIndex(text);
  }
  const value = await readPickle(path);
  if (value instanceof Tokenizer) return value;
  throw new FormatError(
    `${titleOf(path)} is not a Tokenizer of Keras; maskflow info shows what it is`,
  );
}

/** Reads a scaler of sklearn. */
export async function readScaler(path: string): Promise<Scaler> {
  checkExists(path);
  const value = await readPickle(path);
  if (value instanceof Scaler) return value;
  throw new FormatError(
    `${titleOf(path)} is not a scaler of sklearn that was fitted; maskflow info shows what it is`,
  );
}

/** Pickles of protocols 0 and 1 begin as a text might. */
const isPickle = (path: string, bytes: Uint8Array): boolean =>
  /\.(pkl|pickle|joblib|sav)$/i.test(path) || [0x80, 0x78, 0x1f].includes(bytes[0] as number);

/** Returns the classes of a pickled LabelEncoder, given its bytes, too; else undefined. */
export async function encoderLabels(
  path: string,
  bytes: Uint8Array,
): Promise<string[] | undefined> {
  if (path === '-' || !isPickle(path, bytes)) return undefined;
  const value = await readPickle(path);
  if (value instanceof LabelEncoder) return value.classes.map(String);
  throw new FormatError(`${titleOf(path)} is not a LabelEncoder; maskflow info shows what it is`);
}
