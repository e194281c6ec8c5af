// SPDX-License-Identifier: MIT
// The vocabulary behind StringLookup, IntegerLookup and TextVectorization: adapting, setting and
// saving it, and mapping tokens to indices.
import { Identity } from '../base/identity.js';
import { elementCount, sum } from '../base/array.js';
import { ConfigError, ShapeError, StateError, ValueError } from '../base/errors.js';
import { type Tensor, tensor } from '../tensor/tensor.js';
import { checkList, refuse, show } from '../base/check.js';
import { checkOneOf, listOf, nameOf, writeConfig } from './config.js';
import { encode } from './encode.js';
import { tokenLists, type Rows, rowsOf, type Tokens, zeros } from './rows.js';

/**
 * Result of a lookup. 'int': the index of each token. The other modes return vectors as long as the
 * vocabulary, 'one_hot' for each token and the others for each row of tokens. 'multi_hot' marks the
 * tokens that occur, 'count' counts them, and 'tf_idf' multiplies the counts with weights.
 */
export type OutputMode = 'int' | 'one_hot' | 'multi_hot' | 'count' | 'tf_idf';

/** Settings of the results of a vocabulary layer. */
export interface Encoding {
  /** Form of the result. Default: 'int'. */
  outputMode?: OutputMode;
  /** Maximum size of the vocabulary, with special tokens. Default: null, no limit. */
  maxTokens?: number | null;
  /** Whether vectors are `maxTokens` long even if the vocabulary is smaller. Default: false. */
  padToMaxTokens?: boolean;
  /** Weight of each token of `vocabulary`, for 'tf_idf'. */
  idfWeights?: readonly number[] | null;
  /** Name of the layer. Default: the class name in snake_case, with a number from the second on. */
  name?: string | null;
}

/** Settings of a lookup. */
export interface LookupConfig<T> extends Encoding {
  /** Known tokens, with or without the special tokens first. Default: null; call `adapt`. */
  vocabulary?: readonly T[] | ReadonlySet<T> | null;
  /**
   * Number of indices for unknown tokens. With several, a hash selects one; with 0, unknown tokens
   * are an error. Default: 1.
   */
  numOovIndices?: number;
  /**
   * Token for padding: index 0 with 'int', ignored by other modes. Default: null, no such token.
   */
  maskToken?: T | null;
  /** Token for unknown indices with `invert`. Default: '[UNK]' for strings, -1 for integers. */
  oovToken?: T;
  /** Whether to map indices to tokens. Default: false. */
  invert?: boolean;
}

/** Settings with defaults filled in. */
export type Settings<T> = Required<LookupConfig<T>>;

/** Settings of a lookup without arguments. */
export const lookupDefaults = <T extends string | number>(oovToken: T): Settings<T> => ({
  maxTokens: null,
  numOovIndices: 1,
  maskToken: null,
  oovToken,
  vocabulary: null,
  idfWeights: null,
  invert: false,
  outputMode: 'int',
  padToMaxTokens: false,
  name: null,
});

const kMaxOovIndices = 10_000_000;

// Older names of modes in Keras.
const renamed = new Map<string, OutputMode>([
  ['binary', 'multi_hot'],
  ['tf-idf', 'tf_idf'],
]);

const compare = <T extends string | number>(a: T, b: T): number => {
  if (typeof a === 'number') return a - (b as number);
  // Compares code points, as UTF-8 does; `<` would compare surrogates of characters beyond 16 bits.
  const x = Array.from(a, (c) => c.codePointAt(0) as number);
  const y = Array.from(b as string, (c) => c.codePointAt(0) as number);
  const at = x.findIndex((point, i) => point !== y[i]);
  return at < 0 ? x.length - y.length : (x[at] as number) - (y[at] ?? -1);
};

/** Encodes rows of tokens as a tensor: int32 indices, or float32 vectors. */
export let encodeRows: <T extends string | number>(lookup: IndexLookup<T>, rows: Rows<T>) => Tensor;

