// SPDX-License-Identifier: MIT
// Keras's StringLookup; index_lookup.ts does the work.
import type { SymbolicTensor, Tensor } from '../tensor/tensor.js';
import { areBatches, type BatchSource } from '../base/are_batches.js';
import { kLookupSettings, readConfig } from './config.js';
import { fingerprint64 } from './farmhash.js';
import { IndexLookup, type LookupConfig, lookupDefaults } from './index_lookup.js';
import { rowsOfBatches, tokenLists, type Tokens } from './rows.js';
import { SymbolicText } from './symbolic_text.js';

/** Settings of {@link StringLookup}, as in Keras; in camelCase or snake_case. */
export type StringLookupConfig = LookupConfig<string>;

/**
 * Maps strings to indices by a vocabulary, or with `invert` indices to strings. Unknown strings
 * share `numOovIndices` indices, by TensorFlow's hash.
 *
 * @example
 * new StringLookup({ vocabulary: ['a', 'b'] }).apply([['a', 'z'], ['b', 'a']]) // [[1, 0], [2, 1]]
 */
export class StringLookup extends IndexLookup<string> {
  constructor(config: StringLookupConfig = {}) {
    const settings = readConfig('StringLookup', config, lookupDefaults('[UNK]'), kLookupSettings);
    super('StringLookup', settings, (token, count) => Number(fingerprint64(token) % BigInt(count)));
  }

  /** Creates the layer from its config. */
  static fromConfig(config: object): StringLookup {
    return new StringLookup(config);
  }

  /**
   * Sets the vocabulary to the strings of the data, the most frequent first; equally frequent ones
   * are in reverse alphabetical order, as in Keras.
   *
   * Throws StateError if the layer was created with a vocabulary.
   */
  override adapt(data: Tokens<string>): void;
  /** Sets the vocabulary to the tokens of batches as they arrive; their rows count together. */
  override adapt(batches: BatchSource<Tokens<string>>): Promise<void>;
  override adapt(data: Tokens<string> | BatchSource<Tokens<string>>): void | Promise<void> {
    const read = (batch: unknown) => tokenLists<string>(batch, 'string', this.label);
    if (areBatches(data)) return rowsOfBatches(data, read).then((rows) => super.adapt(rows));
    return super.adapt(read(data));
  }

  /**
   * Maps a string or equally nested lists of strings to indices. With 'int' these are int32 in the
   * same shape; shorter rows are padded with 0, the index of the mask token. Other modes return
   * float32 vectors, [...shape, size] or [rows, size]; see {@link OutputMode}. With `invert`, it
   * maps indices (a tensor or nested lists) to strings in the same nesting: `apply<string[]>(ids)`.
   *
   * Throws StateError without a vocabulary, ValueError for other data, and ShapeError for lists
   * that are not equally nested.
   */
  apply<Result extends Tensor | Tokens<string> = Tensor>(
    data: Tensor | Tokens<string | number>,
  ): Result;
  /** On an input of strings, `Input({ shape: [1], dtype: 'string' })`, the result is symbolic. */
  apply(input: SymbolicTensor): SymbolicTensor;
  apply<Result>(data: Tensor | Tokens<string | number> | SymbolicTensor): Result {
    if (data instanceof SymbolicText) return data.readBy(this) as Result;
    return this.run(data as Tensor, 'string') as Result;
  }
}
