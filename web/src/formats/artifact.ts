// SPDX-License-Identifier: MIT
// The content of a model file between its reader and the builder: every reader in read/ returns an
// Artifact, so that build/ and pair/ do not depend on a file format.
import type { TypedArray } from '../base/nested.js';

/** An array in a model file. Nothing is read, copied or decompressed before `read()`. */
export interface NamedArray {
  /**
   * Name in the file, for messages: `kernel`, `lstm/lstm_cell/kernel:0`, or a path in Keras 3's.
   */
  readonly name: string;
  readonly shape: readonly number[];
  /** NumPy's name of the stored type: float32, float16, float64, int64, bool … */
  readonly dtype: string;
  /**
   * Returns all elements in row-major order. Half floats become a Float32Array, bools a Uint8Array,
   * 64-bit integers a Float64Array. Throws FormatError if the data is missing or damaged.
   */
  read(): TypedArray;
  /**
   * Checks all that `read` checks, and returns a function that writes the elements as floats to
   * their destination, without an array in between. Arrays computed from others lack it.
   */
  writer?(): FloatWriter;
}

/** Fills `floats`, which has the array's number of elements. It cannot fail. */
export type FloatWriter = (floats: Float32Array) => void;

/** A layer or model as Keras 3 writes it into `config.json`. */
export interface SerializedObject {
  class_name: string;
  config: { [key: string]: unknown };
  module?: string | null;
  registered_name?: string | null;
  build_config?: { [key: string]: unknown } | null;
  [key: string]: unknown;
}

/** Weights by path in the tree of layers, as Keras 3 writes them: `layers/lstm/cell/vars/0`. */
export interface TreeWeights {
  readonly kind: 'tree';
  readonly arrays: ReadonlyMap<string, NamedArray>;
  /** Layer names by path without `vars`, if the file has them; for messages and ambiguous cases. */
  readonly names?: ReadonlyMap<string, string>;
}

/** Weights by layer, in the order of the file: `.h5` files of Keras 1 and 2, and TF.js. */
export interface LayerWeights {
  readonly kind: 'layers';
  readonly layers: readonly StoredLayer[];
  /**
   * 'top': one entry for each layer of the model; a nested model is one entry with all its weights,
   * trainable ones first. 'inner': one entry for each name prefix, at any depth and in any order
   * (TF.js).
   */
  readonly level: 'top' | 'inner';
  /** Backend of the Keras that wrote the file; 'theano' reversed the kernels of convolutions. */
  readonly backend: string;
}

export interface StoredLayer {
  readonly name: string;
  readonly weights: readonly NamedArray[];
}

/** Meaning of `hard_sigmoid`: 'keras2' is clip(0.2 x + 0.5), 'keras3' is clip(x / 6 + 0.5). */
export type HardSigmoid = 'keras2' | 'keras3';

/** Options of every reader. */
export interface ReadOptions {
  /** Names of layers and classes that the caller replaces (`customObjects`). */
  readonly replaced?: ReadonlySet<string>;
  /** Whether to leave out weights that are in other files. */
  readonly architectureOnly?: boolean;
}

/** Result of every reader: the content of a model file, from which a model is built. */
export interface Artifact {
  /** The config in Keras 3's dialect; null if the file has weights only. */
  readonly config: SerializedObject | null;
  /** Version of the Keras that wrote the file, for example '3.15.1'; '' if unknown. */
  readonly kerasVersion: string;
  readonly maskPropagation?: 'keras-3.15' | 'keras-3.16';
  /** Default: 'keras3'. */
  readonly hardSigmoid?: HardSigmoid;
  /** The weights; null for an architecture without weights. */
  readonly weights: TreeWeights | LayerWeights | null;
  /** Unsupported parts of the file, a sentence each; listed together with unknown classes. */
  readonly problems?: readonly string[];
  /** Text files of the archive, such as vocabularies, by path. */
  readonly texts?: ReadonlyMap<string, string>;
  /** Other files of layers in the archive. */
  readonly assets?: { names: readonly string[]; unpack(name: string): Promise<Uint8Array> };
  /** The compile config as parsed, not checked. */
  readonly compileConfig?: unknown;
  /** Variables of the optimizer in files without a tree of weights. */
  readonly optimizer?: readonly NamedArray[];
}
