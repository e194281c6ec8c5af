// SPDX-License-Identifier: MIT
import type { Tensor } from '../tensor/tensor.js';
import { readConfig } from './config.js';
import { fingerprint64 } from './farmhash.js';
import { IndexLookup, type LookupConfig, type Settings } from './index_lookup.js';
import { tokenLists, type Tokens } from './rows.js';

/** Settings of {@link StringLookup}; Keras's, in camelCase (snake_case is taken too). */
export type StringLookupConfig = LookupConfig<string>;

const defaults: Settings<string> = {
  maxTokens: null,
  numOovIndices: 1,
  maskToken: null,
  oovToken: '[UNK]',
  vocabulary: null,
  idfWeights: null,
  invert: false,
  outputMode: 'int',
  padToMaxTokens: false,
  name: null,
};

/**
 * Strings to indices by a vocabulary, or with `invert` back. Unknown strings share `numOovIndices` indices by
 * TensorFlow's hash.
 *
 * @example new StringLookup({ vocabulary: ['a', 'b'] }).apply([['a', 'z'], ['b', 'a']]) // [[1, 0], [2, 1]]
 */
export class StringLookup extends IndexLookup<string> {
  constructor(config: StringLookupConfig = {}) {
    const settings = readConfig('StringLookup', config, defaults);
    super('StringLookup', settings, (token, count) => Number(fingerprint64(token) % BigInt(count)));
  }

  static fromConfig(config: object): StringLookup {
    return new StringLookup(config);
  }

  override adapt(data: Tokens<string>): void {
    super.adapt(tokenLists<string>(data, 'string', this.label));
  }

  /**
   * A string, or lists of them nested equally deep, to int32 indices in their shape ('int'; shorter rows are filled up
   * with the mask token's 0), or to float32 vectors, [...shape, size] or [rows, size]; see {@link OutputMode}.
   * With `invert`: indices (a tensor, or nested lists) to strings in the same nesting, `apply<string[]>(ids)`.
   */
  apply<Result extends Tensor | Tokens<string> = Tensor>(
    data: Tensor | Tokens<string | number>,
  ): Result {
    return this.run(data, 'string') as Result;
  }
}
