// SPDX-License-Identifier: MIT
// The Tokenizer of Keras 1 and 2, for models that were trained with it. word_map.ts reads and
// writes its maps.
import { checkFunction, checkInteger, describe, isPlain, refuse } from '../base/check.js';
import { ConfigError, FormatError, StateError, ValueError } from '../base/errors.js';
import { Identity } from '../base/identity.js';
import { type Tensor, tensor } from '../tensor/tensor.js';
import { checkOneOf, readConfig, writeConfig } from './config.js';
import { tokenLists, zeros } from './rows.js';
import { idNumbers, idWords, jsonOf, objectOf, parseTwice, wordNumbers } from './word_map.js';

/** Settings of {@link Tokenizer}, as in Keras; in camelCase or snake_case. */
export interface TokenizerConfig {
  /** Ids below this number are used; words with others are unknown. Default: null, all ids. */
  numWords?: number | null;
  /**
   * Characters that separate words, besides `split`. Default: ASCII punctuation without the
   * apostrophe, tab and line feed.
   */
  filters?: string;
  /** Whether texts become lower case. Default: true. */
  lower?: boolean;
  /** Text between words. Default: ' '. */
  split?: string;
  /** Whether each character is a word. Default: false. */
  charLevel?: boolean;
  /** Word for unknown words; it gets id 1. Default: null, which leaves unknown words out. */
  oovToken?: string | null;
  /** Function that splits a text into words, in place of the settings. Default: null. */
  analyzer?: ((text: string) => readonly string[]) | null;
  /** Number of texts that were counted so far. Default: 0. */
  documentCount?: number;
}

/** Texts, or lists of words that are split already. */
export type TokenizerTexts = Iterable<string | readonly string[]>;
/** Rows of ids; typed arrays and tensors too. */
export type Sequences = Tensor | readonly (ArrayLike<number> | Tensor)[];
/** Numbers in the rows of {@link Tokenizer.textsToMatrix}. */
export type MatrixMode = 'binary' | 'count' | 'tfidf' | 'freq';

const defaults: Required<TokenizerConfig> = {
  numWords: null,
  filters: '!"#$%&()*+,-./:;<=>?@[\\]^_`{|}~\t\n',
  lower: true,
  split: ' ',
  charLevel: false,
  oovToken: null,
  analyzer: null,
  documentCount: 0,
};

const kName = 'Tokenizer';
const modes: readonly MatrixMode[] = ['binary', 'count', 'tfidf', 'freq'];

/** Counts of a Tokenizer, and the ids that follow from them. */
interface Counted {
  wordCounts: ReadonlyMap<string, number>;
  wordDocs: ReadonlyMap<string, number>;
  wordIndex: ReadonlyMap<string, number>;
  indexWord: ReadonlyMap<number, string>;
  indexDocs: ReadonlyMap<number, number>;
}

const inverse = (wordIndex: ReadonlyMap<string, number>): Map<number, string> =>
  new Map([...wordIndex].map(([word, id]) => [id, word]));

/** Returns the maps of a config of Keras, or the attributes of a pickled object. */
function countedIn(config: { readonly [name: string]: unknown }): Counted {
  const of = (name: string): string => `${name} of the ${kName}`;
  const wordIndex = wordNumbers(config['word_index'], of('word_index'));
  // Files of Keras before 2.2 lack it.
  const words = idWords(config['index_word'], of('index_word'));
  return {
    wordIndex,
    wordCounts: wordNumbers(config['word_counts'], of('word_counts')),
    wordDocs: wordNumbers(config['word_docs'], of('word_docs')),
    indexDocs: idNumbers(config['index_docs'], of('index_docs')),
    indexWord: words.size > 0 ? words : inverse(wordIndex),
  };
}

const maps = ['word_counts', 'word_docs', 'index_docs', 'index_word', 'word_index'];

