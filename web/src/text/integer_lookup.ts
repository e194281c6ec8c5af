// SPDX-License-Identifier: MIT
// Keras's IntegerLookup; index_lookup.ts does the work.
import type { SymbolicTensor, Tensor } from '../tensor/tensor.js';
import { areBatches, type BatchSource } from '../base/are_batches.js';
import { kLookupSettings, readConfig } from './config.js';
import { IndexLookup, type LookupConfig, lookupDefaults } from './index_lookup.js';
import { symbolicResult } from './number_layer.js';
import { rowsOfBatches, tokenLists, type Tokens } from './rows.js';

/** Settings of {@link IntegerLookup}, as in Keras; in camelCase or snake_case. */
export type IntegerLookupConfig = LookupConfig<number>;

/**
 * Maps integers to indices by a vocabulary, or with `invert` indices to integers. Unknown numbers
 * share `numOovIndices` indices, by their remainder modulo it.
 *
 * @example
 * new IntegerLookup({ vocabulary: [12, 36] }).apply([[12, 7], [36, 12]]) // [[1, 0], [2, 1]]
 */
export class IntegerLookup extends IndexLookup<number> {
  constructor(config: IntegerLookupConfig = {}) {
    const settings = readConfig('IntegerLookup', config, lookupDefaults(-1), kLookupSettings);
    super('IntegerLookup', settings, (token, count) => ((token % count) + count) % count);
  }

  /** Creates the layer from its config. */
  static fromConfig(config: object): IntegerLookup {
    return new IntegerLookup(config);
  }

  /**
   * Sets the vocabulary to the numbers of the data, the most frequent first; equally frequent ones
   * are in reverse alphabetical order, as in Keras.
   *
   * Throws StateError if the layer was created with a vocabulary.
   */
  override adapt(data: Tokens<number> | Tensor | ArrayLike<number>): void;
  /** Sets the vocabulary to the tokens of batches as they arrive; their rows count together. */
  override adapt(batches: BatchSource<Tokens<number> | Tensor | ArrayLike<number>>): Promise<void>;
  override adapt(
    data:
      | Tokens<number>
      | Tensor
      | ArrayLike<number>
      | BatchSource<Tokens<number> | Tensor | ArrayLike<number>>,
  ): void | Promise<void> {
    const read = (batch: unknown) => tokenLists<number>(batch, 'number', this.label);
    if (areBatches(data)) return rowsOfBatches(data, read).then((rows) => super.adapt(rows));
    return super.adapt(read(data));
  }

  /**
   * Maps a number, equally nested lists, a typed array or a tensor to indices. With 'int' these are
   * int32 in the same shape; shorter rows are padded with 0, the index of the mask token. Other
   * modes return float32 vectors, [...shape, size] or [rows, size]; see {@link OutputMode}. With
   * `invert`, it maps indices to numbers: `apply<number[]>(ids)`.
   *
   * Throws StateError without a vocabulary, ValueError for other data, and ShapeError for lists
   * that are not equally nested.
   */
  apply<Result extends Tensor | Tokens<number> = Tensor>(
    data: Tensor | ArrayLike<number> | Tokens<number>,
  ): Result;
  /** On an input of a graph, `Input({ shape: [null], dtype: 'int32' })`, the result is symbolic. */
  apply(input: SymbolicTensor): SymbolicTensor;
  apply<Result extends Tensor | Tokens<number> = Tensor>(
    data: Tensor | ArrayLike<number> | Tokens<number> | SymbolicTensor,
  ): Result | SymbolicTensor {
    return symbolicResult(this, data) ?? (this.run(data as Tensor, 'number') as Result);
  }
}
