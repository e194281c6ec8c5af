// SPDX-License-Identifier: MIT
// Keras's TextVectorization: standardizes and splits here, looks up by a StringLookup.
import { areBatches, type BatchSource } from '../base/are_batches.js';
import { Identity } from '../base/identity.js';
import { refuse, show } from '../base/check.js';
import { ConfigError, ShapeError, UnsupportedError, ValueError } from '../base/errors.js';
import type { SymbolicTensor, Tensor } from '../tensor/tensor.js';
import {
  checkOneOf,
  kLookupSettings,
  nameOf,
  nextName,
  readConfig,
  writeConfig,
} from './config.js';
import { type Encoding, encodeRows } from './index_lookup.js';
import { rowsOf, rowsOfBatches, tokenLists, type Tokens } from './rows.js';
import { StringLookup } from './string_lookup.js';
import { SymbolicText } from './symbolic_text.js';

/** Standardization of a text before it is split. A function receives the whole text. */
export type Standardize =
  | 'lower_and_strip_punctuation'
  | 'lower'
  | 'strip_punctuation'
  | ((text: string) => string)
  | null;
/** Splitting of a text: into words, into characters, by a function, or not at all (null). */
export type Split = 'whitespace' | 'character' | ((text: string) => string[]) | null;

/** Settings of {@link TextVectorization}, as in Keras; in camelCase or snake_case. */
export interface TextVectorizationConfig extends Encoding {
  /** Change of each text before it is split. Default: 'lower_and_strip_punctuation'. */
  standardize?: Standardize;
  /** Division of each text into tokens. Default: 'whitespace'. */
  split?: Split;
  /**
   * Sizes of groups of neighbouring tokens: 2 for single tokens and pairs, [2] for pairs only.
   * Default: null, single tokens.
   */
  ngrams?: number | readonly number[] | null;
  /** Length of rows with 'int': cut, or padded with 0. Default: null, that of the longest row. */
  outputSequenceLength?: number | null;
  /** Whether to return rows of their own length, as lists of numbers. Default: false. */
  ragged?: boolean;
  /** Known tokens, with or without '' and '[UNK]' first. Default: null; call `adapt`. */
  vocabulary?: readonly string[] | ReadonlySet<string> | null;
}

const defaults: Required<TextVectorizationConfig> = {
  maxTokens: null,
  standardize: 'lower_and_strip_punctuation',
  split: 'whitespace',
  ngrams: null,
  outputMode: 'int',
  outputSequenceLength: null,
  padToMaxTokens: false,
  ragged: false,
  vocabulary: null,
  idfWeights: null,
  name: null,
};

