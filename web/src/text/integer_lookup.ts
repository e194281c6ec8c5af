// SPDX-License-Identifier: MIT
import type { Tensor } from '../tensor/tensor.js';
import { readConfig } from './config.js';
import { IndexLookup, type LookupConfig, type Settings } from './index_lookup.js';
import { tokenLists, type Tokens } from './rows.js';

/** Settings of {@link IntegerLookup}; Keras's, in camelCase (snake_case is taken too). */
export type IntegerLookupConfig = LookupConfig<number>;

const defaults: Settings<number> = {
  maxTokens: null,
  numOovIndices: 1,
  maskToken: null,
  oovToken: -1,
  vocabulary: null,
  idfWeights: null,
  invert: false,
  outputMode: 'int',
  padToMaxTokens: false,
  name: null,
};

/**
 * Whole numbers to indices by a vocabulary, or with `invert` back. Unknown numbers share `numOovIndices` indices by the
 * rest of their division by it.
 *
 * @example new IntegerLookup({ vocabulary: [12, 36] }).apply([[12, 7], [36, 12]]) // [[1, 0], [2, 1]]
 */
export class IntegerLookup extends IndexLookup<number> {
  constructor(config: IntegerLookupConfig = {}) {
    const settings = readConfig('IntegerLookup', config, defaults);
    super('IntegerLookup', settings, (token, count) => ((token % count) + count) % count);
  }

  static fromConfig(config: object): IntegerLookup {
    return new IntegerLookup(config);
  }

  override adapt(data: Tokens<number> | Tensor | ArrayLike<number>): void {
    super.adapt(tokenLists<number>(data, 'number', this.label));
  }

  /**
   * A number, or lists of them nested equally deep, a typed array or a tensor, to int32 indices in their shape ('int';
   * shorter rows are filled up with the mask token's 0), or to float32 vectors, [...shape, size] or [rows, size]; see
   * {@link OutputMode}. With `invert`: indices to numbers, `apply<number[]>(ids)`.
   */
  apply<Result extends Tensor | Tokens<number> = Tensor>(
    data: Tensor | ArrayLike<number> | Tokens<number>,
  ): Result {
    return this.run(data, 'number') as Result;
  }
}
