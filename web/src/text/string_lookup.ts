// SPDX-License-Identifier: MIT
import type { Tensor } from '../index.js';
import { readConfig } from './config.js';
import { fingerprint64 } from './farmhash.js';
import { IndexLookup, type LookupConfig, type Settings } from './index_lookup.js';
import { plain, rowsOf, type Tokens } from './rows.js';

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
    super('StringLookup', readConfig('StringLookup', config, defaults));
  }

  static fromConfig(config: object): StringLookup {
    return new StringLookup(config);
  }

  protected override hash(token: string, count: number): number {
    return Number(fingerprint64(token) % BigInt(count));
  }

  override adapt(data: Tokens<string>): void {
    super.adapt(plain<string>(data, 'string', `${this.className} '${this.name}'`));
  }

  /**
   * A string, or lists of them nested equally deep. int32 indices in their shape ('int'; shorter rows are filled up
   * with the mask token's 0), or float32 vectors, [...shape, size] or [rows, size]; see {@link OutputMode}.
   */
  apply(data: Tokens<string>): Tensor {
    this.checkReady();
    const who = `${this.className} '${this.name}'`;
    if (this.settings.invert) throw this.wrongWay('strings', 'invert');
    return this.encodeRows(rowsOf(plain<string>(data, 'string', who)));
  }

  /** With `invert`: strings for indices (a tensor, or nested lists), in the same nesting. */
  invert(indices: Tensor | Tokens<number>): Tokens<string> {
    this.checkReady();
    return this.tokensOf(plain<number>(indices, 'number', `${this.className} '${this.name}'`));
  }
}