const kMaxGrams = 1000;
// Limit on the tokens in all groups of one text.
const kMaxGrouped = 50_000_000;
// As in TensorFlow: capitals and white space of ASCII only, and this list of punctuation.
const capitals = /[A-Z]+/g;
const space = /[ \t\n\v\f\r]+/;
const punctuation = /[!"#$%&()*+,\-./:;<=>?@[\\\]^_`{|}~']/g;

/**
 * Maps texts to indices: standardizes them, splits them into tokens and looks these up. Index 0 is
 * padding, which `Embedding({ maskZero: true })` masks, and 1 is an unknown token.
 *
 * Throws ConfigError for an unknown or invalid setting.
 *
 * @example
 * const layer = new TextVectorization({ vocabulary: ['the', 'cat'] });
 * layer.apply(['The cat!', 'A cat']) // [[2, 3], [1, 3]]
 */
export class TextVectorization extends Identity {
  /** Class name, as in Keras. */
  readonly className = 'TextVectorization';
  /** Name of the layer. */
  readonly name: string;
  readonly #settings: Required<TextVectorizationConfig>;
  readonly #lookup: StringLookup;
  readonly #widths: readonly number[];

  constructor(config: TextVectorizationConfig = {}) {
    super();
    const settings = readConfig(this.className, config, defaults, kLookupSettings);
    this.#settings = settings;
    this.name = nameOf(this.className, settings.name);
    // The lookup inside takes a name of its class in Keras, too.
    nextName('StringLookup');
    const { maxTokens, outputMode, padToMaxTokens, vocabulary, idfWeights } = settings;
    this.#lookup = new StringLookup({
      ...{ maxTokens, outputMode, padToMaxTokens, vocabulary, idfWeights },
      ...{ maskToken: '', name: this.name },
    });
    const { ngrams } = settings;
    this.#widths =
      typeof ngrams === 'number' && ngrams <= kMaxGrams
        ? Array.from({ length: ngrams }, (_, i) => i + 1)
        : Array.isArray(ngrams ?? [1])
          ? ((ngrams ?? [1]) as number[])
          : [];
    this.#check();
  }

  /** Creates the layer from its config. */
  static fromConfig(config: object): TextVectorization {
    return new TextVectorization(config);
  }

  #check(): void {
    const { standardize, split, outputSequenceLength: length, outputMode, ragged } = this.#settings;
    for (const setting of [standardize, split]) {
      if (typeof setting !== 'object' || setting === null) continue;
      throw new UnsupportedError(
        `${this.className} was saved with a Python function; give standardize and split as JavaScript functions`,
      );
    }
    const methods = ['lower_and_strip_punctuation', 'lower', 'strip_punctuation', null];
    if (typeof standardize !== 'function')
      checkOneOf(this.className, 'standardize', standardize, methods);
    if (typeof split !== 'function')
      checkOneOf(this.className, 'split', split, ['whitespace', 'character', null]);
    const fail = (text: string): never => {
      throw new ConfigError(`${this.className}: ${text}`);
    };
    if (!this.#widths.length || !this.#widths.every((n) => Number.isInteger(n) && n > 0))
      fail(`ngrams is ${show(this.#settings.ngrams)} but must be whole numbers above 0, or null`);
    if (length !== null && !(Number.isInteger(length) && length >= 0))
      fail(`outputSequenceLength is ${show(length)} but must be a whole number, or null`);
    if (outputMode === 'int') return;
    if (length !== null) fail(`outputSequenceLength is for outputMode 'int', not '${outputMode}'`);
    if (ragged) fail(`ragged is for outputMode 'int', not '${outputMode}'`);
  }

  /** Returns all tokens by index: '' (padding, with 'int'), '[UNK]', then the known tokens. */
  getVocabulary(includeSpecialTokens = true): string[] {
    return this.#lookup.getVocabulary(includeSpecialTokens);
  }
  /** @internal Weight of each element of a vector; null unless the mode is 'tf_idf'. */
  get idfWeights(): number[] | null {
    return this.#lookup.idfWeights;
  }
  /** Number of indices, with those of special tokens. */
  vocabularySize(): number {
    return this.#lookup.vocabularySize();
  }
  /** Replaces the vocabulary. 'tf_idf' needs `idfWeights`, one for each token of `vocabulary`. */
  setVocabulary(
    vocabulary: readonly string[] | ReadonlySet<string>,
    idfWeights: readonly number[] | null = null,
  ): void {
    this.#lookup.setVocabulary(vocabulary, idfWeights);
  }

  /**
   * Sets the vocabulary to the tokens of the texts, the most frequent first. Each text is a
   * document.
   */
  adapt(texts: Tokens<string>): void;
  /** Sets the vocabulary to the tokens of batches of texts as they arrive. */
  adapt(batches: BatchSource<Tokens<string>>): Promise<void>;
  adapt(texts: Tokens<string> | BatchSource<Tokens<string>>): void | Promise<void> {
    const read = (batch: unknown): Tokens<string> => {
      const documents = this.#tokens(batch as Tokens<string>);
      return typeof documents === 'string' ? [[documents]] : documents;
    };
    if (!areBatches(texts)) return this.#lookup.adapt(read(texts));
    return rowsOfBatches(texts, read).then((rows) => this.#lookup.adapt(rows));
  }

  #standardize(text: string): string {
    const { standardize } = this.#settings;
    if (typeof standardize === 'function') {
      const result: unknown = standardize(text);
      return typeof result === 'string'
        ? result
        : refuse('the result of standardize', 'a string', result);
    }
    let result = text;
    if (standardize?.startsWith('lower')) {
      result = result.replace(capitals, (letters) => letters.toLowerCase());
    }
    return standardize?.endsWith('punctuation') ? result.replace(punctuation, '') : result;
  }

  #split(text: string): string[] {
    const { split } = this.#settings;
    if (typeof split === 'function') {
      const tokens: unknown = split(text);
      const isList = Array.isArray(tokens) && tokens.every((token) => typeof token === 'string');
      return isList ? tokens : refuse('the result of split', 'a list of strings', tokens);
    }
    return split === 'character' ? [...text] : text.split(space).filter(Boolean);
  }

  #grams(tokens: readonly string[]): string[] {
    const grouped = this.#widths.reduce(
      (sum, width) => sum + width * Math.max(tokens.length - width + 1, 0),
      0,
    );
    if (grouped > kMaxGrouped) {
      throw new ValueError(
        `${this.className} '${this.name}': a text of ${tokens.length} tokens has groups of ${grouped} tokens in total, more than ${kMaxGrouped}; set ngrams lower or cut the text`,
      );
    }
    return this.#widths.flatMap((width) =>
      Array.from({ length: Math.max(tokens.length - width + 1, 0) }, (_, i) =>
        tokens.slice(i, i + width).join(' '),
      ),
    );
  }

  /**
   * Splits each text into tokens. [texts, 1] is read as [texts]; texts that are not split are
   * tokens.
   */
  #tokens(data: Tokens<string>): Tokens<string> {
    const texts = tokenLists<string>(data, 'string', `${this.className} '${this.name}'`);
    if (this.#settings.split !== null) return this.#visit(texts, 0);
    const standardizeAll = (item: Tokens<string>): Tokens<string> => {
      if (typeof item === 'string') return this.#standardize(item);
      const inner = item.map(standardizeAll);
      return inner.every((token) => typeof token === 'string')
        ? this.#grams(inner as string[])
        : inner;
    };
    return standardizeAll(texts);
  }

  #visit(item: Tokens<string>, depth: number): Tokens<string> {
    if (typeof item === 'string') return this.#grams(this.#split(this.#standardize(item)));
    if (depth > 0) {
      if (item.length === 1 && typeof item[0] === 'string') return this.#visit(item[0], depth);
      throw new ShapeError(
        `${this.className} '${this.name}' needs a text or a list of texts, but an item of the list is a list of ${item.length}; use split: null for tokens`,
      );
    }
    return item.map((inner) => this.#visit(inner, 1));
  }

  /**
   * Maps a list of texts to int32 indices [texts, length], padded with 0; a single text to
   * [length]. The length is `outputSequenceLength`, or that of the longest text. Other modes return
   * float32 vectors [texts, vocabulary]; see {@link OutputMode}. With `ragged`, it returns lists of
   * numbers: `apply<number[][]>(texts)`.
   *
   * Throws StateError without a vocabulary, and ValueError for data other than texts.
   */
  apply<Result extends Tensor | Tokens<number> = Tensor>(data: Tokens<string>): Result;
  /** On an input of strings, `Input({ shape: [1], dtype: 'string' })`, the result is symbolic. */
  apply(input: SymbolicTensor): SymbolicTensor;
  apply<Result>(data: Tokens<string> | SymbolicTensor): Result {
    if (data instanceof SymbolicText) return data.readBy(this) as Result;
    return this.#apply(data as Tokens<string>) as Result;
  }

  #apply<Result>(data: Tokens<string>): Result {
    const { outputSequenceLength: length, ragged } = this.#settings;
    const tokens = this.#tokens(data);
    if (!ragged && tokens.length === 0 && Array.isArray(data)) {
      const empty = { shape: [0, length ?? 0], tokens: [], positions: [] };
      return encodeRows(this.#lookup, empty) as Result;
    }
    if (!ragged) return encodeRows(this.#lookup, rowsOf(tokens, length ?? undefined)) as Result;
    const indices = (item: Tokens<string>): Tokens<number> => {
      if (typeof item !== 'string' && item.some((inner) => typeof inner !== 'string')) {
        return item.map(indices);
      }
      const row = this.#lookup.apply([item].flat() as string[]);
      const numbers = row.array() as number[];
      row.dispose();
      return numbers.slice(0, length ?? undefined);
    };
    return indices(tokens) as Result;
  }

  /** Returns the config in Keras's form, from which `fromConfig` creates an equal layer. */
  getConfig(): { [key: string]: unknown } {
    return writeConfig({ ...this.#settings, name: this.name });
  }
  /** Class and config, for JSON.stringify. */
  toJSON(): unknown {
    return { class_name: this.className, config: this.getConfig() };
  }
}