/** Returns a function that replaces the characters of `filters` by the text between words. */
function separating(filters: string, split: string): (text: string) => string {
  if (filters === '') return (text) => text;
  const codes = [...filters].map((char) => `\\u{${char.codePointAt(0)?.toString(16)}}`);
  const pattern = new RegExp(`[${codes.join('')}]`, 'gu');
  return (text) => text.replace(pattern, () => split);
}

/**
 * Keras's older class for text, `Tokenizer` of `keras.preprocessing.text`: gives each word an id,
 * the most frequent one first. Models trained with it need it: other classes give other ids. It
 * runs without the engine; only the matrices and `tensor` need `ready()`.
 *
 * Throws ConfigError for an unknown or invalid setting.
 *
 * @example
 * const tokenizer = Tokenizer.fromJSON(await (await fetch('tokenizer.json')).text());
 * const ids = padSequences(tokenizer.textsToSequences(['The movie was good']), { maxlen: 20 });
 */
export class Tokenizer extends Identity {
  /** Class name, as in Keras. */
  readonly className = kName;
  readonly #settings: Required<TokenizerConfig>;
  readonly #separate: (text: string) => string;
  #documentCount: number;
  #counted: Counted = countedIn({});
  readonly #objects = new Map<keyof Counted, object>();

  constructor(config: TokenizerConfig = {}) {
    super();
    const settings = readConfig(kName, config, defaults);
    // The list may come from a pickle.
    if (Array.isArray(settings.filters)) settings.filters = settings.filters.join('');
    this.#settings = settings;
    this.#check();
    this.#documentCount = settings.documentCount;
    this.#separate = separating(settings.filters, settings.split);
  }