/** Base class of {@link StringLookup} and {@link IntegerLookup}. */
export abstract class IndexLookup<T extends string | number> extends Identity {
  /** Name of the layer. */
  readonly name: string;
  /** Settings with defaults filled in. */
  protected readonly settings: Settings<T>;
  #tokens: T[] = [];
  #indices = new Map<T, number>();
  /** Weights of the indices from `first` on; earlier indices have the mean. */
  #idf: { first: number; weights: readonly number[]; mean: number } = {
    first: 0,
    weights: [],
    mean: 0,
  };
  #ready = false;
  /** Selects one of `count` indices for an unknown token. */
  readonly #hash: (token: T, count: number) => number;

  static {
    encodeRows = (lookup, rows) => lookup.#encodeRows(rows);
  }

  protected constructor(
    /** Class name, as in Keras. */
    readonly className: string,
    settings: Settings<T>,
    hash: (token: T, count: number) => number,
  ) {
    super();
    this.#hash = hash;
    this.settings = settings;
    settings.outputMode = renamed.get(settings.outputMode) ?? settings.outputMode;
    this.name = nameOf(className, settings.name);
    this.#check();
    const { vocabulary, idfWeights } = settings;
    if (vocabulary) this.setVocabulary(vocabulary, idfWeights);
  }

  #check(): void {
    const { maxTokens, padToMaxTokens, numOovIndices, outputMode, invert } = this.settings;
    const fail = (what: string): never => {
      throw new ConfigError(`${this.className}: ${what}`);
    };
    const modes = ['int', 'one_hot', 'multi_hot', 'count', 'tf_idf'];
    checkOneOf(this.className, 'outputMode', outputMode, modes);
    if (maxTokens !== null && !(Number.isInteger(maxTokens) && maxTokens > 1))
      fail(`maxTokens is ${show(maxTokens)} but must be a whole number above 1, or null`);
    if (padToMaxTokens && maxTokens === null) fail('padToMaxTokens needs maxTokens');
    const isCount = Number.isInteger(numOovIndices) && numOovIndices >= 0;
    if (!isCount || numOovIndices > kMaxOovIndices)
      fail(
        `numOovIndices is ${show(numOovIndices)} but must be a whole number, 0 to ${kMaxOovIndices}`,
      );
    if (invert && outputMode !== 'int')
      fail(`outputMode is '${outputMode}' but must be 'int' with invert`);
    if (this.settings.idfWeights && outputMode !== 'tf_idf')
      fail(`idfWeights are for outputMode 'tf_idf', not '${outputMode}'`);
  }

  /** First index for unknown tokens, after that of the mask token. */
  get #oovStart(): number {
    return this.settings.maskToken !== null && this.settings.outputMode === 'int' ? 1 : 0;
  }
  /** First index of known tokens. */
  get #start(): number {
    return this.#oovStart + this.settings.numOovIndices;
  }
  /** Returns the special token of an index below `#start`. */
  #specialAt(index: number): T {
    const { maskToken, oovToken } = this.settings;
    return index < this.#oovStart ? (maskToken as T) : oovToken;
  }

  /** Returns the tokens by index, with or without the special tokens, which are first. */
  getVocabulary(includeSpecialTokens = true): T[] {
    const count = includeSpecialTokens ? this.#start : 0;
    return Array.from({ length: count }, (_, i) => this.#specialAt(i)).concat(this.#tokens);
  }
  /** Number of indices, with those of special tokens. */
  vocabularySize(): number {
    return this.#start + this.#tokens.length;
  }

  /**
   * Replaces the vocabulary. 'tf_idf' needs `idfWeights`, one for each token of `vocabulary`.
   *
   * Throws ValueError for an empty vocabulary, a token that occurs twice, or weights that do not
   * fit.
   */
  setVocabulary(
    tokens: readonly T[] | ReadonlySet<T>,
    idfWeights: readonly number[] | null = null,
  ): void {
    const vocabulary = listOf<readonly T[]>(tokens);
    checkList(vocabulary, `the vocabulary of ${this.label}`);
    if (idfWeights !== null) checkList(idfWeights, `idfWeights of ${this.label}`);
    const start = this.#start;
    let count = 0;
    while (count < start && vocabulary[count] === this.#specialAt(count)) count++;
    const hasSpecial = count > 0 && count === start;
    const known = hasSpecial ? vocabulary.slice(start) : [...vocabulary];
    this.#checkTokens(known, vocabulary.length);
    this.#checkWeights(vocabulary.length, idfWeights);
    this.#setTokens(known);
    if (!idfWeights) return;
    const mean = sum(idfWeights) / idfWeights.length;
    this.#idf = { first: hasSpecial ? 0 : start, weights: [...idfWeights], mean };
  }

  #checkTokens(tokens: readonly T[], count: number): void {
    const { maskToken, oovToken, invert, maxTokens } = this.settings;
    const fail = (what: string): never => {
      throw new ValueError(`${this.className}: ${what}`);
    };
    if (count === 0) fail('the vocabulary is empty; give at least one token');
    const seen = new Set<T>();
    for (const token of tokens) {
      if (seen.has(token)) fail(`the vocabulary has '${token}' twice; each token needs one index`);
      seen.add(token);
    }
    const max = Math.min(this.#start, 3);
    const special = Array.from({ length: max }, (_, i) => `'${this.#specialAt(i)}'`);
    if (max < this.#start) special.push(`… (${this.#start} in all)`);
    const remedy = `leave special tokens out of the vocabulary, or begin it with ${special.join(', ')}`;
    if (maskToken !== null && seen.has(maskToken))
      fail(`the mask token '${maskToken}' is among the other tokens; ${remedy}`);
    if (invert && seen.has(oovToken))
      fail(`the token for unknown indices, '${oovToken}', is among the other tokens; ${remedy}`);
    const size = this.#start + tokens.length;
    if (maxTokens !== null && size > maxTokens)
      fail(`the vocabulary has ${size} tokens, with special ones, but maxTokens is ${maxTokens}`);
  }

  #checkWeights(count: number, weights: readonly number[] | null): void {
    const { outputMode } = this.settings;
    if ((outputMode === 'tf_idf') !== Boolean(weights)) {
      throw new ValueError(
        `${this.className}: outputMode is '${outputMode}'; give idfWeights with 'tf_idf' and only with it`,
      );
    }
    const wrong = weights ? weights.find((weight) => typeof weight !== 'number') : undefined;
    if (wrong !== undefined) refuse(`${this.className}: a weight of idfWeights`, 'a number', wrong);
    if (weights && weights.length !== count) {
      throw new ValueError(
        `${this.className}: there are ${weights.length} idfWeights for ${count} tokens; both need the same number`,
      );
    }
  }

  #setTokens(tokens: readonly T[]): void {
    const start = this.#start;
    this.#tokens = [...tokens];
    this.#indices = new Map(tokens.map((token, i) => [token, start + i]));
    this.#ready = true;
  }

  /**
   * Sets the vocabulary to the tokens of the data, the most frequent first; equally frequent ones
   * are in reverse alphabetical order, as in Keras. Each row of tokens is a document for 'tf_idf'.
   *
   * Throws StateError if the layer was created with a vocabulary.
   */
  adapt(data: Tokens<T>): void | Promise<void> {
    if (this.settings.vocabulary) {
      throw new StateError(
        `${this.label} was created with a vocabulary, so it cannot adapt to data; leave one of them out`,
      );
    }
    const { maskToken, oovToken, maxTokens, outputMode } = this.settings;
    const counts = new Map<T, number>();
    const documents = new Map<T, number>();
    const rows = Array.isArray(data) ? (data as Tokens<T>[]) : [data];
    for (const document of rows) {
      const tokens = [document].flat(Number.POSITIVE_INFINITY as 1) as T[];
      for (const token of tokens) counts.set(token, (counts.get(token) ?? 0) + 1);
      for (const token of new Set(tokens)) documents.set(token, (documents.get(token) ?? 0) + 1);
    }
    if (maskToken !== null) counts.delete(maskToken);
    counts.delete(oovToken);
    const sorted = [...counts].sort(([a, n], [b, m]) => m - n || compare(b, a)).map(([t]) => t);
    const vocabulary =
      maxTokens === null ? sorted : sorted.slice(0, Math.max(maxTokens - this.#start, 0));
    this.#setTokens(vocabulary);
    if (outputMode !== 'tf_idf') return;
    const weights = vocabulary.map((t) =>
      Math.log(1 + rows.length / (1 + (documents.get(t) as number))),
    );
    const mean = sum(weights) / (weights.length || 1);
    this.#idf = { first: this.#start, weights, mean };
  }

  /** Number of elements of a vector. */
  get #depth(): number {
    const { padToMaxTokens, maxTokens } = this.settings;
    return padToMaxTokens ? (maxTokens as number) : this.vocabularySize();
  }
  #weightOf(index: number): number {
    const { first, weights, mean } = this.#idf;
    return index < first ? mean : (weights[index - first] ?? 0);
  }

  /** @internal Weight of each element of a vector; null unless the mode is 'tf_idf'. */
  get idfWeights(): number[] | null {
    if (this.settings.outputMode !== 'tf_idf') return null;
    return Array.from({ length: this.#depth }, (_, index) => this.#weightOf(index));
  }

  /** Returns the index of a token; -1 for a mask token that the mode ignores. */
  #indexOf(token: T): number {
    const { maskToken, numOovIndices, outputMode } = this.settings;
    if (token === maskToken) return outputMode === 'int' ? 0 : -1;
    const index = this.#indices.get(token);
    if (index !== undefined) return index;
    if (numOovIndices === 0) {
      throw new ValueError(
        `${this.label}: '${token}' is not in the vocabulary; set numOovIndices: 1 for an index for unknown tokens`,
      );
    }
    return this.#oovStart + (numOovIndices === 1 ? 0 : this.#hash(token, numOovIndices));
  }

  /** Class and name, for messages. */
  protected get label(): string {
    return `${this.className} '${this.name}'`;
  }

  /** Maps tokens to indices, or indices to tokens with `invert`. */
  protected run(data: unknown, type: 'string' | 'number'): Tensor | Tokens<T> {
    if (this.settings.invert) {
      this.#checkReady();
      return this.#tokensOf(tokenLists<number>(data, 'number', `${this.label} with invert`));
    }
    return this.#encodeRows(rowsOf(tokenLists<T>(data, type, this.label)));
  }

  #checkReady(): void {
    if (this.#ready) return;
    throw new StateError(
      `${this.label} has no vocabulary; give one, or call setVocabulary() or adapt() first`,
    );
  }

  #encodeRows({ shape, tokens, positions }: Rows<T>): Tensor {
    this.#checkReady();
    const { outputMode, maskToken } = this.settings;
    const perToken = outputMode === 'int' || outputMode === 'one_hot';
    const size = elementCount(shape);
    const gap = positions.findIndex((position, i) => position !== i);
    const missing = gap < 0 ? tokens.length : gap;
    if (perToken && missing < size && maskToken === null) {
      const width = shape.at(-1) as number;
      throw new ShapeError(
        `${this.label}: row ${Math.floor(missing / width)} has ${missing % width} tokens where the longest has ${width}; make them equally long, or set maskToken to pad them`,
      );
    }
    if (outputMode === 'int') {
      const out = zeros(Int32Array, shape, this.label);
      tokens.forEach((token, i) => {
        out[positions[i] as number] = this.#indexOf(token);
      });
      return tensor(out, { shape });
    }
    const indices = { shape, tokens: tokens.map((token) => this.#indexOf(token)), positions };
    return encode(indices, outputMode, this.#depth, (index) => this.#weightOf(index), this.label);
  }

  /** Maps indices to tokens, in the same nesting. */
  #tokensOf(indices: Tokens<number>): Tokens<T> {
    if (typeof indices !== 'number') return indices.map((item) => this.#tokensOf(item));
    const { maskToken, oovToken } = this.settings;
    if (this.#oovStart && indices === 0) return maskToken as T;
    return this.#tokens[indices - this.#start] ?? oovToken;
  }

  /** Returns the config in Keras's form, from which `fromConfig` creates an equal layer. */
  getConfig(): { [key: string]: unknown } {
    return writeConfig({ ...this.settings, name: this.name });
  }
  /** Class and config, for JSON.stringify. */
  toJSON(): unknown {
    return { class_name: this.className, config: this.getConfig() };
  }
}
