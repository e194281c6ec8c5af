// SPDX-License-Identifier: MIT
// Keras's Hashing. Its bins are those of TensorFlow, because trained weights depend on them.
import { Identity } from '../base/identity.js';
import { describe, show } from '../base/check.js';
import { ConfigError, ValueError } from '../base/errors.js';
import type { SymbolicTensor, Tensor } from '../tensor/tensor.js';
import { type BinsMode, checkBins, checkEqualRows, encodeBins } from './bins.js';
import { checkOneOf, nameOf, kLayerSettings, readConfig, writeConfig } from './config.js';
import { fingerprint64 } from './farmhash.js';
import { symbolicResult } from './number_layer.js';
import { isNumeric, rowsOf, tokenLists, type Tokens } from './rows.js';
import { sipHash64 } from './siphash.js';
import { SymbolicText } from './symbolic_text.js';

/** Settings of {@link Hashing}, as in Keras; in camelCase or snake_case. */
export interface HashingConfig {
  /** Number of bins, including that of the mask value. */
  numBins: number;
  /** Value that has bin 0 for itself. Default: null, no such value. */
  maskValue?: string | number | null;
  /**
   * Key of the hash: two whole numbers, or one that stands for both. With it, the hash is
   * SipHash64. Default: null, FarmHash64.
   */
  salt?: number | readonly number[] | null;
  /** Form of the result. Default: 'int'. */
  outputMode?: BinsMode;
  /** Name of the layer. Default: 'hashing'. */
  name?: string | null;
}

const defaults = {
  numBins: 0,
  maskValue: null as string | number | null,
  salt: null as number | readonly number[] | null,
  outputMode: 'int' as BinsMode,
  name: null as string | null,
};

const modes: readonly BinsMode[] = ['int', 'one_hot', 'multi_hot', 'count'];

/** Returns the key of a salt; null for none. */
function keyOf(salt: unknown): readonly [bigint, bigint] | null {
  if (salt === null) return null;
  // A list may have holes, which `every` would skip.
  const parts: unknown[] = Array.isArray(salt) ? Array.from(salt) : [salt, salt];
  if (parts.length !== 2 || !parts.every(Number.isSafeInteger)) {
    throw new ConfigError(
      `Hashing: salt is ${show(salt)} but must be a whole number, two of them, or null`,
    );
  }
  return [BigInt(parts[0] as number), BigInt(parts[1] as number)];
}

/** Returns the text that is hashed for a number, as in Keras: without its fraction. */
function textOf(value: number, label: string): string {
  if (Math.abs(value) < 2 ** 63) return String(BigInt(Math.trunc(value)));
  throw new ValueError(`${label} cannot hash ${value}; pass numbers that fit in an int64`);
}

/**
 * Maps strings or integers to bins by a hash, so that no vocabulary is needed. The bins are those
 * of TensorFlow.
 *
 * Throws ConfigError for an unknown or invalid setting.
 *
 * @example
 * new Hashing({ numBins: 3 }).apply([['A'], ['B'], ['C']]) // [[1], [0], [1]]
 */
export class Hashing extends Identity {
  /** Class name, as in Keras. */
  readonly className = 'Hashing';
  /** Name of the layer. */
  readonly name: string;
  readonly #settings: typeof defaults;
  readonly #key: readonly [bigint, bigint] | null;

  constructor(config: HashingConfig) {
    super();
    const settings = readConfig(this.className, config, defaults, kLayerSettings);
    this.#settings = settings;
    this.name = nameOf(this.className, settings.name);
    checkBins(this.className, settings.numBins);
    checkOneOf(this.className, 'outputMode', settings.outputMode, modes);
    const { maskValue } = settings;
    if (maskValue !== null && typeof maskValue !== 'string' && typeof maskValue !== 'number') {
      throw new ConfigError(
        `Hashing: maskValue is ${show(maskValue)} but must be a string, a number, or null`,
      );
    }
    this.#key = keyOf(settings.salt);
  }

  /** Creates the layer from its config. */
  static fromConfig(config: object): Hashing {
    return new Hashing(config as HashingConfig);
  }

  /**
   * Maps strings or numbers to bins: one value, equally nested lists, a typed array or a tensor.
   * Numbers lose their fraction. With 'int' the result is int32 in the same shape. Other modes
   * return float32 vectors, [...shape, numBins] or [rows, numBins]; see {@link BinsMode}.
   *
   * Throws ValueError for other data and ShapeError for lists that are not equally nested.
   */
  apply(data: Tensor | ArrayLike<number> | Tokens<string> | Tokens<number>): Tensor;
  /** On an input of a graph, of strings or of numbers, the result is symbolic. */
  apply(input: SymbolicTensor): SymbolicTensor;
  apply(
    data: Tensor | ArrayLike<number> | Tokens<string> | Tokens<number> | SymbolicTensor,
  ): Tensor | SymbolicTensor {
    if (data instanceof SymbolicText) return data.readBy(this);
    return symbolicResult(this, data) ?? this.#apply(data as Tensor);
  }

  #apply(data: Tensor | ArrayLike<number> | Tokens<string> | Tokens<number>): Tensor {
    const label = `${this.className} '${this.name}'`;
    const type = isNumeric(data) ? 'number' : 'string';
    const rows = rowsOf(tokenLists<string | number>(data, type, label));
    checkEqualRows(rows, label);
    const { numBins, outputMode, maskValue } = this.#settings;
    if (maskValue !== null && typeof maskValue !== type && rows.tokens.length > 0) {
      throw new ValueError(
        `${label}: maskValue is ${describe(maskValue)} ${show(maskValue)}, but the data are ${type}s; pass data of its type`,
      );
    }
    const bins = { ...rows, tokens: rows.tokens.map((value) => this.#binOf(value, label)) };
    const { shape } = rows;
    // Keras leaves out a last axis of 1 before it encodes.
    if (outputMode === 'one_hot' && shape.at(-1) === 1) bins.shape = shape.slice(0, -1);
    return encodeBins(bins, outputMode, numBins, label);
  }

  #binOf(value: string | number, label: string): number {
    const { numBins, maskValue } = this.#settings;
    // Keras ignores the mask value of a single bin.
    const isMasking = maskValue !== null && numBins > 1;
    if (isMasking && value === maskValue) return 0;
    const text = typeof value === 'string' ? value : textOf(value, label);
    const hash = this.#key ? sipHash64(text, this.#key) : fingerprint64(text);
    const offset = isMasking ? 1 : 0;
    return offset + Number(hash % BigInt(numBins - offset));
  }

  /** Returns the config in Keras's form, from which `fromConfig` creates an equal layer. */
  getConfig(): { [key: string]: unknown } {
    const { salt } = this.#settings;
    const pair = typeof salt === 'number' ? [salt, salt] : salt;
    return writeConfig({ ...this.#settings, salt: pair, name: this.name });
  }
  /** Class and config, for JSON.stringify. */
  toJSON(): unknown {
    return { class_name: this.className, config: this.getConfig() };
  }
}
