// SPDX-License-Identifier: MIT
// Keras's HashedCrossing: several features become one, without a vocabulary. Its bins are those of
// TensorFlow, because trained weights depend on them.
import { Identity } from '../base/identity.js';
import { describe } from '../base/check.js';
import { ShapeError, ValueError } from '../base/errors.js';
import { isTensor, type SymbolicTensor, type Tensor } from '../tensor/tensor.js';
import { type BinsMode, checkBins, checkEqualRows, encodeBins } from './bins.js';
import { checkOneOf, nameOf, kLayerSettings, readConfig, writeConfig } from './config.js';
import { fingerprint64 } from './farmhash.js';
import { symbolicResult } from './number_layer.js';
import { isNumeric, type Rows, rowsOf, tokenLists, type Tokens } from './rows.js';

/** Settings of {@link HashedCrossing}, as in Keras; in camelCase or snake_case. */
export interface HashedCrossingConfig {
  /** Number of bins. */
  numBins: number;
  /** Form of the result: the bins, or a vector for each of them. Default: 'int'. */
  outputMode?: 'int' | 'one_hot';
  /** Name of the layer. Default: 'hashed_crossing'. */
  name?: string | null;
}

const defaults = {
  numBins: 0,
  outputMode: 'int' as BinsMode,
  name: null as string | null,
};

/** One feature: strings or integers, as [batch] or [batch, 1] values, or one of them. */
export type Feature = Tensor | ArrayLike<number> | Tokens<string> | Tokens<number>;

// Constants of TensorFlow: the first fingerprint and the factor that joins two.
const kFirst = 0xdecafcaffen;
const kFactor = 0xc6a4a7935bd1e995n;

const u64 = (x: bigint): bigint => BigInt.asUintN(64, x);
const shiftMix = (x: bigint): bigint => x ^ (x >> 47n);

/** Returns the fingerprint of two values from their fingerprints. */
function joined(first: bigint, second: bigint): bigint {
  const mixed = first ^ kFactor ^ u64(shiftMix(u64(second * kFactor)) * kFactor);
  return shiftMix(u64(shiftMix(u64(mixed * kFactor)) * kFactor));
}

/**
 * Maps combinations of features to bins by a hash: for each row, its values of all features have
 * one bin together. The bins are those of TensorFlow.
 *
 * Throws ConfigError for an unknown or invalid setting.
 *
 * @example
 * new HashedCrossing({ numBins: 5 }).apply([['A', 'B', 'A'], [101, 101, 102]]) // [1, 4, 3]
 */
export class HashedCrossing extends Identity {
  /** Class name, as in Keras. */
  readonly className = 'HashedCrossing';
  /** Name of the layer. */
  readonly name: string;
  readonly #settings: typeof defaults;

  constructor(config: HashedCrossingConfig) {
    super();
    const settings = readConfig(this.className, config, defaults, kLayerSettings);
    this.#settings = settings;
    this.name = nameOf(this.className, settings.name);
    checkBins(this.className, settings.numBins);
    checkOneOf(this.className, 'outputMode', settings.outputMode, ['int', 'one_hot']);
  }

  /** Creates the layer from its config. */
  static fromConfig(config: object): HashedCrossing {
    return new HashedCrossing(config as HashedCrossingConfig);
  }

  /**
   * Maps two or more features of one shape, [batch], [batch, 1] or [], to bins. With 'int' the
   * result is int32 in that shape; with 'one_hot' it is float32 [batch, numBins].
   *
   * Throws ValueError for fewer features and other data, and ShapeError for other shapes.
   */
  apply(features: readonly Feature[]): Tensor;
  /** On inputs of a graph, the result is symbolic. */
  apply(inputs: readonly SymbolicTensor[]): SymbolicTensor;
  apply(features: readonly (Feature | SymbolicTensor)[]): Tensor | SymbolicTensor {
    return symbolicResult(this, features) ?? this.#cross(features as readonly Feature[]);
  }

  #cross(features: readonly Feature[]): Tensor {
    const label = `${this.className} '${this.name}'`;
    if (!Array.isArray(features) || features.length < 2) {
      throw new ValueError(
        `${label} crosses features, but got ${describe(features)}; pass a list of two or more`,
      );
    }
    const columns = Array.from(features, (feature) => columnOf(feature, label));
    const { shape } = columns[0] as Rows<bigint>;
    const other = columns.find((column) => String(column.shape) !== String(shape));
    if (other) {
      throw new ShapeError(
        `${label}: one feature has shape [${shape}], another [${other.shape}]; pass equal shapes`,
      );
    }
    if (shape.length > 2 || (shape.length === 2 && shape[1] !== 1)) {
      throw new ShapeError(
        `${label}: features have shape [${shape}]; pass [batch], [batch, 1] or single values`,
      );
    }
    const { numBins, outputMode } = this.#settings;
    const { tokens, positions } = columns[0] as Rows<bigint>;
    const bins = tokens.map((_, row) => {
      const hash = columns.reduce(
        (key, column) => joined(key, column.tokens[row] as bigint),
        kFirst,
      );
      return Number(hash % BigInt(numBins));
    });
    return encodeBins({ shape, tokens: bins, positions }, outputMode, numBins, label);
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

/** Returns 64 bits for each value of a feature: an integer, or the fingerprint of a string. */
function columnOf(feature: Feature, label: string): Rows<bigint> {
  if (isTensor(feature) && feature.dtype === 'float32') {
    throw new ValueError(`${label} crosses integers and strings, not float32; cast the tensor`);
  }
  const type = isNumeric(feature) ? 'number' : 'string';
  const rows = rowsOf(tokenLists<string | number>(feature, type, label));
  checkEqualRows(rows, label);
  const tokens = rows.tokens.map((value) => {
    if (typeof value === 'string') return fingerprint64(value);
    if (Number.isSafeInteger(value)) return u64(BigInt(value));
    throw new ValueError(`${label} crosses integers and strings, not ${value}; round it`);
  });
  return { ...rows, tokens };
}