  #check(): void {
    const { numWords, filters, lower, split, charLevel, oovToken, analyzer, documentCount } =
      this.#settings;
    const setting = (name: string): string => `${kName}: ${name}`;
    if (numWords !== null) checkInteger(setting('numWords'), numWords, 0, ', or null');
    checkInteger(setting('documentCount'), documentCount, 0);
    for (const [name, value] of Object.entries({ lower, charLevel })) {
      if (typeof value !== 'boolean') refuse(setting(name), 'true or false', value, ConfigError);
    }
    if (typeof filters !== 'string') refuse(setting('filters'), 'a string', filters, ConfigError);
    if (typeof split !== 'string' || split === '')
      refuse(setting('split'), 'a string that is not empty', split, ConfigError);
    if (oovToken !== null && typeof oovToken !== 'string')
      refuse(setting('oovToken'), 'a string or null', oovToken, ConfigError);
    if (analyzer !== null) checkFunction(analyzer, setting('analyzer'));
  }

  /**
   * Creates a Tokenizer from what Keras's `to_json()` wrote, or from `toJSON()`: JSON as text or
   * parsed. `settings` replace those of the file: `analyzer` is in no file.
   *
   * Throws FormatError for other JSON.
   *
   * @param json The text, or the object that it contains.
   */
  static fromJSON(json: string | object, settings: TokenizerConfig = {}): Tokenizer {
    const value = typeof json === 'string' ? parseTwice(json, 'the text') : json;
    const { class_name: name, config } = Object(value) as { [key: string]: unknown };
    if (name === kName && isPlain(config)) return Tokenizer.#from(config, settings);
    const remedy = isWordIndex(value)
      ? '; it looks like a map of words to ids: call Tokenizer.fromWordIndex(map)'
      : Object.hasOwn(Object(value), 'model')
        ? "; it looks like a file of Hugging Face's tokenizers, which is another class"
        : '';
    throw new FormatError(`the JSON is not what Keras's Tokenizer.to_json() writes${remedy}`);
  }

  /**
   * Creates a Tokenizer from ids, as in `tokenizer.word_index` of Python: an object, a Map or JSON
   * text. It has no counts: the modes 'count', 'binary' and 'freq' work, 'tfidf' does not.
   *
   * Throws FormatError for an invalid id, and ConfigError if `oovToken` has no id.
   *
   * @param wordIndex The id of each word.
   */
  static fromWordIndex(
    wordIndex: string | { readonly [word: string]: number } | ReadonlyMap<string, number>,
    settings: TokenizerConfig = {},
  ): Tokenizer {
    const tokenizer = new Tokenizer(settings);
    tokenizer.#counted = countedIn({ word_index: wordIndex });
    const { oovToken } = tokenizer.#settings;
    if (oovToken === null || tokenizer.#counted.wordIndex.has(oovToken)) return tokenizer;
    throw new ConfigError(
      `${kName}: oovToken '${oovToken}' is not in the map of words to ids; add it, or leave oovToken out`,
    );
  }

  static #from(config: { readonly [name: string]: unknown }, settings: TokenizerConfig): Tokenizer {
    const others = Object.entries(config).filter(([name]) => !maps.includes(name));
    const tokenizer = new Tokenizer({
      ...readConfig(kName, Object.fromEntries(others), defaults),
      ...settings,
    });
    tokenizer.#counted = countedIn(config);
    return tokenizer;
  }

  /** Creates a Tokenizer from the attributes of a pickled one. @internal */
  static fromAttributes(attributes: { readonly [name: string]: unknown }): Tokenizer {
    const known = [...Object.keys(writeConfig(defaults)), ...maps];
    const config = Object.fromEntries(
      known
        .filter((name) => Object.hasOwn(attributes, name))
        .map((name) => [name, attributes[name]]),
    );
    return Tokenizer.#from(config, {});
  }

  /** Number below which ids are used; null for all. */
  get numWords(): number | null {
    return this.#settings.numWords;
  }
  /** Word for unknown words; null if they are left out. */
  get oovToken(): string | null {
    return this.#settings.oovToken;
  }
  /** Number of texts that were counted. */
  get documentCount(): number {
    return this.#documentCount;
  }
  /** Id of each word. */
  get wordIndex(): { readonly [word: string]: number } {
    return this.#object('wordIndex');
  }
  /** Word of each id. */
  get indexWord(): { readonly [id: number]: string } {
    return this.#object('indexWord');
  }
  /** Number of times that each word occurs. */
  get wordCounts(): { readonly [word: string]: number } {
    return this.#object('wordCounts');
  }
  /** Number of texts with each word. */
  get wordDocs(): { readonly [word: string]: number } {
    return this.#object('wordDocs');
  }
  /** Number of texts with the word of each id. */
  get indexDocs(): { readonly [id: number]: number } {
    return this.#object('indexDocs');
  }

  #object<T extends object>(name: keyof Counted): T {
    const known =
      this.#objects.get(name) ?? objectOf<string | number, unknown>(this.#counted[name]);
    this.#objects.set(name, known);
    return known as T;
  }

  #lower(text: string): string {
    return this.#settings.lower ? text.toLowerCase() : text;
  }

  /** Returns the words of a text. */
  #words(text: unknown, position: number): readonly string[] {
    if (Array.isArray(text)) {
      for (const word of text) {
        if (typeof word !== 'string')
          refuse(`${kName}: a word of text ${position}`, 'a string', word);
      }
      return text.map((word) => this.#lower(word));
    }
    if (typeof text !== 'string') {
      return refuse(`${kName}: text ${position}`, 'a string or a list of words', text);
    }
    const { charLevel, analyzer, split } = this.#settings;
    if (charLevel) return [...this.#lower(text)];
    if (!analyzer) {
      return this.#separate(this.#lower(text))
        .split(split)
        .filter((word) => word !== '');
    }
    const words: unknown = analyzer(text);
    if (Array.isArray(words) && words.every((word) => typeof word === 'string')) return words;
    return refuse(`${kName}: the result of analyzer`, 'a list of strings', words);
  }

  /** Counts the words of texts, together with those counted before, and gives all of them ids. */
  fitOnTexts(texts: TokenizerTexts): void {
    const wordCounts = new Map(this.#counted.wordCounts);
    const wordDocs = new Map(this.#counted.wordDocs);
    const add = (map: Map<string, number>, word: string): void => {
      map.set(word, (map.get(word) ?? 0) + 1);
    };
    let count = 0;
    for (const text of listOfTexts(texts)) {
      const words = this.#words(text, count++);
      for (const word of words) add(wordCounts, word);
      for (const word of new Set(words)) add(wordDocs, word);
    }
    const { oovToken } = this.#settings;
    const ranked = [...wordCounts].sort(([, a], [, b]) => b - a).map(([word]) => word);
    const words = oovToken === null ? ranked : [oovToken, ...ranked];
    // As in Keras, a counted word that is also the oovToken keeps its later id.
    const wordIndex = new Map(words.map((word, i) => [word, i + 1]));
    const indexDocs = new Map(this.#counted.indexDocs);
    for (const [word, docs] of wordDocs) {
      const id = wordIndex.get(word);
      if (id !== undefined) indexDocs.set(id, docs);
    }
    this.#documentCount += count;
    this.#setCounted({ wordCounts, wordDocs, wordIndex, indexWord: inverse(wordIndex), indexDocs });
  }

  #setCounted(counted: Counted): void {
    this.#counted = counted;
    this.#objects.clear();
  }

  /** Counts rows of ids, for 'tfidf' without texts. */
  fitOnSequences(sequences: Sequences): void {
    const indexDocs = new Map(this.#counted.indexDocs);
    const rows = idRows(sequences);
    for (const row of rows)
      for (const id of new Set(row)) indexDocs.set(id, (indexDocs.get(id) ?? 0) + 1);
    this.#documentCount += rows.length;
    this.#setCounted({ ...this.#counted, indexDocs });
  }

  /** Returns the id for a word without an id that is used; undefined if it is left out. */
  #unknown(hasId: boolean): number | undefined {
    const { oovToken } = this.#settings;
    if (oovToken === null) return undefined;
    const id = this.#counted.wordIndex.get(oovToken);
    if (id !== undefined || hasId) return id;
    throw new StateError(
      `${kName}: the oovToken '${oovToken}' has no id yet; call fitOnTexts(texts) first`,
    );
  }

  #isUsed(id: number): boolean {
    const { numWords } = this.#settings;
    return !numWords || id < numWords;
  }

  /**
   * Returns the ids of each text. Unknown words are left out, or get the id of `oovToken`. Rows
   * have their own lengths: pad them with `padSequences`.
   */
  textsToSequences(texts: TokenizerTexts): number[][] {
    const { wordIndex } = this.#counted;
    return [...listOfTexts(texts)].map((text, i) => {
      const ids: number[] = [];
      for (const word of this.#words(text, i)) {
        const id = wordIndex.get(word);
        const used = id !== undefined && this.#isUsed(id) ? id : this.#unknown(id !== undefined);
        if (used !== undefined) ids.push(used);
      }
      return ids;
    });
  }

  /** Returns the words of ids, joined by spaces. Unknown ids, padding too, become `oovToken`. */
  sequencesToTexts(sequences: Sequences): string[] {
    const { indexWord } = this.#counted;
    return idRows(sequences).map((row) => {
      const words = row.map((id) => {
        const word = indexWord.get(id);
        if (word !== undefined && this.#isUsed(id)) return word;
        return indexWord.get(this.#unknown(word !== undefined) ?? Number.NaN);
      });
      return words.filter((word) => word !== undefined).join(' ');
    });
  }

  /**
   * Returns a tensor [texts, numWords] with a column for each id: whether it occurs ('binary'), how
   * often ('count'), its share of the text ('freq'), or 'tfidf'.
   */
  textsToMatrix(texts: TokenizerTexts, mode: MatrixMode = 'binary'): Tensor {
    return this.sequencesToMatrix(this.textsToSequences(texts), mode);
  }

  /** Does the same for rows of ids. Throws ValueError for ids that are not integers from 0 on. */
  sequencesToMatrix(sequences: Sequences, mode: MatrixMode = 'binary'): Tensor {
    checkOneOf(kName, 'mode', mode, modes);
    const { wordIndex } = this.#counted;
    const width = this.numWords || (wordIndex.size > 0 ? wordIndex.size + 1 : 0);
    if (width === 0) {
      throw new StateError(`${kName} has no words: set numWords, or call fitOnTexts(texts) first`);
    }
    if (mode === 'tfidf' && this.#documentCount === 0) {
      throw new StateError(
        `${kName} has not counted texts, which 'tfidf' needs: call fitOnTexts(texts) first`,
      );
    }
    const rows = idRows(sequences);
    const shape = [rows.length, width];
    const data = zeros(Float32Array, shape, kName);
    for (const [i, row] of rows.entries()) {
      for (const [id, count] of countsOf(row, width))
        data[i * width + id] = this.#entry(mode, id, count, row.length);
    }
    return tensor(data, { shape });
  }

  #entry(mode: MatrixMode, id: number, count: number, length: number): number {
    if (mode === 'binary') return 1;
    if (mode === 'count') return count;
    if (mode === 'freq') return count / length;
    const docs = this.#counted.indexDocs.get(id) ?? 0;
    return (1 + Math.log(count)) * Math.log(1 + this.#documentCount / (1 + docs));
  }

  /** The settings and counts under Keras's names. Its maps are JSON, as in Keras. */
  getConfig(): { [key: string]: unknown } {
    const { analyzer: _, documentCount: __, ...settings } = this.#settings;
    const { wordCounts, wordDocs, indexDocs, indexWord, wordIndex } = this.#counted;
    return {
      ...writeConfig(settings),
      document_count: this.#documentCount,
      word_counts: jsonOf(wordCounts),
      word_docs: jsonOf(wordDocs),
      index_docs: jsonOf(indexDocs),
      index_word: jsonOf(indexWord),
      word_index: jsonOf(wordIndex),
    };
  }

  /**
   * Returns what `JSON.stringify` writes: the fields of Keras's `to_json()`. Its
   * `tokenizer_from_json` reads the text.
   */
  toJSON(): unknown {
    return { class_name: kName, config: this.getConfig() };
  }
}

/** Throws ValueError for a single text, whose characters would be texts. */
function listOfTexts(texts: TokenizerTexts): TokenizerTexts {
  const what = `${kName}: texts`;
  if (typeof texts === 'string')
    throw new ValueError(`${what} is a string but must be a list: [text]`);
  if (typeof Object(texts)[Symbol.iterator] === 'function') return texts;
  return refuse(what, 'a list of texts', texts);
}

/** Returns ids as lists. */
function idRows(sequences: Sequences): readonly (readonly number[])[] {
  const rows = tokenLists<number>(sequences, 'number', `${kName}, for rows of ids,`);
  if (Array.isArray(rows) && rows.every((row) => Array.isArray(row) && !row.some(Array.isArray)))
    return rows as number[][];
  throw new ValueError(
    `${kName}: sequences are ${describe(sequences)} but must be rows of ids: [ids]`,
  );
}

/** Counts the ids of a row below a number. */
function countsOf(row: readonly number[], width: number): Map<number, number> {
  const counts = new Map<number, number>();
  for (const id of row) {
    if (id >= width) continue;
    checkInteger(`${kName}: an id`, id, 0);
    counts.set(id, (counts.get(id) ?? 0) + 1);
  }
  return counts;
}

const isWordIndex = (value: unknown): boolean =>
  isPlain(value) && Object.values(value).every((id) => Number.isInteger(id));
